// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.faults;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One thread of a soak: requests connections, sometimes with an interrupt, and ends each lease in one of the
 * {@linkplain SoakEnding ways}. Records violations in the ledger.
 */
public final class SoakThread implements Runnable {
    /** The percentages of requests that are interrupted before they begin, and while they may wait. */
    private static final int INTERRUPTED_BEFORE = 1;

    private static final int INTERRUPTED_WHILE = 2;
    private static final int POKE_AFTER_AT_MOST_MICROS = 2_000;
    private static final int HOLD_AT_MOST_MICROS = 8_000;

    private final SoakCrew crew;
    private final SoakLedger ledger;
    private final Random random;
    private long requests;
    /** The last, ended lease, which is sometimes closed again during the next lease. */
    private @Nullable Connection last;

    SoakThread(SoakCrew crew, long seed) {
        this.crew = crew;
        this.ledger = crew.ledger();
        this.random = new Random(seed);
    }

    @Override
    public void run() {
        while (!crew.stopped()) {
            SoakEnding ending = SoakEnding.any(random);
            if (ending.aborts() && !crew.mayAbort()) {
                ending = SoakEnding.CLOSE;
            }
            try {
                requests++;
                once(ending);
            } catch (Throwable wrong) {
                ledger.wrong(ending, new AssertionError("request " + requests + ": " + wrong, wrong));
            }
        }
    }

    private void once(SoakEnding ending) throws Exception {
        Connection connection = ask();
        if (connection == null) {
            return;
        }
        boolean ended = false;
        try {
            ledger.served(connection);
            endLastAgain(connection);
            ending.end(this, connection);
            check(connection.isClosed(), "the lease has not ended");
            ledger.ended(ending);
            ended = true;
        } finally {
            last = connection;
            if (!ended) {
                // A violation is recorded already; returns the connection, so that other threads can continue.
                connection.close();
            }
        }
    }

    // ---- asking ----

    private @Nullable Connection ask() throws SQLException {
        int manner = random.nextInt(100);
        if (manner < INTERRUPTED_BEFORE) {
            Thread.currentThread().interrupt();
            return askInterrupted(CompletableFuture.completedFuture(null));
        }
        if (manner < INTERRUPTED_BEFORE + INTERRUPTED_WHILE) {
            return askInterrupted(crew.poke(
                    Thread.currentThread(), random.nextInt(POKE_AFTER_AT_MOST_MICROS), TimeUnit.MICROSECONDS));
        }
        return askPlainly();
    }

    private @Nullable Connection askPlainly() throws SQLException {
        try {
            return crew.pool().getConnection();
        } catch (SQLException thrown) {
            ledger.refused(thrown);
            return null;
        }
    }

    /** Requests with an interrupt. The interrupt flag must be set afterwards, whether the request succeeds or not. */
    private @Nullable Connection askInterrupted(CompletableFuture<?> poke) throws SQLException {
        Connection connection;
        boolean kept;
        try {
            connection = askPlainly();
        } finally {
            poke.join();
            kept = Thread.interrupted();
        }
        if (!kept) {
            ledger.wrong(null, new AssertionError("request " + requests + ": an interrupt was swallowed"));
        }
        return connection;
    }

    /** Closes an ended lease again, which must not affect the connection's next holder. */
    private void endLastAgain(Connection connection) throws SQLException {
        if (last == null || random.nextInt(4) != 0) {
            return;
        }
        if (random.nextBoolean()) {
            last.close();
        } else {
            last.abort(Runnable::run);
        }
        check(!connection.isClosed(), "a late close reached the next lease");
        connection.createStatement().close();
    }

    // ---- ending ----

    void close(Connection connection) throws SQLException {
        ledger.givesBack(connection);
        connection.close();
    }

    void closeTwice(Connection connection) throws SQLException {
        close(connection);
        connection.close();
    }

    void closeOnAnotherThread(Connection connection) throws SQLException {
        ledger.givesBack(connection);
        crew.closeElsewhere(connection, () -> {}).join();
    }

    void closeOnTwoThreadsAtOnce(Connection connection) throws SQLException {
        ledger.givesBack(connection);
        AtomicBoolean there = new AtomicBoolean();
        CompletableFuture<?> other = crew.closeElsewhere(connection, () -> there.set(true));
        while (!there.get()) {
            Thread.onSpinWait();
        }
        connection.close();
        other.join();
    }

    void closeThroughStatement(Connection connection) throws SQLException {
        Statement statement = random.nextBoolean() ? connection.createStatement() : connection.prepareStatement("soak");
        ledger.givesBack(connection);
        statement.getConnection().close();
    }

    void closeThroughResultSet(Connection connection) throws SQLException {
        ResultSet rows = connection.createStatement().executeQuery("soak");
        ledger.givesBack(connection);
        rows.getStatement().getConnection().close();
    }

    void closeThroughMetaData(Connection connection) throws SQLException {
        Connection back = connection.getMetaData().getConnection();
        ledger.givesBack(connection);
        back.close();
    }

    void abort(Connection connection) throws SQLException {
        ledger.givesBack(connection);
        connection.abort(Runnable::run);
    }

    void abortThenClose(Connection connection) throws SQLException {
        abort(connection);
        connection.close();
    }

    void closeThenAbort(Connection connection) throws SQLException {
        close(connection);
        connection.abort(Runnable::run);
    }

    void throwWhileHolding(Connection connection) throws SQLException {
        IllegalStateException thrown = new IllegalStateException("thrown while holding");
        try (connection) {
            connection.createStatement().execute("soak");
            ledger.givesBack(connection);
            throw thrown;
        } catch (IllegalStateException caught) {
            check(caught == thrown && caught.getSuppressed().length == 0, "another exception came out: " + caught);
        }
    }

    void hold(Connection connection) throws SQLException {
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(HOLD_AT_MOST_MICROS)));
        close(connection);
    }

    void statements(Connection connection) throws SQLException {
        int number = 1 + random.nextInt(3);
        for (int at = 0; at < number; at++) {
            PreparedStatement statement = connection.prepareStatement("soak");
            statement.execute();
            // Closes only some statements, like many applications.
            if (random.nextBoolean()) {
                statement.close();
            }
        }
        close(connection);
    }

    private interface Use {
        void of(Connection connection) throws SQLException;
    }

    private static final List<Use> USES = List.of(
            Connection::createStatement,
            connection -> connection.prepareStatement("soak"),
            connection -> connection.prepareCall("soak"),
            Connection::getMetaData,
            Connection::getAutoCommit,
            connection -> connection.setAutoCommit(false),
            Connection::commit,
            Connection::rollback);

    void useAfterClose(Connection connection) throws SQLException {
        Statement statement = connection.createStatement();
        close(connection);
        refuses(USES.get(random.nextInt(USES.size())), connection);
        refuses(ended -> statement.execute("soak"), connection);
        check(!connection.isValid(0), "a closed connection says that it is valid");
    }

    private static void refuses(Use use, Connection connection) {
        try {
            use.of(connection);
        } catch (SQLException closed) {
            return;
        }
        throw new AssertionError("use after close was not refused");
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
