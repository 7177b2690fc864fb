// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.scenario;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.fleet.ConnectionBudget;
import io.flexpool.fleet.ConnectionBudgetProvider;
import io.flexpool.fleet.ConnectionBudgetProvider.Setup;
import io.flexpool.fleet.FleetRules;
import io.flexpool.fleet.Renewal;
import io.flexpool.fleet.jdbc.JdbcBudgetProvider;
import io.flexpool.fleet.redis.RedisBudgetProvider;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import javax.sql.DataSource;

/**
 * How long a renewal takes in a store that knows so and so many members: one after the other, each of another member, by the stores that
 * production uses. The connection comes from a pool, as it does there.
 */
final class Latency {
    private static final int WARM_UP = 2_000;
    private static final int RENEWALS = 5_000;
    /** In a store of many members it takes longer, and a member must not be forgotten meanwhile. */
    private static final long MOST_NANOS = 20_000_000_000L;

    private static final double NANOS_PER_MICRO = 1e3;
    private static final int WANT = 5;
    private static final int PART = 10;

    private final StoreKind kind;
    private final Store store;
    private final DataSource database;

    Latency(StoreKind kind, Store store, DataSource database) {
        this.kind = kind;
        this.store = store;
        this.database = database;
    }

    LatencyResult of(int members) throws Exception {
        store.reset();
        HikariConfig config = new HikariConfig();
        config.setDataSource(database);
        config.setMaximumPoolSize(1);
        config.setMinimumIdle(0);
        try (HikariDataSource pool = new HikariDataSource(config);
                ConnectionBudget budget = open(pool)) {
            return measure(budget, members);
        }
    }

    private ConnectionBudget open(DataSource pool) {
        String uri = store.uri().isEmpty() ? null : store.uri();
        ConnectionBudgetProvider provider =
                kind == StoreKind.REDIS ? new RedisBudgetProvider() : new JdbcBudgetProvider();
        return provider.open(new Setup(kind.toString(), "latency", uri, false, () -> connection(pool)));
    }

    private static java.sql.Connection connection(DataSource pool) throws SQLException {
        return pool.getConnection();
    }

    private LatencyResult measure(ConnectionBudget budget, int members) throws Exception {
        FleetRules rules = new FleetRules(Math.max(2, members * PART), members, 1);
        long[] sequences = new long[members];
        List<Integer> order = new ArrayList<>();
        Random luck = new Random(members);
        for (int at = 0; at < members; at++) {
            renew(budget, at, sequences, rules);
        }
        for (int at = 0; at < WARM_UP + RENEWALS; at++) {
            order.add(luck.nextInt(members));
        }
        long warm = System.nanoTime() + MOST_NANOS / 4;
        for (int at = 0; at < WARM_UP && System.nanoTime() < warm; at++) {
            renew(budget, order.get(at), sequences, rules);
        }
        List<Long> nanos = new ArrayList<>();
        long end = System.nanoTime() + MOST_NANOS;
        for (int at = WARM_UP; at < order.size() && System.nanoTime() < end; at++) {
            nanos.add(renew(budget, order.get(at), sequences, rules));
        }
        Collections.sort(nanos);
        int count = nanos.size();
        return new LatencyResult(
                kind.toString(),
                members,
                count,
                micros(nanos.get(count / 2)),
                micros(nanos.get(count * 99 / 100)),
                micros(nanos.get(count - 1)));
    }

    private static long renew(ConnectionBudget budget, int member, long[] sequences, FleetRules rules)
            throws Exception {
        Renewal renewal =
                new Renewal("member-" + member, ++sequences[member], sequences[member] - 1, WANT, WANT, rules);
        long start = System.nanoTime();
        budget.renew(renewal);
        return System.nanoTime() - start;
    }

    private static double micros(long nanos) {
        return Math.rint(nanos / NANOS_PER_MICRO);
    }
}
