// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener.LeaseInspector;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.CoreKey.NestedPolicy;
import io.flexpool.internal.jdbc.CountedLease;
import io.flexpool.internal.pool.TestContext;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class NestedAcquisitionsTest {
    private static NestedAcquisitions nesting(TestContext part, LeaseTracker leases) {
        return new NestedAcquisitions(part.context, leases);
    }

    private static void open(TestContext part, LeaseTracker leases) {
        long now = part.ticker.nanos();
        leases.open(
                leases.slots().claim(Thread.currentThread()),
                part.fake.connection(),
                new CountedLease(),
                now,
                now,
                false);
    }

    @Test
    void aThreadWithoutALeaseIsNotNested() {
        TestContext part = new TestContext(settings -> settings.set(CoreKey.NESTED, NestedPolicy.STRICT));
        LeaseTracker leases = new LeaseTracker(part.context, 2);
        assertThat((Throwable) nesting(part, leases).refusal(part.ticker.nanos()))
                .isNull();
    }

    @Test
    void strictRefusesASecondRequestOfTheThread() {
        TestContext part = new TestContext(settings -> settings.set(CoreKey.NESTED, NestedPolicy.STRICT));
        LeaseTracker leases = new LeaseTracker(part.context, 2);
        open(part, leases);
        SQLException refusal = nesting(part, leases).refusal(part.ticker.nanos());
        assertThat((Throwable) refusal)
                .hasMessageContaining("nested = strict")
                .hasMessageContaining("while it holds one");
        assertThat((Throwable) refusal)
                .asInstanceOf(InstanceOfAssertFactories.type(SQLException.class))
                .extracting(SQLException::getSQLState)
                .isEqualTo(NestedAcquisitions.STATE);
    }

    @Test
    void aNestedRequestIsReportedOncePerSecond() {
        TestContext part = new TestContext(settings -> settings.set(CoreKey.BASE, 1));
        LeaseTracker leases = new LeaseTracker(part.context, 1);
        NestedAcquisitions nesting = nesting(part, leases);
        part.lease(1);
        open(part, leases);
        for (int request = 0; request < 3; request++) {
            assertThat((Throwable) nesting.refusal(part.ticker.nanos())).isNull();
        }
        assertThat(part.nested).hasSize(1);
        part.ticker.advance(Duration.ofSeconds(2));
        nesting.refusal(part.ticker.nanos());
        assertThat(part.nested).hasSize(2);
    }

    @Test
    void aSubscriptionReceivesEachUntilItEnds() {
        TestContext part = new TestContext(settings -> {});
        LeaseTracker leases = new LeaseTracker(part.context, 2);
        NestedAcquisitions nesting = nesting(part, leases);
        List<Object> seen = new ArrayList<>();
        Runnable end = leases.inspect(
                new LeaseInspector() {
                    @Override
                    public void nested(PoolEvent.NestedAcquisition event) {
                        seen.add(event);
                    }
                },
                false);
        open(part, leases);
        nesting.refusal(part.ticker.nanos());
        nesting.refusal(part.ticker.nanos());
        end.run();
        nesting.refusal(part.ticker.nanos());
        assertThat(seen).hasSize(2);
    }
}
