// SPDX-License-Identifier: Apache-2.0
/** Hibernate without a framework: its connection provider on a wrapped pool. */
module io.flexpool.hibernate {
    requires transitive io.flexpool.core;
    requires jakarta.persistence;
    requires transitive org.hibernate.orm.core;
    requires static org.jspecify;

    exports io.flexpool.hibernate;

    opens io.flexpool.hibernate to
            org.hibernate.orm.core;

    provides org.hibernate.boot.registry.selector.StrategyRegistrationProvider with
            io.flexpool.hibernate.FlexPoolStrategy;
}
