// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.internal.config.ClassRule;
import io.flexpool.internal.config.ConfigChecks;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.FailFast;
import io.flexpool.internal.config.Settings;
import io.flexpool.internal.jdbc.LeasedConnection;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.internal.pool.Faults;
import io.flexpool.internal.pool.ManualTicker;
import io.flexpool.internal.pool.MonitoredPool;
import io.flexpool.internal.record.StripedCounter;
import io.flexpool.pool.PoolState;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What requests have claimed, where they fail many at a time, and where the sweep comes before they have released it: every
 * lease ends, and none ends with another request.
 */
@Timeout(300)
class LateClaimsTest {
    /** More than there are stripes, so that every slot that is free finds a thread. */
    private static final int LIMIT = Math.max(24, StripedCounter.stripes() + 4);

    private static final Duration TICK = Duration.ofMillis(250);
    /** Enough for the scan to come by twice. */
    private static final int UNTIL_SWEPT = 14;

    private static Faults faults;

    /** The deepest close has fewer calls on top of each other. */
    private static final int DEEPEST = 12;

    private final ManualTicker ticker = new ManualTicker();
    private final FakePool fake = new FakePool();

    @BeforeAll
    static void instrument() {
        faults = new Faults();
    }

    @AfterAll
    static void restore() {
        faults.close();
    }

    @SuppressWarnings("ImmutableEnumChecker") // functions that capture nothing
    enum Kind {
        BOUND(settings -> settings.set(CoreKey.BASE, LIMIT)),
        WATCHED(settings -> {}),
        CLASSES(settings -> {
            settings.set(CoreKey.BASE, LIMIT);
            settings.classes = List.of(ClassRule.named("web"), ClassRule.named("batch"));
        }),
        SUSPECTED(settings -> {
            settings.set(CoreKey.BASE, LIMIT);
            settings.set(CoreKey.LEAK_THRESHOLD, Duration.ofMinutes(1));
        });

        private final Consumer<Settings> said;

        Kind(Consumer<Settings> said) {
            this.said = said;
        }
    }

    private MonitoredPool pool(Kind kind) {
        Settings settings = new Settings();
        settings.ticker = ticker;
        kind.said.accept(settings);
        // No request waits, because time does not go on.
        settings.strategies.add(FailFast.above(0));
        fake.max = LIMIT;
        fake.total = LIMIT;
        fake.active = 0;
        fake.idle = LIMIT;
        fake.timeout = Duration.ofSeconds(1);
        fake.answer = () -> connection(() -> {});
        return new MonitoredPool(new ConfigChecks(settings, fake.dataSource, "late", fake).check());
    }

    private void ticks(MonitoredPool pool, int number) {
        for (int at = 0; at < number; at++) {
            ticker.advance(TICK);
            pool.tick();
        }
    }

