// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import io.flexpool.adapter.PoolAdapter.SessionProperty;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.sql.Array;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.ClientInfoStatus;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.NClob;
import java.sql.PreparedStatement;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.SQLXML;
import java.sql.Savepoint;
import java.sql.ShardingKey;
import java.sql.Statement;
import java.sql.Struct;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.NullUnmarked;

/**
 * The connection that the application holds: plain delegation to the pool's connection, ended exactly once.
 *
 * <p>The first close or abort ends the lease, by one compare-and-set on the state word. Later calls from any thread
 * find the lease ended and do nothing, so a late close never reaches the next borrower. The word is {@link #ENDED}, or
 * the lease's place in the table of open leases, with flags added. {@link #WATCHED} makes statements report the lease's
 * calls into the database; {@link #OBSERVED} shows the lease's statements to a part that observes the session. With
 * flags that are added later, the close gives the connection to the owner instead of the pool: to be dropped, or to be
 * checked first. The close reads the word anyway.
 *
 * <p>Statements, result sets and metadata are wrapped, so that they return this connection, and closing it ends the
 * lease. Arrays, structures, references and large objects are wrapped too, and unwrapped for the driver, which requires
 * its own classes. Streams of columns, and metadata of results and parameters, are wrapped as well, because some
 * drivers read them through the connection. One driver passes the result set and the statement as metadata. Savepoints
 * and row ids are the driver's: they have values, and no connection.
 *
 * <p>Five fields, 32 bytes with compressed references: the only object that an acquisition allocates.
 */
@NullUnmarked
public final class LeasedConnection implements Connection {
    /** The flag of a lease with watched calls into the database; added to its place. Above all places. */
    public static final int WATCHED = 1 << 30;

    /** The flag of a connection that its owner takes back, instead of a close. */
    private static final int DISCARDED = 1 << 29;
    /** The flag of a connection that its owner checks on return. */
    private static final int CHECKED = 1 << 28;
    /** The flag of a lease with statements that are shown to the owner. */
    public static final int OBSERVED = 1 << 27;

    /** The word of an ended lease; if flexpool ended it, smaller by 1 and the reason's place in {@link #REASONS}. */
    private static final int ENDED = -1;

    /** Why flexpool has ended leases: at most 100 texts, which name a key and its value. The first is for the rest. */
    private static final CopyOnWriteArrayList<String> REASONS =
            new CopyOnWriteArrayList<>(new String[] {"flexpool ended its lease"});

