// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.resize;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolEvent.ResizeCause;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.GrowOnWait;
import io.flexpool.internal.pool.TestContext;
import io.flexpool.internal.record.SlotRecords;
import io.flexpool.pool.PoolState;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A pool with base 8 and ceiling 40, for which 30 requests wait, at a server with few connections. In virtual time. */
class FullServerTest {
    private static final int WAITING = 30;
    private static final Duration TICK = Duration.ofMillis(100);

    private final TestContext part = new TestContext(settings -> {
        settings.set(CoreKey.BASE, 8);
        settings.strategies.add(GrowOnWait.upTo(40));
    });
    private final Resizer resizer =
            Objects.requireNonNull(Limiter.of(part.context)).resizer();

    /** How many connections the server leaves to the pool. */
    private int room = 11;

    private int leased;
    private int refused;

    private int limit() {
        return part.gate().limit();
    }

    /** Requests wait all the time. Each request that gets a permit, but no connection from the server, fails. */
    private void run(Duration time) {
        for (long ticks = time.dividedBy(TICK); ticks > 0; ticks--) {
            part.ticker.advance(TICK);
            long began = part.ticker.nanos();
            if (leased < WAITING) {
                resizer.grow(WAITING - leased);
            }
            for (; leased < Math.min(limit(), room); leased++) {
                part.context.recorder().add(new SlotRecords()).acquired(0);
            }
            part.fake.total = leased;
            int without = limit() - leased;
            PoolState state = part.context.state();
            for (int each = 0; each < without; each++) {
                resizer.connectFailed(false, state, began);
                part.gate().exit(began);
                refused++;
            }
            join();
        }
    }

    private void join() {
        for (int waiting = part.context.state().waiting(); waiting < WAITING; waiting++) {
            part.gate().join(part.ticker.nanos());
        }
    }

    private void begin() {
        part.lease(8);
        leased = 8;
        join();
    }

    private List<Integer> tried() {
        return part.resized.stream()
                .filter(moved -> moved.cause() == ResizeCause.DEMAND)
                .map(PoolEvent.Resized::to)
                .toList();
    }

    /** Was 60 swings to 30 connections, with 1,140 refused connects. */
    @Test
    void aFullServerDoesNotMakeTheLimitSwing() {
        begin();
        run(Duration.ofMinutes(5));
        assertThat(tried()).containsExactly(30, 12, 12, 12, 12, 12, 12, 12);
        assertThat(refused).isEqualTo(19 + 7);
        assertThat(limit()).isEqualTo(11);
        assertThat(part.resized)
                .filteredOn(moved -> moved.cause() == ResizeCause.CONNECT_FAILURE)
                .allSatisfy(moved -> assertThat(moved.describe())
                        .endsWith(moved.from() + " -> 11: the database refuses connections"));
    }

    /** The longest delay is a minute, and the time in which the steps open their connections. */
    @Test
    void roomIsUsedAMinuteAfterTheLastRefusalAtTheLatest() {
        begin();
        run(Duration.ofMinutes(5));
        int before = refused;
        room = 40;
        run(Duration.ofMinutes(1).plusSeconds(1));
        assertThat(limit()).isEqualTo(30);
        assertThat(refused).isEqualTo(before);
    }

    /** Hours later one failed connect of another cause stopped growth for the whole minute again. */
    @Test
    void aStopOfAMinuteIsForgottenInHoursWithoutAFailure() {
        begin();
        run(Duration.ofMinutes(5));
        assertThat(limit()).isEqualTo(11);
        resizer.hold(false);
        assertThat(resizer.refusesLong(part.ticker.nanos())).as("a minute").isTrue();
        part.ticker.advance(Duration.ofHours(3));
        room = 40;
        resizer.hold(false);
        part.ticker.advance(Duration.ofSeconds(5));
        assertThat(resizer.grow(1).result()).isEqualTo(Resizer.Growth.Result.GREW);
    }

    /** One connection more is no sign of room for all. */
    @Test
    void stepsDoubleWhileConnectionsOpen() {
        begin();
        run(Duration.ofSeconds(8));
        room = 14;
        run(Duration.ofSeconds(30));
        assertThat(tried()).startsWith(30, 12, 12, 14, 18, 15, 15);
        assertThat(limit()).isEqualTo(14);
    }

    /** Of one that was full, and gives connections to another client while this pool reopens some. */
    @Test
    void aServerWithEvenLessRoomIsFollowedDown() {
        begin();
        run(Duration.ofSeconds(4));
        part.fake.total = 9;
        for (int closed = 0; closed < 2; closed++) {
            part.gate().exit(part.ticker.nanos());
            part.context.recorder().add(new SlotRecords()).released(0);
        }
        resizer.connectFailed(false, part.context.state(), part.ticker.nanos());
        assertThat(limit()).isEqualTo(9);
    }

    /** They began when the limit was higher: nine are open for a moment, while connections are passed on. */
    @Test
    void failuresThatArriveLateDoNotReduceTheLimitFurther() {
        begin();
        part.ticker.advance(TICK);
        long began = part.ticker.nanos();
        run(Duration.ofSeconds(4));
        assertThat(limit()).isEqualTo(11);
        part.fake.total = 9;
        resizer.connectFailed(false, part.context.state(), began);
        assertThat(limit()).isEqualTo(11);
    }

    /** Growth stopped for ten seconds, though the server had refused no connection of the second step. */
    @Test
    void failuresOfAnEarlierStepDoNotDoubleTheStop() {
        begin();
        part.ticker.advance(TICK);
        long began = part.ticker.nanos();
        run(Duration.ofSeconds(4));
        part.ticker.advance(Duration.ofSeconds(5));
        resizer.grow(1);
        assertThat(limit()).isEqualTo(12);
        part.fake.total = 11;
        resizer.connectFailed(false, part.context.state(), began);
        assertThat(resizer.refusesLong(part.ticker.nanos())).as("ten seconds").isFalse();
    }

    @Test
    void theControllerMayTryAsFarAsAnotherGrowth() {
        begin();
        run(Duration.ofSeconds(2));
        resizer.steered(2);
        assertThat(resizer.most(part.context.state())).isEqualTo(12);
        assertThat(resizer.refusesLong(part.ticker.nanos())).isFalse();
        part.ticker.advance(Duration.ofSeconds(5));
        assertThat(resizer.move(11, 20, ResizeCause.SIZING)).isFalse();
        assertThat(limit()).isEqualTo(12);
        part.fake.total = 11;
        resizer.connectFailed(false, part.context.state(), part.ticker.nanos());
        assertThat(limit()).isEqualTo(11);
        assertThat(resizer.refusesLong(part.ticker.nanos())).as("ten seconds").isTrue();
    }

    @Test
    void anotherServerMayHaveOtherLimits() {
        begin();
        run(Duration.ofMinutes(5));
        room = 40;
        resizer.movesToAnotherServer();
        run(Duration.ofSeconds(6));
        assertThat(tried()).endsWith(12, 30);
    }
}
