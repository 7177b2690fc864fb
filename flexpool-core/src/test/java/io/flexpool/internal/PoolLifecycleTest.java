// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.flexpool.event.PoolListener;
import io.flexpool.internal.config.Settings;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.resize.ModeSwitch;
import io.flexpool.monitoring.PoolControl;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class PoolLifecycleTest {
    private final List<String> seen = new ArrayList<>();
    private final LeaseTracker leases = mock(LeaseTracker.class);
    private final AcquiringPool pool = mock(AcquiringPool.class);

    private final PoolControl view = mock(PoolControl.class);

    private PoolLifecycle lifecycle(TestContext part) {
        part.fake.onClose = () -> seen.add("pool");
        PoolTick tick = mock(PoolTick.class);
        when(tick.name()).thenReturn("part");
        ModeSwitch modes = mock(ModeSwitch.class);
        when(modes.between(any()))
                .thenAnswer(call -> call.<BooleanSupplier>getArgument(0).getAsBoolean());
        return new PoolLifecycle(part.context, pool, tick, modes, null, leases, new PoolCloser(part.context));
    }

    private void watched(Settings settings) {
        settings.metrics.add(shown -> () -> seen.add("unbound"));
        settings.listeners.add(new PoolListener() {
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

    @Test
    void backendsAreUnboundAfterTheListenersWereCalled() {
        TestContext part = watchedPart(settings -> {});
        PoolLifecycle lifecycle = lifecycle(part);
        lifecycle.start(view);
        verify(pool).observe(any());
        assertThat(lifecycle.close()).isTrue();
        assertThat(seen).containsExactly("pool", "listeners", "unbound");
        assertThat(part.context.admission().closed()).isTrue();
        verify(leases).close();
    }

    @Test
    void onlyTheFirstEndCounts() {
        PoolLifecycle lifecycle = lifecycle(watchedPart(settings -> {}));
        lifecycle.start(view);
        assertThat(lifecycle.release()).isTrue();
        assertThat(lifecycle.close()).isFalse();
        assertThat(lifecycle.release()).isFalse();
        assertThat(seen).as("the pool stays open").containsExactly("listeners", "unbound");
    }

    @Test
    void aCloseThatThrowsStillUnbinds() {
        TestContext part = watchedPart(settings -> {});
        part.fake.closeThrows = new LinkageError("a class of the pool's is gone");
        PoolLifecycle lifecycle = lifecycle(part);
        lifecycle.start(view);
        assertThatThrownBy(lifecycle::close).isInstanceOf(LinkageError.class);
        assertThat(seen).containsExactly("pool", "listeners", "unbound");
    }

    @Test
    void aFailedStartLeavesNothing() {
        IllegalStateException refused = new IllegalStateException("not this pool");
        PoolLifecycle lifecycle = lifecycle(watchedPart(settings -> settings.metrics.add(shown -> {
            throw refused;
        })));
        assertThatThrownBy(() -> lifecycle.start(view)).isSameAs(refused);
        assertThat(seen).containsExactly("unbound");
        verify(leases).close();
    }
}
