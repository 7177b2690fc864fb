// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck;

import io.flexpool.event.PoolEvent;
import java.time.Duration;
import java.util.List;

/**
 * What a pool must not do while connects fail: grow. Judged by the pool's own record, which has the time of each
 * decision: a listener is notified by another thread, on a busy machine much later.
 */
final class FaultEvents {
    /** As long as the library promises that nothing grows after a connect failure, less the clock's granularity. */
    private static final Duration NO_GROWTH = Duration.ofMillis(4_500);

    /** A request may decide to grow just before another one's connect fails, and record it just after. */
    private static final Duration ON_ITS_WAY = Duration.ofMillis(250);

    private FaultEvents() {}

    /** Growth while connects failed. */
    static List<PoolEvent.Recent> growthAfterConnectFailures(List<PoolEvent.Recent> events) {
        return events.stream()
                .filter(later -> later.event() instanceof PoolEvent.Resized resized
                        && resized.cause() == PoolEvent.ResizeCause.DEMAND
                        && events.stream().anyMatch(earlier -> follows(later, earlier)))
                .toList();
    }

    /** Failures of one second are recorded as one, from its first to its last. */
    private static boolean follows(PoolEvent.Recent growth, PoolEvent.Recent failure) {
        return failure.kind() == PoolEvent.Kind.CONNECT_FAILURE
                && growth.first().isAfter(failure.first().plus(ON_ITS_WAY))
                && growth.first().isBefore(failure.last().plus(NO_GROWTH));
    }
}
