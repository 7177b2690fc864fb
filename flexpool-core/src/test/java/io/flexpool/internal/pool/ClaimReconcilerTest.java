// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import io.flexpool.internal.config.ClassRule;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.gate.ClassGate;
import io.flexpool.internal.gate.ParkedPermits;
import io.flexpool.internal.jdbc.LeaseOwner;
import io.flexpool.internal.jdbc.LeasedConnection;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.lease.Slot;
import io.flexpool.internal.record.Recorder;
import io.flexpool.internal.record.SlotRecords;
import io.flexpool.internal.record.StripedCounter;
import io.flexpool.pool.PoolSnapshot;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ClaimReconcilerTest {
    private static final Duration TICK = Duration.ofMillis(250);

    private final SlowParts path = new SlowParts(settings -> {});
    private final TestContext pool = path.part;
    private final Recorder recorder = pool.context.recorder();
    private final LeaseTracker leases = path.leases;
    private final ClaimReconciler sweep = new ClaimReconciler(pool.context, path.pool, leases);

    private void looks(int number, Duration apart) {
        for (int at = 0; at < number; at++) {
            pool.ticker.advance(apart);
            sweep.reconcile(pool.ticker.nanos(), PoolSnapshot.NOTHING_KNOWN);
        }
    }

    private LeasedConnection open() {
        return leases.open(
                leases.slots().claim(Thread.currentThread()),
                mock(Connection.class),
                mock(LeaseOwner.class),
                pool.ticker.nanos(),
                pool.ticker.nanos(),
                false);
    }

    private void end(LeasedConnection lease) {
        endUnrecorded(lease);
        recorder.add(new SlotRecords()).released(0);
    }

    private void endUnrecorded(LeasedConnection lease) {
        leases.slots().at(lease.place()).vacate();
    }

    /** A pool in which nothing was open said that one lease was, after a thread had stood still on its way. */
    @Test
    void aLateTickAndTheNextProveNothing() {
        looks(1, TICK);
        LeasedConnection lease = open();
        looks(50, Duration.ofMillis(4));
        looks(1, TICK);
        recorder.add(new SlotRecords()).acquired(1);
        end(lease);
        assertThat(recorder.active()).isZero();
    }

    @Test
    void aThreadMayStandStillForATick() {
        LeasedConnection lease = open();
        looks(3, TICK);
        recorder.add(new SlotRecords()).acquired(1);
        end(lease);
        assertThat(recorder.active()).isZero();
    }

    @Test
    void aBeginThatWasNeverRecordedIsCorrected() {
        open();
        looks(5, TICK);
        assertThat(recorder.active()).isOne();
    }

    @Test
    void anEndThatWasNeverRecordedIsCorrected() {
        LeasedConnection lease = open();
        recorder.add(new SlotRecords()).acquired(1);
        endUnrecorded(lease);
        assertThat(recorder.active()).isOne();
        looks(6, TICK);
        assertThat(recorder.active()).isZero();
    }

    @Test
    void anEndThatWasCutShortIsCompletedAtTheNextTick() {
        LeasedConnection lease = open();
        Slot slot = leases.slots().at(lease.place());
        slot.acquired(1);
        slot.abandoned = true;
        looks(1, Duration.ofMillis(1));
        assertThat(leases.slots().openCount(ParkedPermits.ANY)).isZero();
        assertThat(recorder.active()).isZero();
    }

    /** Else a class with a most would have one less for good. */
    @Test
    void aPermitThatIsLostIsNotCountedForItsClassEither() {
        SlowParts parts = new SlowParts(settings -> {
            settings.set(CoreKey.BASE, 3);
            settings.classes =
                    List.of(ClassRule.named("web"), ClassRule.named("batch").withMax(1));
        });
        TestContext classed = parts.part;
        ClassGate gate = Objects.requireNonNull(classed.context.classes()).line();
        ClaimReconciler ofClasses = new ClaimReconciler(classed.context, parts.pool, parts.leases);
        assertThat(gate.gate().tryEnter(classed.ticker.nanos(), 1, false)).isTrue();
        looks(ofClasses, classed);
        assertThat(gate.gate().usedCount(1)).isZero();
        assertThat(gate.gate().tryEnter(classed.ticker.nanos(), 1, false))
                .as("its only one")
                .isTrue();
        gate.gate().exit(classed.ticker.nanos(), Long.MAX_VALUE, 1);
        // The one that was written off comes back after all.
        gate.gate().exit(classed.ticker.nanos(), Long.MAX_VALUE, 1);
        assertThat(gate.gate().inUse(1)).isEqualTo(-1);
        looks(ofClasses, classed);
        assertThat(gate.gate().inUse(1)).isZero();
        assertThat(gate.gate().inUse()).isZero();
    }

    @Test
    void requestsThatWaitForTheEndOfAHoldAreNotLost() {
        StripedCounter requests = new StripedCounter(StripedCounter.stripes());
        PoolContext watched = PoolContext.of(pool.context.config(), null, requests);
        new Operations(watched, leases).pause();
        requests.increment(0);
        Objects.requireNonNull(watched.queue()).join(pool.ticker.nanos());
        looks(new ClaimReconciler(watched, path.pool, new LeaseTracker(watched, 4)), pool);
        assertThat(watched.state().pending()).isOne();
    }

    private static void looks(ClaimReconciler sweep, TestContext pool) {
        for (int at = 0; at < 3; at++) {
            pool.ticker.advance(TICK);
            sweep.reconcile(pool.ticker.nanos(), new PoolSnapshot(3, 0, 0, 3, 3, 0));
        }
    }
}
