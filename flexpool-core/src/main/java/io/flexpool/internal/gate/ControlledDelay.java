// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Whose requests a {@link ClassGate} sheds, because they would be late anyway: a variant of controlled delay. A class is
 * overloaded once the least wait of an interval was above its target. Its newcomers are then given twice the target, and the
 * newest is served first: half of them are answered in time, where all would be late in a queue. That ends when one
 * request waited for less than the target.
 *
 * <p>The lowest class that is overloaded is the first that is shed, and in each further interval one more. A class whose own
 * most is what its requests wait for is not overloaded: it is meant to wait.
 *
 * <p>The target is the median of the class's leases, at least 5 ms. The interval is ten times the longest of these medians, at
 * least 100 ms. What a request waited is, at each permit, what the oldest one of its class has: served newest first, the
 * others would not be seen. A class whose queue was empty for as long as its target is not overloaded.
 *
 * <p>Written by the thread that serves, but for the leases; {@link #untilNanos} and the other times are read by any.
 */
final class ControlledDelay {
    private static final long LEAST_TARGET_NANOS = 5_000_000;
    private static final long LEAST_INTERVAL_NANOS = 100_000_000;
    private static final int LEASES_OF_AN_INTERVAL = 10;
    private static final long NONE = Long.MAX_VALUE;

    private final LeaseLengths[] leases;
    /** The least wait of this interval; {@link #NONE} if there was none. */
    private final long[] least;

    private final long[] waitNanos;
    private final boolean[] waits;
    /** Since when no request waits; while one does, of the last such time. */
    private final long[] emptyNanos;
    /** Whether the least wait of the last interval was above the target. */
    private final boolean[] overloaded;
    /** A bit of each class that is shed. */
    private volatile int shed;

    private long beganNanos;

    /** With the lengths of each class's leases. */
    ControlledDelay(LeaseLengths[] leases, long nowNanos) {
        int classes = leases.length;
        this.leases = leases;
        least = new long[classes];
        waitNanos = new long[classes];
        waits = new boolean[classes];
        emptyNanos = new long[classes];
        overloaded = new boolean[classes];
        beganNanos = nowNanos;
        for (int requestClass = 0; requestClass < classes; requestClass++) {
            least[requestClass] = NONE;
            emptyNanos[requestClass] = nowNanos;
        }
    }

    /** Whether newcomers of a class are shed. */
    boolean sheds(int requestClass) {
        return (shed & (1 << requestClass)) != 0;
    }

    /**
     * Until when a newcomer may wait; {@link Long#MAX_VALUE} if its class is not shed.
     *
     * @param oldest the one of its class that has waited longest; null if the newcomer would be the only one, who waits for
     *     nobody, whatever was before
     */
    long untilNanos(int requestClass, @Nullable Waiter oldest, long nowNanos) {
        return sheds(requestClass) && oldest != null ? nowNanos + 2 * targetNanos(requestClass) : NONE;
    }

    /** What the wait of a class should not always be above. */
    long targetNanos(int requestClass) {
        return Math.max(LEAST_TARGET_NANOS, leases[requestClass].median());
    }

    /** For how long waits are looked at before a class is shed. */
    long intervalNanos() {
        long longest = 0;
        for (LeaseLengths its : leases) {
            longest = Math.max(longest, its.median());
        }
        return Math.max(LEAST_INTERVAL_NANOS, LEASES_OF_AN_INTERVAL * longest);
    }

    // ---- by the thread that serves ----

    /**
     * How a class stands, before permits are given.
     *
     * @param oldest the one that has waited longest; null if none waits, or only for the class's own permits
     */
    void look(int requestClass, @Nullable Waiter oldest, long nowNanos) {
        boolean waited = waits[requestClass];
        waits[requestClass] = oldest != null;
        waitNanos[requestClass] = oldest == null ? 0 : Math.max(0, nowNanos - oldest.sinceNanos);
        if (oldest == null) {
            emptyNanos[requestClass] = waited ? nowNanos : emptyNanos[requestClass];
        }
        if ((oldest == null || !waited) && nowNanos - emptyNanos[requestClass] > targetNanos(requestClass)) {
            waited(requestClass, 0);
        }
    }

    /** A request of a class gets a permit, and {@code most} says whether that is as many as the class may have. */
    void granted(int requestClass, boolean most) {
        waited(requestClass, most ? 0 : waitNanos[requestClass]);
    }

    private void waited(int requestClass, long nanos) {
        least[requestClass] = Math.min(least[requestClass], nanos);
        if (nanos < targetNanos(requestClass)) {
            overloaded[requestClass] = false;
            shed(shed & ~(1 << requestClass));
        }
    }

    private void shed(int classes) {
        shed = classes;
    }

    /** Forgets what the interval has seen, and begins the next one. */
    void beginAnew(long nowNanos) {
        beganNanos = nowNanos;
        Arrays.fill(least, NONE);
    }

    /** Ends the interval if it is over. After all classes were looked at. */
    void endInterval(long nowNanos) {
        if (nowNanos - beganNanos < intervalNanos()) {
            return;
        }
        beganNanos = nowNanos;
        boolean begins = false;
        for (int requestClass = leases.length - 1; requestClass >= 0; requestClass--) {
            long its = least[requestClass] == NONE ? waitNanos[requestClass] : least[requestClass];
            least[requestClass] = NONE;
            overloaded[requestClass] = leases[requestClass].known() && its > targetNanos(requestClass);
            if (overloaded[requestClass] && !sheds(requestClass) && !begins) {
                begins = true;
                shed(shed | (1 << requestClass));
            }
        }
    }
}
