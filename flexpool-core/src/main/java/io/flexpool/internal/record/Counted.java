// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import io.flexpool.pool.AcquisitionOutcome;
import java.util.Arrays;
import java.util.Objects;

/**
 * The counts and sums of a recorder's durations, by kind: quickly read, while a copy of the histograms takes long.
 * Unchanged figures mean unchanged histograms. Both are read, because a record in progress may show in only one of
 * them. For one thread at a time.
 */
final class Counted {
    private static final AcquisitionOutcome[] OUTCOMES = AcquisitionOutcome.values();
    private static final int OTHERS = 8;

    private final Recorder recorder;
    private long[] last = new long[2 * OUTCOMES.length + OTHERS];
    private long[] now = last.clone();

    Counted(Recorder recorder) {
        this.recorder = recorder;
    }

    /**
     * Whether any figure has changed since the last call; at the first call, since the recorder was new.
     *
     * @param longestLease the longest lease so far, which counts as a figure
     */
    boolean moved(long longestLease) {
        int at = 0;
        for (AcquisitionOutcome outcome : OUTCOMES) {
            Histogram histogram = Objects.requireNonNull(recorder.detoured.get(outcome));
            now[at++] = histogram.count();
            now[at++] = histogram.sum();
        }
        now[at++] = recorder.acquired();
        now[at++] = recorder.acquisitionNanos();
        now[at++] = recorder.released();
        now[at++] = recorder.leaseNanos();
        now[at++] = recorder.detouredAttempts.count();
        now[at++] = recorder.detouredAttempts.sum();
        now[at++] = recorder.connects.count() + recorder.connects.sum();
        now[at] = longestLease;
        if (Arrays.equals(now, last)) {
            return false;
        }
        long[] before = last;
        last = now;
        now = before;
        return true;
    }
}
