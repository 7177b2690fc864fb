// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.internal.config.ClassRule;
import io.flexpool.internal.config.ConfigChecks;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.FailFast;
import io.flexpool.internal.config.RetryAcquisition;
import io.flexpool.internal.config.Settings;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.internal.pool.Faults;
import io.flexpool.internal.pool.ManualTicker;
import io.flexpool.internal.pool.MonitoredPool;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.RequestClass;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a request has claimed is released where an Error may occur: at each call and each object that is made between
 * the request and its answer, and between the close and its end.
 */
@Timeout(300)
class ClaimsTest {
    private static final int LIMIT = 3;
    private static final String BATCH = "batch";
    private static final Duration TICK = Duration.ofMillis(250);
    /** Enough for the sweep to come by twice. */
    private static final int UNTIL_SWEPT = 14;
    /** Far longer than a thread needs to run: only a request that nothing serves takes so long. */
    private static final Duration SERVED_WITHIN = Duration.ofMinutes(3);

    /** How often a thread is seen parked, a millisecond apart, before it counts as one that nothing has served. */
    private static final int UNSERVED_LOOKS = 4;

    private static Faults faults;

    private final ManualTicker ticker = new ManualTicker();
    private final FakePool fake = new FakePool();
    /** Whether the pool reports its connections, so that the sweep can find what is lost. */
    private boolean reports = true;

    private MonitoredPool pool = pool(Way.DIRECT);
    private @Nullable Throwable failed;
    /** The thread whose request the close serves. */
    private @Nullable Thread served;

    @BeforeAll
    static void instrument() {
        faults = new Faults();
    }

    @AfterAll
    static void restore() {
        faults.close();
    }

    /** One way through a pool, from the request to the end of the lease. */
    @SuppressWarnings("ImmutableEnumChecker") // functions that capture nothing
    enum Way {
        DIRECT(settings -> settings.set(CoreKey.BASE, LIMIT)),
        /** Each call site is captured. */
        CAPTURED(settings -> {
            settings.set(CoreKey.BASE, LIMIT);
            settings.set(CoreKey.CALL_SITES_SAMPLE_EVERY, 1);
        }),
        WATCHED(settings -> {}),
        /** The first attempt fails. */
        RETRIED(settings -> {
            settings.set(CoreKey.BASE, LIMIT);
            settings.strategies.add(RetryAcquisition.times(2, Duration.ZERO, Duration.ofSeconds(5)));
        }),
        /** All permits are taken, and no request may wait. */
        TURNED_AWAY(settings -> {
            settings.set(CoreKey.BASE, LIMIT);
            settings.strategies.add(FailFast.above(0));
        }),
        /** The close serves a request that waits. */
        SERVING(settings -> {
            settings.set(CoreKey.BASE, LIMIT);
            settings.set(CoreKey.ACQUISITION_TIMEOUT, Duration.ofHours(1));
        }),
        CLASSED(settings -> classes(settings)),
        /** The thread's last request was of another class, and parked that one's permit. */
        CLASSED_MOVED(settings -> classes(settings)),
        /** All permits are taken, by both classes. */
        CLASSED_TURNED_AWAY(settings -> {
            classes(settings);
            settings.strategies.add(FailFast.above(0));
        }),
        /** The close serves a request of the other class. */
        CLASSED_SERVING(settings -> {
            classes(settings);
            settings.set(CoreKey.ACQUISITION_TIMEOUT, Duration.ofHours(1));
        });

        private final Consumer<Settings> said;

        Way(Consumer<Settings> said) {
            this.said = said;
        }

        /** Requests of threads with a name that begins so are of the second class, which may have all but one. */
        private static void classes(Settings settings) {
            settings.set(CoreKey.BASE, LIMIT);
            settings.classes = List.of(
                    ClassRule.named("web").withGuarantee(0.5),
                    ClassRule.named(BATCH).withMax(LIMIT - 1).withThreads(List.of(BATCH + "*")));
        }

        private boolean isClassed() {
            return name().startsWith("CLASSED");
        }

        /** Leases of other threads meanwhile. */
        private int taken() {
            return name().endsWith("TURNED_AWAY") ? LIMIT : isServing() ? LIMIT - 1 : 0;
        }

        private boolean isServing() {
            return name().endsWith("SERVING");
        }
    }

    /** Half of the ways with each error: main code does not distinguish them. The other half is a scenario. */
    static Stream<Arguments> waysAndErrors() {
        return waysAndErrorsFrom(0);
    }

    static Stream<Arguments> waysAndOtherErrors() {
        return waysAndErrorsFrom(1);
    }

    private static Stream<Arguments> waysAndErrorsFrom(int first) {
        List<Way> ways = List.of(Way.values());
        return IntStream.range(0, ways.size()).mapToObj(at -> Arguments.of(ways.get(at), error(first + at)));
    }

