// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.internal.gate.GateSimulation.Load;
import io.flexpool.internal.gate.GateSimulation.Request;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ten tenants of one class, of which one makes ten times as many requests as each of the others, in virtual time. */
class TenantsTest {
    private static final int TENANTS = 10;
    private static final int LIMIT = 10;
    private static final Duration LEASE = Duration.ofMillis(50);
    private static final double CAPACITY = LIMIT / 0.05;
    private static final long END_NANOS = Duration.ofSeconds(60).toNanos();

    /** All requests, of which those of the first tenant are {@code times} as many as each other one's. */
    private static GateSimulation tenants(double load, int times, boolean named) {
        GateSimulation all = new GateSimulation(LIMIT, false, new ClassShare(0, Integer.MAX_VALUE));
        for (int tenant = 0; tenant < TENANTS; tenant++) {
            double perSecond = load * CAPACITY / TENANTS * (tenant == 0 ? times : 1);
            // The time at which it begins is also its number.
            all.with(new Load(
                    0, named ? tenant : TenantQueue.NONE, perSecond, LEASE, Duration.ofSeconds(10), tenant, END_NANOS));
        }
        return all.run();
    }

    private static List<Request> others(GateSimulation all) {
        return all.of(request -> request.load.fromNanos() != 0);
    }

    private static double waitMillis(List<Request> requests) {
        return GateSimulation.waitNanos(requests, 0.99) / 1e6;
    }

    @Test
    void theOthersDoNotWaitForATenantWithTenTimesTheLoad() {
        double calm = waitMillis(others(tenants(0.8, 1, true)));
        GateSimulation loud = tenants(0.8, 10, true);
        assertThat(waitMillis(others(loud))).isLessThanOrEqualTo(1.2 * calm);
        assertThat(others(loud)).allMatch(Request::served);
        assertThat(waitMillis(others(tenants(0.8, 10, false))))
                .as("without tenants")
                .isGreaterThan(10 * calm);
    }

    @Test
    void aTenantThatIsAloneIsNotLimited() {
        assertThat(tenants(0.09, 10, true).requests).allMatch(Request::served);
        GateSimulation alone = new GateSimulation(LIMIT, false, new ClassShare(0, Integer.MAX_VALUE))
                .with(new Load(0, 7, 2 * CAPACITY, LEASE, Duration.ofSeconds(1), 0, END_NANOS))
                .run();
        double perSecond = alone.of(Request::served).size() / 60.0;
        assertThat(perSecond).isGreaterThan(0.95 * CAPACITY);
    }

    /** What counts is the time of the leases, not their number. In turn, the first one would have a third more. */
    @Test
    void aTenantThatAsksForMoreHasAQuarterMoreThanTheMeanAtMost() {
        GateSimulation all = new GateSimulation(LIMIT, false, new ClassShare(0, Integer.MAX_VALUE))
                .with(new Load(0, 1, 2 * CAPACITY, LEASE, Duration.ofSeconds(2), 1, END_NANOS))
                .with(new Load(0, 2, CAPACITY / 4, Duration.ofMillis(200), Duration.ofSeconds(2), 2, END_NANOS))
                .run();
        double one = seconds(all.of(request -> request.load.tenant() == 1));
        double other = seconds(all.of(request -> request.load.tenant() == 2));
        assertThat(one).isBetween(0.7 * (one + other) / 2, 1.3 * (one + other) / 2);
    }

    private static double seconds(List<Request> requests) {
        return requests.stream()
                .filter(Request::served)
                .mapToDouble(request -> request.leaseNanos / 1e9)
                .sum();
    }
}
