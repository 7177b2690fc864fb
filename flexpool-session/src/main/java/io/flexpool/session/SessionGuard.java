// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import io.flexpool.adapter.PoolAdapter.SessionProperty;
import io.flexpool.session.LeftLog.Origin;
import io.flexpool.session.internal.sql.Effect;
import io.flexpool.session.internal.sql.Verdict;
import io.flexpool.spi.PartContext;
import io.flexpool.spi.PoolPart.SessionCheck;
import io.flexpool.spi.Texts;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks the changes of one pool's leases to their sessions, and acts when a connection returns. Stores only leases
 * whose statements may leave state. Each text is classified once and then found in a map. Thread-safe.
 */
final class SessionGuard implements SessionCheck, SessionStates {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    /** The maximum number of stored locks, for explanations. */
    private static final int MOST_LOCKS = 20;
    /** Bounds the memory if a pool loses connections; no pool has more open leases. */
    private static final int MOST_NOTED = 10_000;

    private final PartContext pool;
    private final SessionAction action;
    private final Set<String> allowed;
    private final LeftLog log = new LeftLog();
    private final TransactionPooling pooling;
    private final ServerQueries queries;
    private final ServerCheck server;
    private final AtomicLong leases = new AtomicLong();
    private final AtomicLong resets = new AtomicLong();
    private final AtomicLong discards = new AtomicLong();
    private final AtomicLong unknown = new AtomicLong();
    /** The locks that leases have left last, newest first. Immutable: each change replaces the list. */
    private volatile List<Origin> locks = List.of();
    /**
     * Open leases that may leave state, by connection: each lease, or each physical connection, has its own connection
     * object.
     */
    private final Map<Key, LeaseSession> noted = new ConcurrentHashMap<>();
    /** Null until the first statement. */
    private volatile @Nullable Dialect dialect;

    SessionGuard(PartContext pool, SessionAction action, Set<String> allowed) {
        this.pool = pool;
        this.action = action;
        this.allowed = allowed;
        this.pooling = new TransactionPooling(pool);
        // With RESET and DISCARD the queries do not pause.
        boolean pauses = action == SessionAction.REPORT;
        this.queries = new ServerQueries(pool, pauses ? "Statements that may have failed are not checked" : null);
        this.server = new ServerCheck(pool, action, allowed, queries);
    }

    /** A connection, compared by identity: {@code equals} of a pool's connection may call the driver. */
    private static final class Key {
        private final Connection connection;

        Key(Connection connection) {
            this.connection = connection;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key key && key.connection == connection;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(connection);
        }
    }

    // ---- the calls of a lease: on the threads of requests ----

    @Override
    public boolean observes(String sql) {
        Dialect read = dialect;
        // Before the first statement the database is unknown, so {@code executes} must decide.
        return read == null || !read.verdict(sql).harmless();
    }

    @Override
    public boolean executes(Connection connection, String sql, String requestClass) throws SQLException {
        Dialect known = dialect(connection);
        Verdict ofText = known.verdict(sql);
        if (ofText.harmless()) {
            return false;
        }
        Verdict verdict = known.beside(pool.adapter().initSql(), ofText);
        if (verdict.unknown()) {
            unknown.incrementAndGet();
            pooling.unknown(sql);
        }
        if (verdict.readsSequence() && connection.getAutoCommit() && !inTransaction(connection)) {
            pooling.readsSequence(sql);
        }
        server.executes(verdict);
        boolean concerns = !verdict.steps().isEmpty() || (verdict.unknown() && server.isOn());
        LeaseSession session = concerns ? noted(connection) : null;
        if (session == null) {
            return false;
        }
        session.ran(connection, verdict, sql, pool::callSite);
        return true;
    }

    private boolean poolRestores(SessionProperty property) {
        return pool.adapter().restoredOnReturn().contains(property);
    }

    private boolean inTransaction(Connection connection) {
        LeaseSession session = noted.get(new Key(connection));
        return session != null && session.inTransaction();
    }

    @Override
    public boolean changes(Connection connection, SessionProperty property) throws SQLException {
        if (property == SessionProperty.SCHEMA || property == SessionProperty.TRANSACTION_ISOLATION) {
            pooling.sets(property);
        }
        if (allowed.contains(Texts.word(property)) || poolRestores(property)) {
            return false;
        }
        LeaseSession session = noted(connection);
        if (session == null) {
            return false;
        }
        session.changing(connection, property, pool::callSite);
        return true;
    }

