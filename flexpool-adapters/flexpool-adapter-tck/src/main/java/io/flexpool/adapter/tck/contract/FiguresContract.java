// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.tck.faults.Crowd;
import io.flexpool.monitoring.HistogramSnapshot;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolSnapshot.Figure;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The adapter's figures of its pool, and its declared capabilities. */
abstract class FiguresContract extends ContractPart {
    private static final int UNKNOWN = PoolSnapshot.UNKNOWN;

    FiguresContract(PoolAdapterContract contract) {
        super(contract);
    }

    @Test
    void theServiceLoaderFindsOneAdapter() throws Exception {
        DataSource raw = pool(2, Duration.ofSeconds(1));
        assertThat(contract.adapter(raw).capabilities()).isEqualTo(contract.capabilities());
        assertThat(database.connectAttempts()).as("looking at a pool starts it").isZero();
        build(wrap(raw));
    }

    /** If the adapter ignored it, keys of this name would have no effect. */
    @Test
    void theNameThatTheApplicationGaveThePoolIsReported() throws Exception {
        DataSource raw = pool(1, Duration.ofSeconds(1));
        boolean named = contract.named(raw, "reporting");
        assertThat(contract.adapter(raw).givenName()).isEqualTo(named ? Optional.of("reporting") : Optional.empty());
        build(wrap(raw));
    }

    @Test
    void aNameThatThePoolGeneratesIsNone() throws Exception {
        DataSource raw = pool(1, Duration.ofMinutes(1));
        build(wrap(raw)).getConnection().close();
        assertThat(contract.adapter(raw).givenName().isPresent()).isEqualTo(has(PoolQuirk.REQUIRES_A_NAME));
    }

    /** Each figure is right at rest; missing ones are declared. */
    @Test
    void theSnapshotAgreesWithTheDatabase() throws Exception {
        DataSource raw = pool(6, Duration.ofSeconds(2));
        FlexPoolDataSource pool = build(wrap(raw));
        assertThat(pool.state().pool()).as("before the first lease").isEqualTo(right(0));
        try (Crowd crowd = new Crowd()) {
            crowd.ask(3, pool);
            crowd.join();
            assertThat(pool.state().leased()).isEqualTo(3);
            agrees(pool, 3);
        }
        agrees(pool, 0);
    }

    private void agrees(FlexPoolDataSource pool, int out) throws InterruptedException {
        assertThat(Crowd.eventually(
                        Duration.ofSeconds(5), () -> pool.state().pool().equals(right(out))))
                .as("reported: %s, right: %s", pool.state().pool(), right(out))
                .isTrue();
    }

    /** The figures expected of a pool of six, as far as declared. */
    private PoolSnapshot right(int out) {
        if (has(PoolQuirk.REPORTS_NOTHING)) {
            return PoolSnapshot.NOTHING_KNOWN;
        }
        int open = database.open();
        boolean reportsOpen = !has(PoolQuirk.REPORTS_MAX_ONLY) && !has(PoolQuirk.REPORTS_MAX_AND_ACTIVE_ONLY);
        return new PoolSnapshot(
                6,
                contract.minIdle(6),
                has(PoolQuirk.REPORTS_MAX_ONLY) ? UNKNOWN : out,
                reportsOpen ? open - out : UNKNOWN,
                reportsOpen ? open : UNKNOWN,
                can(Capability.PENDING_COUNT) ? 0 : UNKNOWN);
    }

    /**
     * flexpool registers metrics once, at the wrapping, for the declared figures. So the adapter must declare exactly
     * the figures that the pool reports after its first use.
     */
    @Test
    void whatIsDeclaredIsReportedFromTheFirstUseOn() throws Exception {
        DataSource raw = pool(3, Duration.ofSeconds(5));
        PoolAdapter adapter = contract.adapter(raw);
        Set<Figure> declared = Set.copyOf(adapter.figures());
        FlexPoolDataSource pool = build(wrap(raw).adapter(adapter));
        boolean bound = pool.state().bound();
        Map<PoolMetric, Boolean> shown = Map.of(
                PoolMetric.MAX, declared.contains(Figure.MAX),
                PoolMetric.LIMIT, bound || declared.contains(Figure.MAX),
                PoolMetric.MIN_IDLE, declared.contains(Figure.MIN_IDLE),
                PoolMetric.IDLE, declared.contains(Figure.IDLE),
                PoolMetric.FOREIGN, bound && declared.contains(Figure.ACTIVE));
        shows(pool, shown);
        start(pool);
        assertThat(Crowd.eventually(
                        Duration.ofSeconds(5), () -> known(pool.state().pool()).equals(declared)))
                .as("declared: %s, reported: %s", declared, pool.state().pool())
                .isTrue();
        assertThat(adapter.figures()).as("of a pool that has started").isEqualTo(declared);
        shows(pool, shown);
    }

