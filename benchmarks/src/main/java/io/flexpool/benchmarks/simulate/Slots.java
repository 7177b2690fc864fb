// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import java.util.Arrays;

/**
 * The leases that are out, each first working in the database and then, perhaps, held by the application. The database
 * shares itself evenly among those who work (processor sharing), so one clock of attained work serves all: it runs
 * slower the more there are, and a lease leaves when the clock has come to its mark. There are few slots, so the next to
 * leave is found by looking at all.
 */
final class Slots {
    static final int NONE = -1;
    private static final double NEVER = Double.POSITIVE_INFINITY;

    private final Usl curve;
    /** Attained work, seconds, at which a working lease leaves the database. */
    private final double[] workMark;
    /** Time at which a held lease ends. */
    private final double[] holdEnd;

    private final double[] hold;
    private final double[] started;
    private final double[] arrived;
    private final int[] activeAtStart;
    private final boolean[] taken;
    private int count;
    private int working;
    private double attained;
    private double workFactor = 1;

    Slots(Usl curve, int size) {
        this.curve = curve;
        this.workMark = filled(size);
        this.holdEnd = filled(size);
        this.hold = new double[size];
        this.started = new double[size];
        this.arrived = new double[size];
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

    void workFactor(double factor) {
        workFactor = factor;
    }

    /** Time passes. */
    void advance(double seconds) {
        if (working > 0) {
            attained += seconds / pace();
        }
    }

    private double pace() {
        return curve.stretch(working) * workFactor;
    }

    /** A lease begins: so much work in the database, then held so long. Work without end is a leak outside of it. */
    void take(double now, double arrival, double work, double holdSeconds) {
        int slot = 0;
        while (taken[slot]) {
            slot++;
        }
        taken[slot] = true;
        count++;
        started[slot] = now;
        arrived[slot] = arrival;
        activeAtStart[slot] = count;
        hold[slot] = holdSeconds;
        if (work < NEVER) {
            workMark[slot] = attained + work;
            working++;
        }
    }

    /** The lease that leaves the database next, or {@link #NONE}. */
    int nextWorked() {
        return working == 0 ? NONE : least(workMark);
    }

    /** When that will be if nothing else happens before. */
    double workEnds(double now, int slot) {
        return slot == NONE ? NEVER : now + Math.max(0, workMark[slot] - attained) * pace();
    }

    /** The lease whose hold ends next, or {@link #NONE}. */
    int nextHeld() {
        int slot = least(holdEnd);
        return holdEnd[slot] < NEVER ? slot : NONE;
    }

    double holdEnds(int slot) {
        return slot == NONE ? NEVER : holdEnd[slot];
    }

    /** The work is done; whether the lease goes on, held. */
    boolean worked(double now, int slot) {
        attained = workMark[slot];
        workMark[slot] = NEVER;
        working--;
        if (hold[slot] > 0) {
            holdEnd[slot] = now + hold[slot];
            return true;
        }
        return false;
    }

    /** The lease has ended. */
    void free(int slot) {
        if (workMark[slot] < NEVER) {
            working--;
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

    double arrived(int slot) {
        return arrived[slot];
    }

    int activeAtStart(int slot) {
        return activeAtStart[slot];
    }

    long[] agesNanos(double now) {
        long[] ages = new long[count];
        int at = 0;
        for (int slot = 0; slot < taken.length; slot++) {
            if (taken[slot]) {
                ages[at++] = Simulation.nanos(now - started[slot]);
            }
        }
        return ages;
    }

    private static int least(double[] values) {
        int least = 0;
        for (int slot = 1; slot < values.length; slot++) {
            if (values[slot] < values[least]) {
                least = slot;
            }
        }
        return least;
    }
}
