// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import io.flexpool.pool.AcquisitionOutcome;
import java.util.Objects;
import java.util.function.ToLongFunction;

/**
 * The longest durations of one span, nanoseconds; they count from its begin, so a difference of counts does not show
 * them. Immutable.
 */
final class Longest {
    private static final AcquisitionOutcome[] OUTCOMES = AcquisitionOutcome.values();
    private static final int ATTEMPT = OUTCOMES.length;
    private static final int LEASE = ATTEMPT + 1;
    private static final int CONNECT = LEASE + 1;

    /** Nothing lasted; shared, for of most pools most spans are so. */
    static final Longest NONE = new Longest(new long[CONNECT + 1]);

    /** First one for each outcome. */
    private final long[] nanos;

    private Longest(long[] nanos) {
        this.nanos = nanos;
    }

    /** Of all that a recorder has, read in one of the ways in which a histogram's longest duration is read. */
    static Longest of(Recorder recorder, ToLongFunction<Histogram> read) {
        long[] nanos = new long[CONNECT + 1];
        long direct = read.applyAsLong(recorder.direct());
        for (int at = 0; at < OUTCOMES.length; at++) {
            long detoured = read.applyAsLong(Objects.requireNonNull(recorder.detoured.get(OUTCOMES[at])));
            nanos[at] = OUTCOMES[at] == AcquisitionOutcome.OK ? Math.max(detoured, direct) : detoured;
        }
        nanos[ATTEMPT] = Math.max(direct, read.applyAsLong(recorder.detouredAttempts));
        nanos[LEASE] = read.applyAsLong(recorder.leaseTimes());
        nanos[CONNECT] = read.applyAsLong(recorder.connects);
        for (long one : nanos) {
            if (one != 0) {
                return new Longest(nanos);
            }
        }
        return NONE;
    }

    /** The longer ones of two spans. */
    Longest max(Longest other) {
        if (other == NONE) {
            return this;
        }
        if (this == NONE) {
            return other;
        }
        long[] both = nanos.clone();
        for (int at = 0; at < both.length; at++) {
            both[at] = Math.max(both[at], other.nanos[at]);
        }
        return new Longest(both);
    }

    long acquisition(AcquisitionOutcome outcome) {
        int at = 0;
        while (OUTCOMES[at] != outcome) {
            at++;
        }
        return nanos[at];
    }

    long attempt() {
        return nanos[ATTEMPT];
    }

    long lease() {
        return nanos[LEASE];
    }

    long connect() {
        return nanos[CONNECT];
    }
}
