// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.pool.TestContext;
import io.flexpool.internal.record.SlotRecords;
import io.flexpool.internal.record.StripedCounter;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class StateReaderTest {
    private final TestContext bound = new TestContext(settings -> settings.set(CoreKey.BASE, 2));
    private final StateReader reader = bound.context.states();

    private PoolState state() {
        return reader.at(bound.ticker.nanos());
    }

    @Test
    void usedPermitsAreLeasedOrEntering() {
        bound.lease(1);
        assertThat(bound.gate().tryEnter(bound.ticker.nanos())).isTrue();
        bound.gate().join(bound.ticker.nanos());
        PoolState state = state();
        assertThat(state.limit()).isEqualTo(2);
        assertThat(state.leased()).isOne();
        assertThat(state.entering()).isOne();
        assertThat(state.waiting()).isOne();
    }

    @Test
    void aPoolWithoutAGateHasNoLimits() {
        TestContext watched = new TestContext(settings -> {});
        watched.context.recorder().add(new SlotRecords()).acquired(1);
        PoolState state = watched.context.state();
        assertThat(state.bound()).isFalse();
        assertThat(state.leased()).isOne();
        assertThat(state.pool().max()).isEqualTo(2);
    }

    /** "0 of 3 connections are in use", while other code had borrowed all of them from the pool. */
    @Test
    void connectionsBorrowedPastAWatchedPoolAreForeignOnceFourTicksSawThem() {
        TestContext watched = new TestContext(settings -> {});
        watched.context.recorder().add(new SlotRecords()).acquired(1);
        watched.fake.active = 3;
        for (int tick = 1; tick <= 4; tick++) {
            assertThat(watched.context.state().foreign())
                    .as("before tick %d", tick)
                    .isZero();
            watched.context.states().read(watched.ticker.nanos());
        }
        assertThat(watched.context.state().foreign()).isEqualTo(2);
        assertThat(watched.context.state().describe()).contains("active 1 and 2 not through flexpool");
        watched.fake.active = 1;
        assertThat(watched.context.states().read(watched.ticker.nanos()).foreign())
                .isZero();
        watched.fake.active = PoolSnapshot.UNKNOWN;
        assertThat(watched.context.states().read(watched.ticker.nanos()).foreign())
                .isZero();
    }

    /** A crowd at a pool whose connections are all borrowed directly hid them: "more demand than connections". */
    @Test
    void requestsThatWaitInsideAWatchedPoolHideNoForeignConnection() {
        StripedCounter requests = new StripedCounter(1);
        TestContext watched = new TestContext(settings -> {}, requests);
        requests.add(5);
        watched.fake.active = 3;
        watched.fake.pending = 5;
        for (int tick = 1; tick <= 4; tick++) {
            watched.context.states().read(watched.ticker.nanos());
        }
        assertThat(watched.context.state().foreign()).isEqualTo(3);
        watched.fake.pending = 2;
        assertThat(watched.context.states().read(watched.ticker.nanos()).foreign())
                .as("three requests are on their way with a connection")
                .isZero();
    }

    @Test
    void anOpenGateIsNoLimit() {
        bound.context.mode().limiting(false);
        bound.lease(1);
        assertThat(state().bound()).isFalse();
        assertThat(state().leased()).isOne();
    }

    @Test
    void aPoolThatCannotBeReadIsUnknown() {
        bound.fake.onSnapshot = () -> {
            throw new IllegalStateException("broken");
        };
        assertThat(state().pool()).isSameAs(PoolSnapshot.NOTHING_KNOWN);
        assertThat(state().limit()).isEqualTo(2);
    }

    @Test
    void whileAReadingHangsNoOtherIsTried() {
        AtomicInteger readings = new AtomicInteger();
        bound.fake.onSnapshot = () -> {
            readings.incrementAndGet();
            bound.fake.onSnapshot = readings::incrementAndGet;
            reader.tickHangs(true);
            assertThat(reader.hangs()).isTrue();
            assertThat(state().pool()).isSameAs(PoolSnapshot.NOTHING_KNOWN);
        };
        reader.read(bound.ticker.nanos());
        assertThat(readings).hasValue(1);
        assertThat(reader.hangs()).isFalse();
        assertThat(state().pool().max()).isEqualTo(2);
    }

    @Test
    void aTickThatIsLateElsewhereDoesNotHang() {
        reader.tickHangs(true);
        assertThat(reader.hangs()).isFalse();
    }
}
