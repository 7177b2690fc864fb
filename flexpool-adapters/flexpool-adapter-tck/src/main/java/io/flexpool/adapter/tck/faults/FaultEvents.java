// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.faults;

import io.flexpool.event.PoolEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What a pool must not do while connects fail: grow. Judged by the pool's own record, which has the time of each
 * decision: a listener is notified by another thread, on a busy machine much later.
 *
 * <p>After a refusal nothing grows for five seconds. An outage that is only presumed, because no connection came and the
 * driver has not said why, ends earlier: once more connections have come than could have been on their way. H2's driver
 * tries a refused connect again for 1.2 seconds, so a short restart is presumed to the end, and growth may follow it at
 * once.
 */
public final class FaultEvents {
    /** As long as the library promises that nothing grows after a connect failure, less the clock's granularity. */
    private static final Duration NO_GROWTH = Duration.ofMillis(4_500);

    /**
     * A request may decide to grow just before another one's connect fails, and record it just after; and one that was
     * served may come to note the time only after the growth.
     */
    private static final Duration ON_ITS_WAY = Duration.ofMillis(250);

    private FaultEvents() {}

    /**
     * Growth while connects failed.
     *
     * @param served when requests got a connection
     */
    public static List<PoolEvent.Recent> growthAfterConnectFailures(
            List<PoolEvent.Recent> events, List<Instant> served) {
        return events.stream()
                .filter(later -> later.event() instanceof PoolEvent.Resized resized
                        && resized.cause() == PoolEvent.ResizeCause.DEMAND
                        && events.stream()
                                .anyMatch(earlier -> follows(later, earlier)
                                        && !disproved(earlier, later.first(), resized.from(), served)))
                .toList();
    }

    /** Failures of one second are recorded as one, from its first to its last. */
    private static boolean follows(PoolEvent.Recent growth, PoolEvent.Recent failure) {
        return failure.event() instanceof PoolEvent.ConnectFailed
                && growth.first().isAfter(failure.first().plus(ON_ITS_WAY))
                && growth.first().isBefore(failure.last().plus(NO_GROWTH));
    }

    /** Whether the driver had said nothing, and more connections than the limit have come since. */
    private static boolean disproved(PoolEvent.Recent failure, Instant growth, int limit, List<Instant> served) {
        return failure.event() instanceof PoolEvent.ConnectFailed failed
                && failed.sqlState() == null
                && served.stream()
                                .filter(when -> when.isAfter(failure.last()) && when.isBefore(growth.plus(ON_ITS_WAY)))
                                .count()
                        > limit;
    }
}
