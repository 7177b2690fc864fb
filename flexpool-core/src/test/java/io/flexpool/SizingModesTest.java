// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.diagnostics.Decision;
import io.flexpool.diagnostics.Decision.Cause;
import io.flexpool.diagnostics.Decision.Outcome;
import io.flexpool.diagnostics.Decision.Verdict;
import io.flexpool.event.PoolEvent.ResizeCause;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.GrowOnWait;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.internal.sizing.Evidence;
import io.flexpool.internal.sizing.PoolWindow;
import io.flexpool.internal.sizing.SizingDecision;
import io.flexpool.internal.sizing.SizingPolicy;
import io.flexpool.internal.sizing.SizingPolicy.SizingStep;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolReading;
import io.flexpool.pool.PoolMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mockito.Mockito;
import org.slf4j.LoggerFactory;

/** What the modes do, with the real controller where it matters and a scripted one where the way to the gate does. */
@Timeout(300)
class SizingModesTest {
    private final FakePool fake = new FakePool();
    private final List<PoolWindow> windows = new ArrayList<>();

    private SizedPool act() {
        return new SizedPool(fake, said -> {
            said.set(CoreKey.BASE, 2);
            said.set(CoreKey.MODE, PoolMode.ADAPT);
            said.set(CoreKey.CEILING, 8);
        });
    }

    /** Its decisions follow from the window, without a reason. */
    private SizedPool scripted(Function<PoolWindow, Integer> script) {
        return new SizedPool(fake, said -> {
            said.set(CoreKey.BASE, 4);
            said.set(CoreKey.MODE, PoolMode.ADAPT);
            said.set(CoreKey.CEILING, 8);
            said.controller = (settings, mode) -> window -> {
                windows.add(window);
                return new SizingStep(script.apply(window), List.of());
            };
        });
    }

    @Nested
    class Adapt {
        @Test
        void actGrowsForDemandSaysWhyAndGoesBackToTheBaseInCalm() throws Exception {
            try (SizedPool sized = act()) {
                sized.calm(45);
                assertThat(sized.pool.diagnosis().decisions()).isEmpty();
                sized.crowd(6);
                sized.work(40, 6);
                assertThat(sized.limit()).isGreaterThan(2).isLessThanOrEqualTo(8);
                assertThat(fake.max).as("the pool follows").isEqualTo(sized.limit());
                Decision first = sized.pool.diagnosis().decisions().get(0);
                assertThat(first.mode()).isEqualTo(PoolMode.ADAPT);
                assertThat(first.from()).isEqualTo(2);
                assertThat(first.to()).isGreaterThan(2);
                assertThat(first.verdict()).isEqualTo(Verdict.PENDING);
                assertThat(first.outcome()).isEqualTo(Outcome.DONE);
                assertThat(first.explanation()).contains("limit 2").contains("requests/s");
                assertThat(first.inputs().get("calmLeaseMillis")).isBetween(20.0, 30.0);
                assertThat(sized.decided)
                        .extracting(event -> event.decision())
                        .isEqualTo(sized.pool.diagnosis().decisions());
                assertThat(sized.resized).extracting(event -> event.cause()).containsOnly(ResizeCause.SIZING);
                sized.disperse();
                sized.ticks(160);
                assertThat(sized.limit()).isEqualTo(2);
            }
        }

        /** The limit is one concept: what a strategy wants beside the controller is refused, and counted. */
        @Test
        void whileItActsTheControllerAloneMovesTheLimit() throws Exception {
            try (SizedPool sized = new SizedPool(fake, said -> {
                said.set(CoreKey.MODE, PoolMode.ADAPT);
                said.set(CoreKey.BASE, 1);
                said.strategies.add(GrowOnWait.upTo(4).withAfter(Duration.ZERO));
                said.controller = (settings, mode) -> window -> new SizingStep(window.limit(), List.of());
            })) {
                sized.crowd(3);
                sized.work(4, 3);
                assertThat(sized.limit()).isEqualTo(1);
                assertThat(sized.pool.statistics().total().counter(PoolMetric.REFUSED_GROWTHS))
                        .isPositive();
                sized.pool.mode(PoolMode.RECOMMEND);
                sized.work(4, 1);
                assertThat(sized.limit()).as("here the strategy acts").isGreaterThan(1);
            }
        }

