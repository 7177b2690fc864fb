// SPDX-License-Identifier: Apache-2.0
/** Finds the session state that a connection carries to its next borrower, resets it, and gives leases a budget. */
module io.flexpool.session {
    requires transitive io.flexpool.core;
    requires java.sql;
    requires org.slf4j;
    requires static org.jspecify;

    exports io.flexpool.session;

    provides io.flexpool.spi.PoolPartProvider with
            io.flexpool.session.SessionPartProvider,
            io.flexpool.session.LeasePartProvider;
}
