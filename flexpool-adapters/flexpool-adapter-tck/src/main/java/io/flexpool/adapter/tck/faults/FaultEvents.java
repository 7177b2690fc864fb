// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.faults;

import io.flexpool.event.PoolEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Checks that a pool does not grow while connects fail. Uses the pool's event log, which has the time of each decision;
 * a listener may be notified much later on a busy machine.
 *
 * <p>After a refused connect nothing grows for five seconds. An outage may also be only presumed, because no connection
 * opened and the driver reported no failure. It ends earlier, when more connections have opened than could have been in
 * progress. H2's driver retries a refused connect for 1.2 seconds, so a short restart is only presumed, and growth may
 * follow at once.
 */
public final class FaultEvents {
    /** The promised time without growth after a connect failure, less the clock's granularity. */
    private static final Duration NO_GROWTH = Duration.ofMillis(4_500);

    /**
     * The tolerance between concurrent records: a request may decide to grow just before another's connect fails and
     * record it just after, and a served request may note its time late.
     */
    private static final Duration ON_ITS_WAY = Duration.ofMillis(250);

    private FaultEvents() {}

    /**
     * Growth while connects failed.
     *
     * @param served the times at which requests got a connection
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

    /**
     * Whether a growth is too soon after a failure. The failures of one second are one event, with its first and last
     * time.
     */
    private static boolean follows(PoolEvent.Recent growth, PoolEvent.Recent failure) {
        return failure.event() instanceof PoolEvent.ConnectFailed
                && growth.first().isAfter(failure.first().plus(ON_ITS_WAY))
                && growth.first().isBefore(failure.last().plus(NO_GROWTH));
    }

    /** Whether the outage was only presumed, and more connections than the limit have opened since. */
    private static boolean disproved(PoolEvent.Recent failure, Instant growth, int limit, List<Instant> served) {
        return failure.event() instanceof PoolEvent.ConnectFailed failed
                && failed.sqlState() == null
                && served.stream()
                                .filter(when -> when.isAfter(failure.last()) && when.isBefore(growth.plus(ON_ITS_WAY)))
                                .count()
                        > limit;
    }
}
