// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.engine;

import io.flexpool.fleet.ConnectionBudget;
import io.flexpool.fleet.ConnectionBudgetProvider;
import io.flexpool.fleet.FleetLedger;
import io.flexpool.fleet.FleetLedger.Outcome;
import io.flexpool.fleet.FleetLedger.Row;
import io.flexpool.fleet.FleetLedger.State;
import io.flexpool.fleet.Grant;
import io.flexpool.fleet.Renewal;
import io.flexpool.pool.Ticker;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Keeps a fleet in this JVM: pools of tenants or shards that share one budget. Such a store never loses its state. */
public final class LocalBudgetProvider implements ConnectionBudgetProvider {
    private static final Map<String, Ledger> FLEETS = new ConcurrentHashMap<>();

    private final Ticker ticker;
    private final Map<String, Ledger> fleets;

    /** Called by the service loader: one set of fleets for each class loader. */
    public LocalBudgetProvider() {
        this(Ticker.SYSTEM, FLEETS);
    }

    LocalBudgetProvider(Ticker ticker, Map<String, Ledger> fleets) {
        this.ticker = ticker;
        this.fleets = fleets;
    }

    @Override
    public Set<String> stores() {
        return Set.of("local");
    }

    @Override
    public ConnectionBudget open(Setup setup) {
        return fleets.computeIfAbsent(setup.fleet(), name -> new Ledger(ticker));
    }

    /** One fleet. Thread-safe. */
    static final class Ledger implements ConnectionBudget {
        private final ReentrantLock lock = new ReentrantLock();
        private final Map<String, Row> rows = new LinkedHashMap<>();
        private final Ticker ticker;
        private final long beganNanos;
        /** The time until which no grant grows; 0 at first, because the store has lost no state. */
        private long calmUntilMillis;

        Ledger(Ticker ticker) {
            this.ticker = ticker;
            this.beganNanos = ticker.nanos();
        }

        @Override
        public Grant renew(Renewal renewal) {
            lock.lock();
            try {
                List<Row> known = new ArrayList<>(rows.values());
                Outcome outcome = FleetLedger.renew(new State(calmUntilMillis, "", known), "", millis(), renewal);
                calmUntilMillis = outcome.calmUntilMillis();
                outcome.corrected().forEach(row -> rows.put(row.member(), row));
                outcome.forgotten().forEach(rows::remove);
                rows.put(renewal.member(), outcome.own());
                return outcome.grant();
            } finally {
                lock.unlock();
            }
        }

        /** Begins at 1, because a row's time is above zero. */
        private long millis() {
            return 1 + TimeUnit.NANOSECONDS.toMillis(ticker.nanos() - beganNanos);
        }

        @Override
        public void leave(String member) {
            lock.lock();
            try {
                rows.remove(member);
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            // Other pools continue to use the ledger.
        }
    }
}