        @Test
        void aDecisionIsClampedToTheCeiling() throws Exception {
            try (SizedPool sized = scripted(window -> 99)) {
                sized.tick();
                assertThat(sized.limit()).isEqualTo(8);
            }
        }

        @Test
        void aDecisionIsClampedToTheMinimum() throws Exception {
            try (SizedPool sized = scripted(window -> -5)) {
                sized.tick();
                assertThat(sized.limit())
                        .as("the minimum, 2, is below the base")
                        .isEqualTo(2);
            }
        }

        @Test
        void nothingGrowsWhileConnectionsAreMissingOrRefused() throws Exception {
            try (SizedPool sized = scripted(window -> 8)) {
                fake.total = 3;
                sized.ticks(3);
                assertThat(sized.limit()).as("3 of 4 are there").isEqualTo(4);
                fake.total = 4;
                fake.kind = Kind.CONNECT_FAILED;
                fake.answer = () -> {
                    throw new SQLException("refused by the stub", "08001");
                };
                assertThatThrownBy(sized.pool.acquiring()::acquire).hasMessage("refused by the stub");
                sized.ticks(19);
                assertThat(sized.limit()).as("for less than five seconds").isEqualTo(4);
                assertThat(windows.get(3).traffic().connectFailures()).isEqualTo(1);
                sized.ticks(2);
                assertThat(sized.limit()).isEqualTo(8);
            }
        }

        @Test
        void aThrowingControllerRestsUntilTheModeIsSwitched() throws Exception {
            try (SizedPool sized = scripted(window -> {
                if (window.limit() == 6) {
                    throw new IllegalStateException("broken");
                }
                return 6;
            })) {
                sized.ticks(8);
                assertThat(sized.limit()).isEqualTo(6);
                assertThat(windows).as("asked no more").hasSize(2);
                String trouble =
                        "the sizing controller threw java.lang.IllegalStateException; it is off until the mode is"
                                + " switched";
                assertThat(sized.pool.diagnosis().housekeeping().troubles()).containsExactly(trouble);
                assertThat(sized.pool.report()).contains(trouble);
                assertThat(PoolReading.of(sized.pool).gauge(PoolMetric.TROUBLE)).isOne();
                assertThat(sized.decided).singleElement().satisfies(event -> {
                    assertThat(event.decision().cause()).isEqualTo(Cause.BROKEN);
                    assertThat(event.describe())
                            .contains("IllegalStateException")
                            .contains("leaves the limit at 6");
                });
                List<Connection> out = new ArrayList<>();
                for (int at = 0; at < 6; at++) {
                    out.add(sized.pool.acquiring().acquire());
                }
                sized.crowd(1);
                sized.ticks(1);
                assertThat(sized.pool.state().leased()).as("the seventh waits").isEqualTo(6);
                for (Connection one : out) {
                    one.close();
                }
                sized.disperse();
                assertThat(sized.pool.mode(PoolMode.RECOMMEND)).isTrue();
                assertThat(sized.limit()).isEqualTo(4);
                assertThat(sized.pool.mode(PoolMode.ADAPT)).isTrue();
                sized.tick();
                assertThat(sized.limit()).as("a fresh one").isEqualTo(6);
                assertThat(PoolReading.of(sized.pool).gauge(PoolMetric.TROUBLE)).isZero();
            }
        }

        @Test
        void aWindowSaysWhatHappenedSinceTheLast() throws Exception {
            try (SizedPool sized = scripted(PoolWindow::limit)) {
                sized.crowd(6);
                sized.work(6, 4);
                PoolWindow last = windows.get(5);
                assertThat(last.active()).isEqualTo(4);
                assertThat(last.waiting()).isEqualTo(2);
                assertThat(last.total()).isEqualTo(4);
                assertThat(last.open().count()).isEqualTo(4);
                assertThat(last.traffic().completions())
                        .as("4 at a time, 25 ms each")
                        .isEqualTo(40);
                assertThat(last.traffic().arrivals()).isEqualTo(40);
                assertThat(last.traffic().leaseNanos())
                        .isEqualTo(Duration.ofSeconds(1).toNanos());
                assertThat(last.traffic().meanActive()).isBetween(3.9, 4.1);
                assertThat(last.traffic().saturated())
                        .as("a request always waited")
                        .isBetween(0.9, 1.0);
                assertThat(last.headAgeNanos())
                        .isLessThanOrEqualTo(Duration.ofMillis(50).toNanos());
                sized.disperse();
                sized.ticks(2);
                assertThat(windows.get(7).traffic().saturated()).isZero();
                assertThat(windows.get(7).traffic().meanActive()).isZero();
                assertThat(windows.get(7).open().count()).isZero();
                try (Connection lease = sized.pool.acquiring().acquire()) {
                    sized.ticks(2);
                    assertThat(lease.isClosed()).isFalse();
                    assertThat(windows.get(9).traffic().meanActive())
                            .as("out all the time, and not ended")
                            .isEqualTo(1);
                }
                CountDownLatch answered = new CountDownLatch(1);
                fake.answer = () -> {
                    answered.await();
                    throw new SQLException("an outage");
                };
                sized.crowd(1);
                while (sized.pool.state().entering() == 0) {
                    Thread.sleep(1);
                }
                sized.ticks(2);
                assertThat(windows.get(11).active())
                        .as("requests inside a pool that returns none have no connection")
                        .isZero();
                answered.countDown();
            }
        }