    private static Supplier<Error> error(int number) {
        return number % 2 == 0 ? OutOfMemoryError::new : StackOverflowError::new;
    }

    private void wrap(Way way) {
        fake.closed.set(0);
        pool = pool(way);
    }

    private MonitoredPool pool(Way way) {
        Settings settings = new Settings();
        settings.ticker = ticker;
        way.said.accept(settings);
        fake.max = LIMIT;
        fake.total = LIMIT;
        fake.active = reports ? 0 : PoolSnapshot.UNKNOWN;
        fake.idle = reports ? LIMIT : PoolSnapshot.UNKNOWN;
        fake.timeout = Duration.ofSeconds(1);
        return new MonitoredPool(new ConfigChecks(settings, fake.dataSource, "claims", fake).check());
    }

    /**
     * One request. After any error its connection is closed in the end, as every application does.
     *
     * @return how many calls there were
     */
    private int run(Way way, Runnable arm) throws SQLException {
        fake.calls.set(0);
        fake.answer = () -> {
            if (way == Way.RETRIED && fake.calls.get() == 1) {
                throw new SQLException("not yet");
            }
            return fake.connection();
        };
        if (way == Way.CLASSED_MOVED) {
            ofOtherClass();
        }
        List<Connection> held = new ArrayList<>();
        for (int at = 0; at < way.taken(); at++) {
            // Of both classes, the second one first.
            held.add(elsewhere(at == 0 ? BATCH : "web"));
        }
        Connection lease = null;
        served = null;
        int calls;
        arm.run();
        try {
            lease = pool.acquiring().acquire();
            if (way.isServing()) {
                waits();
            }
            lease.close();
        } catch (SQLException | Error thrown) {
            failed = thrown;
        } finally {
            calls = faults.disarm();
        }
        if (lease != null) {
            lease.close();
        }
        awaitServed();
        for (Connection connection : held) {
            connection.close();
        }
        return calls;
    }

    /** A request of the second class, from this thread. */
    private void ofOtherClass() throws SQLException {
        Thread here = Thread.currentThread();
        String name = here.getName();
        here.setName(BATCH);
        try {
            pool.acquiring().acquire().close();
        } finally {
            here.setName(name);
        }
    }

    /** A request of another thread begins to wait. That is seen by another one too: calls of this one are counted. */
    private void waits() {
        Thread waiter = new Thread(
                () -> {
                    try {
                        Connection lease = pool.acquiring().acquire();
                        // Meanwhile the loop may look for what was abandoned.
                        ticks(2);
                        lease.close();
                    } catch (SQLException e) {
                        throw new AssertionError(e);
                    }
                },
                BATCH + "-waiter");
        waiter.setDaemon(true);
        served = waiter;
        join(new Thread(() -> {
            waiter.start();
            while (pool.state().waiting() == 0) {
                Thread.onSpinWait();
            }
        }));
    }

    /**
     * A request that the close could not serve, the loop serves. Time enough before that, for a request that finds its permit by
     * itself: it may have it from a slot that the close has abandoned.
     */
    private void awaitServed() {
        Thread waiter = served;
        long until = System.nanoTime() + SERVED_WITHIN.toNanos();
        while (waiter != null && waiter.isAlive() && System.nanoTime() - until < 0) {
            int parked = 0;
            while (waiter.isAlive() && parked < UNSERVED_LOOKS) {
                ended(waiter, 1);
                parked = waiter.getState() == Thread.State.TIMED_WAITING ? parked + 1 : 0;
            }
            ticks(waiter.isAlive() ? 1 : 0);
        }
    }

