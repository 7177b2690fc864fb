// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import static io.flexpool.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.diagnostics.Decision;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.event.PoolEvent.CircuitPhase;
import io.flexpool.event.PoolEvent.ResizeCause;
import io.flexpool.event.PoolListener;
import io.flexpool.internal.event.Events;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.sizing.Evidence;
import io.flexpool.internal.sizing.SizingDecision;
import io.flexpool.metrics.tck.ScriptedPool;
import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.monitoring.MetricsBinder.Binding;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolState;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import javax.management.ObjectName;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Events are read back from a {@link RecordingStream}. */
class JfrEventsTest {
    private static final long MILLI = 1_000_000;

    private final ScriptedPool pool = new ScriptedPool("orders");
    private final PoolState state = pool.state();
    private final ConcurrentLinkedQueue<RecordedEvent> events = new ConcurrentLinkedQueue<>();
    private final RecordingStream stream = new RecordingStream();
    private Binding binding = () -> {};

    @BeforeEach
    void bind() {
        binding = JfrEvents.create().bind(pool);
        stream.setReuse(false);
        stream.onEvent(event -> {
            if (event.getEventType().getName().startsWith("flexpool.")) {
                events.add(event);
            }
        });
    }

    @AfterEach
    void unbind() {
        stream.close();
        binding.unbind();
    }

    private LeaseObserver observer() {
        return binding.observer();
    }

    private PoolListener listener() {
        return Objects.requireNonNull(binding.listener());
    }