        @Test
        void aDecisionOnAnOutdatedLimitIsNotApplied() throws Exception {
            List<SizedPool> self = new ArrayList<>();
            try (SizedPool sized = scripted(window -> {
                self.get(0).pool.limits(5, 8);
                return 8;
            })) {
                self.add(sized);
                sized.tick();
                assertThat(sized.limit()).isEqualTo(5);
            }
        }

        @Test
        void aDecisionHasANumberAnOutcomeAndALogLine() throws Exception {
            ListAppender<ILoggingEvent> log = new ListAppender<>();
            log.start();
            Logger logger = (Logger) LoggerFactory.getLogger("io.flexpool");
            Level before = logger.getLevel();
            logger.setLevel(Level.INFO);
            logger.addAppender(log);
            try (SizedPool sized = new SizedPool(fake, said -> {
                said.set(CoreKey.BASE, 4);
                said.set(CoreKey.MODE, PoolMode.ADAPT);
                said.set(CoreKey.CEILING, 8);
                said.controller = (settings, mode) -> new ThreeSteps();
            })) {
                sized.ticks(2);
                fake.total = 0;
                sized.ticks(2);
                sized.pool.mode(PoolMode.RECOMMEND);
                sized.pool.mode(PoolMode.ADAPT);
                fake.total = 8;
                sized.tick();
                assertThat(sized.pool.diagnosis().decisions())
                        .extracting(Decision::outcome)
                        .containsExactly(Outcome.DONE, Outcome.KEPT, Outcome.REFUSED, Outcome.KEPT, Outcome.DONE);
                assertThat(sized.pool.diagnosis().decisions())
                        .extracting(Decision::number)
                        .containsExactly(1L, 2L, 3L, 4L, 5L);
                assertThat(sized.pool.diagnosis().decisions().get(2).explanation())
                        .endsWith("(not done: the limit could not be changed)");
                assertThat(log.list)
                        .extracting(ILoggingEvent::getFormattedMessage)
                        .containsSubsequence(sized.decided.stream()
                                .map(event -> event.describe())
                                .toArray(String[]::new));
            } finally {
                logger.detachAppender(log);
                logger.setLevel(before);
            }
        }

        /** Grows by two, keeps it, grows by two, throws. */
        private static final class ThreeSteps implements SizingPolicy {
            private int made;

            @Override
            public SizingStep onTick(PoolWindow window) {
                made++;
                if (made > 3) {
                    throw new IllegalStateException("broken");
                }
                int to = window.limit() + (made == 2 ? 0 : 2);
                Verdict verdict = made == 2 ? Verdict.PROVEN : Verdict.PENDING;
                return new SizingStep(
                        to,
                        List.of(SizingDecision.of(
                                made,
                                PoolMode.ADAPT,
                                window.nowNanos(),
                                window.limit(),
                                to,
                                to,
                                Cause.DEMAND,
                                verdict,
                                Evidence.NONE)));
            }
        }

        /** What the base was lowered to is given back to, also below the minimum. */
        @Test
        void aBaseThatIsMovedBelowTheMinimumIsTheMinimum() throws Exception {
            try (SizedPool sized = act()) {
                sized.calm(10);
                sized.pool.limits(1, 8);
                sized.ticks(120);
                assertThat(sized.limit()).isEqualTo(1);
                assertThat(sized.pool.diagnosis().decisions())
                        .as("one step back, and not another each second")
                        .singleElement()
                        .satisfies(only -> assertThat(only.outcome()).isEqualTo(Outcome.DONE));
            }
        }