    private static void shows(FlexPoolDataSource pool, Map<PoolMetric, Boolean> expected) {
        expected.forEach((metric, shown) ->
                assertThat(pool.supports(metric)).as("%s is shown", metric).isEqualTo(shown));
    }

    /** Physical connects are counted and timed if declared, and otherwise unknown. */
    @Test
    void connectsAreReportedIfDeclared() throws Exception {
        Duration connect = Duration.ofMillis(20);
        database.connectTakes(connect);
        FlexPoolDataSource pool = build(wrap(pool(4, Duration.ofSeconds(5))));
        try (Crowd crowd = new Crowd()) {
            crowd.ask(3, pool).join();
        }
        boolean can = can(Capability.CONNECT_TIME);
        assertThat(pool.supports(PoolMetric.CONNECT)).isEqualTo(can);
        long opened = can ? database.opened() : 0;
        assertThat(Crowd.eventually(
                        Duration.ofSeconds(5),
                        () -> pool.statistics()
                                        .total()
                                        .durations(PoolMetric.CONNECT, AcquisitionOutcome.OK)
                                        .count()
                                == opened))
                .isTrue();
        HistogramSnapshot connects = pool.statistics().total().durations(PoolMetric.CONNECT, AcquisitionOutcome.OK);
        assertThat(connects.sumNanos()).isGreaterThanOrEqualTo(opened * connect.toNanos());
    }

    /**
     * A negative count becomes unknown, so a known figure must stay known. Reads the adapter directly: flexpool skips
     * readings while one waits 250 ms for the pool's lock, as on a busy machine.
     */
    @Test
    void noFigureGetsLostUnderLoad() throws Exception {
        DataSource raw = pool(4, Duration.ofSeconds(5));
        PoolAdapter adapter = contract.adapter(raw);
        FlexPoolDataSource pool = build(wrap(raw).adapter(adapter));
        start(pool);
        Set<Figure> known = known(adapter.snapshot());
        boolean pendingKnown = adapter.snapshot().pending() != UNKNOWN;
        List<PoolSnapshot> lost = new ArrayList<>();
        try (Crowd crowd = new Crowd()) {
            crowd.cycle(8, pool, Duration.ZERO, Duration.ofSeconds(1));
            while (crowd.working()) {
                PoolSnapshot now = adapter.snapshot();
                if (!known(now).containsAll(known) || (pendingKnown && now.pending() == UNKNOWN)) {
                    lost.add(now);
                }
            }
            crowd.join();
            assertThat(crowd.failures()).isEmpty();
        }
        assertThat(lost).isEmpty();
    }

    private static Set<Figure> known(PoolSnapshot snapshot) {
        Set<Figure> known = EnumSet.noneOf(Figure.class);
        for (Figure figure : Figure.values()) {
            int now = switch (figure) {
                case MAX -> snapshot.max();
                case MIN_IDLE -> snapshot.minIdle();
                case ACTIVE -> snapshot.active();
                case IDLE -> snapshot.idle();
                case TOTAL -> snapshot.total();
            };
            if (now != UNKNOWN) {
                known.add(figure);
            }
        }
        return known;
    }

    /**
     * Calls that may take a lock of the pool are allowed only on flexpool's thread, and for requests that wait or have
     * failed.
     */
    @Test
    void aDirectAcquisitionMakesNoOtherCall() throws Exception {
        for (boolean bound : new boolean[] {false, true}) {
            DataSource raw = pool(2, Duration.ofSeconds(5));
            Queue<String> calls = new ConcurrentLinkedQueue<>();
            AtomicReference<@Nullable Thread> listened = new AtomicReference<>();
            PoolAdapter counting = counting(contract.adapter(raw), calls, listened);
            FlexPoolDataSource pool = build(
                    bound
                            ? wrap(raw)
                                    .adapter(counting)
                                    .set("base", 1)
                                    .set("acquisition-timeout", Duration.ofSeconds(5))
                            : wrap(raw).adapter(counting));
            start(pool);
            start(pool);
            listened.set(Thread.currentThread());
            for (int round = 0; round < 100; round++) {
                start(pool);
            }
            listened.set(null);
            assertThat(calls).as("bound: %s", bound).isSubsetOf("capabilities", "connection");
        }
    }

