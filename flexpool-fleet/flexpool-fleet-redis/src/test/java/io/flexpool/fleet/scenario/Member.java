// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.scenario;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * A pool and its threads, of which as many use it at a time as its demand says. The demand follows from the seed and the member's
 * number, and stays as it is for so many seconds on the average as its setup has.
 */
final class Member {
    private static final long PAUSE_MILLIS = 50;
    private static final String WORK = "select pg_sleep(0.4)";
    private static final int LARGE_EACH = 4;
    private static final int MOST_SMALL = 4;
    private static final int FIRST_DEMAND = 2;

    private final int number;
    private final int steadySeconds;
    private final Random luck;
    private final MemberPool pool;
    /** Since when each thread has had a connection; 0 while it has none. */
    private final AtomicLongArray since = new AtomicLongArray(Plan.MOST);

    private final LongAdder heldNanos = new LongAdder();
    private volatile long lookedAt = System.nanoTime();
    private volatile int demand = FIRST_DEMAND;
    private volatile boolean over;

    Member(int number, int steadySeconds, long seed, MemberPool pool) {
        this.number = number;
        this.steadySeconds = steadySeconds;
        this.luck = new Random(seed * 1_000 + number);
        this.pool = pool;
    }

    void start() {
        for (int at = 0; at < Plan.MOST; at++) {
            int rank = at;
            Thread worker = new Thread(() -> work(rank), "worker");
            worker.setDaemon(true);
            worker.start();
        }
    }

    private void work(int rank) {
        while (!over) {
            if (rank >= demand) {
                pause();
                continue;
            }
            try (Connection connection = pool.pool().getConnection();
                    Statement statement = connection.createStatement()) {
                hold(rank, statement);
            } catch (SQLException refused) {
                pause();
            }
        }
    }

    private void hold(int rank, Statement statement) throws SQLException {
        since.set(rank, System.nanoTime());
        try {
            statement.execute(WORK);
        } finally {
            heldNanos.add(System.nanoTime() - Math.max(since.getAndSet(rank, 0), lookedAt));
        }
    }

    private static void pause() {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
    }

    /** What it had since the last call, before its demand may change. */
    Said second() {
        long now = System.nanoTime();
        long before = lookedAt;
        long nanos = heldNanos.sumThenReset();
        for (int rank = 0; rank < Plan.MOST; rank++) {
            long begun = since.get(rank);
            nanos += begun == 0 ? 0 : now - Math.max(begun, before);
        }
        lookedAt = now;
        Said said = new Said(number, demand, (double) nanos / Math.max(1, now - before), pool.allowed());
        if (luck.nextInt(steadySeconds) == 0) {
            demand = luck.nextInt(LARGE_EACH) == 0 ? luck.nextInt(Plan.MOST) : 1 + luck.nextInt(MOST_SMALL);
        }
        return said;
    }

    void close() {
        over = true;
        pool.close().run();
    }
}