    @Override
    public boolean failed(Connection connection, SQLException thrown) {
        // flexpool does not know which statement failed, so it queries the server at the end of the lease. In an
        // aborted transaction nothing is left: its commit is a rollback, which the driver does not report.
        LeaseSession session = noted.get(new Key(connection));
        if (session != null && PostgresDriver.inFailedTransaction(connection)) {
            session.transactionFailed();
        } else if (session != null) {
            session.failed();
        }
        return false;
    }

    @Override
    public void committed(Connection connection) {
        LeaseSession session = noted.get(new Key(connection));
        if (session != null) {
            session.committed();
        }
    }

    @Override
    public void savepoint(Connection connection, Savepoint savepoint) {
        LeaseSession session = noted.get(new Key(connection));
        if (session != null) {
            session.savepoint(savepoint);
        }
    }

    @Override
    public void rolledBack(Connection connection, @Nullable Savepoint to) {
        LeaseSession session = noted.get(new Key(connection));
        if (session != null) {
            session.rolledBack(to);
        }
    }

    @Override
    public void dropped(Connection connection) {
        LeaseSession session = noted.remove(new Key(connection));
        if (session != null) {
            pooling.kept(session.outlived());
        }
    }

    private @Nullable LeaseSession noted(Connection connection) {
        return noted.size() >= MOST_NOTED
                ? null
                : noted.computeIfAbsent(new Key(connection), key -> new LeaseSession());
    }

    private Dialect dialect(Connection connection) throws SQLException {
        Dialect known = dialect;
        if (known == null) {
            known = Dialect.of(Database.of(connection));
            pooling.driver(PostgresDriver.prepares(connection));
            dialect = known;
        }
        return known;
    }

    // ---- when the connection returns ----

    @Override
    public boolean check(Connection connection) {
        LeaseSession session = noted.remove(new Key(connection));
        if (session == null) {
            return true;
        }
        Connection driver = null;
        try {
            driver = dialect(connection).driver(connection);
            settle(connection, session);
            pooling.kept(session.outlived());
            if (isClosed(driver)) {
                // The query has exceeded its limit.
                return false;
            }
            // Some drivers query the server for isReadOnly(), so it is read only where the result matters.
            boolean rolledBack = poolRestores(SessionProperty.TRANSACTION)
                    && (poolRestores(SessionProperty.READ_ONLY_TRANSACTION) || !connection.isReadOnly());
            if (rolledBack && !connection.getAutoCommit() && PostgresDriver.inFailedTransaction(connection)) {
                // The server answers no query in it; the pool would roll it back too.
                connection.rollback();
            }
            LeaseSession.Left left = session.left(connection, allowed::contains, rolledBack);
            if (session.hasUnknown()) {
                left = session.with(
                        left,
                        server.left(connection, dialect(connection), left.properties()),
                        // With action REPORT an earlier lease's state is still on the session.
                        origin -> action == SessionAction.REPORT && log.isOfAnother(origin));
            }
            return left.isEmpty() || act(connection, session, left);
        } catch (SQLException | RuntimeException | LinkageError unreadable) {
            failed(unreadable);
            // The state of the session is unknown, so only REPORT lets the connection return.
            return action == SessionAction.REPORT && !isClosed(driver);
        }
    }

    /** Whether the driver's connection is closed, which not all pools detect. Without a round trip. */
    private static boolean isClosed(@Nullable Connection driver) {
        try {
            return driver != null && driver.isClosed();
        } catch (SQLException broken) {
            return true;
        }
    }

    private void failed(Throwable thrown) {
        // An exceeded limit is logged by the queries.
        if (!QueryLimit.isExceeded(thrown)) {
            pool.failed("the check of a connection's session state", thrown);
        }
    }

    /**
     * Removes the state of failed statements. If the server cannot be queried, it counts as left; if it does not
     * respond in time, as unknown.
     */
    private void settle(Connection connection, LeaseSession session) {
        List<Effect> doubted = session.doubted();
        if (doubted.isEmpty()) {
            return;
        }
        List<Effect> absent = List.of();
        try {
            if (!connection.isClosed()) {
                absent = server.absent(connection, dialect(connection), doubted, session.usedDatabase());
            }
        } catch (SQLException | RuntimeException | LinkageError unreadable) {
            failed(unreadable);
            absent = QueryLimit.isExceeded(unreadable) ? null : absent;
        }
        if (absent == null) {
            List<Origin> origins = session.origins(doubted);
            unknown.addAndGet(origins.size());
            origins.forEach(pooling::unknown);
        }
        if (absent != null) {
            session.remove(absent);
        } else if (action == SessionAction.REPORT) {
            session.remove(doubted);
        }
    }

