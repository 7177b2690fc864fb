// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.contract;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolBuilder;
import java.util.Map;
import javax.sql.DataSource;

/**
 * Wraps pools without a server view, even if one is on the class path: the contracts test the pool's own figures and
 * count every connection.
 */
final class PlainPools {
    private static final String VIEW = "server-view";

    private PlainPools() {}

    static FlexPoolBuilder wrap(DataSource pool) {
        FlexPoolBuilder builder = FlexPool.wrap(pool);
        boolean views =
                FlexPool.configurationKeys().stream().anyMatch(key -> key.name().equals(VIEW));
        return views ? builder.properties(Map.of("flexpool." + VIEW, "off")) : builder;
    }
}
