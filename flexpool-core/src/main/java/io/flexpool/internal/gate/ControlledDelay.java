// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Selects the classes of a {@link ClassGate} with requests to shed, because these would be late: a variant of
 * controlled delay. A class is overloaded once the least wait of an interval was above its target. Its newcomers then
 * get twice the target, and the newest is served first. Half of them are served in time, while all would be late in a
 * queue. The overload ends when a request waited for less than the target.
 *
 * <p>The lowest overloaded class is shed first, and one more in each further interval. A class at its own maximum is
 * not overloaded: it must wait.
 *
 * <p>The target is the median of the class's leases, at least 5 ms. The interval is ten times the longest of these
 * medians, at least 100 ms. At each permit the wait of the class's oldest request counts: newest first, older requests
 * would not be seen. A class whose queue was empty for as long as its target is not overloaded.
 *
 * <p>Written by the thread that serves, but for the leases; {@link #untilNanos} and the other times are read by any.
 */
final class ControlledDelay {
    private static final long LEAST_TARGET_NANOS = 5_000_000;
    private static final long LEAST_INTERVAL_NANOS = 100_000_000;
    private static final int LEASES_OF_AN_INTERVAL = 10;
    private static final long NONE = Long.MAX_VALUE;

    private final LeaseLengths[] leases;
    /** The least wait of this interval; {@link #NONE} without one. */
    private final long[] least;

    private final long[] waitNanos;
    private final boolean[] waits;
    /** The start of the last time without waiting requests. */
    private final long[] emptyNanos;
    /** Whether the shortest wait of the last interval was above the target. */
    private final boolean[] overloaded;
    /** A bit for each shed class. */
    private volatile int shed;

    private long beganNanos;

    /** Takes the lengths of each class's leases. */
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
     * The time until which a newcomer may wait; {@link Long#MAX_VALUE} if its class is not shed.
     *
     * @param oldest the oldest waiter of its class; null if the newcomer would be the only one, which is never shed
     */
    long untilNanos(int requestClass, @Nullable Waiter oldest, long nowNanos) {
        return sheds(requestClass) && oldest != null ? nowNanos + 2 * targetNanos(requestClass) : NONE;
    }

    /** The target for the least wait of a class. */
    long targetNanos(int requestClass) {
        return Math.max(LEAST_TARGET_NANOS, leases[requestClass].median());
    }

    /** How long waits are observed before a class is shed. */
    long intervalNanos() {
        long longest = 0;
        for (LeaseLengths its : leases) {
            longest = Math.max(longest, its.median());
        }
        return Math.max(LEAST_INTERVAL_NANOS, LEASES_OF_AN_INTERVAL * longest);
    }

    // ---- by the assigning thread ----

    /**
     * Takes the state of a class before permits are granted.
     *
     * @param oldest the oldest waiter; null without one, or if waiters wait only for the class's own permits
     */
    void observe(int requestClass, @Nullable Waiter oldest, long nowNanos) {
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

    /** A request of a class gets a permit; {@code most} is true if the class is then at its maximum. */
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

    /** Drops the data of the interval, and begins the next one. */
    void beginAnew(long nowNanos) {
        beganNanos = nowNanos;
        Arrays.fill(least, NONE);
    }

    /** Ends the interval if it is over. Called after all classes were checked. */
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
