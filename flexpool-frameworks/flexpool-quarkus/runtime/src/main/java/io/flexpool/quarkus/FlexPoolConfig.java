// SPDX-License-Identifier: Apache-2.0
package io.flexpool.quarkus;

import io.quarkus.runtime.annotations.ConfigPhase;
import io.quarkus.runtime.annotations.ConfigRoot;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithParentName;
import java.util.Map;

/**
 * Claims {@code quarkus.flexpool.*} for Quarkus, which would warn of unknown keys else. Which keys there are, and what they
 * may be, core says: {@link FlexPoolKeys} reads them.
 */
@ConfigMapping(prefix = "quarkus.flexpool")
@ConfigRoot(phase = ConfigPhase.RUN_TIME)
public interface FlexPoolConfig {
    /**
     * Any key of flexpool's table of configuration, for all datasources, or after {@code pools.<datasource>.} for one.
     *
     * @return by the parts of the key
     */
    @WithParentName
    Map<String, String> keys();
}
