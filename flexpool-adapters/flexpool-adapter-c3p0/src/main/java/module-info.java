// SPDX-License-Identifier: Apache-2.0
/** The adapter for c3p0. */
@SuppressWarnings("module") // a digit at the end of its name, as the artifact has
module io.flexpool.adapter.c3p0 {
    requires transitive io.flexpool.core;
    requires static com.mchange.v2.c3p0;
    requires static org.jspecify;

    exports io.flexpool.adapter.c3p0;

    provides io.flexpool.adapter.PoolAdapterProvider with
            io.flexpool.adapter.c3p0.C3p0AdapterProvider;
}
