// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.log;

import static io.flexpool.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import io.flexpool.internal.event.Events;
import io.flexpool.metrics.tck.ScriptedPool;
import io.flexpool.monitoring.ConfigKey;
import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsBinder.Binding;
import io.flexpool.pool.PoolState;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoggedPoolTest {
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofMillis(100);

    private final Log log = new Log("io.flexpool.events");
    private final Log summaries = new Log("io.flexpool.summary");
    private final List<Binding> bindings = new ArrayList<>();
    private final PoolState state = new ScriptedPool("orders").state();

    @AfterEach
    void nothingIsLeft() {
        bindings.forEach(Binding::unbind);
        log.close();
        summaries.close();
        eventually(() -> threads().isEmpty());
    }

    private static MetricsBinder configured(Map<String, Object> values) {
        return new LogBackend().create(new ConfigKey.Values(values));
    }

    private static MetricsBinder every(Duration period) {
        return configured(Map.of("period", period));
    }

    private static MetricsBinder every(Duration period, int lines) {
        return pool -> LoggedPool.begin(pool, period, lines, "io.flexpool");
    }

    private Binding bind(MetricsBinder metrics, String pool) {
        Binding binding = metrics.bind(new ScriptedPool(pool));
        bindings.add(binding);
        return binding;
    }

    private static PoolListener listener(Binding binding) {
        return Objects.requireNonNull(binding.listener());
    }

    private void slow(Binding binding, long millis) {
        listener(binding).onEvent(new Events.AcquisitionSlow("orders", Duration.ofMillis(millis), state));
    }

    private static void longLease(Binding binding, long millis) {
        listener(binding).onEvent(new Events.LeaseLong("orders", Duration.ofMillis(millis)));
    }

    private static List<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(Schedule.THREAD))
                .toList();
    }

    @Test
    void aSlowAcquisitionHasALine() {
        slow(bind(every(LONG), "orders"), 812);
        assertThat(log.lines(Level.WARN))
                .containsExactly("orders: a request waited 812ms for a connection: " + state.describe());
    }

    @Test
    void aLongLeaseHasALine() {
        longLease(bind(every(LONG), "orders"), 31_000);
        assertThat(log.lines(Level.WARN)).containsExactly("orders: a lease lasted 31000ms and has ended");
    }

    @Test
    void eventsBeyondTheLinesAreSummedUp() {
        Binding binding = bind(every(LONG, 2), "orders");
        for (int at = 0; at < 39; at++) {
            slow(binding, 100 + at);
        }
        for (int at = 0; at < 5; at++) {
            longLease(binding, 5_000 - at);
        }
        assertThat(log.lines(Level.WARN)).hasSize(4);
        binding.unbind();
        assertThat(log.lines(Level.WARN).subList(4, 6))
                .containsExactly(
                        "orders: 37 more requests waited too long in the last 60m (longest 138ms)",
                        "orders: 3 more leases lasted too long in the last 60m (longest 4998ms)");
        binding.unbind();
        assertThat(log.lines(Level.WARN)).hasSize(6);
    }

    @Test
    void aNewPeriodHasLinesAgain() {
        Binding binding = bind(every(SHORT, 1), "orders");
        slow(binding, 1);
        slow(binding, 2);
        eventually(() -> log.lines(Level.WARN).stream().anyMatch(line -> line.contains(": 1 more")));
        log.forget();
        slow(binding, 3);
        assertThat(log.lines(Level.WARN))
                .singleElement()
                .asString()
                .startsWith("orders: a request waited 3ms for a connection");
        log.forget();
        eventually(() -> summaries.lines(Level.INFO).size() >= 3);
        assertThat(log.lines(Level.WARN)).isEmpty();
    }

    /** Core logs the first of each second. */
    @Test
    void eventsLoggedByCoreAreOnlyCounted() {
        Binding binding = bind(every(LONG), "orders");
        PoolListener listener = listener(binding);
        for (int at = 1; at <= 42; at++) {
            listener.onEvent(
                    new Events.AcquisitionTimedOut("orders", Duration.ofMillis(at), 1, state, "a report", null, null));
        }
        listener.onEvent(
                new Events.ConnectFailed("orders", Duration.ofMillis(7), "08001", "refused", state, null, "a report"));
        listener.onEvent(new Events.AcquisitionRejected("orders", Duration.ZERO, state, "a report", null));
        listener.onEvent(new Events.AcquisitionRejected("orders", Duration.ZERO, state, "a report", null));
        listener.onEvent(new Events.Resized("orders", 10, 12, PoolEvent.ResizeCause.DEMAND, null, state));
        assertThat(log.lines(Level.WARN)).isEmpty();
        binding.unbind();
        assertThat(log.lines(Level.WARN))
                .containsExactly(
                        "orders: 42 requests got no connection in time in the last 60m (waits up to 42ms)",
                        "orders: 1 attempt failed to connect in the last 60m (waits up to 7ms)",
                        "orders: 2 rejections of requests in the last 60m (waits up to 0ms)");
    }

    @Test
    void linesOfTheSecondPoolHaveItsName() {
        bind(every(LONG), "orders");
        Binding second = bind(every(LONG), "orders");
        assertThat(log.lines(Level.WARN))
                .containsExactly("orders: another pool has this name; rename one. This pool is orders#2 in the log.");
        longLease(second, 1);
        assertThat(log.lines(Level.WARN).get(1)).startsWith("orders#2: a lease lasted");
    }

    @Test
    void aSummaryIsOneLineOfTheDocumentedForm() {
        bind(every(SHORT), "my \"orders\"");
        eventually(() -> !summaries.lines(Level.INFO).isEmpty());
        assertThat(summaries.lines(Level.INFO).get(0))
                .startsWith("pool=\"my \\\"orders\\\"\" active=7 limit=12 pending=5 saturation=1.083 oldest.wait=4ms"
                        + " foreign=1 fleet.granted=31 fleet.wanted=32 fleet.held=33 fleet.members=34"
                        + " fleet.free=35 server.usable=97 server.sessions=41 timeouts=1000 connect.failures=410"
                        + " leaks.suspected=610 growths.refused=310 nested.acquisitions=710 acquisition.ok=1000"
                        + " acquisition.ok.p50=")
                .contains(" acquisition.ok.max=100ms acquisition.timeout=1000 ", " growths=110 shrinks=210 ")
                .endsWith(" active.mean=50.5 active.peak=43 pending.peak=44"
                        + " scale.out.helps=0 idle=5 max=13 min.idle=6 listener.errors=510 events.dropped=810"
                        + " tick.age=90ms");
    }

    @Test
    void unreportedFiguresAreOmitted() {
        ScriptedPool idle = new ScriptedPool("idle").tellsNothing().withoutParts();
        idle.times(0);
        assertThat(Summary.of("idle", idle))
                .isEqualTo("pool=idle active=7 pending=0 connect.failures=400 leaks.suspected=600 growths.refused=300"
                        + " nested.acquisitions=700 growths=100 shrinks=200 active.mean=50.5 active.peak=43"
                        + " pending.peak=44 scale.out.helps=0"
                        + " listener.errors=500 events.dropped=800 tick.age=90ms");
    }

    @Test
    void durationsAreMillisecondsWithThreeDecimalsAtMost() {
        assertThat(List.of(
                        Summary.millis(0),
                        Summary.millis(400),
                        Summary.millis(1_500),
                        Summary.millis(12_000_000),
                        Summary.millis(12_050_000),
                        Summary.millis(1e15)))
                .containsExactly("0ms", "0ms", "0.002ms", "12ms", "12.05ms", "1000000000ms");
    }

    @Test
    void anUnreadablePoolIsLoggedOnce() {
        ScriptedPool broken = new ScriptedPool("broken");
        bindings.add(every(SHORT).bind(broken));
        broken.breaks();
        bind(every(SHORT), "orders");
        eventually(() -> summaries.lines(Level.INFO).stream()
                        .filter(line -> line.startsWith("pool=orders "))
                        .count()
                > 2);
        assertThat(log.lines(Level.WARN))
                .containsExactly("broken: this pool cannot be read; summaries stop until it can be read");
    }

    @Test
    void oneDaemonThreadServesAllPools() {
        Binding first = bind(every(SHORT), "orders");
        Binding second = bind(every(SHORT), "customers");
        eventually(() -> summaries.lines(Level.INFO).size() > 3);
        assertThat(threads()).singleElement().satisfies(thread -> {
            assertThat(thread.isDaemon()).isTrue();
            assertThat(thread.getContextClassLoader()).isNull();
        });
        first.unbind();
        assertThat(threads()).hasSize(1);
        second.unbind();
        eventually(() -> threads().isEmpty());
        bind(every(SHORT), "orders");
        summaries.forget();
        eventually(() -> !summaries.lines(Level.INFO).isEmpty());
    }

    @Test
    void aForgottenPoolIsCollected() {
        WeakReference<ScriptedPool> forgotten = forget();
        eventually(() -> {
            System.gc();
            return forgotten.get() == null && threads().isEmpty();
        });
        bind(configured(Map.of()), "forgotten");
        assertThat(log.lines(Level.WARN)).isEmpty();
    }

    private static WeakReference<ScriptedPool> forget() {
        ScriptedPool pool = new ScriptedPool("forgotten");
        assertThat(every(SHORT).bind(pool).listener()).isNotNull();
        return new WeakReference<>(pool);
    }

    @Test
    void anAppenderThatThrowsEndsNothing() {
        ScriptedPool pool = new ScriptedPool("orders");
        bindings.add(every(SHORT).bind(pool));
        ThrowingAppender throwing = new ThrowingAppender();
        throwing.attach("io.flexpool.summary");
        try {
            eventually(() -> throwing.called() >= 3);
        } finally {
            throwing.detach("io.flexpool.summary");
        }
    }

    @Test
    void nothingIsPaidPerCall() {
        assertThat(bind(configured(Map.of()), "orders").observer()).isSameAs(LeaseObserver.NONE);
    }

    @Test
    void valuesOutOfRangeAreRefused() {
        for (Duration period : List.of(Duration.ofMillis(99), Duration.ofDays(2), Duration.ofSeconds(-1))) {
            assertThatThrownBy(() -> every(period))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("period = " + period + ": must be from PT0.1S to PT24H");
        }
    }

    @Test
    void propertiesSetThePeriod() {
        LogBackend provider = new LogBackend();
        assertThat(provider.name()).isEqualTo("slf4j");
        assertThat(provider.keys()).extracting(key -> key.name()).containsExactly("period");
    }

    @Test
    void withoutLinesAllEventsAreSummedUp() {
        try (Log other = new Log("com.example.db.summary");
                Log otherEvents = new Log("com.example.db.events")) {
            Binding binding = LoggedPool.begin(new ScriptedPool("orders"), SHORT, 0, "com.example.db");
            bindings.add(binding);
            slow(binding, 5);
            eventually(() -> !otherEvents.lines(Level.WARN).isEmpty());
            assertThat(other.lines(Level.INFO)).isNotEmpty();
            binding.unbind();
            assertThat(otherEvents.lines(Level.WARN))
                    .containsExactly("orders: 1 more request waited too long in the last 100ms (longest 5ms)");
        }
    }

    @Test
    void periodsAreSaidInWords() {
        assertThat(List.of(
                        LoggedPool.inWords(Duration.ofMillis(100)),
                        LoggedPool.inWords(Duration.ofSeconds(30)),
                        LoggedPool.inWords(Duration.ofMinutes(1)),
                        LoggedPool.inWords(Duration.ofSeconds(90))))
                .containsExactly("100ms", "30s", "1m", "1m30s");
    }
}
