// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.diagnostics.Explanation;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolEvent.Kind;
import io.flexpool.event.PoolEvent.ResizeCause;
import io.flexpool.internal.context.StateReader;
import io.flexpool.internal.failure.ExplanationWriter;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EventLogTest {
    private static final PoolState STATE =
            new StateReader.State(4, 4, 8, 4, 0, 2, 0, Duration.ZERO, PoolSnapshot.NOTHING_KNOWN);

    private final AtomicLong millis = new AtomicLong(1_000_000);
    private final InstantSource clock = () -> Instant.ofEpochMilli(millis.get());
    private final EventLog ring = new EventLog(clock);

    private static PoolEvent failed(String reason, long waited) {
        return new Events.ConnectFailed("orders", Duration.ofNanos(waited), "08001", reason, STATE, null, "a report");
    }

    private static PoolEvent timedOut(String report, @Nullable Explanation explanation) {
        return new Events.AcquisitionTimedOut("orders", Duration.ofNanos(5), 1, STATE, report, null, explanation);
    }

    @Test
    void aStormOfFailuresIsOneEvent() {
        ring.add(new Events.Resized("orders", 4, 6, ResizeCause.DEMAND, null, STATE));
        for (int at = 1; at <= 1_000; at++) {
            millis.set(1_000_000 + at / 2);
            ring.add(failed("refused", at));
        }
        assertThat(ring.events())
                .extracting(recent -> recent.event().kind())
                .containsExactly(Kind.RESIZED, Kind.CONNECT_FAILURE);
        PoolEvent.Recent storm = ring.events().get(1);
        assertThat(storm.count()).isEqualTo(1_000);
        assertThat(storm.longest()).isEqualTo(Duration.ofNanos(1_000));
        assertThat(storm.first()).isEqualTo(Instant.ofEpochMilli(1_000_000));
        assertThat(storm.last()).isEqualTo(Instant.ofEpochMilli(1_000_500));
        assertThat(storm.describe()).contains("connect-failure (1000 times): ");
    }

    @Test
    void anotherReasonIsAnotherEvent() {
        ring.add(failed("refused", 1));
        ring.add(failed("no such host", 1));
        assertThat(ring.events()).hasSize(2);
    }

    @Test
    void reportsOfPartsShareAnEntryByTheirName() {
        ring.add(new Events.PartReported("orders", "disk-full", "full at a", Map.of()));
        ring.add(new Events.PartReported("orders", "disk-full", "full at b", Map.of()));
        ring.add(new Events.PartReported("orders", "fan-stopped", "stopped", Map.of()));
        assertThat(ring.events()).extracting(PoolEvent.Recent::count).containsExactly(2L, 1L);
    }

    @Test
    void anotherSecondIsAnotherEvent() {
        ring.add(failed("no such host", 1));
        millis.addAndGet(1_000);
        ring.add(failed("no such host", 1));
        assertThat(ring.events()).hasSize(2);
    }

    @Test
    void failuresAfterAClockThatWasSetBackAreAnotherEvent() {
        ring.add(failed("no such host", 1));
        millis.addAndGet(-3_600_000);
        ring.add(failed("no such host", 1));
        assertThat(ring.events()).hasSize(2);
    }

    /** Making an explanation takes longer than saying that another one is being made. */
    @Test
    void ofThoseThatAreCountedAsOneTheExplainedOneIsKept() {
        Explanation explanation = new ExplanationWriter.Written(
                3,
                Instant.EPOCH,
                "orders",
                "no connection",
                Explanation.Cause.DEMAND,
                List.of("many ask"),
                List.of(),
                0,
                "none",
                "");
        PoolEvent explained = timedOut("full", explanation);
        ring.add(timedOut("short", null));
        ring.add(explained);
        ring.add(timedOut("short", null));
        assertThat(ring.events()).singleElement().satisfies(event -> {
            assertThat(event.event()).isSameAs(explained);
            assertThat(event.count()).isEqualTo(3);
        });
    }

    @Test
    void theOldestAreForgotten() {
        for (int at = 0; at < 130; at++) {
            ring.add(new Events.Resized("orders", at, at + 1, ResizeCause.DEMAND, null, STATE));
        }
        assertThat(ring.events()).hasSize(100);
        assertThat(ring.events().get(0).number()).isEqualTo(30);
        assertThat(ring.events().get(99).number()).isEqualTo(129);
    }
}
