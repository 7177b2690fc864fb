// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.pgbouncer;

import io.flexpool.diagnostics.Explanation.Cause;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolState;
import io.flexpool.spi.PartContext;
import io.flexpool.spi.PartContext.BlockingCalls;
import io.flexpool.spi.PartContext.Leased;
import io.flexpool.spi.PoolPart;
import io.flexpool.spi.Texts;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the number of clients that wait inside PgBouncer. While all of PgBouncer's server connections are in use, a
 * waiting statement resembles a slow database, and a waiting connect an unreachable server (measured with PgBouncer
 * 1.18: another client used all three server connections). {@code SHOW POOLS} is read once a second while requests wait
 * for a connection and for a minute after a failed request, otherwise once a minute. Thread-safe.
 */
final class PgBouncerPart implements PoolPart {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    private static final long SPAN_NANOS = 1_000_000_000L;
    /** The period at low load and after failed readings. */
    private static final long CALM_NANOS = 60_000_000_000L;
    /** The time for which a reading explains failures. */
    private static final long FRESH_NANOS = 2_000_000_000L;

    /** PgBouncer's pools, as its console shows them. */
    interface Pools extends AutoCloseable {
        /** Reads all pools. May block for seconds. */
        List<PoolRow> read() throws SQLException;

        /** The PgBouncer pool of a connection, without a round trip; empty for another driver's connection. */
        Optional<PoolName> of(Connection leased) throws SQLException;

        @Override
        void close();
    }

    /** A database and a user, by the names that clients use. */
    record PoolName(String database, String user) {}

    /**
     * One pool of PgBouncer.
     *
     * @param waiting clients without a connection to the server
     * @param servers connections to the server
     * @param longest the longest wait of a client
     */
    record PoolRow(String database, String user, int waiting, int servers, Duration longest) {
        String words() {
            String whose = " to database '" + database + "' as user '" + user + "'";
            String where = " in PgBouncer for "
                    + (servers == 0
                            ? "a connection" + whose + ", and none is open"
                            : servers == 1
                                    ? "its only connection" + whose
                                    : "one of its " + servers + " connections" + whose);
            return waiting == 0
                    ? "no client waits" + where
                    : Texts.count(waiting, "client") + (waiting == 1 ? " waits" : " wait") + where
                            + ", the longest for " + Texts.span(longest);
        }

        String advice() {
            return servers == 0
                    ? "Check PgBouncer's log: PgBouncer has no connection to the database server."
                    : "A larger pool would not help. Shorten the transactions of PgBouncer's clients, or raise"
                            + " PgBouncer's pool_size if the database has capacity.";
        }
    }

    /**
     * The result of one reading.
     *
     * @param row the row of this pool; null without one
     * @param missing why the row is unknown, as a sentence; null after a successful reading
     */
    private record Reading(
            long nanos, @Nullable PoolRow row, @Nullable String missing) {}

    private final PartContext pool;
    private final Pools pools;
    private final Supplier<List<Leased>> leases;
    private final BlockingCalls calls;
    private volatile @Nullable Reading last;
    private volatile boolean closed;
    /** The PgBouncer pool of this pool's connections; null before the first lease. */
    private volatile @Nullable PoolName name;
    /**
     * The start of the last reading; null before the first. Used by the tick's thread only, like the next two fields.
     */
    private @Nullable Long begunNanos;

    private long failures;
    /** The time of the last tick that found a further failed request; null before the first. */
    private @Nullable Long failedNanos;

    PgBouncerPart(PartContext pool, Pools pools) {
        this.pool = pool;
        this.pools = pools;
        this.leases = pool.leasedConnections();
        this.calls = pool.calls(1);
    }

