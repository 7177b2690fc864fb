// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor.scenario;

import io.flexpool.advisor.Advisor;
import io.flexpool.advisor.LeaseTrace;
import io.flexpool.advisor.Question;

/** A way to a size. */
enum Method {
    /** flexpool's. */
    FLEXPOOL("flexpool") {
        @Override
        int size(LeaseTrace trace, Question question) {
            return Advisor.advise(trace, question).connections();
        }
    },
    /** The monitor of that name: at least 4, else one and a half times the 99th percentile of active connections. */
    ARGUS("1.5 x p99 of active, at least 4") {
        @Override
        int size(LeaseTrace trace, Question question) {
            return Math.max(4, (int) Math.ceil(1.5 * Seen.of(trace).demandP99()));
        }
    },
    /** The queueing formula, with the 95th percentile of the rates of 5 s. */
    ERLANG_C("Erlang C on the p95 of the rate") {
        @Override
        int size(LeaseTrace trace, Question question) {
            Seen seen = Seen.of(trace);
            double load = seen.rateP95() * seen.meanLeaseSeconds();
            int size = (int) Math.floor(load) + 1;
            while (late(
                            size,
                            load,
                            seen.meanLeaseSeconds(),
                            question.waitTarget().toNanos() / NANOS)
                    > LATE) {
                size++;
            }
            return size;
        }
    },
    /** The mean demand and a fifth more. */
    LITTLE("Little's law x 1.2") {
        @Override
        int size(LeaseTrace trace, Question question) {
            return Math.max(1, (int) Math.ceil(1.2 * Seen.of(trace).meanDemand()));
        }
    },
    /** What was enough for all but 1 % of the time, and one more. */
    DEMAND("p99 of demand + 1") {
        @Override
        int size(LeaseTrace trace, Question question) {
            return Seen.of(trace).demandP99() + 1;
        }
    };

    private static final double NANOS = 1e9;
    private static final double LATE = 0.01;

    private final String words;

    Method(String words) {
        this.words = words;
    }

    /** The recommended size. */
    abstract int size(LeaseTrace trace, Question question);

    /** The share of requests of an M/M/n queue that wait longer than the target. */
    private static double late(int size, double load, double meanSeconds, double targetSeconds) {
        double blocking = 1;
        for (int at = 1; at <= size; at++) {
            blocking = load * blocking / (at + load * blocking);
        }
        double waits = blocking / (1 - load / size * (1 - blocking));
        return waits * Math.exp(-(size - load) / meanSeconds * targetSeconds);
    }

    @Override
    public String toString() {
        return words;
    }
}
