// SPDX-License-Identifier: Apache-2.0
/** The adapter for Commons DBCP 2. */
@SuppressWarnings("module") // a digit at the end of its name, as the artifact has
module io.flexpool.adapter.dbcp2 {
    requires transitive io.flexpool.core;
    requires static org.apache.commons.dbcp2;
    requires static org.apache.commons.pool2;
    requires static org.jspecify;

    exports io.flexpool.adapter.dbcp2;

    provides io.flexpool.adapter.PoolAdapterProvider with
            io.flexpool.adapter.dbcp2.Dbcp2AdapterProvider;
}
