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
 * One pool's view of its database server. flexpool looks at the server when a request fails because the pool is exhausted;
 * for a minute after that also when leases are read, and once a second while requests wait. Requests that have waited for a quarter
 * of the acquisition timeout cause looks too: the first one opens the connection, and a failure that follows should not wait
 * for that. It takes at most one look a second, on a helper thread and on flexpool's own connection, which is kept for a minute:
 * while no request fails or waits for so long, nothing is opened, unless {@link BudgetWatch} is to look each minute. A thread that needs a look waits
 * for it for at most {@value #DEADLINE_MILLIS} ms, and not for one that began a second ago or earlier.
 *
 * <p>While a look hangs, no other one begins, and the pool's close does not wait for it. After {@value #HANGS_SECONDS} s its
 * connection is aborted. A connect that hangs is given up then: its thread is interrupted, and the connection is closed if
 * it is made after all. Where the driver has no timeout for connecting, only the network ends that thread. For a minute
 * after that, no other connect is tried.
 *
 * <p>Limit: there is one own connection. If a data source routes to several servers, flexpool looks at the one to which
 * that connection leads, and leases on the others have no session there. Thread-safe.
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

    static final String NO_ROOM = "the pool is at its cap, so flexpool cannot open a connection of its own";

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
    private final OwnConnection own;
    private final BudgetWatch budget;
    private final AtomicReference<@Nullable Look> newest = new AtomicReference<>();
    /** The server's host and port; null until a connection has shown them. */
    private volatile @Nullable String server;

    private volatile Supplier<List<Leased>> leases;
    /** The last successful result. */
    private volatile @Nullable ServerLook last;
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
        this.own = new OwnConnection(pool);
        this.budget = new BudgetWatch(pool, eachMinute);
    }

    /** The comparison of the pool's ceiling with the server's sessions. */
    public BudgetWatch budget() {
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

    // ---- when to look ----

    /**
     * Queries the server because a request has failed. Waits for a running query, and returns the last result if it
     * began less than a second ago.
     *
     * @param mayConnect whether the connection may be opened: false if the server has just refused one
     * @return null if this server cannot be read
     */
    @Override
    public @Nullable ServerLook failed(boolean mayConnect) {
        failedNanos = pool.nanos();
        if (!mayConnect) {
            full = true;
        }
        return look(mayConnect);
    }

    /** Queries the server because leases are read, if a request has failed within the last minute. */
    @Override
    public void reading() {
        if (troubled(pool.nanos())) {
            look(!full);
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

    private @Nullable ServerLook look(boolean mayConnect) {
        if (off) {
            return null;
        }
        Look look = begun(pool.nanos(), mayConnect, false);
        try {
            // A query that began before the request failed may return soon. A hanging query is not awaited again.
            long left = Math.min(DEADLINE.toNanos(), SPAN_NANOS - (pool.nanos() - look.beganNanos()));
            if (left > 0 && !look.await(left)) {
                return late();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        ServerLook result = look.result();
        // The log has the reason.
        return off ? null : result == null ? late() : result;
    }

    /** The previous result if it is recent enough; otherwise an empty result with the reason. */
    private ServerLook late() {
        ServerLook before = recent(pool.nanos());
        return before != null
                ? before
                : ServerLook.without("it did not answer within " + DEADLINE_MILLIS + " ms" + orPooler(), pool.nanos());
    }

    /** A further possible reason for a failed query. */
    private String orPooler() {
        return named ? ", or the pooler has no session left" : "";
    }

    /** The query that runs or began less than a second ago; otherwise a new query. */
    private Look begun(long now, boolean mayConnect, boolean forBudget) {
        Look before = newest.get();
        while (before == null || (!before.running() && now - before.beganNanos() >= SPAN_NANOS)) {
            Look mine = new Look(now, forBudget);
            if (newest.compareAndSet(before, mine)) {
                if (!run(() -> take(mine, mayConnect))) {
                    mine.end(ServerLook.without("no thread could be started for the query", now));
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

    // ---- the look, on the helper thread ----

    private void take(Look look, boolean mayConnect) {
        ServerLook result = ServerLook.without("the query failed", look.beganNanos());
        try {
            result = taken(look, mayConnect);
            threw = null;
        } catch (SQLException refused) {
            threw = null;
            own.drop();
            if (outOfSessions(refused)) {
                full = true;
            }
            result = ServerLook.without(
                    "it refused or could not be reached in time (" + words(refused) + ")" + orPooler(), pool.nanos());
        } catch (RuntimeException | Error broken) {
            // Also catches OutOfMemoryError. Closes the connection, because its result may be half read: the next query
            // opens another.
            threw = broken.getClass();
            own.drop();
            pool.failed("the server view", broken);
        } finally {
            ended(look, result.with(openPools()));
        }
    }

    private List<ServerLook.OpenPool> openPools() {
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
    private void ended(Look look, ServerLook result) {
        boolean another = false;
        try {
            if (result.snapshot() != null && !off) {
                last = result;
            }
            if (look.forBudget() && !troubled(pool.nanos())) {
                // The connection was opened for this query only, and others may need its session.
                own.drop();
            }
            another = !off && !pooled && budget.ended(look, result);
        } catch (RuntimeException | Error thrown) {
            pool.failed("the server view", thrown);
        } finally {
            look.end(result);
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

    private ServerLook taken(Look look, boolean mayConnect) throws SQLException {
        List<Leased> leased = leases.get();
        ServerViewProvider knows =
                providers.by(leased.stream().map(Leased::connection).toList());
        if (providers.none()) {
            off(NO_MODULE);
        }
        if (knows == null && (off || !look.forBudget())) {
            return ServerLook.without("no connection to it is leased", pool.nanos());
        }
        if (knows != null && NameMatch.anyNamed(knows, leased)) {
            named = true;
        }
        boolean gaveUp = lately(gaveUpNanos, pool.nanos());
        look.connecting(true);
        Connection mine = own.get(mayConnect && !gaveUp);
        look.connecting(false);
        if (mine == null) {
            if (gaveUp) {
                return ServerLook.without("the last attempt to connect to it hung", pool.nanos());
            }
            if (own.noRoom()) {
                return ServerLook.without(NO_ROOM, pool.nanos());
            }
            if (look.forBudget()) {
                return ServerLook.without(BudgetWatch.NO_WAY, pool.nanos());
            }
            if (mayConnect) {
                off(BudgetWatch.NO_WAY);
            }
            return ServerLook.without("it has no session left, and flexpool has no connection to it yet", pool.nanos());
        }
        if (mayConnect) {
            full = false;
        }
        if (knows == null) {
            // Nothing is leased, so the diagnostic connection shows the provider.
            knows = providers.by(List.of(mine));
            if (knows == null) {
                off(NO_MODULE);
                return ServerLook.without(NO_MODULE, pool.nanos());
            }
        }
        Duration deadline = look.forBudget() ? BUDGET_DEADLINE : DEADLINE;
        ServerLook found = pooled ? null : byId(knows, mine, leased, deadline);
        return found == null ? byName(knows, mine, leased, deadline) : found;
    }

    /** Finds the sessions by the driver's ids; null if a pooler hides them. */
    private @Nullable ServerLook byId(ServerViewProvider knows, Connection mine, List<Leased> leased, Duration deadline)
            throws SQLException {
        SessionMatch match = new SessionMatch(knows, leased, knows.session(mine));
        if (match.asked().isEmpty()) {
            return ServerLook.without("the driver does not report its session ids", pool.nanos());
        }
        long asked = pool.nanos();
        ServerSnapshot snapshot = knows.look(mine, match.asked(), deadline);
        if (match.hidden(snapshot)) {
            pooled = true;
            unseen(HIDDEN);
            return null;
        }
        return found(knows, mine, snapshot, match.byLease(snapshot, asked, pool.showsStatements()), asked);
    }

    /** Finds the sessions by the application names of the connections, which a pooler forwards. */
    private ServerLook byName(ServerViewProvider knows, Connection mine, List<Leased> leased, Duration deadline)
            throws SQLException {
        NameMatch match = new NameMatch(knows, leased, mine);
        if (match.unnamed()) {
            off(UNNAMED);
            own.drop();
        }
        if (match.asked().isEmpty()) {
            return ServerLook.without("no connection to it is leased", pool.nanos());
        }
        if (!foundByName) {
            foundByName = true;
            Quietly.log(pool, () -> LOG.info("{}: sessions are found by application name: {}", pool.name(), HIDDEN));
        }
        long asked = pool.nanos();
        ServerSnapshot snapshot = knows.lookByName(mine, match.asked(), deadline);
        return found(knows, mine, snapshot, match.byLease(snapshot, pool.showsStatements()), asked);
    }

    private ServerLook found(
            ServerViewProvider knows,
            Connection mine,
            ServerSnapshot snapshot,
            Map<Long, ServerSession> byLease,
            long beganNanos) {
        server = Neighbours.server(mine);
        Map<Long, ServerLook.Neighbour> neighbours =
                Neighbours.leases(this, knows, pooled, mine, snapshot, pool.nanos() - beganNanos);
        return new ServerLook(beganNanos, pool.nanos(), snapshot, byLease, null, neighbours, List.of());
    }

    private void off(String why) {
        if (off) {
            // Already off: the pool was closed meanwhile.
            return;
        }
        off = true;
        last = null;
        unseen(why);
        Quietly.log(pool, () -> LOG.info("{}: no view of the server: {}", pool.name(), why));
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

    // ---- for the looks of other pools ----

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

    // ---- what the server said ----

    /** The session of a lease in a result of the last two seconds; otherwise null. */
    @Override
    public @Nullable ServerSession session(long lease, long nowNanos) {
        ServerLook recent = recent(nowNanos);
        return recent == null ? null : recent.byLease().get(lease);
    }

    /** Whether at least half of the leased connections wait for locks, by a result of the last two seconds. */
    @Override
    public boolean lockedUp(long nowNanos) {
        ServerLook recent = recent(nowNanos);
        return recent != null && recent.lockedUp();
    }

    private @Nullable ServerLook recent(long nowNanos) {
        ServerLook known = last;
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
        Look look = newest.get();
        if (look != null && look.running()) {
            if (look.hangs(nowNanos)) {
                if (own.breakOff()) {
                    gaveUpNanos = nowNanos;
                }
                if (look.reportedNow()) {
                    Quietly.log(pool, () -> LOG.warn("{}: {}", pool.name(), look.words(nowNanos)));
                }
            }
        } else if (own.isOpen() && !pool.ownFits()) {
            run(own::drop);
        } else if (requestsWait && !off && (forLong || troubled(nowNanos))) {
            begun(nowNanos, !full, false);
        } else if (!off && !pooled && budget.due(nowNanos)) {
            begun(nowNanos, true, true);
        } else if (look != null && own.isOpen() && nowNanos - look.beganNanos() >= KEPT_NANOS) {
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
        Look look = newest.get();
        Class<?> thrown = threw;
        return look != null && look.hangs(nowNanos)
                ? look.words(nowNanos)
                : thrown == null ? null : "the query of the server threw " + thrown.getName();
    }

    /** Ends all queries, and closes the connection. */
    public void close() {
        off = true;
        Neighbours.remove(this);
        Look look = newest.get();
        own.close(look != null && look.running());
        executor.shutdownNow();
        leases = List::of;
    }

    /** For tests: waits for the end of the running query. */
    void settle() throws InterruptedException {
        Objects.requireNonNull(newest.get()).await(Long.MAX_VALUE);
    }
}
