// SPDX-License-Identifier: Apache-2.0
/** Fails tests that leak connections or break rules of leases. */
@SuppressWarnings("module") // a digit at the end of its name, as the artifact has
module io.flexpool.junit5 {
    requires transitive io.flexpool.core;
    requires static io.flexpool.session;
    requires static jdk.jfr;
    requires transitive org.junit.jupiter.api;
    requires org.junit.platform.commons;
    requires static org.jspecify;

    exports io.flexpool.junit5;

    opens io.flexpool.junit5 to
            org.junit.platform.commons;

    provides org.junit.jupiter.api.extension.Extension with
            io.flexpool.junit5.LeakCheck,
            io.flexpool.junit5.LeaseRules;
}
