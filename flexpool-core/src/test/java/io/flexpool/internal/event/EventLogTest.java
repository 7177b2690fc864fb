// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.diagnostics.Explanation;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolEvent.ResizeCause;
import io.flexpool.event.PoolListener;
import io.flexpool.event.RecentEvent;
import io.flexpool.event.RecentEvent.Kind;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import java.lang.reflect.Method;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EventLogTest {
    private static final PoolState STATE = new PoolState(4, 4, 8, 4, 0, 2, 0, 0, PoolSnapshot.NOTHING_KNOWN);

    private final AtomicLong millis = new AtomicLong(1_000_000);
    private final InstantSource clock = () -> Instant.ofEpochMilli(millis.get());
    private final EventLog ring = new EventLog(clock);

    private static PoolEvent.ConnectFailed failed(String reason, long waited) {
        return new PoolEvent.ConnectFailed("orders", waited, "08001", reason, STATE);
    }

    @Test
    void aStormOfFailuresIsOneEventAndDoesNotPushOutTheGrowthBeforeIt() {
        ring.onResized(new PoolEvent.Resized("orders", 4, 6, ResizeCause.DEMAND, STATE));
        for (int at = 1; at <= 1_000; at++) {
            millis.set(1_000_000 + at / 2);
            ring.onConnectFailed(failed("refused", at));
        }
        assertThat(ring.events()).extracting(RecentEvent::kind).containsExactly(Kind.RESIZED, Kind.CONNECT_FAILURE);
        RecentEvent storm = ring.events().get(1);
        assertThat(storm.count()).isEqualTo(1_000);
        assertThat(storm.longestNanos()).isEqualTo(1_000);
        assertThat(storm.firstEpochMillis()).isEqualTo(1_000_000);
        assertThat(storm.lastEpochMillis()).isEqualTo(1_000_500);
        assertThat(storm.describe()).contains("connect-failure (1000 times): ");
    }

    @Test
    void anotherReasonAndAnotherSecondAreOtherEvents() {
        ring.onConnectFailed(failed("refused", 1));
        ring.onConnectFailed(failed("no such host", 1));
        millis.addAndGet(1_000);
        ring.onConnectFailed(failed("no such host", 1));
        assertThat(ring.events()).hasSize(3);
    }

    /** Making an explanation takes longer than saying that another one is being made. */
    @Test
    void ofThoseThatAreCountedAsOneTheExplainedOneIsKept() {
        Explanation explanation = new Explanation(
                3, "orders", "no connection", Explanation.Cause.DEMAND, List.of("many ask"), List.of(), 0, "nothing");
        PoolEvent.AcquisitionTimedOut explained =
                new PoolEvent.AcquisitionTimedOut("orders", 5, 1, STATE, "full", null, explanation);
        ring.onAcquisitionTimedOut(new PoolEvent.AcquisitionTimedOut("orders", 5, 1, STATE, "short", null));
        ring.onAcquisitionTimedOut(explained);
        ring.onAcquisitionTimedOut(new PoolEvent.AcquisitionTimedOut("orders", 5, 1, STATE, "short", null));
        assertThat(ring.events()).singleElement().satisfies(event -> {
            assertThat(event.event()).isSameAs(explained);
            assertThat(event.count()).isEqualTo(3);
        });
    }

    @Test
    void theOldestAreForgotten() {
        for (int at = 0; at < 130; at++) {
            ring.onResized(new PoolEvent.Resized("orders", at, at + 1, ResizeCause.DEMAND, STATE));
        }
        assertThat(ring.events()).hasSize(100);
        assertThat(ring.events().get(0).number()).isEqualTo(30);
        assertThat(ring.events().get(99).number()).isEqualTo(129);
    }

    /** Else a new event would be forgotten without a word. */
    @Test
    void everyEventThatAListenerCanHearIsKept() throws Exception {
        for (Method heard : PoolListener.class.getDeclaredMethods()) {
            boolean ofAnEvent = Stream.of(heard.getParameterTypes()).anyMatch(PoolEvent.class::isAssignableFrom);
            if (ofAnEvent) {
                assertThat(EventLog.class.getDeclaredMethod(heard.getName(), heard.getParameterTypes()))
                        .isNotNull();
            }
        }
        assertThat(Kind.values()).hasSize(PoolEvent.class.getPermittedSubclasses().length);
    }
}
