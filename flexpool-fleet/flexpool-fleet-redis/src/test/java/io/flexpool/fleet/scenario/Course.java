// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.scenario;

import io.flexpool.adapter.tck.database.PostgresServer;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;

/** One run: a variant under a schedule. The server counts its sessions four times a second. */
final class Course {
    private static final long SAMPLE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final int SAMPLES_PER_SECOND = 4;
    private static final String COUNT =
            "select count(*) from pg_stat_activity where application_name = '" + MemberPool.APPLICATION + "'";
    /** What is open from the run before is closed by then. */
    private static final int SETTLES_SECONDS = 30;
    /** A JVM and its members start within this time. */
    private static final int STARTS_SECONDS = 60;

    private final PostgresServer server;
    private final Plan plan;
    private final Variant variant;
    private final Schedule schedule;
    private final Store store;
    private final Tally tally;

    Course(PostgresServer server, Plan plan, Variant variant, Schedule schedule, Store store) {
        this.server = server;
        this.plan = plan;
        this.variant = variant;
        this.schedule = schedule;
        this.store = store;
        this.tally = new Tally(plan.rules());
    }

    /** From the start of a JVM in a rolling update to the end of the one that it replaces, and from there to the next start. */
    private static int stepSeconds(Plan plan) {
        return Math.max(1, plan.outageSeconds() / 4);
    }

    /** Runs it. */
    Tally run(StoreKind kind) throws Exception {
        store.reset();
        try (Connection connection = server.superuser().getConnection();
                Statement statement = connection.createStatement();
                Crowd crowd = new Crowd(server, plan, variant, kind, store.uri())) {
            settle(statement);
            for (int at = 0; at < plan.processes(); at++) {
                crowd.start();
            }
            warmUp(statement, crowd);
            sample(statement, crowd, plan.seconds() / 3);
            tally.happens();
            happen(statement, crowd);
            sample(statement, crowd, plan.seconds() - plan.seconds() / 3);
            tally.refused(crowd.refused());
        }
        return tally;
    }

    private void settle(Statement statement) throws SQLException, InterruptedException, IOException {
        for (int tries = 0; count(statement) > 0; tries++) {
            if (tries > SETTLES_SECONDS) {
                throw new IOException("sessions of the run before are still open");
            }
            TimeUnit.SECONDS.sleep(1);
        }
    }

    private static int count(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery(COUNT)) {
            row.next();
            return row.getInt(1);
        }
    }

    private void warmUp(Statement statement, Crowd crowd) throws Exception {
        for (int tries = 0; crowd.said().size() < plan.members(); tries++) {
            if (tries > STARTS_SECONDS) {
                throw new IOException("the members do not start");
            }
            sample(statement, crowd, 1);
        }
        int second = 0;
        while (second < plan.warmUpSeconds() && !crowd.ready()) {
            sample(statement, crowd, 1);
            second++;
        }
        tally.begins();
    }

    private void happen(Statement statement, Crowd crowd) throws Exception {
        switch (schedule) {
            case CALM -> {}
            case SIGKILL -> {
                crowd.kill();
                crowd.start();
            }
            case SIGSTOP -> {
                crowd.jvms().get(0).stopFor(plan.outageSeconds());
                sample(statement, crowd, plan.outageSeconds());
            }
            case STORE_STOPPED -> {
                store.stop();
                try {
                    sample(statement, crowd, plan.outageSeconds());
                } finally {
                    store.startAgain();
                }
            }
            case STORE_EMPTIED -> store.empty();
            case ROLLING_UPDATE -> {
                for (MemberJvm old : crowd.jvms()) {
                    crowd.start();
                    sample(statement, crowd, stepSeconds(plan));
                    crowd.end(old);
                    sample(statement, crowd, stepSeconds(plan));
                }
            }
        }
    }

    private void sample(Statement statement, Crowd crowd, int seconds) throws Exception {
        long due = System.nanoTime();
        for (int at = 1; at <= seconds * SAMPLES_PER_SECOND; at++) {
            due += SAMPLE_NANOS;
            TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
            tally.sample(count(statement));
            if (at % SAMPLES_PER_SECOND == 0) {
                crowd.check();
                tally.second(crowd.said());
            }
        }
    }
}