    /** On threads of their own, so that each of the first ones has a slot of its own. */
    private static List<Connection> acquire(MonitoredPool pool, int number) {
        List<Connection> got = new ArrayList<>();
        for (int at = 0; at < number; at++) {
            Thread thread = new Thread(() -> {
                try {
                    got.add(pool.acquiring().acquire());
                } catch (SQLException turnedAway) {
                    return;
                }
            });
            thread.start();
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        return got;
    }

    /** Null if the pool's views agree that so many leases are open. */
    private @Nullable String wrong(MonitoredPool pool, int open) {
        PoolState state = pool.state();
        List<OpenLease> leases = pool.openLeases();
        return state.leased() == open && leases.size() == open && state.entering() == 0
                ? null
                : "of " + open + " leases the table has " + leases.size() + ", and of the state " + state.leased()
                        + " are leased, " + state.entering() + " entering";
    }

    private @Nullable String wrongAtRest(MonitoredPool pool) throws SQLException {
        String wrong = wrong(pool, 0);
        if (wrong != null) {
            return wrong;
        }
        List<Connection> all = acquire(pool, LIMIT);
        if (all.size() < LIMIT) {
            return all.size() + " of " + LIMIT + " are lent";
        }
        ticks(pool, UNTIL_SWEPT);
        wrong = wrong(pool, LIMIT);
        for (Connection one : all) {
            one.close();
        }
        return wrong;
    }

    /** How a lease ends. */
    private enum End {
        CLOSE,
        ABORT,
        ENDED;

        void end(Connection lease) throws SQLException {
            switch (this) {
                case CLOSE -> lease.close();
                case ABORT -> lease.abort(Runnable::run);
                case ENDED -> ((LeasedConnection) lease).end("for the test", target -> {});
            }
        }
    }

    static Stream<Arguments> kindsAndEnds() {
        return Stream.of(Kind.values()).flatMap(kind -> Stream.of(End.values()).map(end -> Arguments.of(kind, end)));
    }

    /** One at a time was always ended; of many between two ticks only the last one was remembered. */
    @ParameterizedTest
    @MethodSource("kindsAndEnds")
    void manyEndsOnAnEndedStackBetweenTwoTicksAllEnd(Kind kind, End end) throws SQLException {
        List<String> wrong = new ArrayList<>();
        int overflows = 0;
        // What is caught on the way is not seen here, so all depths are tried that a close can have.
        for (int depth = 1; depth <= DEEPEST; depth++) {
            MonitoredPool pool = pool(kind);
            for (Connection lease : acquire(pool, LIMIT)) {
                faults.stackOf(depth);
                try {
                    end.end(lease);
                } catch (StackOverflowError expected) {
                    overflows++;
                } finally {
                    faults.disarm();
                }
                // The application's close on a stack that has room again.
                lease.close();
            }
            ticks(pool, UNTIL_SWEPT);
            String what = wrongAtRest(pool);
            if (what != null) {
                wrong.add("a stack of " + depth + ": " + what);
            }
            pool.close();
        }
        assertThat(overflows).isPositive();
        assertThat(wrong).isEmpty();
    }

    static Stream<Arguments> kindsAndErrors() {
        List<Supplier<Error>> errors = List.of(OutOfMemoryError::new, StackOverflowError::new);
        return Stream.of(Kind.values()).flatMap(kind -> errors.stream().map(error -> Arguments.of(kind, error)));
    }

    /**
     * A hand-over fails, and while the pool takes the connection back the scan comes by, and the slots are other requests':
     * what ends then is only what has failed.
     */
    @ParameterizedTest
    @MethodSource("kindsAndErrors")
    void aHandOverThatFailedEndsNoOtherLeaseHoweverLongItsCloseTakes(Kind kind, Supplier<Error> error)
            throws SQLException {
        List<String> wrong = new ArrayList<>();
        boolean hit = true;
        for (int call = 0; hit; call++) {
            MonitoredPool pool = pool(kind);
            // A slot with a parked permit, which the request that fails takes.
            pool.acquiring().acquire().close();
            List<Connection> others = new ArrayList<>();
            fake.answer = () -> {
                fake.answer = () -> connection(() -> {});
                return connection(() -> {
                    faults.disarm();
                    ticks(pool, UNTIL_SWEPT);
                    others.addAll(acquire(pool, LIMIT - 1));
                });
            };
            faults.failAt(call, error);
            Connection lease = null;
            try {
                lease = pool.acquiring().acquire();
            } catch (SQLException | Error expected) {
                lease = null;
            } finally {
                hit = faults.disarm() > call;
            }
            if (lease != null) {
                lease.close();
            }
            int open = others.size();
            ticks(pool, UNTIL_SWEPT);
            String what = wrong(pool, open);
            for (Connection other : others) {
                other.close();
            }
            ticks(pool, UNTIL_SWEPT);
            String after = what == null ? wrongAtRest(pool) : what;
            if (after != null) {
                wrong.add("call " + call + ": " + after);
            }
            pool.close();
        }
        assertThat(wrong).isEmpty();
    }

    /** Without the stack and the time that a mock takes; its first close does something. */
    private static Connection connection(Runnable atClose) {
        AtomicBoolean closed = new AtomicBoolean();
        return (Connection) Proxy.newProxyInstance(
                LateClaimsTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("close") && closed.compareAndSet(false, true)) {
                        atClose.run();
                    }
                    return method.getReturnType() == boolean.class ? closed.get() : null;
                });
    }
}
