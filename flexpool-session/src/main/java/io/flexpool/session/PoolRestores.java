// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import io.flexpool.spi.PartContext;
import io.flexpool.spi.PoolPart.SessionProperty;
import java.util.EnumSet;
import java.util.Set;

/** The properties of JDBC that a pool itself restores on a return: no borrower inherits them. */
final class PoolRestores {
    private PoolRestores() {}

    static Set<SessionProperty> of(PartContext pool) {
        return switch (pool.type()) {
            case "HikariCP" -> hikaricp(pool.dataSource());
            case "Druid" -> EnumSet.of(SessionProperty.HOLDABILITY);
            case "c3p0" -> EnumSet.of(SessionProperty.HOLDABILITY, SessionProperty.TYPE_MAP);
            default -> EnumSet.noneOf(SessionProperty.class);
        };
    }

    /** Whether a pool rolls back an open transaction on a return: some pools leave it open, and some commit it. */
    static boolean rollsBack(PartContext pool) {
        Object dataSource = pool.dataSource();
        return switch (pool.type()) {
            case "HikariCP", "Druid", "Commons DBCP 1.4", "MyBatis" -> true;
            case "c3p0" ->
                has(dataSource, "isAutoCommitOnClose", false)
                        && has(dataSource, "isForceIgnoreUnresolvedTransactions", false);
            case "Commons DBCP 2", "Tomcat JDBC" -> has(dataSource, "getRollbackOnReturn", true);
            default -> false;
        };
    }

    /** Whether a pool that rolls back skips read-only connections: their transaction continues, or is committed. */
    static boolean keepsReadOnly(PartContext pool) {
        return Set.of("Druid", "Commons DBCP 2", "Commons DBCP 1.4").contains(pool.type());
    }

    /** False also if the data source does not show this property. */
    private static boolean has(Object dataSource, String property, boolean value) {
        try {
            return Boolean.valueOf(value)
                    .equals(dataSource.getClass().getMethod(property).invoke(dataSource));
        } catch (ReflectiveOperationException | RuntimeException | LinkageError ofAnotherClass) {
            return false;
        }
    }

    /** Schema and catalog only if the pool is configured with them. */
    private static Set<SessionProperty> hikaricp(Object dataSource) {
        Set<SessionProperty> restored = EnumSet.of(SessionProperty.NETWORK_TIMEOUT);
        if (isSet(dataSource, "getSchema")) {
            restored.add(SessionProperty.SCHEMA);
        }
        if (isSet(dataSource, "getCatalog")) {
            restored.add(SessionProperty.CATALOG);
        }
        return restored;
    }

    private static boolean isSet(Object dataSource, String property) {
        try {
            Class<?> config = Class.forName(
                    "com.zaxxer.hikari.HikariConfig",
                    false,
                    dataSource.getClass().getClassLoader());
            return config.getMethod(property).invoke(dataSource) != null;
        } catch (ReflectiveOperationException | RuntimeException | LinkageError ofAnotherClass) {
            return false;
        }
    }
}
