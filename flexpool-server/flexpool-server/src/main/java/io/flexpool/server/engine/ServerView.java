// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import io.flexpool.server.ServerSession;
import io.flexpool.server.ServerSnapshot;
import io.flexpool.server.ServerViewProvider;
import io.flexpool.spi.DaemonThreads;
import io.flexpool.spi.PartContext;
import io.flexpool.spi.PartContext.Leased;
import io.flexpool.spi.SessionInsight;
import io.flexpool.spi.SessionInsight.SessionsLeft;
import io.flexpool.spi.Texts;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pool's view of its database server. flexpool queries the server when a request fails because the pool is
 * exhausted. For a minute after that it also queries when leases are read, and once a second while requests wait.
 * Requests that have waited for a quarter of the acquisition timeout cause queries too, so that the connection is open
 * before one fails. At most one query a second runs, on a helper thread and on flexpool's diagnostic connection, which
 * stays open for a minute. Otherwise no connection is opened, unless {@link SessionBudgetMonitor} queries each minute.
 * A thread that needs a result waits at most {@value #DEADLINE_MILLIS} ms, and not for a query that began more than a
 * second ago.
 *
 * <p>While a query hangs, no other query begins, and the pool's close does not wait for it. After
 * {@value #HANGS_SECONDS} s flexpool aborts its connection. A hanging connect is abandoned then: its thread is
 * interrupted, and the connection is closed if the driver still returns it. Without a connect timeout of the driver,
 * that thread ends only with the network's timeout. For a minute after that, flexpool does not connect.
 *
 * <p>Limit: there is one diagnostic connection. If a data source routes to several servers, flexpool queries only the
 * server of that connection, and finds no sessions for leases on the others. Thread-safe.
 */
final class ServerView implements SessionInsight, SessionsLeft {
    static final int DEADLINE_MILLIS = 200;
    static final int HANGS_SECONDS = 5;
    private static final String OUT_OF_SESSIONS = "53300";
    /** The error code of MySQL and MariaDB, whose SQLState is less specific. */
    private static final int MYSQL_OUT_OF_SESSIONS = 1040;

    /** The longest time for which a pool's start waits for the first query, if another part needs the result. */
    private static final long START_NANOS = 2_000_000_000L;

    private static final String HIDDEN =
            "the server has no sessions with the ids of this pool's connections (usual behind PgBouncer)";

    private static final String UNNAMED =
            "sessions are hidden (usual behind PgBouncer), and the connections have no application names of their own";

    static final String AT_CAP = "the pool is at its cap, so flexpool cannot open a connection of its own";

    private static final String NO_MODULE = "no module on the class path supports its driver";

    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    private static final Duration DEADLINE = Duration.ofMillis(DEADLINE_MILLIS);
    /**
     * The deadline of a query for the session budget, for which no request waits. At a pool's start it decides whether
     * the server can be read at all.
     */
    private static final Duration BUDGET_DEADLINE = Duration.ofSeconds(1);
    /** The shortest interval between two queries. */
    private static final long SPAN_NANOS = 1_000_000_000L;
    /** The time for which a result is shown, and its locks prevent growth. */
    private static final long FRESH_NANOS = 2_000_000_000L;
    /**
     * Three times of one minute: an unused connection stays open, readers cause queries after a failure, and no connect
     * follows a hanging one.
     */
    private static final long KEPT_NANOS = 60_000_000_000L;

    private final PartContext pool;
    private final ProviderSearch providers;
    private final ThreadPoolExecutor executor;
    private final DiagnosticConnection own;
    private final SessionBudgetMonitor budget;
    private final AtomicReference<@Nullable ServerQuery> newest = new AtomicReference<>();
    /** The server's host and port; null until a connection has shown them. */
    private volatile @Nullable String server;

    private volatile Supplier<List<Leased>> leases;
    /** The last successful result. */
    private volatile @Nullable ServerQueryResult last;
    /** The time of the last failed request; null before the first. */
    private volatile @Nullable Long failedNanos;
    /**
     * The first of the consecutive ticks that found waiting requests; null if the last tick found none. Used by the
     * tick's thread only.
     */
    private @Nullable Long waitNanos;

    private final long longWaitNanos;
    /** Whether the server refused the last connection. Then only a further failed request opens one. */
    private volatile boolean full;
    /** The class of the exception that the last query threw; null without one, and for an SQLException. */
    private volatile @Nullable Class<?> threw;
    /** The time when a hanging connect was abandoned; null before the first. */
    private volatile @Nullable Long gaveUpNanos;
    /** Whether the view is permanently off: sessions cannot be read, or the pool is closed. */
    private volatile boolean off;
    /**
     * Whether a pooler hides the session ids. Then sessions are found by name, and the number of sessions left is
     * unknown. Stays true.
     */
    private volatile boolean pooled;
    /** Whether connections have unique names, as usual behind a pooler: then the pooler may be why queries fail. */
    private volatile boolean named;
    /** Whether the log has reported that sessions are found by name. Used by the helper thread only. */
    private boolean foundByName;
    /** Why the number of sessions left can never be read, as a clause; null if it can, or if unknown yet. */
    private volatile @Nullable String unseen;

    ServerView(PartContext pool, boolean eachMinute, List<ServerViewProvider> providers) {
        this.pool = pool;
        this.leases = pool.leasedConnections();
        long timeoutNanos = nanos(pool.acquisitionTimeout());
        this.longWaitNanos = timeoutNanos / 4;
        this.providers = new ProviderSearch(providers);
        // One thread for the query, and one that has published the previous result and is about to end.
        this.executor = new ThreadPoolExecutor(
                0,
                2,
                5,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                DaemonThreads.named("flexpool-server-view-" + pool.name()));
        this.own = new DiagnosticConnection(pool);
        this.budget = new SessionBudgetMonitor(pool, eachMinute);
    }

    /** The comparison of the pool's ceiling with the server's sessions. */
    public SessionBudgetMonitor budget() {
        return budget;
    }

    @Override
    public void eachMinute() {
        budget.needed();
    }

    @Override
    public SessionsLeft.@Nullable Reading last() {
        return budget.reading();
    }

    @Override
    public void together(int connections) {
        budget.together(connections);
    }

    // ---- when to query ----

    /**
     * Queries the server because a request has failed. Waits for a running query, and returns the last result if it
     * began less than a second ago.
     *
     * @param mayConnect whether the connection may be opened: false if the server has just refused one
     * @return null if this server cannot be read
     */
    @Override
    public @Nullable ServerQueryResult failed(boolean mayConnect) {
        failedNanos = pool.nanos();
        if (!mayConnect) {
            full = true;
        }
        return query(mayConnect);
    }

    /** Queries the server because leases are read, if a request has failed within the last minute. */
    @Override
    public void reading() {
        if (troubled(pool.nanos())) {
            query(!full);
        }
    }

    /**
     * Queries the server at the start of a pool whose parts need the number of sessions left. Waits at most 2 s.
     *
     * @return why the number can never be read, as a clause; null if it can, or if unknown yet
     */
    @Override
    public @Nullable String unseen() {
        String known = unseen;
        if (known != null) {
            return known;
        }
        long now = pool.nanos();
        budget.due(now);
        try {
            begun(now, true, true).await(START_NANOS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return unseen;
    }

    private @Nullable ServerQueryResult query(boolean mayConnect) {
        if (off) {
            return null;
        }
        ServerQuery query = begun(pool.nanos(), mayConnect, false);
        try {
            // A query that began before the request failed may return soon. A hanging query is not awaited again.
            long left = Math.min(DEADLINE.toNanos(), SPAN_NANOS - (pool.nanos() - query.beganNanos()));
            if (left > 0 && !query.await(left)) {
                return late();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        ServerQueryResult result = query.result();
        // The log has the reason.
        return off ? null : result == null ? late() : result;
    }

    /** The previous result if it is recent enough; otherwise an empty result with the reason. */
    private ServerQueryResult late() {
        ServerQueryResult before = recent(pool.nanos());
        return before != null
                ? before
                : ServerQueryResult.without(
                        "it did not answer within " + DEADLINE_MILLIS + " ms" + orPooler(), pool.nanos());
    }

    /** A further possible reason for a failed query. */
    private String orPooler() {
        return named ? ", or the pooler has no session left" : "";
    }

    /** The query that runs or began less than a second ago; otherwise a new query. */
    private ServerQuery begun(long now, boolean mayConnect, boolean forBudget) {
        ServerQuery before = newest.get();
        while (before == null || (!before.running() && now - before.beganNanos() >= SPAN_NANOS)) {
            ServerQuery mine = new ServerQuery(now, forBudget);
            if (newest.compareAndSet(before, mine)) {
                if (!run(() -> take(mine, mayConnect))) {
                    mine.end(ServerQueryResult.without("no thread could be started for the query", now));
                }
                return mine;
            }
            before = newest.get();
        }
        return before;
    }

    private boolean run(Runnable work) {
        try {
            executor.execute(work);
            return true;
        } catch (RuntimeException | Error closedOrNoThread) {
            return false;
        }
    }

    /** Whether a request failed within the last minute. */
    private boolean troubled(long now) {
        return lately(failedNanos, now);
    }

    private static boolean lately(@Nullable Long nanos, long now) {
        return nanos != null && now - nanos < KEPT_NANOS;
    }

    // ---- the query, on the helper thread ----

    private void take(ServerQuery query, boolean mayConnect) {
        ServerQueryResult result = ServerQueryResult.without("the query failed", query.beganNanos());
        try {
            result = taken(query, mayConnect);
            threw = null;
        } catch (SQLException refused) {
            threw = null;
            own.drop();
            if (outOfSessions(refused)) {
                full = true;
            }
            result = ServerQueryResult.without(
                    "it refused or could not be reached in time (" + words(refused) + ")" + orPooler(), pool.nanos());
        } catch (RuntimeException | Error broken) {
            // Also catches OutOfMemoryError. Closes the connection, because its result may be half read: the next query
            // opens another.
            threw = broken.getClass();
            own.drop();
            pool.failed("the server view", broken);
        } finally {
            ended(query, result.with(openPools()));
        }
    }

    private List<ServerQueryResult.OpenPool> openPools() {
        try {
            return Neighbours.open(this);
        } catch (RuntimeException | Error thrown) {
            pool.failed("the adapter's snapshot", thrown);
            return List.of();
        }
    }

    private static long nanos(Duration timeout) {
        try {
            return timeout.toNanos();
        } catch (ArithmeticException longer) {
            return Long.MAX_VALUE;
        }
    }

    /** Always ends the query: until then no other can begin. */
    private void ended(ServerQuery query, ServerQueryResult result) {
        boolean another = false;
        try {
            if (result.snapshot() != null && !off) {
                last = result;
            }
            if (query.forBudget() && !troubled(pool.nanos())) {
                // The connection was opened for this query only, and others may need its session.
                own.drop();
            }
            another = !off && !pooled && budget.ended(query, result);
        } catch (RuntimeException | Error thrown) {
            pool.failed("the server view", thrown);
        } finally {
            query.end(result);
        }
        if (another) {
            // Logs last, so that a request that waits for the query does not wait for the log.
            budget.log();
        }
    }

    /** Whether an exception means that the server has no session left. */
    static boolean outOfSessions(Throwable thrown) {
        return thrown instanceof SQLException sql
                && (OUT_OF_SESSIONS.equals(sql.getSQLState()) || sql.getErrorCode() == MYSQL_OUT_OF_SESSIONS);
    }

    private static String words(SQLException refused) {
        String state = refused.getSQLState();
        return refused.getClass().getSimpleName() + (state == null ? "" : ", SQLState " + Texts.line(state, 20));
    }

    private ServerQueryResult taken(ServerQuery query, boolean mayConnect) throws SQLException {
        List<Leased> leased = leases.get();
        ServerViewProvider knows =
                providers.by(leased.stream().map(Leased::connection).toList());
        if (providers.none()) {
            off(NO_MODULE);
        }
        if (knows == null && (off || !query.forBudget())) {
            return ServerQueryResult.without("no connection to it is leased", pool.nanos());
        }
        if (knows != null && NameMatch.anyNamed(knows, leased)) {
            named = true;
        }
        boolean gaveUp = lately(gaveUpNanos, pool.nanos());
        query.connecting(true);
        Connection mine = own.get(mayConnect && !gaveUp);
        query.connecting(false);
        if (mine == null) {
            if (gaveUp) {
                return ServerQueryResult.without("the last attempt to connect to it hung", pool.nanos());
            }
            if (own.atCap()) {
                return ServerQueryResult.without(AT_CAP, pool.nanos());
            }
            if (query.forBudget()) {
                return ServerQueryResult.without(SessionBudgetMonitor.NO_WAY, pool.nanos());
            }
            if (mayConnect) {
                off(SessionBudgetMonitor.NO_WAY);
            }
            return ServerQueryResult.without(
                    "it has no session left, and flexpool has no connection to it yet", pool.nanos());
        }
        if (mayConnect) {
            full = false;
        }
        if (knows == null) {
            // Nothing is leased, so the diagnostic connection shows the provider.
            knows = providers.by(List.of(mine));
            if (knows == null) {
                off(NO_MODULE);
                return ServerQueryResult.without(NO_MODULE, pool.nanos());
            }
        }
        Duration deadline = query.forBudget() ? BUDGET_DEADLINE : DEADLINE;
        ServerQueryResult found = pooled ? null : byId(knows, mine, leased, deadline);
        return found == null ? byName(knows, mine, leased, deadline) : found;
    }

    /** Finds the sessions by the driver's ids; null if a pooler hides them. */
    private @Nullable ServerQueryResult byId(
            ServerViewProvider knows, Connection mine, List<Leased> leased, Duration deadline) throws SQLException {
        SessionMatch match = new SessionMatch(knows, leased, knows.session(mine));
        if (match.ids().isEmpty()) {
            return ServerQueryResult.without("the driver does not report its session ids", pool.nanos());
        }
        long startNanos = pool.nanos();
        ServerSnapshot snapshot = knows.look(mine, match.ids(), deadline);
        if (match.hidden(snapshot)) {
            pooled = true;
            unseen(HIDDEN);
            return null;
        }
        return found(knows, mine, snapshot, match.byLease(snapshot, startNanos, pool.showsStatements()), startNanos);
    }

    /** Finds the sessions by the application names of the connections, which a pooler forwards. */
    private ServerQueryResult byName(ServerViewProvider knows, Connection mine, List<Leased> leased, Duration deadline)
            throws SQLException {
        NameMatch match = new NameMatch(knows, leased, mine);
        if (match.unnamed()) {
            off(UNNAMED);
            own.drop();
        }
        if (match.names().isEmpty()) {
            return ServerQueryResult.without("no connection to it is leased", pool.nanos());
        }
        if (!foundByName) {
            foundByName = true;
            Quietly.log(pool, () -> LOG.info("{}: sessions are found by application name: {}", pool.name(), HIDDEN));
        }
        long startNanos = pool.nanos();
        ServerSnapshot snapshot = knows.lookByName(mine, match.names(), deadline);
        return found(knows, mine, snapshot, match.byLease(snapshot, pool.showsStatements()), startNanos);
    }

    private ServerQueryResult found(
            ServerViewProvider knows,
            Connection mine,
            ServerSnapshot snapshot,
            Map<Long, ServerSession> byLease,
            long beganNanos) {
        server = Neighbours.server(mine);
        Map<Long, ServerQueryResult.Neighbour> neighbours =
                Neighbours.leases(this, knows, pooled, mine, snapshot, pool.nanos() - beganNanos);
        return new ServerQueryResult(beganNanos, pool.nanos(), snapshot, byLease, null, neighbours, List.of());
    }

    private void off(String why) {
        if (off) {
            // Already off: the pool was closed meanwhile.
            return;
        }
        off = true;
        last = null;
        unseen(why);
        Quietly.log(pool, () -> LOG.info("{}: reports lack the server's sessions: {}", pool.name(), why));
    }

    /** Stores why the number of sessions left can never be read. Keeps the first reason. */
    private void unseen(String why) {
        if (unseen == null) {
            unseen = why;
            if (budget.eachMinute() && budget.missed(why, pool.nanos())) {
                budget.log();
            }
        }
    }

    // ---- for the queries of other pools ----

    String pool() {
        return pool.name();
    }

    List<Leased> leased() {
        return leases.get();
    }

    /** The number of open connections of the pool; -1 if unknown. */
    int open() {
        return pool.adapter().snapshot().total();
    }

    /** The server's host and port; null if no connection has shown them. */
    @Nullable
    String server() {
        if (server == null) {
            server = leases.get().stream()
                    .map(each -> Neighbours.server(each.connection()))
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
        }
        return server;
    }

    // ---- the server's report ----

    /** The session of a lease in a result of the last two seconds; otherwise null. */
    @Override
    public @Nullable ServerSession session(long lease, long nowNanos) {
        ServerQueryResult recent = recent(nowNanos);
        return recent == null ? null : recent.byLease().get(lease);
    }

    /** Whether at least half of the leased connections wait for locks, by a result of the last two seconds. */
    @Override
    public boolean lockedUp(long nowNanos) {
        ServerQueryResult recent = recent(nowNanos);
        return recent != null && recent.lockedUp();
    }

    private @Nullable ServerQueryResult recent(long nowNanos) {
        ServerQueryResult known = last;
        return known == null || nowNanos - known.nanos() >= FRESH_NANOS ? null : known;
    }

    // ---- the tick, and the end ----

    /**
     * Starts a query while requests wait after a failure or for long, and if a budget query is due. Closes an unused
     * connection, and aborts a hanging query.
     *
     * @param state the pool's state as this tick has read it
     */
    public void tick(long nowNanos, PoolState state) {
        budget.mayOpen(pool.mayOpen());
        tick(nowNanos, state.pending() > 0, mostLeased(state));
    }

    /**
     * Whether at least half of the open connections are leased. Otherwise requests wait for the first connects, not for
     * leases.
     */
    private static boolean mostLeased(PoolState state) {
        int open = state.pool().total() == PoolSnapshot.UNKNOWN
                ? state.pool().max()
                : state.pool().total();
        return state.leased() > 0 && 2 * state.leased() >= open;
    }

    void tick(long nowNanos, boolean requestsWait, boolean mostLeased) {
        boolean forLong = waitForLong(nowNanos, requestsWait && mostLeased);
        ServerQuery query = newest.get();
        if (query != null && query.running()) {
            if (query.hangs(nowNanos)) {
                if (own.breakOff()) {
                    gaveUpNanos = nowNanos;
                }
                if (query.markReported()) {
                    Quietly.log(pool, () -> LOG.warn("{}: {}", pool.name(), query.words(nowNanos)));
                }
            }
        } else if (own.isOpen() && !pool.ownFits()) {
            run(own::drop);
        } else if (requestsWait && !off && (forLong || troubled(nowNanos))) {
            begun(nowNanos, !full, false);
        } else if (!off && !pooled && budget.due(nowNanos)) {
            begun(nowNanos, true, true);
        } else if (query != null && own.isOpen() && nowNanos - query.beganNanos() >= KEPT_NANOS) {
            run(own::drop);
        }
    }

    private boolean waitForLong(long nowNanos, boolean wait) {
        Long since = waitNanos;
        if (!wait) {
            waitNanos = null;
            return false;
        }
        if (since == null) {
            waitNanos = nowNanos;
            return false;
        }
        return nowNanos - since >= longWaitNanos;
    }

    /** Describes a hanging query, or the exception of the last one; otherwise null. */
    public @Nullable String trouble(long nowNanos) {
        ServerQuery query = newest.get();
        Class<?> thrown = threw;
        return query != null && query.hangs(nowNanos)
                ? query.words(nowNanos)
                : thrown == null ? null : "the query of the server threw " + thrown.getName();
    }

    /** Ends all queries, and closes the connection. */
    public void close() {
        off = true;
        Neighbours.remove(this);
        ServerQuery query = newest.get();
        own.close(query != null && query.running());
        executor.shutdownNow();
        leases = List::of;
    }

    /** For tests: waits for the end of the running query. */
    void settle() throws InterruptedException {
        Objects.requireNonNull(newest.get()).await(Long.MAX_VALUE);
    }
}
