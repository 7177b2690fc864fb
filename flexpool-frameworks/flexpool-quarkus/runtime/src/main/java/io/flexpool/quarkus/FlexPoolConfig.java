// SPDX-License-Identifier: Apache-2.0
package io.flexpool.quarkus;

import io.quarkus.runtime.annotations.ConfigPhase;
import io.quarkus.runtime.annotations.ConfigRoot;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithParentName;
import java.util.Map;

/**
 * Declares {@code quarkus.flexpool.*}, because Quarkus would otherwise warn of unknown keys. Core defines the keys and
 * their values; {@link FlexPoolKeys} reads them.
 */
@ConfigMapping(prefix = "quarkus.flexpool")
@ConfigRoot(phase = ConfigPhase.RUN_TIME)
public interface FlexPoolConfig {
    /**
     * The keys of flexpool, for all datasources, or after {@code pools.<datasource>.} for one.
     *
     * @return the values by the parts of the key
     */
    @WithParentName
    Map<String, String> keys();
}
