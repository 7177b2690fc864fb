// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.faults;

import java.sql.Connection;
import java.util.Random;

/** The ways in which a soak's threads use and return a connection, with their weights. */
public enum SoakEnding {
    CLOSE(40, SoakThread::close),
    CLOSE_TWICE(8, SoakThread::closeTwice),
    CLOSE_ON_ANOTHER_THREAD(4, SoakThread::closeOnAnotherThread),
    CLOSE_ON_TWO_THREADS_AT_ONCE(4, SoakThread::closeOnTwoThreadsAtOnce),
    CLOSE_THROUGH_STATEMENT(4, SoakThread::closeThroughStatement),
    CLOSE_THROUGH_RESULT_SET(4, SoakThread::closeThroughResultSet),
    CLOSE_THROUGH_METADATA(4, SoakThread::closeThroughMetaData),
    ABORT(2, SoakThread::abort),
    ABORT_THEN_CLOSE(2, SoakThread::abortThenClose),
    CLOSE_THEN_ABORT(2, SoakThread::closeThenAbort),
    THROW_WHILE_HOLDING(6, SoakThread::throwWhileHolding),
    HOLD(10, SoakThread::hold),
    USE_AFTER_CLOSE(6, SoakThread::useAfterClose),
    STATEMENTS(6, SoakThread::statements);

    /** Uses a connection and ends its lease. */
    private interface Way {
        void end(SoakThread by, Connection connection) throws Exception;
    }

    private static final SoakEnding[] BY_WEIGHT = byWeight();

    private final int weight;
    // The check requires immutable fields in an enum; this field holds a method reference.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Way way;

    SoakEnding(int weight, Way way) {
        this.weight = weight;
        this.way = way;
    }

    private static SoakEnding[] byWeight() {
        int all = 0;
        for (SoakEnding ending : values()) {
            all += ending.weight;
        }
        SoakEnding[] table = new SoakEnding[all];
        int at = 0;
        for (SoakEnding ending : values()) {
            for (int times = 0; times < ending.weight; times++) {
                table[at++] = ending;
            }
        }
        return table;
    }

    static SoakEnding any(Random random) {
        return BY_WEIGHT[random.nextInt(BY_WEIGHT.length)];
    }

    boolean aborts() {
        return this == ABORT || this == ABORT_THEN_CLOSE || this == CLOSE_THEN_ABORT;
    }

    void end(SoakThread by, Connection connection) throws Exception {
        way.end(by, connection);
    }
}
