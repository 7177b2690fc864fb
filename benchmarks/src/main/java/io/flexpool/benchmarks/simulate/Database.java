// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

/**
 * A database that shares itself evenly among all that work in it, whichever pool they come from (processor sharing), so
 * one clock of attained work serves all: it runs slower the more there are.
 */
final class Database {
    private final Usl curve;
    private int working;
    private double attained;
    private double workFactor = 1;
    private double speed = 1;

    /** Idle. */
    Database(Usl curve) {
        this.curve = curve;
    }

    /** How many times the usual work a request is from now on. */
    void workFactor(double factor) {
        workFactor = factor;
    }

    /** How many times its usual speed it works at from now on. */
    void speed(double factor) {
        speed = factor;
    }

    /** Time passes. */
    void advance(double seconds) {
        if (working > 0) {
            attained += seconds / pace();
        }
    }

    /** How many times longer work takes at this moment than alone. */
    double pace() {
        return curve.stretch(working) * workFactor / speed;
    }

    /** Work that a lease has attained that was there from the start, seconds. */
    double attained() {
        return attained;
    }

    /**
     * A lease begins to work.
     *
     * @param seconds its work
     * @return what the database has attained when that is done
     */
    double begin(double seconds) {
        working++;
        return attained + seconds;
    }

    /** A lease has done its work: so much is attained, free of what rounding has left. */
    void done(double mark) {
        attained = mark;
        working--;
    }

    /** A lease that worked is gone. */
    void left() {
        working--;
    }
}
