// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.engine;

import io.flexpool.fleet.ConnectionBudget;
import io.flexpool.fleet.ConnectionBudgetProvider.Setup;
import io.flexpool.fleet.tck.ConnectionBudgetContract;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** The store of one JVM, in time that passes only when the contract says so. */
class LocalBudgetTest extends ConnectionBudgetContract {
    private final Map<String, LocalBudgetProvider.Ledger> fleets = new HashMap<>();
    private long nanos = Long.MAX_VALUE - 1_000_000_000L;

    @Override
    protected ConnectionBudget open(String name) {
        return new LocalBudgetProvider(() -> nanos, fleets).open(new Setup("local", name, null, false, () -> {
            throw new SQLException("not needed");
        }));
    }

    @Override
    protected void age(String name, Duration by) {
        nanos += by.toNanos();
    }

    @Override
    protected int putNonsense() {
        return 0;
    }

    @Override
    protected boolean hasOwnClock() {
        return false;
    }

    @Override
    protected boolean mayBeLost() {
        return false;
    }

    @Override
    protected void empty() {
        throw new UnsupportedOperationException("this store loses nothing");
    }
}
