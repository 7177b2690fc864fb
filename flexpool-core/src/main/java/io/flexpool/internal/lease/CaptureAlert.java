// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lease;

import io.flexpool.event.PoolListener.LeaseInspector;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.context.RequestClasses;
import io.flexpool.internal.record.Recorder;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolState;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Decides when the call site of each lease is captured: from the tick that finds a long wait, a timeout or a leak
 * suspect, until {@value #SECONDS} s after, and while an inspector exists.
 *
 * <p>In a pool with classes only the leases for which requests wait are captured. If a class waits at its maximum, or
 * the gate has free permits, these are the leases of that class. Other classes do not wait, so a capture would slow
 * them: a stack costs 1 to 3 µs in a loop, and up to 100 µs if a request arrives every 10 ms and its code is cold.
 *
 * <p>Any thread may read the alert and add an inspector; the tick updates it.
 */
final class CaptureAlert {
    static final int SECONDS = 10;

    private static final long NANOS = SECONDS * 1_000_000_000L;
    private static final long LONG_WAIT_NANOS = 100_000_000;
    private static final int ALL = -1;

    private final @Nullable RequestClasses classes;
    private final Recorder recorder;
    /** The inspectors, each under a separate key: the alert lasts as long as there is an inspector. */
    private final Map<Object, LeaseInspector> inspections;
    /** Held while an inspector is added, and while the tick changes the alert. */
    private final ReentrantLock changing = new ReentrantLock();

    /** One bit for each class, read by each lease; 0 without an alert. */
    volatile int ofClasses;

    private final long[] untilNanos;
    private final long[] timeoutsSeen;
    private long allTimeoutsSeen;

    CaptureAlert(PoolContext context, Map<Object, LeaseInspector> inspections) {
        this.classes = context.classes();
        this.recorder = context.recorder();
        this.inspections = inspections;
        int count = classes == null ? 1 : classes.rules().size();
        this.untilNanos = new long[count];
        this.timeoutsSeen = new long[count];
        Arrays.fill(untilNanos, context.nanos());
    }

    /** Whether each lease of a class is captured. */
    boolean isOf(int requestClass) {
        return (ofClasses & 1 << requestClass) != 0;
    }

    /** Adds an inspector; until it is removed by the result, all leases are captured. The tick ends the alert. */
    Runnable inspect(LeaseInspector inspector) {
        Object key = new Object();
        changing.lock();
        try {
            inspections.put(key, inspector);
            ofClasses = ALL;
        } finally {
            changing.unlock();
        }
        return () -> inspections.remove(key);
    }

    /** Updates the alert from the timeouts and waits since the last call. */
    void tick(long nowNanos, PoolState state, boolean suspects) {
        int lacking = lacking(nowNanos, state);
        int now = 0;
        for (int requestClass = 0; requestClass < untilNanos.length; requestClass++) {
            int bit = 1 << requestClass;
            if (suspects || (lacking & bit) != 0) {
                untilNanos[requestClass] = nowNanos + NANOS;
            }
            now |= untilNanos[requestClass] - nowNanos > 0 ? bit : 0;
        }
        if (now != ofClasses) {
            changing.lock();
            try {
                // An inspector keeps the alert on, because a gap would hide leases from it.
                ofClasses = inspections.isEmpty() ? now : ALL;
            } finally {
                changing.unlock();
            }
        }
    }

    /** The classes with leases that made requests wait long or time out. */
    private int lacking(long nowNanos, PoolState state) {
        long timeouts = recorder.failed(AcquisitionOutcome.TIMEOUT);
        boolean lacks = timeouts != allTimeoutsSeen || state.oldestWait().toNanos() >= LONG_WAIT_NANOS;
        allTimeoutsSeen = timeouts;
        return classes != null && state.bound() ? lackingClasses(classes, nowNanos) : lacks ? ALL : 0;
    }

    private int lackingClasses(RequestClasses all, long nowNanos) {
        int lacking = 0;
        for (int requestClass = 0; requestClass < timeoutsSeen.length; requestClass++) {
            long timeouts = all.recorder().timeouts(requestClass);
            if (timeouts != timeoutsSeen[requestClass]
                    || all.line().oldestWaitNanos(nowNanos, requestClass) >= LONG_WAIT_NANOS) {
                lacking |= all.limitedByOwnMaximum(requestClass) ? 1 << requestClass : ALL;
            }
            timeoutsSeen[requestClass] = timeouts;
        }
        return lacking;
    }
}
