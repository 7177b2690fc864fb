// SPDX-License-Identifier: Apache-2.0
/** The adapter for HikariCP. */
module io.flexpool.adapter.hikaricp {
    requires transitive io.flexpool.core;
    requires static com.zaxxer.hikari;
    requires static org.jspecify;

    exports io.flexpool.adapter.hikaricp;

    provides io.flexpool.adapter.PoolAdapterProvider with
            io.flexpool.adapter.hikaricp.HikariAdapterProvider;
}
