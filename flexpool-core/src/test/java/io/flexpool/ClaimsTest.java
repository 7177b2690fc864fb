// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.internal.config.ConfigChecks;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.CoreKey.CallSiteCapture;
import io.flexpool.internal.config.Settings;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.internal.pool.Faults;
import io.flexpool.internal.pool.ManualTicker;
import io.flexpool.internal.pool.MonitoredPool;
import io.flexpool.pool.PoolState;
import io.flexpool.strategy.FailFast;
import io.flexpool.strategy.RetryAcquisition;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
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
    private static final Duration TICK = Duration.ofMillis(250);
    /** Enough for the sweep to come by twice. */
    private static final int UNTIL_SWEPT = 14;

    private static Faults faults;

    private final ManualTicker ticker = new ManualTicker();
    private final FakePool fake = new FakePool();
    private MonitoredPool pool = pool(Way.DIRECT);
    private @Nullable Throwable failed;

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
            settings.set(CoreKey.CALL_SITES_CAPTURE, CallSiteCapture.ALWAYS);
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
        });

        private final Consumer<Settings> said;

        Way(Consumer<Settings> said) {
            this.said = said;
        }
    }

    static Stream<Arguments> waysAndErrors() {
        List<Supplier<Error>> errors = List.of(OutOfMemoryError::new, StackOverflowError::new);
        return Stream.of(Way.values()).flatMap(way -> errors.stream().map(error -> Arguments.of(way, error)));
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
        fake.active = 0;
        fake.idle = LIMIT;
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
        List<Connection> held = new ArrayList<>();
        for (int at = 0; way == Way.TURNED_AWAY && at < LIMIT; at++) {
            held.add(elsewhere());
        }
        Connection lease = null;
        int calls;
        arm.run();
        try {
            lease = pool.acquiring().acquire();
            lease.close();
        } catch (SQLException | Error thrown) {
            failed = thrown;
        } finally {
            calls = faults.disarm();
        }
        if (lease != null) {
            lease.close();
        }
        for (Connection connection : held) {
            connection.close();
        }
        return calls;
    }

    private Connection elsewhere() {
        List<Connection> got = new ArrayList<>();
        Thread thread = new Thread(() -> {
            try {
                got.add(pool.acquiring().acquire());
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
        });
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return got.get(0);
    }

    private void ticks(int number) {
        for (int at = 0; at < number; at++) {
            ticker.advance(TICK);
            pool.tick();
        }
    }

    private long nested() {
        return pool.statistics().total().nestedAcquisitions();
    }

    private @Nullable String wrong(int opened) throws SQLException {
        PoolState state = pool.state();
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
            all.add(elsewhere());
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
        List<String> wrong = new ArrayList<>();
        int hits = 0;
        boolean hit;
        do {
            int call = hits;
            wrap(way);
            hit = run(way, () -> faults.failAt(call, error)) > call;
            // What could not be given back in the call itself the loop gives back; who waits is counted anew more
            // rarely.
            ticks(way == Way.TURNED_AWAY ? UNTIL_SWEPT : 2);
            String what = wrong(opened(way));
            if (what != null) {
                wrong.add("call " + call + ": " + what);
            }
            hits++;
        } while (hit);
        assertThat(hits).isGreaterThan(20);
        assertThat(wrong).isEmpty();
    }

    /** Where also what would undo the claim finds no room, the loop undoes it. */
    @ParameterizedTest
    @EnumSource
    void aStackThatEndsAnywhereLeavesNothingClaimed(Way way) throws SQLException {
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
        assertThat(wrong).isEmpty();
    }
}