    private static PoolAdapter counting(
            PoolAdapter adapter, Queue<String> calls, AtomicReference<@Nullable Thread> listened) {
        return (PoolAdapter) Proxy.newProxyInstance(
                PoolAdapter.class.getClassLoader(), new Class<?>[] {PoolAdapter.class}, (self, method, args) -> {
                    if (listened.get() == Thread.currentThread()) {
                        calls.add(method.getName());
                    }
                    try {
                        return method.invoke(adapter, args);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }

    @Test
    void pendingRequestsAreCountedIfDeclared() throws Exception {
        DataSource raw = pool(1, Duration.ofSeconds(10));
        FlexPoolDataSource pool = build(wrap(raw));
        try (Crowd crowd = new Crowd()) {
            crowd.ask(1, pool);
            crowd.join();
            crowd.ask(3, pool);
            assertThat(Crowd.eventually(
                            Duration.ofSeconds(5), () -> pool.state().pending() == 3))
                    .isTrue();
            int reported = can(Capability.PENDING_COUNT) ? 3 : UNKNOWN;
            assertThat(Crowd.eventually(
                            Duration.ofSeconds(5), () -> pool.state().pool().pending() == reported))
                    .as("%s", pool.state().pool())
                    .isTrue();
        }
    }

    @Test
    void aCallHasItsOwnTimeoutIfDeclared() throws Exception {
        DataSource raw = pool(1, Duration.ofSeconds(30));
        PoolAdapter adapter = contract.adapter(raw);
        FlexPoolDataSource pool = build(wrap(raw));
        start(pool);
        if (!can(Capability.PER_CALL_TIMEOUT)) {
            assertThatThrownBy(() -> adapter.connection(1)).isInstanceOf(UnsupportedOperationException.class);
            return;
        }
        try (Connection held = pool.getConnection()) {
            assertThat(held).isNotNull();
            long before = System.nanoTime();
            assertThatThrownBy(() -> adapter.connection(200_000_000)).isExactlyInstanceOf(contract.timeoutClass());
            // Not the pool's 30 s: the bound is 75 times the timeout of this call.
            assertThat(Duration.ofNanos(System.nanoTime() - before))
                    .isBetween(Duration.ofMillis(150), Duration.ofSeconds(15));
        }
        try (Connection connection = adapter.connection(60_000_000_000L)) {
            assertThat(connection.isValid(1)).isTrue();
        }
        Class<?> usual = classOf(raw);
        try (Connection connection = adapter.connection(60_000_000_000L)) {
            assertThat(connection.getClass()).isEqualTo(usual);
        }
    }

    private static Class<?> classOf(DataSource raw) throws Exception {
        try (Connection connection = raw.getConnection()) {
            return connection.getClass();
        }
    }

    /** One connection is leased, four are idle: a trim to three closes exactly two idle connections. */
    @Test
    void aTrimClosesExactlyTheSurplusIfDeclared() throws Exception {
        DataSource raw = pool(5, Duration.ofSeconds(5));
        PoolAdapter adapter = contract.adapter(raw);
        FlexPoolDataSource pool = build(wrap(raw));
        try (Crowd crowd = new Crowd()) {
            crowd.ask(5, pool);
            crowd.join();
        }
        if (!can(Capability.EXACT_TRIM)) {
            try (Connection out = pool.getConnection()) {
                adapter.trim(1);
                assertThat(out.isValid(1)).as("trimmed while leased").isTrue();
            }
            return;
        }
        try (Connection out = pool.getConnection()) {
            assertThat(database.open()).isEqualTo(5);
            adapter.resize(3);
            adapter.trim(3);
            assertThat(database.open()).isEqualTo(3);
            assertThat(out.isValid(1)).isTrue();
        }
        assertThat(Crowd.eventually(Duration.ofSeconds(1), () -> database.open() != 3))
                .isFalse();
        adapter.resize(5);
    }
}
