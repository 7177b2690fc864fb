// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.internal.pool.Faults;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
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
 * An Error in any call of the gate leaves every permit where it was or where it was to go: counted for one class, and in use, parked or
 * free. The sweep of a pool finds what is lost only while the pool rests, and never what only a class has lost.
 */
@Timeout(300)
class GateErrorsTest {
    private static final int LIMIT = 4;
    private static final int WEB = 0;
    private static final int BATCH = 1;
    private static final int REPORTS = 2;
    private static final int CLASSES = 3;
    private static final int ANY = Integer.MAX_VALUE;
    /** More than the tick waits for a waiter that does not settle. */
    private static final int TICKS = 20;

    private static Faults faults;

    @BeforeAll
    static void instrument() {
        faults = new Faults();
    }

    @AfterAll
    static void restore() {
        faults.close();
    }

    /** Parked permits of one thread, whose calls never fail. */
    private static final class Parked implements ParkedPermits {
        final Deque<Integer> permits = new ArrayDeque<>();

        @Override
        public int take(int requestClass) {
            if (requestClass == ParkedPermits.ANY) {
                return permits.isEmpty() ? ParkedPermits.ANY : permits.poll();
            }
            return permits.remove(requestClass) ? requestClass : ParkedPermits.ANY;
        }

        @Override
        public int count() {
            return permits.size();
        }

        @Override
        public int count(int requestClass) {
            return (int) permits.stream().filter(its -> its == requestClass).count();
        }
    }

    /** A gate with three classes: any number, all but one, and at most two; and how many permits of each are held. */
    private static final class Pool {
        final ClassGate line = new ClassGate(
                LIMIT,
                () -> 0,
                AcquisitionOrder.FAIR,
                List.of(new ClassShare(0.25, ANY), new ClassShare(0.25, ClassShare.SPARING), new ClassShare(0, 2)),
                false);
        final Gate gate = line.gate();
        final Parked parked = new Parked();
        final int[] held = new int[CLASSES];
        final List<Waiter> waiters = new ArrayList<>();

        Pool() {
            gate.setParking(parked);
            line.spares(true);
        }

        void hold(int requestClass, int times) {
            for (int at = 0; at < times; at++) {
                enter(requestClass, false);
            }
        }

        void enter(int requestClass, boolean holds) {
            held[requestClass] += gate.tryEnter(0, requestClass, holds) ? 1 : 0;
        }

        void enterPaused(int requestClass) {
            held[requestClass] += gate.tryEnterPaused(0, requestClass) ? 1 : 0;
        }

        /** Leases that have ended, whose permits are parked. */
        void park(int requestClass, int times) {
            hold(requestClass, times);
            held[requestClass] -= times;
            for (int at = 0; at < times; at++) {
                parked.permits.add(requestClass);
            }
        }

        void exit(int requestClass) {
            gate.exit(0, ANY, requestClass);
            held[requestClass]--;
        }

        void waits(int requestClass) {
            waiters.add(line.join(0, requestClass, false, Long.MAX_VALUE));
        }

        void waits(int requestClass, String tenant) {
            waiters.add(line.join(0, requestClass, line.place(tenant), false, Long.MAX_VALUE, Long.MAX_VALUE));
        }

        /** What was granted is held by the waiter's thread. */
        @Nullable
        String wrong() {
            for (int at = 0; at < TICKS; at++) {
                gate.repair(0);
            }
            for (Waiter waiter : waiters) {
                held[waiter.requestClass] += waiter.granted() ? 1 : 0;
            }
            int sum = parked.count();
            for (int requestClass = 0; requestClass < CLASSES; requestClass++) {
                sum += held[requestClass];
                if (gate.inUse(requestClass) != held[requestClass]) {
                    return held[requestClass] + " permits of class " + requestClass + " are held, and "
                            + gate.inUse(requestClass) + " are counted";
                }
            }
            if (gate.inUse() + parked.count() != sum) {
                return sum + " permits are held or parked, and " + (gate.inUse() + parked.count()) + " are counted";
            }
            long waiting = waiters.stream().filter(Waiter::waits).count();
            if (gate.waitingCount() != waiting) {
                return waiting + " requests wait, and " + gate.waitingCount() + " are counted";
            }
            return null;
        }
    }

    /** What one thread does with a gate. */
    private interface Action {
        void on(Pool pool);
    }

