// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.plainjdbc;

import java.sql.SQLException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows what flexpool does for a HikariCP pool, on a real database, in under two minutes: what it costs, how it
 * survives a burst, what it does in an outage, which payment it finds behind a row lock, and what it reports. Ends with exit code 0
 * only if all of it happened.
 */
public final class Demo {
    private static final Logger STORY = LoggerFactory.getLogger("demo");
    private static final int ITERATIONS = 1_000;

    private Demo() {}

    /**
     * Runs the demo; takes no arguments.
     *
     * @param args ignored
     */
    public static void main(String[] args) {
        boolean allHappened = false;
        try {
            allHappened = run();
        } catch (Exception e) {
            STORY.error("The demo failed.", e);
        }
        System.exit(allHappened ? 0 : 1);
    }

    private static boolean run() throws Exception {
        STORY.info("flexpool demo: a HikariCP pool, bare and wrapped by flexpool. Takes about a minute.");
        STORY.info("Starting a database ...");
        Summary summary = new Summary();
        try (DemoDatabase database = database()) {
            STORY.info("{}", database.description());
            int timeoutSeconds = new OpenCloseStep(database, ITERATIONS).run(summary);
            try (OrdersPool orders = new OrdersPool(database, timeoutSeconds)) {
                new BurstStep(database, orders).run(summary);
                new OutageStep(database, orders).run(summary);
                if (database.hasServerView()) {
                    new BlockedStep(database, orders).run(summary);
                }
                orders.logMetrics();
            }
            summary.check("all connections closed at the end", Waiting.until(60, () -> database.sessions() == 0));
        }
        return summary.print();
    }

    private static DemoDatabase database() throws SQLException {
        Optional<String> unavailable = PostgresDatabase.unavailable();
        if (unavailable.isEmpty()) {
            return new PostgresDatabase();
        }
        STORY.warn("NOTICE: PostgreSQL cannot be started on this machine, so this runs on H2 over TCP instead.");
        STORY.warn("        {}", unavailable.get());
        return new H2Database();
    }
}
