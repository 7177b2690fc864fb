// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.flexpool.internal.failure.Explainer;
import io.flexpool.internal.failure.FailureHandler;
import io.flexpool.internal.failure.ScaleOut;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.lease.NestedAcquisitions;
import io.flexpool.internal.record.ClassHistory;
import io.flexpool.internal.record.ConnectTimes;
import io.flexpool.internal.record.StatisticsHistory;
import io.flexpool.internal.resize.DecisionLog;
import io.flexpool.internal.resize.OwnMax;
import io.flexpool.internal.resize.SizingLoop;
import io.flexpool.internal.resize.StartAlignment;
import io.flexpool.monitoring.PoolDiagnosis.Housekeeping;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PoolTickTest {
    private final TestContext part = new TestContext(settings -> {});
    private final StatisticsHistory history = mock(StatisticsHistory.class);
    private final ClassHistory classes = mock(ClassHistory.class);
    private final ConnectTimes connects = mock(ConnectTimes.class);
    private final Explainer explainer = mock(Explainer.class);
    private final LeaseTracker leases = mock(LeaseTracker.class);
    private final ClaimReconciler claims = mock(ClaimReconciler.class);
    private final SizingLoop sizing = mock(SizingLoop.class);
    private final PoolParts parts = mock(PoolParts.class);
    private final PoolWatch watch = mock(PoolWatch.class);
    private final PoolTick tick =
            new PoolTick(part.context, null, watch, leases, claims, mock(StartAlignment.class), parts);

    @BeforeEach
    void watches() {
        when(watch.parts())
                .thenReturn(new PoolWatch.Parts(
                        history,
                        classes,
                        connects,
                        mock(DecisionLog.class),
                        explainer,
                        mock(FailureHandler.class),
                        mock(NestedAcquisitions.class),
                        sizing,
                        mock(ScaleOut.class),
                        null,
                        mock(OwnMax.class)));
    }

    @Test
    void everyPartIsTickedThoughOthersThrow() {
        doThrow(new IllegalStateException("connects")).when(connects).update();
        doThrow(new IllegalStateException("leases")).when(leases).tick(anyLong(), anyLong(), any());
        doThrow(new IllegalStateException("claims")).when(claims).reconcile(anyLong(), any());
        tick.tick(7);
        verify(history).tick(anyLong(), any());
        verify(classes).tick(anyLong());
        verify(leases).tick(anyLong(), eq(7L), any());
        verify(sizing).tick(anyLong(), any());
        verify(parts).passLeases(anyLong(), any());
        verify(parts).tick(any(), anyLong());
        assertThat(part.context.listeners().errors()).isEqualTo(3);
    }

    /** What it loads would be loaded beside the first calls. */
    @Test
    void noFailureIsRehearsedAtOnce() {
        for (int at = 0; at < 4; at++) {
            tick.tick(0);
        }
        verify(explainer, never()).warm(any(), anyLong());
    }

    @Test
    void aFailureIsRehearsedOnce() {
        for (int at = 0; at < 14; at++) {
            tick.tick(0);
        }
        verify(explainer).warm(any(), anyLong());
    }

    @Test
    void aClosedPoolIsNotSized() {
        part.context.admissionState().close();
        tick.tick(0);
        verify(leases).tick(anyLong(), anyLong(), any());
        verify(sizing, never()).tick(anyLong(), any());
        part.ticker.advance(Duration.ofMinutes(1));
        assertThat(tick.state()).usingRecursiveComparison().isEqualTo(Housekeeping.NONE);
    }

    @Test
    void aWatchThatStandsStillIsATrouble() {
        part.ticker.advance(Duration.ofMillis(1_999));
        assertThat(tick.state().troubles()).isEmpty();
        part.ticker.advance(Duration.ofMillis(1));
        assertThat(tick.state().stalled()).isTrue();
        assertThat(tick.state().troubles()).containsExactly("the monitoring of this pool is stuck");
        tick.tick(0);
        assertThat(tick.state()).usingRecursiveComparison().isEqualTo(Housekeeping.NONE);
    }

    @Test
    void aPartThatIsOffOrFailsIsATrouble() {
        when(sizing.trouble()).thenReturn("the controller is off");
        when(parts.troubles(anyLong())).thenReturn(List.of("the recording has ended", "the advisor fails"));
        assertThat(tick.state().troubles())
                .containsExactly("the controller is off", "the recording has ended", "the advisor fails");
    }

    @Test
    void aHangingAbortIsATrouble() {
        when(leases.hanging(anyLong())).thenReturn("the abort hangs");
        assertThat(tick.state().troubles()).containsExactly("the abort hangs");
    }
}