    private List<RecordedEvent> events(String name) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals("flexpool." + name))
                .toList();
    }

    /** Streams are flushed once a second. A resize to 99 is the last event: all earlier ones have arrived then. */
    private void record(Map<String, String> settings, Runnable script) {
        for (String name :
                List.of("AcquisitionTimeout", "AcquisitionRejected", "ConnectFailed", "PoolResized", "LeakSuspected")) {
            stream.enable("flexpool." + name);
        }
        stream.enable("flexpool.CircuitChanged");
        stream.enable("flexpool.SizingDecided");
        settings.forEach((name, longerThan) -> stream.enable("flexpool." + name).with("longerThan", longerThan));
        stream.startAsync();
        script.run();
        listener().onEvent(new Events.Resized("orders", 1, 99, ResizeCause.MANUAL, null, state));
        eventually(() -> events("PoolResized").stream().anyMatch(event -> event.getInt("to") == 99));
    }

    private void acquired(long millis, AcquisitionOutcome outcome) {
        observer().acquired(7, 7 + millis * MILLI, outcome);
    }

    @Test
    void callsLongerThanTheirSettingAreRecorded() {
        record(Map.of("ConnectionAcquisition", "3 ms", "ConnectionLease", "1 s"), () -> {
            acquired(2, AcquisitionOutcome.OK);
            acquired(3, AcquisitionOutcome.OK);
            acquired(250, AcquisitionOutcome.TIMEOUT);
            observer().released(0, 999 * MILLI);
            observer().released(0, 1_500 * MILLI);
        });
        assertThat(events("ConnectionAcquisition"))
                .extracting(event -> event.getDuration("waited"))
                .containsExactly(Duration.ofMillis(3), Duration.ofMillis(250));
        assertThat(events("ConnectionAcquisition"))
                .extracting(event -> event.getString("outcome"))
                .containsExactly("ok", "timeout");
        assertThat(events("ConnectionLease"))
                .singleElement()
                .satisfies(event -> assertThat(event.getDuration("held")).isEqualTo(Duration.ofMillis(1_500)));
        assertThat(events("ConnectionLease")).allSatisfy(JfrEventsTest::isOfOrdersAndSaysWhere);
        assertThat(events("ConnectionAcquisition")).allSatisfy(JfrEventsTest::isOfOrdersAndSaysWhere);
    }

    private static void isOfOrdersAndSaysWhere(RecordedEvent event) {
        assertThat(event.getString("pool")).isEqualTo("orders");
        assertThat(event.getStackTrace().getFrames())
                .anySatisfy(frame ->
                        assertThat(frame.getMethod().getType().getName()).isEqualTo(JfrEventsTest.class.getName()));
        assertThat(event.getThread().getJavaName())
                .isEqualTo(Thread.currentThread().getName());
    }

    @Test
    void withoutASettingTheDefaultsHold() {
        stream.enable("flexpool.ConnectionAcquisition");
        stream.enable("flexpool.ConnectionLease");
        record(Map.of(), () -> {
            acquired(9, AcquisitionOutcome.OK);
            acquired(10, AcquisitionOutcome.OK);
            observer().released(0, 99 * MILLI);
            observer().released(0, 100 * MILLI);
        });
        assertThat(events("ConnectionAcquisition"))
                .extracting(event -> event.getDuration("waited"))
                .containsExactly(Duration.ofMillis(10));
        assertThat(events("ConnectionLease"))
                .extracting(event -> event.getDuration("held"))
                .containsExactly(Duration.ofMillis(100));
    }

    /** Without a plus sign JFR.start refuses a setting that its profile does not have, with a warning only. */
    @Test
    void theCommandOfThePageChangesTheSetting() throws Exception {
        String page = Files.readString(Path.of("..", "..", "docs", "reference", "backends.md"));
        String command = page.lines()
                .filter(line -> line.startsWith("jcmd <pid> JFR.start "))
                .findFirst()
                .orElseThrow();
        Object arguments = command.substring("jcmd <pid> JFR.start ".length()).split(" ", -1);

        Object answer = ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "jfrStart",
                        new Object[] {arguments},
                        new String[] {String[].class.getName()});

        Recording started = FlightRecorder.getFlightRecorder().getRecordings().stream()
                .filter(recording -> recording.getName().equals("pools"))
                .findFirst()
                .orElseThrow();
        try (started) {
            assertThat(answer).asString().doesNotContain("Warning");
            assertThat(started.getSettings()).containsEntry("flexpool.ConnectionAcquisition#longerThan", "2ms");
        }
    }

    @Test
    void theSmallestSettingOfAllRecordingsApplies() {
        try (RecordingStream other = new RecordingStream()) {
            other.enable("flexpool.ConnectionAcquisition").with("longerThan", "50 us");
            other.startAsync();
            record(Map.of("ConnectionAcquisition", "1 s"), () -> acquired(1, AcquisitionOutcome.OK));
        }
        assertThat(events("ConnectionAcquisition")).hasSize(1);
    }

    @Test
    void aTimeoutCarriesReportTraceAndState() {
        record(
                Map.of(),
                () -> listener()
                        .onEvent(new Events.AcquisitionTimedOut(
                                "orders", Duration.ofMillis(250), 2, state, "the report", "4bf92f3577b34da6", null)));
        assertThat(events("AcquisitionTimeout")).singleElement().satisfies(event -> {
            assertThat(event.getDuration("waited")).isEqualTo(Duration.ofMillis(250));
            assertThat(event.getInt("attempts")).isEqualTo(2);
            assertThat(event.getString("report")).isEqualTo("the report");
            assertThat(event.getString("traceId")).isEqualTo("4bf92f3577b34da6");
            isOfOrdersAndSaysWhere(event);
            hasTheState(event);
        });
    }

    private static void hasTheState(RecordedEvent event) {
        assertThat(List.of("limit", "base", "ceiling", "active", "entering", "waiting", "foreign"))
                .extracting(event::getInt)
                .containsExactly(12, 10, 25, 7, 2, 3, 1);
        assertThat(List.of("max", "idle", "total")).extracting(event::getInt).containsExactly(13, 5, 14);
        assertThat(event.getDuration("oldestWait")).isEqualTo(Duration.ofMillis(4));
    }

    @Test
    void otherEventsAreRecorded() {
        record(Map.of(), () -> {
            listener()
                    .onEvent(
                            new Events.AcquisitionRejected("orders", Duration.ofMillis(1), state, "turned away", null));
            listener()
                    .onEvent(new Events.ConnectFailed(
                            "orders", Duration.ofMillis(5), "08001", "refused", state, null, "a report"));
            listener()
                    .onEvent(new Events.ConnectFailed(
                            "orders", Duration.ofMillis(6), null, "hangs", state, null, "a report"));
            listener()
                    .onEvent(new Events.CircuitChanged(
                            "orders", Instant.EPOCH, CircuitPhase.OPEN, Duration.ofSeconds(5), 10, "refused", state));
            listener().onEvent(new Events.Resized("orders", 10, 12, ResizeCause.DEMAND, null, state));
            Decision decision = new SizingDecision(
                    7,
                    Instant.EPOCH,
                    PoolMode.ADAPT,
                    12,
                    10,
                    14,
                    Decision.Cause.DEMAND,
                    null,
                    Decision.Verdict.REVERTED,
                    Decision.Outcome.DONE,
                    Evidence.NONE,
                    "limit back to 10");
            listener().onEvent(new Events.SizingDecided("orders", decision, state));
        });
        only("SizingDecided", event -> {
            assertThat(event.getLong("number")).isEqualTo(7);
            assertThat(List.of("from", "to")).extracting(event::getInt).containsExactly(12, 10);
            assertThat(List.of("mode", "cause", "verdict", "outcome", "explanation"))
                    .extracting(event::getString)
                    .containsExactly("ADAPT", "demand", "reverted", "DONE", "limit back to 10");
        });
        only("AcquisitionRejected", event -> {
            assertThat(event.getDuration("waited")).isEqualTo(Duration.ofMillis(1));
            assertThat(event.getString("report")).isEqualTo("turned away");
        });
        assertThat(events("ConnectFailed")).allSatisfy(JfrEventsTest::hasTheState);
        assertThat(events("ConnectFailed"))
                .extracting(event -> event.getDuration("waited").toMillis()
                        + " " + event.getString("sqlState")
                        + " " + event.getString("reason"))
                .containsExactly("5 08001 refused", "6 null hangs");
        only("CircuitChanged", event -> {
            assertThat(event.getString("phase")).isEqualTo("OPEN");
            assertThat(event.getDuration("openFor")).isEqualTo(Duration.ofSeconds(5));
            assertThat(event.getInt("connectFailures")).isEqualTo(10);
            assertThat(event.getString("reason")).isEqualTo("refused");
        });
        RecordedEvent resized = events("PoolResized").get(0);
        assertThat(resized.getInt("from")).isEqualTo(10);
        assertThat(resized.getInt("to")).isEqualTo(12);
        assertThat(resized.getString("cause")).isEqualTo("DEMAND");
        hasTheState(resized);
    }

    @Test
    void aLeakSuspectNamesItsHolder() {
        OpenLease leaked = new LeaseTracker.Open(
                "worker-7",
                17,
                false,
                "OrderService.place(OrderService.java:42)",
                Duration.ofSeconds(45),
                OpenLease.Activity.IDLE,
                Duration.ofMillis(12),
                "select 1",
                true,
                null,
                null);
        OpenLease unknown = new LeaseTracker.Open(
                "worker-8",
                18,
                false,
                null,
                Duration.ofSeconds(46),
                OpenLease.Activity.UNKNOWN,
                null,
                null,
                true,
                null,
                null);
        record(Map.of(), () -> {
            listener().onEvent(new Events.LeakSuspected("orders", leaked, state));
            listener().onEvent(new Events.LeakSuspected("orders", unknown, state));
        });
        assertThat(events("LeakSuspected")).hasSize(2).allSatisfy(JfrEventsTest::hasTheState);
        RecordedEvent event = events("LeakSuspected").get(0);
        assertThat(event.getString("pool")).isEqualTo("orders");
        assertThat(event.getString("holder")).isEqualTo("worker-7");
        assertThat(event.getLong("holderId")).isEqualTo(17);
        assertThat(event.getString("callSite")).isEqualTo("OrderService.place(OrderService.java:42)");
        assertThat(event.getDuration("held")).isEqualTo(Duration.ofSeconds(45));
        assertThat(event.getString("activity")).isEqualTo("IDLE");
        assertThat(event.getString("statement")).isEqualTo("select 1");
        RecordedEvent second = events("LeakSuspected").get(1);
        assertThat(second.getString("callSite")).isNull();
        assertThat(second.getString("statement")).isNull();
    }

    private void only(String name, Consumer<RecordedEvent> test) {
        assertThat(events(name)).singleElement().satisfies(test);
        assertThat(events(name)).allSatisfy(JfrEventsTest::hasTheState);
    }

    @Test
    void figuresAreRecordedPeriodicallyUntilUnbound() {
        stream.enable("flexpool.PoolFigures").withPeriod(Duration.ofMillis(50));
        stream.enable("flexpool.PoolDurations").withPeriod(Duration.ofMillis(50));
        stream.startAsync();
        eventually(() ->
                events("PoolFigures").size() > 2 && events("PoolDurations").size() > 20);
        hasTheState(events("PoolFigures").get(0));
        binding.unbind();
        Binding other = JfrEvents.create().bind(new ScriptedPool("other"));
        eventually(() -> events("PoolFigures").stream()
                .anyMatch(event -> event.getString("pool").equals("other")));
        events.clear();
        eventually(() -> events("PoolFigures").size() > 2);
        other.unbind();
        assertThat(events).noneMatch(event -> event.getString("pool").equals("orders"));
    }

    @Test
    void disabledEventsAreNotRecorded() {
        stream.disable("flexpool.ConnectionAcquisition");
        record(Map.of(), () -> acquired(500, AcquisitionOutcome.OK));
        assertThat(events("ConnectionAcquisition")).isEmpty();
    }
}
