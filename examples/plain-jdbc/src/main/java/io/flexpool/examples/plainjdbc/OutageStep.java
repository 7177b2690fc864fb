// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.plainjdbc;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.event.PoolEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The database goes and comes back: growing would not help, and flexpool knows. */
final class OutageStep {
    private static final Logger STORY = LoggerFactory.getLogger("demo");
    private static final int ROUNDS = 3;
    private static final int THREADS = 3 * OrdersPool.BASE;
    private static final int RECOVERY_SECONDS = 20;

    private final DemoDatabase database;
    private final OrdersPool orders;

    OutageStep(DemoDatabase database, OrdersPool orders) {
        this.database = database;
        this.orders = orders;
    }

    void run(Summary summary) throws Exception {
        STORY.info("");
        STORY.info("3. The database is stopped; {} rounds of {} threads ask for a connection ...", ROUNDS, THREADS);
        FlexPoolDataSource pool = orders.dataSource();
        int resizedBefore = orders.events().resized().size();
        database.stop();
        SQLException failure = askInVain(pool);
        boolean limitStayed = pool.state().limit() == OrdersPool.BASE
                && orders.events().resized().size() == resizedBefore;
        STORY.info("   during the outage: {}", pool.state().describe());
        report(failure);

        STORY.info("   the database is started again ...");
        database.startAgain();
        long recoveryMillis = recover(pool);
        STORY.info("   first connection {} ms after the database was back", recoveryMillis);
        List<PoolEvent.ConnectFailed> received = orders.events().connectFailures();
        summary.outage(received.size(), pool.state().limit(), recoveryMillis);
        summary.check("the outage fails requests", failure != null);
        summary.check("the failure is named: the database, not the pool", namedAsConnectFailure(failure));
        summary.check("the listener received connect failures", !received.isEmpty());
        summary.check("the pool did not grow in the outage", limitStayed);
        summary.check("the pool recovered by itself", recoveryMillis >= 0);
    }

    /** The last failure, null if there was none. */
    private @Nullable SQLException askInVain(FlexPoolDataSource pool) throws Exception {
        SQLException last = null;
        for (int round = 0; round < ROUNDS; round++) {
            for (SQLException failure :
                    Burst.of(THREADS, pool, database.slowQuery(1)).failures()) {
                last = failure;
            }
        }
        return last;
    }

    private void report(@Nullable SQLException failure) {
        if (failure == null) {
            return;
        }
        STORY.info("   the application gets HikariCP's own exception, with flexpool's report in it:");
        STORY.info("     {} (SQLState {})", failure, failure.getSQLState());
        for (Throwable report : failure.getSuppressed()) {
            STORY.info("     suppressed: {}", report.getMessage());
        }
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            STORY.info(
                    "     caused by: {}", cause.toString().lines().findFirst().orElse(""));
        }
        orders.events().connectFailures().stream()
                .findFirst()
                .ifPresent(event -> STORY.info("   event: {}", event.describe()));
    }

    private static boolean namedAsConnectFailure(@Nullable SQLException failure) {
        if (failure == null || failure.getCause() == null) {
            return false;
        }
        String state = failure.getSQLState();
        // Class 08 is the standard's "connection exception"; H2 has its own number for "connection broken".
        boolean byState = state != null && (state.startsWith("08") || state.equals("90067"));
        // The pool's own exception carries the report; one that ended at flexpool's gate is the report.
        String message = failure.getMessage();
        return byState
                && (failure.getSuppressed().length == 1
                        || (message != null && message.contains(": no connection after ")));
    }

    /** Milliseconds until a connection works, or -1. */
    private static long recover(FlexPoolDataSource pool) throws Exception {
        long begin = System.nanoTime();
        boolean recovered = Waiting.until(RECOVERY_SECONDS, () -> works(pool));
        return recovered ? (System.nanoTime() - begin) / 1_000_000 : -1;
    }

    private static boolean works(FlexPoolDataSource pool) {
        try (Connection connection = pool.getConnection()) {
            return connection.isValid(1);
        } catch (SQLException stillDown) {
            return false;
        }
    }
}