    private boolean act(Connection connection, LeaseSession session, LeaseSession.Left left) {
        leases.incrementAndGet();
        boolean returns =
                action == SessionAction.REPORT || (action == SessionAction.RESET && reset(connection, session, left));
        if (action == SessionAction.RESET && returns) {
            resets.incrementAndGet();
        } else if (!returns) {
            discards.incrementAndGet();
        }
        if (action == SessionAction.REPORT) {
            remember(left.origins());
        }
        try {
            report(left.origins(), returns);
        } catch (RuntimeException | LinkageError ofTheLog) {
            pool.failed("the log", ofTheLog);
        }
        return returns;
    }

    private boolean reset(Connection connection, LeaseSession session, LeaseSession.Left left) {
        boolean[] reset = {false};
        try {
            queries.run(connection, limit -> reset[0] = reset(connection, session, left, limit));
            session.restoreNetworkTimeout(connection, left.properties());
            return reset[0];
        } catch (SQLException | RuntimeException | LinkageError notReset) {
            return false;
        }
    }

    private boolean reset(Connection connection, LeaseSession session, LeaseSession.Left left, QueryLimit limit)
            throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        // A rollback would undo a reset made within a transaction, also of JDBC properties.
        rollBack(connection, autoCommit, limit);
        session.restore(connection, left.properties());
        boolean reset = dialect(connection)
                .reset(
                        connection,
                        left.effects(),
                        session.usedDatabase(),
                        pool.adapter().initSql(),
                        limit);
        if (!autoCommit) {
            connection.setAutoCommit(false);
        }
        return reset;
    }

    /** Rolls back the open transaction, also one that SQL has begun in auto-commit mode, if the driver reports that. */
    private static void rollBack(Connection connection, boolean autoCommit, QueryLimit limit) throws SQLException {
        if (!autoCommit) {
            connection.rollback();
            connection.setAutoCommit(true);
        } else if (Boolean.TRUE.equals(PostgresDriver.inTransaction(connection))) {
            limit.execute(connection, "ROLLBACK");
        }
    }

    /** Remembers left locks for explanations: a lock stays until its session unlocks it or the connection is closed. */
    private void remember(List<Origin> left) {
        for (Origin origin : left) {
            if (StateKind.isLock(origin.kind()) && !locks.contains(origin)) {
                List<Origin> newer = new ArrayList<>(locks);
                newer.add(0, origin);
                locks = List.copyOf(newer.subList(0, Math.min(MOST_LOCKS, newer.size())));
            }
        }
    }

    private void report(List<Origin> left, boolean returns) {
        for (Origin origin : left) {
            if (log.left(origin)) {
                String words = "a lease left session state on its connection: " + origin.words() + "; "
                        + switch (action) {
                            case RESET -> returns ? "flexpool reset the session" : "flexpool closed the connection";
                            case DISCARD -> "flexpool closed the connection";
                            case OFF, REPORT -> "the next borrower inherits it (see flexpool.session-state)";
                        };
                pool.publish("session-state-left", words, origin.facts());
                LOG.warn("{}: {}", pool.name(), words);
            }
        }
    }

    // ---- views ----

    /** The pause of the queries; null without one. */
    @Nullable
    String trouble(long nowNanos) {
        return queries.trouble(nowNanos);
    }

    /** The locks that were left, newest first. */
    List<Origin> locks() {
        return locks;
    }

    @Override
    public SessionAction action() {
        return action;
    }

    @Override
    public long leases() {
        return leases.get();
    }

    @Override
    public long resets() {
        return resets.get();
    }

    @Override
    public long discards() {
        return discards.get();
    }

    @Override
    public long unknownStatements() {
        return unknown.get();
    }

    @Override
    public Map<String, Long> kinds() {
        return log.kinds();
    }

    @Override
    public List<LeftState> left() {
        return log.all();
    }

    @Override
    public PoolerFit poolerFit() {
        return pooling.fit(dialect);
    }

    @Override
    public List<LeftState> keptBeyondTransactions() {
        return pooling.kept(dialect);
    }

    @Override
    public List<LeftState> unknown() {
        return pooling.unknown();
    }

    /** The lines of the report on poolers. */
    List<String> poolerLines(int most) {
        return pooling.lines(dialect, most);
    }

    /** Whether the driver prepares statements in the server. */
    boolean preparesInServer() {
        return pooling.preparesInServer();
    }

    /** The number of leases behind the verdict on poolers. */
    long allLeases() {
        return pooling.leases();
    }
}
