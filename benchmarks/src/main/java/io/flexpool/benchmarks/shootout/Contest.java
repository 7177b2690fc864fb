// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.benchmarks.kit.CountingDataSource;
import io.flexpool.benchmarks.kit.FreshJvm;
import io.flexpool.benchmarks.kit.OpenPool;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/** What each fresh JVM runs: one pool, in one variant, in each round on its own pool. */
public final class Contest {
    /** What the lines with a heat begin with. */
    static final String MARK = "shoot-out";

    /** Reported before the first heat. */
    static final String WARM = "warm";

    static final ObjectMapper JSON = new ObjectMapper();

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    /** The number of stable samples required; some pools open connections in the background. */
    private static final int CALM_LOOKS = 10;

    /** HikariCP, seen in 7.1.0, waits 100 ms after its start before it opens its min. */
    private static final int CALM_LOOKS_OF_A_START = 28;

    private static final long CALM_AT_MOST_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Assignment assignment;

    private Contest(Assignment assignment) {
        this.assignment = assignment;
    }

    /**
     * Reads the assignment from standard input, and reports on standard output when it is warm, then each heat as soon
     * as it is over.
     *
     * @param args none
     * @throws Exception if the pool does not start, or the assignment cannot be read
     */
    public static void main(String[] args) throws Exception {
        Contest contest = new Contest(JSON.readValue(System.in, Assignment.class));
        contest.warmUp();
        FreshJvm.report(MARK, WARM);
        for (Assignment.Round round : contest.assignment.rounds()) {
            FreshJvm.report(MARK, JSON.writeValueAsString(contest.heat(round)));
        }
        // Some pools leave threads behind that would keep the JVM.
        Runtime.getRuntime().halt(0);
    }

    private void warmUp() throws Exception {
        if (assignment.warmUp() == 0) {
            return;
        }
        try (OpenPool pool = open(new CountingDataSource(assignment.endpoint().driver()))) {
            for (Assignment.Round round : assignment.rounds()) {
                new Cycles(pool.source(), new Assignment.Round(round.threads(), assignment.warmUp(), 0)).run();
            }
        }
    }

    private Heat heat(Assignment.Round round) throws Exception {
        CountingDataSource counting =
                new CountingDataSource(assignment.endpoint().driver());
        try (OpenPool pool = open(counting)) {
            return heat(pool.source(), counting, round);
        }
    }

    /**
     * One round on an unused pool.
     *
     * @param pool the pool, or what stands around it
     * @param counting where the pool has its connections from
     */
    static Heat heat(DataSource pool, CountingDataSource counting, Assignment.Round round)
            throws SQLException, InterruptedException {
        // Who asks while a pool still opens its first connections makes some open one more than they keep.
        calm(counting, CALM_LOOKS);
        // The first request starts some pools.
        pool.getConnection().close();
        int openAtStart = calm(counting, CALM_LOOKS_OF_A_START);
        Cycles.Taken taken = new Cycles(pool, round).run();
        int openAtEnd = calm(counting, CALM_LOOKS);
        return new Heat(
                round,
                taken.ms(),
                taken.cpuMs(),
                taken.answered(),
                taken.errors(),
                taken.firstError(),
                openAtStart,
                counting.peak(),
                openAtEnd);
    }

    private OpenPool open(CountingDataSource counting) throws Exception {
        return assignment.variant().around(assignment.pool().open(counting));
    }

    /** Waits until the number of open connections is the same in so many samples, at most two seconds. */
    private static int calm(CountingDataSource counting, int samples) {
        int open = counting.open();
        int same = 0;
        long start = System.nanoTime();
        while (same < samples && System.nanoTime() - start < CALM_AT_MOST_NANOS) {
            LockSupport.parkNanos(LOOK_NANOS);
            int now = counting.open();
            same = now == open ? same + 1 : 0;
            open = now;
        }
        return open;
    }
}
