// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.burst;

import java.util.ArrayList;
import java.util.List;

/** How fast a pool that has room opens connections for those who wait. Read in the pools' sources. */
public enum ConnectLaw {
    /** HikariCP 7.1.0: one thread, which rests for 30 ms after each connection it has added. */
    ONE_ADDER_WITH_PAUSE("one thread, 30 ms of rest after each connection", 1, 30),
    /** Tomcat JDBC 11.0.25, DBCP2 2.14.0: each thread that finds nothing idle opens its own, all at once. */
    IN_THE_CALLER("in the threads that ask, all at once", Integer.MAX_VALUE, 0),
    /** Druid 1.2.28: one thread, one connection after the other. */
    ONE_CREATOR("one thread, one after the other", 1, 0),
    /** c3p0 0.14.1: its three helper threads ({@code numHelperThreads}), which also take connections back. */
    THREE_HELPERS("three helper threads", 3, 0);

    private final String words;
    private final int atOnce;
    private final int pauseMs;

    ConnectLaw(String words, int atOnce, int pauseMs) {
        this.words = words;
        this.atOnce = atOnce;
        this.pauseMs = pauseMs;
    }

    /**
     * The law for people.
     *
     * @return a few words
     */
    public String words() {
        return words;
    }

    /**
     * When further connections are ready.
     *
     * @param connections how many; not negative
     * @param connectMs how long one connect takes, milliseconds
     * @return milliseconds from when the pool began to open them, ascending
     */
    public List<Double> readyMs(int connections, double connectMs) {
        List<Double> ready = new ArrayList<>();
        for (int n = 0; n < connections; n++) {
            int before = n / atOnce;
            ready.add(connectMs + before * (connectMs + pauseMs));
        }
        return ready;
    }
}
