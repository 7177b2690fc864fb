// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import io.flexpool.FlexPoolBuilder;
import io.flexpool.framework.NamedPool;
import io.flexpool.framework.contract.KeysContract;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** The contract of all frameworks; in an application {@link io.flexpool.spring.it.PropertiesTest} has the rest. */
class FlexPoolKeysTest extends KeysContract {
    @Override
    protected Keys read(Map<String, Object> file, Map<String, String> environment) {
        StandardEnvironment spring = new StandardEnvironment();
        MutablePropertySources sources = spring.getPropertySources();
        sources.replace(
                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                new SystemEnvironmentPropertySource(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, new LinkedHashMap<>(environment)));
        sources.addLast(new OriginTrackedMapPropertySource(file(), file));
        FlexPoolKeys keys = new FlexPoolKeys(spring);
        return new Keys() {
            @Override
            public String refusals() {
                return String.join("\n", keys.keys().problems());
            }

            @Override
            public void addTo(FlexPoolBuilder builder) {
                keys.keys().addTo(builder, NamedPool.of(POOL), POOL);
            }
        };
    }

    @Override
    protected String file() {
        return "application.yaml";
    }
}
