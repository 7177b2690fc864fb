// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.resize;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.diagnostics.Decision.RefusedGrowth.Reason;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolEvent.ResizeCause;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.GrowOnWait;
import io.flexpool.internal.gate.Limits;
import io.flexpool.internal.pool.LockedUp;
import io.flexpool.internal.pool.TestContext;
import io.flexpool.internal.record.SlotRecords;
import io.flexpool.internal.resize.Resizer.Growth;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where a limit may move, and where not. */
class ResizerTest {
    private final TestContext part = new TestContext(settings -> {
        settings.set(CoreKey.BASE, 2);
        settings.strategies.add(GrowOnWait.upTo(5));
    });
    private final Limiter limiter = Objects.requireNonNull(Limiter.of(part.context));
    private final Resizer resizer = limiter.resizer();

    @BeforeEach
    void allIsLeasedAndOneWaits() {
        part.lease(2);
        part.gate().join(part.ticker.nanos());
    }

    private int limit() {
        return part.gate().limit();
    }

    @Test
    void itGrowsForTheWaiters() {
        assertThat(resizer.grow(1)).isEqualTo(Growth.GREW);
        assertThat(limit()).isEqualTo(3);
        assertThat(part.resized).extracting(PoolEvent.Resized::cause).containsExactly(ResizeCause.DEMAND);
    }

    @Test
    void itResizesThePool() {
        assertThat(resizer.grow(1)).isEqualTo(Growth.GREW);
        assertThat(part.fake.max).isEqualTo(3);
    }

    @Test
    void neverAboveTheCeiling() {
        assertThat(resizer.grow(99)).isEqualTo(Growth.GREW);
        assertThat(limit()).isEqualTo(5);
    }

    @Test
    void notAtTheCeiling() {
        part.context.limits().set(2, 2);
        assertThat(resizer.grow(1)).isEqualTo(Growth.refused(Reason.CEILING));
        assertThat(limit()).isEqualTo(2);
    }

    @Test
    void notAboveTheCapAndTheReasonNamesIt() {
        part.context.limits().cap(2);
        part.context.limits().capped(new Limits.Cap("roster", "the roster 'a'", "grows later", "flexpool.roster.max"));
        assertThat(resizer.grow(1)).isEqualTo(Growth.refused(Reason.CAP));
        assertThat(limit()).isEqualTo(2);
    }

    @Test
    void notWhileThePoolLacksConnectionsThatItMayHave() {
        part.fake.total = 1;
        part.gate().exit(part.ticker.nanos());
        assertThat(resizer.grow(1)).isEqualTo(Growth.NOT_NEEDED);
    }

    @Test
    void notForFiveSecondsAfterAConnectFailure() {
        resizer.hold(false);
        part.ticker.advance(Duration.ofMillis(4_999));
        assertThat(resizer.grow(1)).isEqualTo(Growth.refused(Reason.OUTAGE));
        part.ticker.advance(Duration.ofMillis(2));
        assertThat(resizer.grow(1)).isEqualTo(Growth.GREW);
    }

    /** As many as the limit may have been on their way when the silence was noticed; one more is news of the database. */
    @Test
    void notAfterASilenceUntilMoreHaveComeThanCouldBeOnTheirWay() {
        resizer.hold(true);
        for (int came = 0; came <= 2; came++) {
            assertThat(resizer.grow(1)).as("after %d", came).isEqualTo(Growth.refused(Reason.OUTAGE));
            comesAndGoes();
        }
        assertThat(resizer.grow(1)).isEqualTo(Growth.GREW);
    }

    private void comesAndGoes() {
        SlotRecords slot = part.context.recorder().add(new SlotRecords());
        slot.acquired(0);
        slot.released(0);
    }