    @Override
    public void tick(PoolState state, long nowNanos) {
        long failed =
                pool.requestsEnded(AcquisitionOutcome.TIMEOUT) + pool.requestsEnded(AcquisitionOutcome.CONNECT_FAILURE);
        if (failed != failures) {
            failures = failed;
            failedNanos = nowNanos;
        }
        // Failures count too, because a pool's pending requests do not include those that wait for its start or a
        // connect.
        boolean troubled = state.pending() > 0 || (failedNanos != null && nowNanos - failedNanos < CALM_NANOS);
        Long before = begunNanos;
        Reading known = last;
        boolean often = troubled && (known == null || known.missing() == null);
        if (before == null || nowNanos - before >= (often ? SPAN_NANOS : CALM_NANOS)) {
            begunNanos = nowNanos;
            calls.run("the reading of PgBouncer's pools", this::read);
        }
    }

    private void read() {
        try {
            identify();
            List<PoolRow> rows = pools.read();
            last = new Reading(pool.nanos(), ours(rows), null);
        } catch (SQLException refused) {
            String state = refused.getSQLState();
            String missing = "PgBouncer's console refused or could not be reached ("
                    + refused.getClass().getSimpleName()
                    + (state == null ? "" : ", SQLState " + Texts.line(state, 20)) + ")";
            Reading before = last;
            last = new Reading(pool.nanos(), null, missing);
            if (!closed && (before == null || !missing.equals(before.missing()))) {
                LOG.warn("{}: {}", pool.name(), missing);
            }
        }
    }

    private void identify() {
        for (Leased each : leases.get()) {
            try {
                Optional<PoolName> its = pools.of(each.connection());
                if (its.isPresent()) {
                    name = its.get();
                    return;
                }
            } catch (SQLException ended) {
                // The connection was closed meanwhile.
            }
        }
    }

    /**
     * The row of this pool's database, if possible of its user, with the most waiting clients. If the database is
     * unknown, any row counts.
     */
    private @Nullable PoolRow ours(List<PoolRow> rows) {
        PoolName own = name;
        Predicate<PoolRow> ofDatabase = row -> own == null || own.database().equals(row.database());
        Comparator<PoolRow> ofUser =
                Comparator.comparing(row -> own != null && own.user().equals(row.user()));
        return rows.stream()
                .filter(ofDatabase)
                .max(ofUser.thenComparing(PoolRow::waiting))
                .orElse(null);
    }

    private Stream<PoolRow> known(long youngerNanos) {
        Reading known = last;
        return known == null || known.row() == null || pool.nanos() - known.nanos() >= youngerNanos
                ? Stream.empty()
                : Stream.of(known.row());
    }

    /** The row of this pool if a recent reading found waiting clients. */
    private Stream<PoolRow> blocker() {
        return known(FRESH_NANOS).filter(row -> row.waiting() > 0);
    }

    @Override
    public List<String> findings() {
        return blocker().map(PoolRow::words).toList();
    }

    /** The advice, only for causes that a wait in PgBouncer resembles. */
    @Override
    public @Nullable String advice(Cause cause) {
        return switch (cause) {
            case CONNECT_FAILURE, OPENING, DEMAND, SLOW_DATABASE, HELD ->
                blocker().map(PoolRow::advice).findFirst().orElse(null);
            case HELD_IDLE,
                    LEAK,
                    NESTED,
                    LOCK_INVERSION,
                    BLOCKED_BY_HOLDER,
                    BLOCKED_BY_OTHER,
                    BLOCKED,
                    BLOCKED_BY_DDL,
                    SERVER_FULL,
                    SERVER_BUSY -> null;
        };
    }

    @Override
    public List<String> reportLines() {
        return known(2 * CALM_NANOS).map(row -> "PgBouncer: " + row.words()).toList();
    }

    @Override
    public @Nullable String trouble(long nowNanos) {
        Reading known = last;
        String hanging = calls.hanging(nowNanos);
        return hanging != null || known == null ? hanging : known.missing();
    }

    @Override
    public void close() {
        closed = true;
        calls.close();
        pools.close();
    }
}
