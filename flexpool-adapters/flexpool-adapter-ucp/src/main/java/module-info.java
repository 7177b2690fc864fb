// SPDX-License-Identifier: Apache-2.0
/** The adapter for Oracle's Universal Connection Pool. */
module io.flexpool.adapter.ucp {
    requires transitive io.flexpool.core;
    requires static com.oracle.database.ucp;
    requires static org.jspecify;

    exports io.flexpool.adapter.ucp;

    provides io.flexpool.adapter.PoolAdapterProvider with
            io.flexpool.adapter.ucp.UcpAdapterProvider;
}
