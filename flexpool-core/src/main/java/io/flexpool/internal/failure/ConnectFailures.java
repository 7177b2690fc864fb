// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.internal.record.Recorder;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The connect failures of one pool: the last one, and how many there were in a row. Thread-safe. */
public final class ConnectFailures {
    private final Recorder recorder;
    private final AtomicReference<Streak> streak = new AtomicReference<>(new Streak(0, 0));
    private volatile @Nullable FailedAttempt last;

    /** Connect failures since the last acquisition, and how many acquisitions there had been by then. */
    private record Streak(long acquired, int failures) {
        Streak next(long acquiredNow) {
            return new Streak(acquiredNow, acquiredNow == acquired ? failures + 1 : 1);
        }
    }

    ConnectFailures(Recorder recorder) {
        this.recorder = recorder;
    }

    void add(FailedAttempt failed) {
        last = failed;
        streak.updateAndGet(before -> before.next(recorder.acquired()));
    }

    /** The last one; null if there was none. */
    @Nullable
    FailedAttempt last() {
        return last;
    }

    /** The last one, if it came at that time or later; else null. */
    @Nullable
    FailedAttempt since(long nanos) {
        FailedAttempt failed = last;
        return failed != null && failed.failedNanos() - nanos >= 0 ? failed : null;
    }

    /** How many there were since the last acquisition. */
    public int inARow() {
        Streak now = Objects.requireNonNull(streak.get());
        return now.acquired() == recorder.acquired() ? now.failures() : 0;
    }

    /** The last one in words: SQLState, type and first line of the message; empty if there was none. */
    public String lastInWords() {
        FailedAttempt failed = last;
        if (failed == null) {
            return "";
        }
        AcquisitionFailure why = failed.why();
        return (why.sqlState() == null ? "" : "SQLState " + why.sqlState() + ", ") + why.reason();
    }
}
