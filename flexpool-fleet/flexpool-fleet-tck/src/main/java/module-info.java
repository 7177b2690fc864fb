// SPDX-License-Identifier: Apache-2.0
/** The contract of a store that keeps a fleet's number of connections. */
module io.flexpool.fleet.tck {
    requires transitive io.flexpool.fleet;
    requires org.assertj.core;
    requires transitive org.junit.jupiter.api;
    requires static org.jspecify;

    exports io.flexpool.fleet.tck;

    opens io.flexpool.fleet.tck to
            org.junit.platform.commons;
}
