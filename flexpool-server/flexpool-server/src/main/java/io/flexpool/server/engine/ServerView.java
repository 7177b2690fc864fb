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
    /** The error code of MySQL and MariaDB, whose SQLState says less. */
    private static final int MYSQL_OUT_OF_SESSIONS = 1040;

    /** How long the start of a pool waits for the first look, where it needs one. */
    private static final long START_NANOS = 2_000_000_000L;

    private static final String HIDDEN =
            "the server has no sessions with the ids of this pool's connections (usual behind PgBouncer)";

    private static final String UNNAMED =
            "sessions are hidden (usual behind PgBouncer), and the connections have no application names of their own";

    static final String NO_ROOM = "the pool is at its cap, so flexpool cannot open a connection of its own";

    private static final String NO_MODULE = "no module on the class path supports its driver";

    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    private static final Duration DEADLINE = Duration.ofMillis(DEADLINE_MILLIS);
    /** Of a look that no request waits for: at the start of a pool it decides whether the server can be read at all. */
    private static final Duration BUDGET_DEADLINE = Duration.ofSeconds(1);
    /** From one look to the next at least. */
    private static final long SPAN_NANOS = 1_000_000_000L;
    /** How long sessions are shown, and hold growth. */
    private static final long FRESH_NANOS = 2_000_000_000L;
    /**
     * How long the connection is kept without a look, readers cause looks after a failure, and none is opened after a
     * connect that hung.
     */
    private static final long KEPT_NANOS = 60_000_000_000L;

    private final PartContext pool;
    private final ProviderSearch providers;
    private final ThreadPoolExecutor executor;
    private final OwnConnection own;
    private final BudgetWatch budget;
    private final AtomicReference<@Nullable Look> newest = new AtomicReference<>();
    /** Host and port of the server; null until a connection has shown them. */
    private volatile @Nullable String server;

    private volatile Supplier<List<Leased>> leases;
    /** The last look to which the server gave an answer. */
    private volatile @Nullable ServerLook last;
    /** When a request failed last; null before the first. */
    private volatile @Nullable Long failedNanos;
    /** Since when requests have waited at each tick; null if none did at the last one. Used by the tick's thread only. */
    private @Nullable Long waitNanos;

    private final long longWaitNanos;
    /** Whether the server refused the last connection: then only a further failure opens one. */
    private volatile boolean full;
    /** The class of what the last look threw, other than an SQLException; null if it threw nothing. */
    private volatile @Nullable Class<?> threw;
    /** When a connect that hung was given up; null if none was. */
    private volatile @Nullable Long gaveUpNanos;
    /** Whether the sessions cannot be seen at all, or the pool is closed: for good. */
    private volatile boolean off;
    /** Whether a pooler hides the sessions' ids: then they are found by name, and how many are left is unknown. For good. */
    private volatile boolean pooled;
    /** Whether the connections have names of their own, as for a pooler; then one may be the reason that no look succeeds. */
    private volatile boolean named;
    /** Whether it is logged that sessions are found by name. Used by the helper thread only. */
    private boolean foundByName;
    /** Why the sessions that are left cannot be seen at all; null if they can, or if that is not known yet. */
    private volatile @Nullable String unseen;

    ServerView(PartContext pool, boolean eachMinute, List<ServerViewProvider> providers) {
        this.pool = pool;
        this.leases = pool.leasedConnections();
        long timeoutNanos = nanos(pool.acquisitionTimeout());
        this.longWaitNanos = timeoutNanos / 4;
        this.providers = new ProviderSearch(providers);
        // One thread for the look, and one that has answered the look before and is about to end.
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

    /** How the pool's ceiling fits into what the server has. */
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
     * Looks because a request has failed. Waits for the look that is being taken, if there is one, and returns the last one
     * if it is younger than a second.
     *
     * @param mayConnect whether the connection may be opened: not if the server has just refused one
     * @return null if nothing can be seen of this server
     */
    @Override
    public @Nullable ServerLook failed(boolean mayConnect) {
        failedNanos = pool.nanos();
        if (!mayConnect) {
            full = true;
        }
        return look(mayConnect);
    }

    /** Looks because leases are read, if a request has failed within the last minute. */
    @Override
    public void reading() {
        if (troubled(pool.nanos())) {
            look(!full);
        }
    }

    /**
     * Looks at the start of a pool that needs what only the server can say. Waits for 2 s at most.
     *
     * @return why the sessions that are left can never be seen, a clause; null if they can, or if that is not known yet
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
            // One that began before the request failed may answer soon; one that hangs is not waited for again.
            long left = Math.min(DEADLINE.toNanos(), SPAN_NANOS - (pool.nanos() - look.beganNanos()));
            if (left > 0 && !look.await(left)) {
                return late();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        ServerLook result = look.result();
        // The log has the reason why nothing can be seen.
        return off ? null : result == null ? late() : result;
    }

    /** The look before, if that is young enough to be shown. */
    private ServerLook late() {
        ServerLook before = recent(pool.nanos());
        return before != null
                ? before
                : ServerLook.without("it did not answer within " + DEADLINE_MILLIS + " ms" + orPooler(), pool.nanos());
    }

    /** What else may be the reason of a look that failed. */
    private String orPooler() {
        return named ? ", or the pooler has no session left" : "";
    }

    /** The look that is being taken, or was less than a second ago, else a new one. */
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
            // Also without memory: the next look is another one, on a new connection, for this one may be half read.
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

    /** The look ends in any case: no other begins before. */
    private void ended(Look look, ServerLook result) {
        boolean another = false;
        try {
            if (result.snapshot() != null && !off) {
                last = result;
            }
            if (look.forBudget() && !troubled(pool.nanos())) {
                // It was opened for this look alone, and is a session that others may need.
                own.drop();
            }
            another = !off && !pooled && budget.ended(look, result);
        } catch (RuntimeException | Error thrown) {
            pool.failed("the server view", thrown);
        } finally {
            look.end(result);
        }
        if (another) {
            // After that: a request that waits for the look does not wait for a log.
            budget.log();
        }
    }

    /** Whether an exception says that the server has no session left. */
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
            // Nothing is leased: this connection leads to it as well.
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

    /** Finds the sessions by the ids that the driver has; null if a pooler hides them. */
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

    /** Finds the sessions by the names of the connections, which a pooler passes on. */
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
            // The pool was closed meanwhile.
            return;
        }
        off = true;
        last = null;
        unseen(why);
        Quietly.log(pool, () -> LOG.info("{}: no view of the server: {}", pool.name(), why));
    }

    /** How many sessions are left cannot be read, for good. The first reason counts. */
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

    /** How many connections the pool has open; -1 if it does not report that. */
    int open() {
        return pool.adapter().snapshot().total();
    }

    /** Host and port of the server; null if no connection has shown them. */
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

    /** The session of a lease, if a look found it in the last two seconds; else null. */
    @Override
    public @Nullable ServerSession session(long lease, long nowNanos) {
        ServerLook recent = recent(nowNanos);
        return recent == null ? null : recent.byLease().get(lease);
    }

    /** Whether at least half of the leased connections waited for locks in the last two seconds. */
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
     * Looks while requests wait after a failure or for long, or for the budget when that is due, closes a connection that is
     * not used, aborts a look that hangs.
     *
     * @param state the pool as it was read for this tick
     */
    public void tick(long nowNanos, PoolState state) {
        budget.mayOpen(pool.mayOpen());
        tick(nowNanos, state.pending() > 0, mostLeased(state));
    }

    /** Whether half of the open connections or more are leased: requests wait for them, and not for the first connects. */
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

    /** Describes the look that hangs, or that the last one failed; null if none does. */
    public @Nullable String trouble(long nowNanos) {
        Look look = newest.get();
        Class<?> thrown = threw;
        return look != null && look.hangs(nowNanos)
                ? look.words(nowNanos)
                : thrown == null ? null : "the query of the server threw " + thrown.getName();
    }

    /** Takes no more looks, and closes the connection. */
    public void close() {
        off = true;
        Neighbours.remove(this);
        Look look = newest.get();
        own.close(look != null && look.running());
        executor.shutdownNow();
        leases = List::of;
    }

    /** For tests: waits until the look that is being taken has ended. */
    void settle() throws InterruptedException {
        Objects.requireNonNull(newest.get()).await(Long.MAX_VALUE);
    }
}
