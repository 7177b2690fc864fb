// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import java.util.Arrays;

/**
 * The open leases of one pool, each first working in the database and then, perhaps, held by the application. A
 * lease leaves the database when that has attained its mark. There are few slots, so the next to leave is found by
 * looking at all that were ever taken.
 */
final class Slots {
    static final int NONE = -1;
    private static final double NEVER = Double.POSITIVE_INFINITY;

    private final Database database;
    /** What the database has attained, seconds, when a working lease leaves it. */
    private final double[] workMark;
    /** Time at which a held lease ends. */
    private final double[] holdEnd;

    private final double[] hold;
    private final double[] started;
    private final double[] arrived;
    private final double[] unmeasured;
    private final int[] activeAtStart;
    private final boolean[] taken;
    private int everTaken;
    private int count;
    private int working;
    private int held;

    Slots(Database database, int size) {
        this.database = database;
        this.workMark = filled(size);
        this.holdEnd = filled(size);
        this.hold = new double[size];
        this.started = new double[size];
        this.arrived = new double[size];
        this.unmeasured = new double[size];
        this.activeAtStart = new int[size];
        this.taken = new boolean[size];
    }

    private static double[] filled(int size) {
        double[] never = new double[size];
        Arrays.fill(never, NEVER);
        return never;
    }

    int count() {
        return count;
    }

    /**
     * A lease begins: so much work in the database, then held so long. Work without end is a leak outside of it.
     *
     * @param left of its hold, what does not count as time that the request took
     * @return its slot
     */
    int take(double now, double arrival, double work, double holdSeconds, double left) {
        int slot = 0;
        while (taken[slot]) {
            slot++;
        }
        everTaken = Math.max(everTaken, slot + 1);
        taken[slot] = true;
        count++;
        started[slot] = now;
        arrived[slot] = arrival;
        activeAtStart[slot] = count;
        hold[slot] = holdSeconds;
        unmeasured[slot] = left;
        if (work < NEVER) {
            workMark[slot] = database.begin(work);
            working++;
        }
        return slot;
    }

    /** The lease that leaves the database next, or {@link #NONE}. */
    int nextWorked() {
        return working == 0 ? NONE : least(workMark);
    }

    /** When that will be if nothing else happens before. */
    double workEnds(double now, int slot) {
        return slot == NONE ? NEVER : now + Math.max(0, workMark[slot] - database.attained()) * database.pace();
    }

    /** The lease whose hold ends next, or {@link #NONE}. */
    int nextHeld() {
        return held == 0 ? NONE : least(holdEnd);
    }

    double holdEnds(int slot) {
        return slot == NONE ? NEVER : holdEnd[slot];
    }

    /** The work is done; whether the lease continues, held. */
    boolean worked(double now, int slot) {
        database.done(workMark[slot]);
        workMark[slot] = NEVER;
        working--;
        if (hold[slot] > 0) {
            holdEnd[slot] = now + hold[slot];
            held++;
            return true;
        }
        return false;
    }

    /** The lease has ended. */
    void free(int slot) {
        if (workMark[slot] < NEVER) {
            working--;
            database.left();
        }
        if (holdEnd[slot] < NEVER) {
            held--;
        }
        workMark[slot] = NEVER;
        holdEnd[slot] = NEVER;
        taken[slot] = false;
        count--;
    }

    boolean taken(int slot) {
        return taken[slot];
    }

    int size() {
        return taken.length;
    }

    double started(int slot) {
        return started[slot];
    }

    /** From when on the time that the request takes counts: its arrival, and later if some of its hold does not count. */
    double countedFrom(int slot) {
        return arrived[slot] + unmeasured[slot];
    }

    int activeAtStart(int slot) {
        return activeAtStart[slot];
    }

    long[] agesNanos(double now) {
        long[] ages = new long[count];
        int at = 0;
        for (int slot = 0; slot < everTaken; slot++) {
            if (taken[slot]) {
                ages[at++] = Simulation.nanos(now - started[slot]);
            }
        }
        return ages;
    }

    private int least(double[] values) {
        int least = 0;
        for (int slot = 1; slot < everTaken; slot++) {
            if (values[slot] < values[least]) {
                least = slot;
            }
        }
        return least;
    }
}
