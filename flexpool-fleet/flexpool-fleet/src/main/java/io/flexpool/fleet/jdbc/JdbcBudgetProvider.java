// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.jdbc;

import io.flexpool.fleet.ConnectionBudget;
import io.flexpool.fleet.ConnectionBudgetProvider;
import java.util.Set;

/** Keeps fleets in the table {@code flexpool_fleet} of the pools' database. */
public final class JdbcBudgetProvider implements ConnectionBudgetProvider {
    private static final String POSTGRESQL = "postgresql";

    /** Called by the service loader. */
    public JdbcBudgetProvider() {}

    @Override
    public Set<String> stores() {
        return Set.of(POSTGRESQL, "mysql");
    }

    @Override
    public ConnectionBudget open(Setup setup) {
        Dialect dialect = setup.store().equals(POSTGRESQL) ? Dialect.POSTGRESQL : Dialect.MYSQL;
        return new JdbcBudget(dialect, setup.fleet(), setup.mayCreate(), setup.connections());
    }
}