        /** Printed, not asserted: the goal is 50 us at most. A request always waits, so that all of the controller runs. */
        @Test
        void aTickWithAThousandOpenLeasesIsTimed() throws Exception {
            Connection one =
                    Mockito.mock(Connection.class, Mockito.withSettings().stubOnly());
            fake.answer = () -> one;
            try (SizedPool sized = new SizedPool(fake, said -> {
                said.set(CoreKey.BASE, 1_000);
                said.set(CoreKey.ACQUISITION_TIMEOUT, Duration.ofHours(1));
                said.set(CoreKey.MODE, PoolMode.ADAPT);
                said.set(CoreKey.CEILING, 1_000);
            })) {
                List<Connection> out = new ArrayList<>();
                for (int at = 0; at < 1_000; at++) {
                    out.add(sized.pool.acquiring().acquire());
                }
                sized.crowd(1);
                while (sized.pool.state().waiting() == 0) {
                    Thread.sleep(1);
                }
                long[] nanos = new long[2_000];
                for (int at = -2_000; at < nanos.length; at++) {
                    sized.ticker.advance(SizedPool.TICK);
                    long begun = System.nanoTime();
                    sized.pool.tick();
                    nanos[Math.max(0, at)] = System.nanoTime() - begun;
                }
                Arrays.sort(nanos);
                System.out.println("a tick with 1,000 open leases: p50 " + nanos[1_000] / 1_000 + " us, p99 "
                        + nanos[1_980] / 1_000 + " us");
                assertThat(sized.pool.openLeases()).hasSize(1_000);
                for (Connection each : out) {
                    each.close();
                }
            }
        }
    }

    @Nested
    class Recommend {
        @Test
        void anObserverThatThrowsDoesNotKeepWhatAStrategyGrew() throws Exception {
            try (SizedPool sized = new SizedPool(fake, said -> {
                said.set(CoreKey.BASE, 1);
                said.strategies.add(GrowOnWait.upTo(4).withAfter(Duration.ZERO));
                said.controller = (settings, mode) -> window -> {
                    throw new IllegalStateException("broken");
                };
            })) {
                sized.crowd(3);
                sized.work(4, 1);
                assertThat(sized.limit()).isGreaterThan(1);
                sized.disperse();
                sized.ticks(120);
                assertThat(sized.limit()).isEqualTo(1);
                assertThat(sized.pool.diagnosis().decisions()).hasSize(1);
            }
        }

        @Test
        void recommendReportsOnceAnEpisodeAndMovesNothing() throws Exception {
            try (SizedPool sized = new SizedPool(fake, said -> said.set(CoreKey.BASE, 2))) {
                assertThat(sized.pool.mode()).as("by default").isEqualTo(PoolMode.RECOMMEND);
                sized.calm(45);
                sized.crowd(6);
                sized.work(30, 6);
                assertThat(sized.limit()).isEqualTo(2);
                assertThat(sized.resized).isEmpty();
                assertThat(sized.pool.diagnosis().decisions()).singleElement().satisfies(only -> {
                    assertThat(only.verdict()).isEqualTo(Verdict.UNVERIFIED);
                    assertThat(only.outcome()).isEqualTo(Outcome.REPORTED);
                    assertThat(only.to()).isGreaterThan(2);
                    assertThat(only.explanation()).contains("unverified").contains("four times the base");
                    assertThat(only.inputs())
                            .containsKey("expectedP99WaitMillis")
                            .doesNotContainKey("completionsPerSecondAfter");
                });
            }
        }

        @Test
        void aPoolWithoutLimitsIsMonitoredAndLeftAsItIs() throws Exception {
            Semaphore two = new Semaphore(2);
            fake.answer = () -> {
                two.acquire();
                Connection connection = Mockito.mock(Connection.class);
                Mockito.doAnswer(call -> {
                            two.release();
                            return null;
                        })
                        .when(connection)
                        .close();
                return connection;
            };
            try (SizedPool sized = new SizedPool(fake, said -> {})) {
                sized.calm(45);
                sized.crowd(6);
                sized.work(30, 2);
                assertThat(sized.pool.state().bound()).isFalse();
                assertThat(fake.preparedFor).as("never prepared").isZero();
                assertThat(fake.max).isEqualTo(2);
                assertThat(sized.pool.diagnosis().decisions())
                        .singleElement()
                        .satisfies(only -> assertThat(only.verdict()).isEqualTo(Verdict.UNVERIFIED));
            }
        }
    }

