// SPDX-License-Identifier: Apache-2.0
/** The adapter for Vibur DBCP. */
module io.flexpool.adapter.vibur {
    requires transitive io.flexpool.core;
    requires static org.vibur.dbcp;
    requires static org.vibur.objectpool;
    requires static org.jspecify;

    exports io.flexpool.adapter.vibur;

    provides io.flexpool.adapter.PoolAdapterProvider with
            io.flexpool.adapter.vibur.ViburAdapterProvider;
}