    private static final int PLACE = OBSERVED - 1;
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(LeasedConnection.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final int LAST_UNFINISHED = (1 << 10) - 1;
    /**
     * Connections with a close that had no stack left to end the lease; each is at its lease's place, or the next free
     * place. Written without a method call, which could overflow again, and so without order: of two concurrent writes
     * at one place one may be lost.
     */
    private static final LeasedConnection[] UNFINISHED = new LeasedConnection[LAST_UNFINISHED + 1];

    private static final int[] UNFINISHED_PLACES = new int[UNFINISHED.length];
    private static final VarHandle UNFINISHED_AT = MethodHandles.arrayElementVarHandle(LeasedConnection[].class);

    private final Connection target;
    private final LeaseOwner owner;
    private final long acquiredNanos;
    /** Plain reads may see a close by another thread a little late, as with any connection. */
    private int state;

    /**
     * Begins a lease of the pool's connection.
     *
     * @param place the lease's place in the table of open leases, below 2<sup>27</sup>, plus {@link #WATCHED} if its
     *     calls are watched, and {@link #OBSERVED} if its statements are shown
     */
    public LeasedConnection(Connection target, LeaseOwner owner, long acquiredNanos, int place) {
        this.target = target;
        this.owner = owner;
        this.acquiredNanos = acquiredNanos;
        this.state = place;
    }

    /**
     * The check that every object of this lease makes before it calls its target: one plain read.
     *
     * @throws SQLException if the lease has ended, as a closed object of the target's kind throws it
     */
    void check(Object object) throws SQLException {
        if (state < 0) {
            throw closed(object);
        }
    }

    private SQLException closed(Object object) {
        int seen = state;
        return ClosedExceptions.of(object, seen == ENDED ? null : REASONS.get(ENDED - 1 - seen));
    }

    /** Whether the lease has ended; also a plain read. */
    boolean ended() {
        return state < 0;
    }

    /** Whether calls into the database are reported; false after the lease. Also a plain read. */
    boolean watched() {
        return state >= WATCHED;
    }

    /**
     * The check before a call into the database, and the report of its begin if the lease is watched. Most leases are
     * not: for them one plain read and one comparison.
     *
     * @param object the target of the call
     * @param sql the statement, null if unknown
     * @throws SQLException if the lease has ended
     */
    void enter(Object object, String sql) throws SQLException {
        // Neither ended nor watched nor observed: the place alone.
        if ((state & ~PLACE) != 0) {
            check(object);
            executes(sql);
            begin(sql);
        }
    }

    /** Shows a statement to the owner, if the lease is observed. Never throws. */
    void executes(String sql) {
        int seen = state;
        if (sql != null && seen >= 0 && (seen & OBSERVED) != 0) {
            owner.sessions().executes(this, seen & PLACE, target, sql);
        }
    }

    /** Shows that a property is about to be changed, if the lease is observed. */
    private void changes(SessionProperty property) {
        if (has(OBSERVED)) {
            owner.sessions().changes(this, target, property);
        }
    }

    /** Reports a commit, or a rollback, perhaps to a savepoint, if the connection is to be checked. */
    private void transactionEnded(boolean committed, Savepoint to) {
        if (has(OBSERVED | CHECKED)) {
            if (committed) {
                owner.sessions().committed(target);
            } else {
                owner.sessions().rolledBack(target, to);
            }
        }
    }

    private boolean has(int flags) {
        int seen = state;
        return seen >= 0 && (seen & flags) == flags;
    }

    /**
     * Reports the start of a call into the database that is allowed even after the lease.
     *
     * @param sql the statement, null if unknown
     */
    void begin(String sql) {
        int seen = state;
        if (seen >= WATCHED) {
            owner.entered(seen & PLACE, sql);
        }
    }

    /** Reports the end of the call, successful or not. */
    void leave() {
        leave(true);
    }

    private void leave(boolean statement) {
        int seen = state;
        if (seen >= WATCHED) {
            owner.left(seen & PLACE, statement);
        }
    }

    /** Reports the exception of a statement or a commit, and returns it. Runs only after a failure. */
    SQLException failed(SQLException thrown) {
        if (state >= 0) {
            owner.failed(this, target, thrown);
        } else if (state != ENDED) {
            thrown.addSuppressed(closed(target));
        }
        return thrown;
    }

    private Connection open() throws SQLException {
        check(target);
        return target;
    }

    /** The target, for a call that changes a property. */
    private Connection opened(SessionProperty property) throws SQLException {
        check(target);
        changes(property);
        return target;
    }

    private Savepoint set(Savepoint savepoint) {
        if (has(OBSERVED | CHECKED)) {
            owner.sessions().savepoint(target, savepoint);
        }
        return savepoint;
    }

    private Statement leased(Statement statement) {
        return statement == null ? null : new LeasedStatement(statement, this);
    }

    private PreparedStatement leased(PreparedStatement statement, String sql) {
        if (statement == null) {
            return null;
        }
        return noted(sql)
                ? new LeasedPreparedStatement.Noted(statement, this, sql)
                : new LeasedPreparedStatement(statement, this);
    }

    private CallableStatement leased(CallableStatement statement, String sql) {
        if (statement == null) {
            return null;
        }
        return noted(sql)
                ? new LeasedCallableStatement.Noted(statement, this, sql)
                : new LeasedCallableStatement(statement, this);
    }

    /** Whether a statement must keep its text. */
    private boolean noted(String sql) {
        return watched() || (sql != null && has(OBSERVED) && owner.sessions().observes(sql));
    }

    /** The place of an open lease. */
    public int place() {
        return state & PLACE;
    }

    /** Marks the connection, so that the pool drops it when the lease ends. Does nothing if the lease has ended. */
    public void discardOnReturn() {
        mark(DISCARDED);
    }

    /** Marks the connection, so that the owner checks it when the lease ends. Does nothing if the lease has ended. */
    public void checkOnReturn() {
        mark(CHECKED);
    }

    private void mark(int how) {
        int seen;
        do {
            seen = (int) STATE.getVolatile(this);
        } while (seen >= 0 && !STATE.compareAndSet(this, seen, seen | how));
    }

    /** Returns the lease's word if this call ended the lease, otherwise {@link #ENDED}. */
    private int end(int how) {
        int seen = state;
        while (seen >= 0) {
            int witness = (int) STATE.compareAndExchange(this, seen, how);
            if (witness == seen) {
                return seen;
            }
            // Ended or marked by another thread; or published unsafely, so that the plain read was too early.
            seen = witness;
        }
        return ENDED;
    }

    /** Ends the leases, of all pools, that a close could not end for lack of stack. Called by each tick. */
    public static void finish() {
        for (int at = 0; at < UNFINISHED.length; at++) {
            LeasedConnection connection = UNFINISHED[at];
            int place = UNFINISHED_PLACES[at];
            // Two threads may tick at once: one of them ends the lease.
            if (connection != null && UNFINISHED_AT.compareAndSet(UNFINISHED, at, connection, null)) {
                connection.owner.ended(connection.acquiredNanos, place, false);
            }
        }
    }

    @Override
    public void close() throws SQLException {
        closeOrAbort(null, ENDED, null);
    }

    /** Aborts the target and frees its place: after an abort most pools wait for a close that would never come. */
    @Override
    public void abort(Executor executor) throws SQLException {
        if (executor == null) {
            throw new SQLException("abort: the executor is null");
        }
        closeOrAbort(executor, ENDED, null);
    }

    /** Ends the lease by a close, or by an abort if there is an executor; false if the lease had ended before. */
    private boolean closeOrAbort(Executor executor, int how, Consumer<Connection> first) throws SQLException {
        int seen = end(how);
        if (seen != ENDED) {
            int place = seen & PLACE;
            boolean reclaimed = how != ENDED;
            try {
                if (executor != null) {
                    dropped(seen);
                    abortAndDiscard(executor, first);
                } else if ((seen & (DISCARDED | CHECKED)) == 0) {
                    target.close();
                } else {
                    owner.takeBack(target, (seen & DISCARDED) != 0);
                }
            } finally {
                try {
                    owner.ended(acquiredNanos, place, reclaimed);
                } catch (Throwable notBegun) {
                    try {
                        owner.ended(acquiredNanos, place, reclaimed);
                    } catch (Throwable outOfStack) {
                        // Plain stores: any call could overflow again.
                        int at = place;
                        while (UNFINISHED[at & LAST_UNFINISHED] != null && at - place < LAST_UNFINISHED) {
                            at++;
                        }
                        UNFINISHED_PLACES[at & LAST_UNFINISHED] = place;
                        UNFINISHED[at & LAST_UNFINISHED] = this;
                    }
                }
            }
        }
        return seen != ENDED;
    }

    /**
     * Takes the holder's connection, like {@link #abort}, if the lease is open and
     * {@linkplain LeaseOwner#mayBeEnded may be ended}.
     *
     * @param reason a clause, for the exceptions of the holder's later calls
     * @param first the last call on the connection, before it is aborted
     * @return whether this call has ended the lease
     * @throws SQLException if the abort throws; the lease has ended nevertheless
     */
    public boolean end(String reason, Consumer<Connection> first) throws SQLException {
        String kept = REASONS.size() < 100 || REASONS.contains(reason) ? reason : REASONS.get(0);
        REASONS.addIfAbsent(kept);
        return owner.mayBeEnded() && closeOrAbort(Runnable::run, ENDED - 1 - REASONS.indexOf(kept), first);
    }

    /** Whether the lease is open and its connection matches: see {@code PoolAdapter.takenBack()}. */
    public boolean isOpenOn(Predicate<Connection> some) {
        return (int) STATE.getVolatile(this) >= 0 && some.test(target);
    }

    /** Ends the lease of a connection that the pool has taken back, without a call of it. Does nothing if ended. */
    public void takenBack() {
        int seen = end(ENDED);
        if (seen != ENDED) {
            dropped(seen);
            endReclaimed(seen & PLACE);
        }
    }

    private void dropped(int seen) {
        if ((seen & CHECKED) != 0) {
            owner.sessions().dropped(target);
        }
    }

    private void endReclaimed(int place) {
        boolean begun = false;
        try {
            owner.ended(acquiredNanos, place, true);
            begun = true;
        } finally {
            if (!begun) {
                owner.ended(acquiredNanos, place, true);
            }
        }
    }

    private void abortAndDiscard(Executor executor, Consumer<Connection> first) throws SQLException {
        try {
            if (first != null) {
                first.accept(target);
            }
        } finally {
            abortAndDiscard(executor);
        }
    }

    private void abortAndDiscard(Executor executor) throws SQLException {
        Throwable failure = null;
        try {
            owner.abort(target, executor);
        } catch (Throwable thrown) {
            failure = thrown;
            throw thrown;
        } finally {
            try {
                owner.discard(target);
            } catch (SQLException | RuntimeException ofAnAbortedConnection) {
                if (failure != null && failure != ofAnAbortedConnection) {
                    failure.addSuppressed(ofAnAbortedConnection);
                }
            }
        }
    }

    @Override
    public boolean isClosed() throws SQLException {
        return (int) STATE.getVolatile(this) < 0 || target.isClosed();
    }

    @Override
    public boolean isValid(int timeout) throws SQLException {
        if (timeout < 0) {
            throw new SQLException("isValid: timeout " + timeout + " is negative");
        }
        return (int) STATE.getVolatile(this) >= 0 && target.isValid(timeout);
    }

    @Override
    public void setClientInfo(String name, String value) throws SQLClientInfoException {
        openForClientInfo().setClientInfo(name, value);
    }

    @Override
    public void setClientInfo(Properties properties) throws SQLClientInfoException {
        openForClientInfo().setClientInfo(properties);
    }

    private Connection openForClientInfo() throws SQLClientInfoException {
        if (state < 0) {
            throw new SQLClientInfoException("Connection is closed", "08003", Map.<String, ClientInfoStatus>of());
        }
        changes(SessionProperty.CLIENT_INFO);
        return target;
    }

    /** This object if it is an instance, otherwise the target if it is one, otherwise the target's result of unwrap. */
    @Override
    public <T> T unwrap(Class<T> iface) throws SQLException {
        return Unwrapping.unwrap(iface, this, target, this);
    }

    @Override
    public boolean isWrapperFor(Class<?> iface) throws SQLException {
        return Unwrapping.isWrapperFor(iface, this, target, this);
    }

    @Override
    public String toString() {
        return "flexpool:" + target;
    }

    @Override
    public Statement createStatement() throws SQLException {
        return leased(open().createStatement());
    }

    @Override
    public PreparedStatement prepareStatement(String sql) throws SQLException {
        return leased(open().prepareStatement(sql), sql);
    }

    @Override
    public CallableStatement prepareCall(String sql) throws SQLException {
        return leased(open().prepareCall(sql), sql);
    }

    @Override
    public String nativeSQL(String sql) throws SQLException {
        return open().nativeSQL(sql);
    }

    @Override
    public void setAutoCommit(boolean autoCommit) throws SQLException {
        open().setAutoCommit(autoCommit);
        if (autoCommit) {
            transactionEnded(true, null);
        }
    }

    @Override
    public boolean getAutoCommit() throws SQLException {
        return open().getAutoCommit();
    }

    @Override
    public void commit() throws SQLException {
        enter(target, null);
        try {
            target.commit();
        } catch (SQLException thrown) {
            throw failed(thrown);
        } finally {
            leave(false);
        }
        transactionEnded(true, null);
    }

    @Override
    public void rollback() throws SQLException {
        enter(target, null);
        try {
            target.rollback();
        } finally {
            leave(false);
        }
        transactionEnded(false, null);
    }

    @Override
    public DatabaseMetaData getMetaData() throws SQLException {
        DatabaseMetaData metaData = open().getMetaData();
        return metaData == null ? null : new LeasedMetaData(metaData, this);
    }

    @Override
    public void setReadOnly(boolean readOnly) throws SQLException {
        open().setReadOnly(readOnly);
    }

    @Override
    public boolean isReadOnly() throws SQLException {
        return open().isReadOnly();
    }

    @Override
    public void setCatalog(String catalog) throws SQLException {
        opened(SessionProperty.CATALOG).setCatalog(catalog);
    }

    @Override
    public String getCatalog() throws SQLException {
        return open().getCatalog();
    }

    @Override
    public void setTransactionIsolation(int level) throws SQLException {
        opened(SessionProperty.TRANSACTION_ISOLATION).setTransactionIsolation(level);
    }

    @Override
    public int getTransactionIsolation() throws SQLException {
        return open().getTransactionIsolation();
    }

    @Override
    public SQLWarning getWarnings() throws SQLException {
        return open().getWarnings();
    }

    @Override
    public void clearWarnings() throws SQLException {
        open().clearWarnings();
    }

    @Override
    public Statement createStatement(int type, int concurrency) throws SQLException {
        return leased(open().createStatement(type, concurrency));
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int type, int concurrency) throws SQLException {
        return leased(open().prepareStatement(sql, type, concurrency), sql);
    }

    @Override
    public CallableStatement prepareCall(String sql, int type, int concurrency) throws SQLException {
        return leased(open().prepareCall(sql, type, concurrency), sql);
    }

    @Override
    public Map<String, Class<?>> getTypeMap() throws SQLException {
        return open().getTypeMap();
    }

    @Override
    public void setTypeMap(Map<String, Class<?>> map) throws SQLException {
        opened(SessionProperty.TYPE_MAP).setTypeMap(map);
    }

    @Override
    public void setHoldability(int holdability) throws SQLException {
        opened(SessionProperty.HOLDABILITY).setHoldability(holdability);
    }

    @Override
    public int getHoldability() throws SQLException {
        return open().getHoldability();
    }

    @Override
    public Savepoint setSavepoint() throws SQLException {
        return set(open().setSavepoint());
    }

    @Override
    public Savepoint setSavepoint(String name) throws SQLException {
        return set(open().setSavepoint(name));
    }

    @Override
    public void rollback(Savepoint savepoint) throws SQLException {
        enter(target, null);
        try {
            target.rollback(savepoint);
        } finally {
            leave(false);
        }
        transactionEnded(false, savepoint);
    }

    @Override
    public void releaseSavepoint(Savepoint savepoint) throws SQLException {
        open().releaseSavepoint(savepoint);
    }

    @Override
    public Statement createStatement(int type, int concurrency, int holdability) throws SQLException {
        return leased(open().createStatement(type, concurrency, holdability));
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int type, int concurrency, int holdability)
            throws SQLException {
        return leased(open().prepareStatement(sql, type, concurrency, holdability), sql);
    }

    @Override
    public CallableStatement prepareCall(String sql, int type, int concurrency, int holdability) throws SQLException {
        return leased(open().prepareCall(sql, type, concurrency, holdability), sql);
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int autoGeneratedKeys) throws SQLException {
        return leased(open().prepareStatement(sql, autoGeneratedKeys), sql);
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int[] columnIndexes) throws SQLException {
        return leased(open().prepareStatement(sql, columnIndexes), sql);
    }

    @Override
    public PreparedStatement prepareStatement(String sql, String[] columnNames) throws SQLException {
        return leased(open().prepareStatement(sql, columnNames), sql);
    }

    @Override
    public Clob createClob() throws SQLException {
        return LeasedValues.out(open().createClob(), this);
    }

    @Override
    public Blob createBlob() throws SQLException {
        return LeasedValues.out(open().createBlob(), this);
    }

    @Override
    public NClob createNClob() throws SQLException {
        return LeasedValues.out(open().createNClob(), this);
    }

    @Override
    public SQLXML createSQLXML() throws SQLException {
        return LeasedValues.out(open().createSQLXML(), this);
    }

    @Override
    public String getClientInfo(String name) throws SQLException {
        return open().getClientInfo(name);
    }

    @Override
    public Properties getClientInfo() throws SQLException {
        return open().getClientInfo();
    }

    @Override
    public Array createArrayOf(String typeName, Object[] elements) throws SQLException {
        return LeasedValues.out(open().createArrayOf(typeName, LeasedValues.in(elements)), this);
    }

    @Override
    public Struct createStruct(String typeName, Object[] attributes) throws SQLException {
        return LeasedValues.out(open().createStruct(typeName, LeasedValues.in(attributes)), this);
    }

    @Override
    public void setSchema(String schema) throws SQLException {
        opened(SessionProperty.SCHEMA).setSchema(schema);
    }

    @Override
    public String getSchema() throws SQLException {
        return open().getSchema();
    }

    @Override
    public void setNetworkTimeout(Executor executor, int milliseconds) throws SQLException {
        opened(SessionProperty.NETWORK_TIMEOUT).setNetworkTimeout(executor, milliseconds);
    }

    @Override
    public int getNetworkTimeout() throws SQLException {
        return open().getNetworkTimeout();
    }

    @Override
    public void beginRequest() throws SQLException {
        open().beginRequest();
    }

    @Override
    public void endRequest() throws SQLException {
        open().endRequest();
    }

    @Override
    public boolean setShardingKeyIfValid(ShardingKey shardingKey, ShardingKey superShardingKey, int timeout)
            throws SQLException {
        return open().setShardingKeyIfValid(shardingKey, superShardingKey, timeout);
    }

    @Override
    public boolean setShardingKeyIfValid(ShardingKey shardingKey, int timeout) throws SQLException {
        return open().setShardingKeyIfValid(shardingKey, timeout);
    }

    @Override
    public void setShardingKey(ShardingKey shardingKey, ShardingKey superShardingKey) throws SQLException {
        open().setShardingKey(shardingKey, superShardingKey);
    }

    @Override
    public void setShardingKey(ShardingKey shardingKey) throws SQLException {
        open().setShardingKey(shardingKey);
    }
}