    @Nested
    class Switching {
        @Test
        void aCeilingAloneLimitsNothingUntilItActs() throws Exception {
            fake.max = 3;
            try (SizedPool sized = new SizedPool(fake, said -> said.set(CoreKey.CEILING, 5))) {
                List<Connection> out = new ArrayList<>();
                for (int at = 0; at < 4; at++) {
                    out.add(sized.pool.acquiring().acquire());
                }
                assertThat(sized.pool.state().bound()).isFalse();
                assertThat(fake.preparedFor).isZero();
                assertThat(sized.pool.mode(PoolMode.ADAPT)).isTrue();
                assertThat(fake.preparedFor).isEqualTo(5);
                assertThat(sized.limit()).isEqualTo(3);
                assertThat(sized.pool.state().leased()).as("leases stay open").isEqualTo(4);
                assertThat(sized.pool.mode(PoolMode.RECOMMEND)).isTrue();
                assertThat(sized.pool.state().bound()).isFalse();
                assertThat(fake.max).as("its own again").isEqualTo(3);
                assertThat(fake.closed).hasValue(0);
                for (Connection one : out) {
                    one.close();
                }
            }
        }

        @Test
        void leavingAdaptRestoresTheBase() throws Exception {
            try (SizedPool sized = scripted(window -> 8)) {
                sized.tick();
                assertThat(sized.limit()).isEqualTo(8);
                assertThat(sized.pool.mode(PoolMode.RECOMMEND)).isTrue();
                assertThat(sized.limit()).isEqualTo(4);
                sized.pool.mode(PoolMode.ADAPT);
                sized.tick();
                assertThat(sized.limit()).isEqualTo(8);
                fake.max = 8;
                assertThat(sized.pool.mode(PoolMode.MONITOR)).isTrue();
                assertThat(fake.max).as("as it was").isEqualTo(2);
                assertThat(sized.pool.mode(PoolMode.ADAPT)).isTrue();
                assertThat(sized.limit()).isEqualTo(4);
            }
        }

        @Test
        void aPoolWithStrategiesMayStartWatched() throws Exception {
            try (SizedPool sized = new SizedPool(fake, said -> {
                said.set(CoreKey.MODE, PoolMode.MONITOR);
                said.set(CoreKey.BASE, 1);
                said.strategies.add(GrowOnWait.upTo(3));
            })) {
                List<Connection> out = List.of(
                        sized.pool.acquiring().acquire(), sized.pool.acquiring().acquire());
                assertThat(sized.pool.state().bound()).isFalse();
                assertThat(fake.preparedFor).isZero();
                assertThat(sized.pool.mode(PoolMode.RECOMMEND)).isTrue();
                assertThat(sized.pool.mode()).isEqualTo(PoolMode.RECOMMEND);
                assertThat(sized.limit()).isEqualTo(1);
                for (Connection one : out) {
                    one.close();
                }
            }
        }

        @Test
        void toActNeedsACeiling() throws Exception {
            try (SizedPool sized = new SizedPool(fake, said -> said.set(CoreKey.BASE, 2))) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> sized.pool.mode(PoolMode.ADAPT))
                        .withMessageContaining("mode = adapt needs a ceiling");
                assertThat(sized.pool.mode()).isEqualTo(PoolMode.RECOMMEND);
            }
        }

        @Test
        void onlyTheLastThousandDecisionsAreKept() throws Exception {
            // A broken controller is reported once per switch.
            try (SizedPool broken = scripted(window -> {
                throw new IllegalStateException("broken");
            })) {
                for (int at = 0; at < 505; at++) {
                    broken.tick();
                    broken.pool.mode(PoolMode.RECOMMEND);
                    broken.tick();
                    broken.pool.mode(PoolMode.ADAPT);
                }
                assertThat(broken.pool.diagnosis().decisions()).hasSize(1_000);
                assertThat(broken.pool.diagnosis().decisions().get(999).number())
                        .isEqualTo(1_010);
            }
        }
    }
}
