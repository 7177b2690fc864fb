// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import io.flexpool.internal.config.Settings;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.resize.ModeSwitch;
import io.flexpool.monitoring.PoolControl;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PoolLifecycleTest {
    private final List<String> seen = new ArrayList<>();
    private final LeaseTracker leases = mock(LeaseTracker.class);
    private final AcquiringPool pool = mock(AcquiringPool.class);

    private final PoolControl view = mock(PoolControl.class);
    private final PoolTick tick = mock(PoolTick.class);
    private final ModeSwitch modes = mock(ModeSwitch.class);
    private Runnable resume = () -> {};

    private PoolLifecycle lifecycle(TestContext part) {
        part.fake.onClose = () -> seen.add("pool");
        when(tick.name()).thenReturn("part");
        when(modes.between(any()))
                .thenAnswer(call -> call.<BooleanSupplier>getArgument(0).getAsBoolean());
        return new PoolLifecycle(part.context, null, leases, new PoolParts(part.context));
    }

    private void close(PoolLifecycle lifecycle) {
        lifecycle.end(false, true, tick, modes, resume);
    }

    private void release(PoolLifecycle lifecycle) {
        lifecycle.end(true, true, tick, modes, resume);
    }

    private void watched(Settings settings) {
        settings.metrics.add(shown -> () -> seen.add("unbound"));
        settings.listeners.add(new PoolListener() {
            @Override
            public void onEvent(PoolEvent event) {}

            @Override
            public void onClosed(String name) {
                seen.add("listeners");
            }
        });
    }

    private TestContext watchedPart(Consumer<Settings> more) {
        return new TestContext(settings -> {
            watched(settings);
            more.accept(settings);
        });
    }

    /** One that is held after that would let its requests wait for good, for a closed pool is not resumed. */
    @Test
    void whatIsHeldIsResumedOnceNothingCanHoldThePoolAgain() {
        TestContext part = watchedPart(settings -> {});
        PoolLifecycle lifecycle = lifecycle(part);
        lifecycle.start(view, pool, tick);
        resume = () -> seen.add(part.context.admissionState().closed() ? "resumed, closed" : "resumed, open");
        close(lifecycle);
        assertThat(seen).containsExactly("resumed, closed", "pool", "listeners", "unbound");
    }

    @Test
    void backendsAreUnboundAfterTheListenersWereCalled() {
        TestContext part = watchedPart(settings -> {});
        PoolLifecycle lifecycle = lifecycle(part);
        lifecycle.start(view, pool, tick);
        verify(pool).observe(any());
        close(lifecycle);
        assertThat(seen).containsExactly("pool", "listeners", "unbound");
        assertThat(part.context.admissionState().closed()).isTrue();
        verify(leases).close();
    }

    @Test
    void onlyTheFirstEndCounts() {
        PoolLifecycle lifecycle = lifecycle(watchedPart(settings -> {}));
        lifecycle.start(view, pool, tick);
        release(lifecycle);
        close(lifecycle);
        release(lifecycle);
        assertThat(seen).as("the pool stays open").containsExactly("listeners", "unbound");
    }

    @Test
    void aCloseThatThrowsStillUnbinds() {
        TestContext part = watchedPart(settings -> {});
        part.fake.closeThrows = new LinkageError("a class of the pool's is gone");
        PoolLifecycle lifecycle = lifecycle(part);
        lifecycle.start(view, pool, tick);
        assertThatThrownBy(() -> close(lifecycle)).isInstanceOf(LinkageError.class);
        assertThat(seen).containsExactly("pool", "listeners", "unbound");
    }

    @Test
    void aFailedStartLeavesNothing() {
        IllegalStateException refused = new IllegalStateException("not this pool");
        PoolLifecycle lifecycle = lifecycle(watchedPart(settings -> settings.metrics.add(shown -> {
            throw refused;
        })));
        assertThatThrownBy(() -> lifecycle.start(view, pool, tick)).isSameAs(refused);
        assertThat(seen).containsExactly("unbound");
        verify(leases).close();
    }

    /** What a request does that was inside when the pool was closed. */
    @Nested
    @Timeout(300)
    class OpenAgain {
        private final TestContext part = new TestContext(settings -> {});
        private final FakePool fake = part.fake;
        private final PoolLifecycle closer = lifecycle(part);

        @Test
        void aPoolThatIsOpenAgainIsClosed() {
            closer.closeAgain();
            closer.closeAgain();
            assertThat(fake.poolClosed).hasValue(2);
        }

        @Test
        void aClosedPoolIsLeftAlone() {
            fake.shownClosed = true;
            closer.closeAgain();
            assertThat(fake.poolClosed).hasValue(0);
        }

        @Test
        void aReleasedPoolStaysOpen() {
            release(closer);
            closer.closeAgain();
            assertThat(fake.poolClosed).hasValue(0);
        }

        @Test
        void aCloseThatThrowsReachesNoRequest() {
            fake.closeThrows = new LinkageError("a class of the pool's is gone");
            closer.closeAgain();
            assertThat(fake.poolClosed).hasValue(1);
        }

        @Test
        void aHangingCloseHoldsNoRequest() throws InterruptedException {
            CountDownLatch released = new CountDownLatch(1);
            CountDownLatch closedOnceMore = new CountDownLatch(2);
            fake.onClose = () -> {
                try {
                    released.await();
                } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                }
                closedOnceMore.countDown();
            };
            closer.closeAgain();
            closer.closeAgain();
            assertThat(fake.poolClosed).as("it hangs").hasValue(1);
            released.countDown();
            assertThat(closedOnceMore.await(5, TimeUnit.MINUTES))
                    .as("closed for the second request too")
                    .isTrue();
        }
    }
}