    /** As many connections more would wait for the same locks. */
    @Test
    void notWhileTheHoldersWaitForLocks() throws Exception {
        TestContext looked = new TestContext(settings -> {
            settings.set(CoreKey.BASE, 2);
            settings.strategies.add(GrowOnWait.upTo(5));
        });
        looked.lease(2);
        looked.gate().join(looked.ticker.nanos());
        Resizer grows = Objects.requireNonNull(Limiter.of(looked.context)).resizer();
        AtomicBoolean locked = new AtomicBoolean(true);
        looked.context.insight().set("a part", new LockedUp(locked));
        assertThat(grows.grow(1)).isEqualTo(Growth.refused(Reason.LOCKED));
        grows.steered(1);
        assertThat(grows.move(2, 3, ResizeCause.SIZING)).isFalse();
        locked.set(false);
        looked.ticker.advance(Duration.ofSeconds(2));
        assertThat(grows.move(2, 3, ResizeCause.SIZING)).isTrue();
    }

    @Test
    void aRefusalHoldsHoweverManyCome() {
        resizer.hold(false);
        for (int came = 0; came <= 9; came++) {
            assertThat(resizer.grow(1)).as("after %d", came).isEqualTo(Growth.refused(Reason.OUTAGE));
            comesAndGoes();
        }
    }

    @Test
    void aPoolThatRefusesToGrowKeepsItsLimit() {
        part.fake.resizeThrows = true;
        assertThat(resizer.grow(1)).isEqualTo(Growth.refused(Reason.POOL));
        assertThat(limit()).isEqualTo(2);
        assertThat(part.resized).isEmpty();
    }

    @Test
    void aShrinkThatWasDecidedOnAnotherLimitDoesNothing() {
        resizer.grow(1);
        resizer.move(5, 2, ResizeCause.CALM);
        assertThat(limit()).isEqualTo(3);
        resizer.move(3, 0, ResizeCause.CALM);
        assertThat(limit()).as("not below the base").isEqualTo(2);
    }

    @Test
    void whatGrewBeforeTheFirstConnectCouldFailIsTakenBack() {
        resizer.grow(1);
        part.fake.total = 2;
        resizer.connectFailed(false, part.context.state(), part.ticker.nanos());
        assertThat(limit()).isEqualTo(2);
    }

    @Test
    void whileTheControllerActsNothingElseMovesTheLimit() {
        resizer.steered(1);
        assertThat(resizer.grow(1)).isEqualTo(Growth.refused(Reason.SIZING));
        assertThat(resizer.move(2, 4, ResizeCause.SIZING)).isTrue();
        assertThat(limit()).isEqualTo(4);
        assertThat(resizer.move(2, 5, ResizeCause.SIZING))
                .as("decided on another limit")
                .isFalse();
        assertThat(resizer.move(4, 0, ResizeCause.SIZING))
                .as("only down to its least")
                .isFalse();
        assertThat(limit()).isOne();
        resizer.unsteered();
        assertThat(limit()).as("the base again").isEqualTo(2);
    }

    @Test
    void newLimitsTakeTheLimitBetweenThem() {
        resizer.limits(4, 6);
        assertThat(limit()).isEqualTo(4);
        assertThat(part.fake.preparedFor).isEqualTo(6);
        resizer.limits(1, 3);
        assertThat(limit()).isEqualTo(3);
    }

    @Test
    void givenLimitsHoldThoughThePoolDoesNotFollow() {
        part.fake.resizeThrows = true;
        resizer.limits(4, 5);
        assertThat(limit()).isEqualTo(4);
    }

    @Test
    void limitsThatMoveNothingStillResizeThePool() {
        part.fake.max = 9;
        assertThat(resizer.limits(1, 5)).isNull();
        assertThat(part.fake.max).isEqualTo(2);
    }

    @Test
    void aStepUpNeedsAPoolThatIsFull() {
        resizer.steered(1);
        part.fake.total = 1;
        assertThat(resizer.move(2, 3, ResizeCause.SIZING)).isFalse();
        assertThat(resizer.move(2, 1, ResizeCause.SIZING)).isTrue();
    }

    @Test
    void aSuspendedOneMovesNothingUntilItIsResumed() {
        resizer.suspend();
        assertThat(resizer.grow(1)).isEqualTo(Growth.refused(Reason.CLOSED));
        resizer.resume();
        assertThat(resizer.grow(1)).isEqualTo(Growth.GREW);
    }
}
