// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.resize;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.internal.config.ClassRule;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.gate.ClassGate;
import io.flexpool.internal.jdbc.CountedLease;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.lease.Slot;
import io.flexpool.internal.pool.TestContext;
import io.flexpool.internal.record.SlotRecords;
import io.flexpool.internal.resize.WindowSource.Bounds;
import io.flexpool.internal.sizing.PoolWindow;
import io.flexpool.internal.sizing.PoolWindow.OfClass;
import io.flexpool.pool.AcquisitionOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class WindowSourceTest {
    private static final long TICK = 250_000_000;

    private final TestContext part = new TestContext(settings -> settings.set(CoreKey.BASE, 2));
    private final LeaseTracker leases = new LeaseTracker(part.context, 2);
    private final WindowSource windows = new WindowSource(part.context, leases);

    private static PoolWindow next(TestContext of, WindowSource from, int limit) {
        of.ticker.advance(Duration.ofNanos(TICK));
        long now = of.ticker.nanos();
        return from.next(now, of.context.states().at(now), new Bounds(limit, 2, 5, 0, false));
    }

    private PoolWindow next() {
        return next(part, windows, 2);
    }

    /** Takes a permit, and is a lease now. */
    private void acquire() {
        long now = part.ticker.nanos();
        part.lease(1);
        leases.open(
                leases.slots().claim(Thread.currentThread()),
                part.fake.connection(),
                new CountedLease(),
                now,
                now,
                false);
    }

    @Test
    void theFirstWindowKnowsOnlyNow() {
        acquire();
        PoolWindow first = next();
        assertThat(first.active()).isOne();
        assertThat(first.traffic().arrivals()).isZero();
        assertThat(first.traffic().meanActive()).isZero();
        assertThat(first.open().count()).isOne();
        assertThat(first.ceiling()).isEqualTo(5);
    }

    @Test
    void anotherHasWhatCameAndWentSince() {
        next();
        acquire();
        acquire();
        part.gate().exit(part.ticker.nanos());
        part.context.recorder().add(new SlotRecords()).released(TICK / 2);
        part.context.recorder().failed(1, AcquisitionOutcome.TIMEOUT);
        part.context.recorder().connectFailed();
        PoolWindow seen = next();
        assertThat(seen.traffic().arrivals()).isEqualTo(3);
        assertThat(seen.traffic().completions()).isOne();
        assertThat(seen.traffic().leaseNanos()).isEqualTo(TICK / 2);
        assertThat(seen.traffic().timeouts()).isOne();
        assertThat(seen.traffic().connectFailures()).isOne();
        assertThat(next().traffic().arrivals()).as("counted once").isZero();
    }

    @Test
    void leasesThatEndedCountForTheirClass() {
        TestContext two = new TestContext(settings -> {
            settings.set(CoreKey.BASE, 2);
            settings.classes = List.of(ClassRule.named("web"), ClassRule.named("batch"));
        });
        LeaseTracker tracker = new LeaseTracker(two.context, 2);
        WindowSource source = new WindowSource(two.context, tracker);
        next(two, source, 2);
        long now = two.ticker.nanos();
        two.lease(1);
        Slot slot = tracker.slots().claim(Thread.currentThread());
        slot.requestClass = 1;
        tracker.open(slot, two.fake.connection(), new CountedLease(), now, now, false);
        slot.end(TICK / 2);
        slot.vacate();
        two.gate().exit(now, TICK / 2, 0);

        assertThat(next(two, source, 2).traffic().classes())
                .containsExactly(new OfClass(0, 0, 0, 0), new OfClass(1, 1, TICK / 2, 0));
        assertThat(next(two, source, 2).traffic().classes()).as("it rests").isEmpty();
        assertThat(next().traffic().classes()).as("without classes").isEmpty();
    }

    @Test
    void openLeasesCountForTheMean() {
        next();
        acquire();
        assertThat(next().traffic().meanActive()).isEqualTo(1);
        assertThat(next().traffic().meanActive()).isEqualTo(1);
    }

    @Test
    void aFullPoolWithAQueueIsSaturated() {
        next();
        acquire();
        acquire();
        part.gate().join(part.ticker.nanos());
        PoolWindow seen = next();
        assertThat(seen.waiting()).isOne();
        assertThat(seen.headAgeNanos()).isEqualTo(TICK);
        assertThat(seen.traffic().saturated()).isEqualTo(1);
    }

    /** A larger pool would have no more for it. */
    @Test
    void aRequestThatWaitsForItsClassesOwnMostIsNoDemand() {
        TestContext classed = new TestContext(settings -> {
            settings.set(CoreKey.BASE, 2);
            settings.classes =
                    List.of(ClassRule.named("web"), ClassRule.named("batch").withMax(1));
        });
        WindowSource ofClasses = new WindowSource(classed.context, new LeaseTracker(classed.context, 2));
        ClassGate gate = Objects.requireNonNull(classed.context.classes()).line();
        next(classed, ofClasses, 2);
        assertThat(gate.gate().tryEnter(classed.ticker.nanos(), 1, false)).isTrue();
        gate.join(classed.ticker.nanos(), 1, false, Long.MAX_VALUE);
        assertThat(gate.gate().tryEnter(classed.ticker.nanos(), 0, false)).isTrue();
        PoolWindow batch = next(classed, ofClasses, 2);
        assertThat(batch.waiting()).isZero();
        assertThat(batch.headAgeNanos()).isZero();
        assertThat(batch.traffic().saturated()).isZero();
        gate.join(classed.ticker.nanos(), 0, false, Long.MAX_VALUE);
        assertThat(next(classed, ofClasses, 2).waiting()).isOne();
    }

    /** In an outage all permits are inside the pool; under short leases some always are, and connections come. */
    @Test
    void thoseInsideCountOnlyWhileConnectionsCome() {
        next();
        assertThat(part.gate().tryEnter(part.ticker.nanos())).isTrue();
        assertThat(next().active()).as("none has come").isZero();
        acquire();
        assertThat(next().active()).isEqualTo(2);
    }

    @Test
    void withoutAGateTheQueueIsWhatTheAnsweredWaited() {
        TestContext watched = new TestContext(settings -> {});
        LeaseTracker none = new LeaseTracker(watched.context, 2);
        WindowSource outside = new WindowSource(watched.context, none);
        next(watched, outside, 2);
        watched.context.recorder().add(new SlotRecords()).acquired(TICK);
        PoolWindow seen = next(watched, outside, 2);
        assertThat(seen.active()).isOne();
        assertThat(seen.traffic().arrivals()).isOne();
        assertThat(seen.headAgeNanos()).as("none waits now").isZero();
    }
}