    @SuppressWarnings("ImmutableEnumChecker") // functions that capture nothing
    enum Way {
        ENTER(pool -> {}, pool -> pool.enter(WEB, false)),
        ENTER_SPARING(pool -> pool.hold(WEB, 1), pool -> pool.enter(BATCH, false)),
        ENTER_WITH_A_MOST(pool -> pool.hold(REPORTS, 1), pool -> pool.enter(REPORTS, false)),
        ENTER_BEYOND_THE_MOST(pool -> pool.hold(REPORTS, 2), pool -> pool.enter(REPORTS, true)),
        ENTER_PAUSED(pool -> pool.gate.pause(true, 0), pool -> pool.enterPaused(BATCH)),
        ENTER_PAUSED_BESIDE_PARKED(
                pool -> {
                    pool.park(WEB, 2);
                    pool.hold(WEB, 2);
                    pool.gate.pause(true, 0);
                },
                pool -> pool.enterPaused(REPORTS)),
        PARKED_OF_THE_CLASS(pool -> pool.park(WEB, LIMIT), pool -> pool.enter(WEB, false)),
        PARKED_OF_ANOTHER_CLASS(pool -> pool.park(WEB, LIMIT), pool -> pool.enter(REPORTS, false)),
        PARKED_OF_A_FULL_CLASS(pool -> pool.park(REPORTS, 2), pool -> pool.enter(REPORTS, false)),
        PARKED_IN_EXCHANGE(
                pool -> {
                    pool.park(REPORTS, 2);
                    pool.hold(BATCH, 1);
                    pool.hold(WEB, 1);
                },
                pool -> pool.enter(BATCH, false)),
        SURPLUS(
                pool -> {
                    pool.park(WEB, LIMIT);
                    pool.gate.limit(2, 0);
                },
                pool -> pool.enter(WEB, false)),
        EXIT(pool -> pool.hold(WEB, 1), pool -> pool.exit(WEB)),
        EXIT_SERVING(
                pool -> {
                    pool.hold(WEB, LIMIT);
                    pool.waits(BATCH);
                },
                pool -> pool.exit(WEB)),
        EXIT_SERVING_A_TENANT(
                pool -> {
                    pool.hold(WEB, LIMIT);
                    pool.waits(BATCH, "one");
                    pool.waits(BATCH, "other");
                    pool.waits(BATCH);
                },
                pool -> pool.exit(WEB)),
        JOIN(pool -> pool.hold(WEB, LIMIT), pool -> pool.waits(BATCH)),
        JOIN_OF_A_TENANT(pool -> pool.hold(WEB, LIMIT), pool -> pool.waits(BATCH, "one")),
        RAISE_SERVING(
                pool -> {
                    pool.hold(WEB, LIMIT);
                    pool.waits(REPORTS);
                    pool.waits(BATCH);
                },
                pool -> pool.gate.limit(LIMIT + 2, 0)),
        LEAVE(
                pool -> {
                    pool.hold(WEB, LIMIT);
                    pool.waits(REPORTS);
                },
                pool -> {
                    Waiter waiter = pool.waiters.get(0);
                    try {
                        pool.gate.leave(waiter, 0);
                    } catch (Error thrown) {
                        waiter.left = true;
                        throw thrown;
                    }
                }),
        MOVE(pool -> pool.hold(WEB, 1), pool -> {
            if (pool.gate.move(WEB, BATCH)) {
                pool.held[WEB]--;
                pool.held[BATCH]++;
            }
        });

        private final Action before;
        private final Action action;

        Way(Action before, Action action) {
            this.before = before;
            this.action = action;
        }
    }

    static Stream<Arguments> waysAndErrors() {
        List<Supplier<Error>> errors = List.of(OutOfMemoryError::new, StackOverflowError::new);
        return Stream.of(Way.values()).flatMap(way -> errors.stream().map(error -> Arguments.of(way, error)));
    }

    /** Whether the action ended without an error. */
    private static boolean did(Way way, Pool pool) {
        try {
            way.action.on(pool);
            return true;
        } catch (OutOfMemoryError | StackOverflowError expected) {
            return false;
        }
    }

    @ParameterizedTest
    @MethodSource("waysAndErrors")
    void anErrorInAnyCallLosesNoPermit(Way way, Supplier<Error> error) {
        List<String> wrong = new ArrayList<>();
        boolean hit = true;
        int call = 0;
        for (; hit; call++) {
            Pool pool = new Pool();
            way.before.on(pool);
            faults.failAt(call, error);
            did(way, pool);
            hit = faults.disarm() > call;
            String what = pool.wrong();
            if (what != null) {
                wrong.add("call " + call + ": " + what);
            }
        }
        assertThat(call).isGreaterThan(2);
        assertThat(wrong).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aStackThatEndsAnywhereLosesNoPermit(Way way) {
        List<String> wrong = new ArrayList<>();
        boolean did = false;
        for (int depth = 0; !did; depth++) {
            Pool pool = new Pool();
            way.before.on(pool);
            faults.stackOf(depth);
            did = did(way, pool);
            faults.disarm();
            String what = pool.wrong();
            if (what != null) {
                wrong.add("a stack of " + depth + ": " + what);
            }
        }
        assertThat(wrong).isEmpty();
    }
}
