// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.internal.config.ClassRule;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.context.RequestClasses;
import io.flexpool.internal.gate.ClassGate;
import io.flexpool.internal.jdbc.CountedLease;
import io.flexpool.internal.pool.TestContext;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Which leases are captured in a pool with classes. While batch work waited for its own most, the stack of every interactive request was
 * walked, which tripled its wait.
 */
class ClassCaptureAlertTest {
    private static final int WEB = 0;
    private static final int BATCH = 1;
    private static final long NEVER = Long.MAX_VALUE;

    private final TestContext part = new TestContext(settings -> {
        settings.set(CoreKey.BASE, 2);
        settings.classes =
                List.of(ClassRule.named("web"), ClassRule.named("batch").withMax(1));
    });
    private final RequestClasses classes = Objects.requireNonNull(part.context.classes());
    private final ClassGate gate = classes.line();
    private final LeaseTracker leases = new LeaseTracker(part.context, 2);

    @BeforeEach
    void batchHasItsMost() {
        // The first lease of a slot is always captured.
        captured(WEB);
        tick(Duration.ZERO);
        assertThat(captured(WEB)).isFalse();
        assertThat(captured(BATCH)).isFalse();
        assertThat(gate.gate().tryEnter(part.ticker.nanos(), BATCH, false)).isTrue();
    }

    private boolean captured(int requestClass) {
        long now = part.ticker.nanos();
        Slot slot = leases.slots().claim(Thread.currentThread());
        slot.requestClass = requestClass;
        leases.open(slot, part.fake.connection(), new CountedLease(), now, now, false);
        boolean captured = slot.site != null;
        slot.vacate();
        return captured;
    }

    private void tick(Duration later) {
        part.ticker.advance(later);
        leases.tick(part.ticker.nanos(), 0, part.context.state());
    }

    private void tick() {
        tick(Duration.ofMillis(250));
    }

    @Test
    void whileAClassWaitsForItsOwnMostOnlyItsLeasesAreCaptured() {
        gate.join(part.ticker.nanos(), BATCH, false, NEVER);
        tick();
        assertThat(captured(BATCH)).isTrue();
        assertThat(captured(WEB)).isFalse();
    }

    @Test
    void aThreadThatHoldsALeaseAndWaitsCountsToo() {
        gate.join(part.ticker.nanos(), BATCH, true, NEVER);
        tick();
        assertThat(captured(BATCH)).isTrue();
    }

    @Test
    void aTimeoutOfAClassWithItsMostConcernsItsOwnLeases() {
        classes.recorder().failed(BATCH, AcquisitionFailure.Kind.EXHAUSTED);
        tick();
        assertThat(captured(BATCH)).isTrue();
        assertThat(captured(WEB)).isFalse();
        tick(Duration.ofSeconds(CaptureAlert.SECONDS));
        assertThat(captured(BATCH)).as("one timeout, ten seconds ago").isFalse();
    }

    /** Any lease may be the one that it waits for. */
    @Test
    void whileAClassWaitsForAnyPermitAllLeasesAreCaptured() {
        assertThat(gate.gate().tryEnter(part.ticker.nanos(), WEB, false)).isTrue();
        gate.join(part.ticker.nanos(), WEB, false, NEVER);
        tick();
        assertThat(captured(BATCH)).isTrue();
        assertThat(captured(WEB)).isTrue();
    }

    @Test
    void itEndsForEachClassTenSecondsAfterTheWait() {
        var waiter = gate.join(part.ticker.nanos(), BATCH, false, NEVER);
        tick();
        assertThat(gate.gate().leave(waiter, part.ticker.nanos())).isTrue();
        tick(Duration.ofSeconds(CaptureAlert.SECONDS).minusMillis(1));
        assertThat(captured(BATCH)).isTrue();
        tick(Duration.ofMillis(1));
        assertThat(captured(BATCH)).isFalse();
    }
}
