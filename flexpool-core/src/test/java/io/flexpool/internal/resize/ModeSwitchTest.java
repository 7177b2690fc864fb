// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.resize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.flexpool.event.PoolEvent.CircuitPhase;
import io.flexpool.event.PoolEvent.ResizeCause;
import io.flexpool.event.PoolEvent.Resized;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.gate.Circuit;
import io.flexpool.internal.pool.TestContext;
import io.flexpool.pool.PoolMode;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ModeSwitchTest {
    private final TestContext part = new TestContext(settings -> {
        settings.set(CoreKey.BASE, 3);
        settings.set(CoreKey.CEILING, 5);
    });
    private final Limiter limiter = Objects.requireNonNull(Limiter.of(part.context));
    private final Circuit circuit = new Circuit(part.context.admissionState(), (changed, phase) -> {});
    private final ModeSwitch modes = new ModeSwitch(part.context, limiter, new StartAlignment(part.context, limiter));

    @Test
    void monitorPutsThePoolsOwnSizesBack() {
        part.fake.prepare(3, 5);
        part.fake.resize(4);
        assertThat(modes.mode(PoolMode.MONITOR, circuit::close)).isTrue();
        assertThat(part.fake.max).isEqualTo(3);
        assertThat(part.context.mode().limiting()).isFalse();
        // The gate is open: more than the limit get in.
        part.lease(4);
        assertThat(modes.mode(PoolMode.MONITOR, circuit::close))
                .as("already there")
                .isFalse();
    }

    @Test
    void backFromMonitorThePoolIsPreparedAgain() {
        modes.mode(PoolMode.MONITOR, circuit::close);
        part.fake.preparedFor = 0;
        assertThat(modes.mode(PoolMode.RECOMMEND, circuit::close)).isTrue();
        assertThat(part.fake.preparedFor).isEqualTo(5);
        assertThat(part.context.state().limit()).isEqualTo(3);
    }

    @Test
    void aPoolThatCannotBePreparedStaysWatched() {
        modes.mode(PoolMode.MONITOR, circuit::close);
        part.fake.largestMax = 1;
        assertThatIllegalArgumentException().isThrownBy(() -> modes.mode(PoolMode.ADAPT, circuit::close));
        assertThat(part.context.mode().mode()).isEqualTo(PoolMode.MONITOR);
        assertThat(part.context.mode().limiting()).isFalse();
    }

    @Test
    void adaptHandsTheLimitOver() {
        modes.mode(PoolMode.ADAPT, circuit::close);
        assertThat(limiter.resizer().move(3, 2, ResizeCause.SIZING)).isTrue();
    }

    @Test
    void afterAdaptTheLimitIsTakenBack() {
        modes.mode(PoolMode.ADAPT, circuit::close);
        assertThat(limiter.resizer().move(3, 2, ResizeCause.SIZING)).isTrue();
        modes.mode(PoolMode.RECOMMEND, circuit::close);
        assertThat(part.gate().limit()).as("the base again").isEqualTo(3);
        assertThat(limiter.resizer().move(3, 2, ResizeCause.SIZING)).isFalse();
        assertThat(part.resized).extracting(Resized::cause).containsExactly(ResizeCause.SIZING, ResizeCause.MANUAL);
    }

    @Test
    void adaptWithoutACeilingIsRefused() {
        TestContext endless = new TestContext(settings -> settings.set(CoreKey.BASE, 2));
        Limiter own = Objects.requireNonNull(Limiter.of(endless.context));
        ModeSwitch refusing = new ModeSwitch(endless.context, own, new StartAlignment(endless.context, own));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> refusing.mode(PoolMode.ADAPT, circuit::close))
                .withMessageContaining("mode = adapt needs a ceiling");
        assertThat(endless.context.mode().mode()).isEqualTo(PoolMode.RECOMMEND);
    }

    @Test
    void monitorClosesTheCircuit() {
        circuit.trip(part.ticker.nanos(), 1_000_000_000);
        modes.mode(PoolMode.MONITOR, circuit::close);
        assertThat(circuit.phase()).isEqualTo(CircuitPhase.CLOSED);
    }

    @Test
    void limitsAreRefusedWhileOnlyWatched() {
        modes.limits(3, 4);
        assertThat(part.gate().limit()).isEqualTo(3);
        modes.mode(PoolMode.MONITOR, circuit::close);
        assertThatIllegalStateException()
                .isThrownBy(() -> modes.limits(2, 4))
                .withMessageContaining("part: flexpool does not change this pool, so it has no limits");
    }

    @Test
    void limitsOutOfRangeAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> modes.limits(0, 4))
                .withMessageContaining("base = 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> modes.limits(3, 2))
                .withMessageContaining("below the base");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> modes.limits(3, 6))
                .withMessageContaining("above the configured ceiling, 5");
    }
}