    private static void ended(Thread thread, long millis) {
        try {
            thread.join(millis);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void join(Thread thread) {
        thread.start();
        ended(thread, 0);
    }

    private Connection elsewhere(String name) {
        List<Connection> got = new ArrayList<>();
        join(new Thread(
                () -> {
                    try {
                        got.add(pool.acquiring().acquire());
                    } catch (SQLException e) {
                        throw new AssertionError(e);
                    }
                },
                name));
        return got.get(0);
    }

    private void ticks(int number) {
        for (int at = 0; at < number; at++) {
            ticker.advance(TICK);
            pool.tick();
        }
    }

    private long nested() {
        return pool.statistics().total().counter(PoolMetric.NESTED_ACQUISITIONS);
    }

    private @Nullable String wrong(int opened) throws SQLException {
        PoolState state = pool.state();
        if (served != null && served.isAlive()) {
            return "a request waits for ever";
        }
        for (RequestClass its : pool.classes()) {
            if (its.leased() != 0 || its.waiting() != 0) {
                return its.leased() + " held by " + its.name() + ", " + its.waiting() + " waiting";
            }
        }
        if (state.leased() != 0 || state.entering() != 0 || state.waiting() != 0) {
            return state.leased() + " leased, " + state.entering() + " entering, " + state.waiting() + " waiting";
        }
        if (!pool.openLeases().isEmpty()) {
            return pool.openLeases() + " are open";
        }
        if (fake.closed.get() != opened) {
            return opened + " connections came from the pool and " + fake.closed + " went back";
        }
        fake.answer = fake::connection;
        long nested = nested();
        for (int at = 0; at < LIMIT + 1; at++) {
            pool.acquiring().acquire().close();
        }
        if (nested() != nested) {
            return "a request is taken for a nested one";
        }
        List<Connection> all = new ArrayList<>();
        for (int at = 0; at < LIMIT; at++) {
            all.add(elsewhere(pool.classes().isEmpty() || at > 0 ? "web" : BATCH));
        }
        PoolState full = pool.state();
        for (Connection one : all) {
            one.close();
        }
        return full.leased() == LIMIT && full.entering() == 0 ? null : full.leased() + " of " + LIMIT + " leased";
    }

    /** Connections that have come from the pool in a run. */
    private int opened(Way way) {
        return way == Way.RETRIED ? Math.max(0, fake.calls.get() - 1) : fake.calls.get();
    }

    @ParameterizedTest
    @MethodSource("waysAndErrors")
    void anErrorAtAnyCallLeavesNothingClaimed(Way way, Supplier<Error> error) throws SQLException {
        // The loop gives back what could not be given back in the call itself. It corrects more rarely who waits, the
        // permits of
        // classes, and figures that it corrected while a thread had no processor between its lease and the record of
        // it.
        assertThat(wrongAfterErrors(way, error, way.taken() > 0 || way.isClassed() ? UNTIL_SWEPT : 2))
                .isEmpty();
    }

    @Tag("scenario")
    @ParameterizedTest
    @MethodSource("waysAndOtherErrors")
    void anotherErrorAtAnyCallLeavesNothingClaimed(Way way, Supplier<Error> error) throws SQLException {
        anErrorAtAnyCallLeavesNothingClaimed(way, error);
    }

    /** Where also what would undo the claim finds no room, the loop undoes it. */
    @ParameterizedTest
    @EnumSource
    void aStackThatEndsAnywhereLeavesNothingClaimed(Way way) throws SQLException {
        assertThat(wrongAfterOverflows(way)).isEmpty();
    }

    /** The sweep finds no permit by a difference in a pool that does not report its connections, nor in one that never rests. */
    @ParameterizedTest
    @MethodSource("waysAndOtherErrors")
    void anErrorAtAnyCallLosesNoPermitOfAPoolThatReportsNothing(Way way, Supplier<Error> error) throws SQLException {
        reports = false;
        assertThat(wrongAfterErrors(way, error, UNTIL_SWEPT)).isEmpty();
    }

    @Tag("scenario")
    @ParameterizedTest
    @MethodSource("waysAndErrors")
    void anotherErrorAtAnyCallLosesNoPermitOfAPoolThatReportsNothing(Way way, Supplier<Error> error)
            throws SQLException {
        anErrorAtAnyCallLosesNoPermitOfAPoolThatReportsNothing(way, error);
    }

    /** Of a pool that is only watched, which has no permits, one request may stay counted as inside it. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "WATCHED")
    void aStackThatEndsAnywhereLosesNoPermitOfAPoolThatReportsNothing(Way way) throws SQLException {
        reports = false;
        assertThat(wrongAfterOverflows(way)).isEmpty();
    }

    private List<String> wrongAfterErrors(Way way, Supplier<Error> error, int ticks) throws SQLException {
        List<String> wrong = new ArrayList<>();
        int hits = 0;
        boolean hit;
        do {
            int call = hits;
            wrap(way);
            hit = run(way, () -> faults.failAt(call, error)) > call;
            ticks(ticks);
            String what = wrong(opened(way));
            if (what != null) {
                wrong.add("call " + call + ": " + what);
            }
            hits++;
        } while (hit);
        assertThat(hits).isGreaterThan(20);
        return wrong;
    }

    private List<String> wrongAfterOverflows(Way way) throws SQLException {
        List<String> wrong = new ArrayList<>();
        int whole = 0;
        for (int depth = 1; whole < 2; depth++) {
            int deepest = depth;
            wrap(way);
            failed = null;
            run(way, () -> faults.stackOf(deepest));
            whole += failed instanceof StackOverflowError ? 0 : 1;
            ticks(UNTIL_SWEPT);
            String what = wrong(opened(way));
            if (what != null) {
                wrong.add("a stack of " + depth + ": " + what);
            }
        }
        return wrong;
    }
}
