// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.resize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.flexpool.diagnostics.Decision;
import io.flexpool.diagnostics.Decision.Cause;
import io.flexpool.diagnostics.Decision.Outcome;
import io.flexpool.diagnostics.Decision.RefusedGrowth.Reason;
import io.flexpool.diagnostics.Decision.Verdict;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.pool.LockedUp;
import io.flexpool.internal.pool.TestContext;
import io.flexpool.internal.sizing.Evidence;
import io.flexpool.internal.sizing.PoolWindow;
import io.flexpool.internal.sizing.SizingDecision;
import io.flexpool.internal.sizing.SizingPolicy.SizingStep;
import io.flexpool.pool.PoolMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class SizingLoopTest {
    private final List<PoolWindow> windows = new ArrayList<>();
    private ToIntFunction<PoolWindow> wanted = window -> 4;
    private int shortAtSwitches;
    private PoolMode asked = PoolMode.ADAPT;
    private final TestContext part = new TestContext(settings -> {
        settings.set(CoreKey.BASE, 2);
        settings.set(CoreKey.MODE, PoolMode.ADAPT);
        settings.set(CoreKey.CEILING, 5);
        settings.controller = (given, mode) -> {
            asked = mode;
            if (shortAtSwitches-- > 0) {
                throw new OutOfMemoryError("at a switch");
            }
            return this::decide;
        };
    });
    private final Limiter limiter = Objects.requireNonNull(Limiter.of(part.context));
    private final DecisionLog decisions = new DecisionLog("part", part.context.listeners());
    private final SizingLoop loop = new SizingLoop(part.context, limiter, new LeaseTracker(part.context, 2), decisions);

    private SizingStep decide(PoolWindow window) {
        windows.add(window);
        int from = window.limit();
        int to = wanted.applyAsInt(window);
        return new SizingStep(
                to,
                List.of(SizingDecision.of(
                        windows.size(),
                        asked,
                        0,
                        from,
                        to,
                        to,
                        Cause.DEMAND,
                        Verdict.PENDING,
                        evidence(window.ceiling()))));
    }

    private static Evidence evidence(int ceiling) {
        double none = Double.NaN;
        return new Evidence(1, 1, none, 1, 0, 0, none, 0, ceiling, false, none, none, Evidence.Trial.NONE);
    }

    private void adapt() {
        limiter.resizer().steered(1);
    }

    private void tick() {
        part.ticker.advance(Duration.ofMillis(250));
        loop.tick(part.ticker.nanos(), part.context.state());
    }

    private Outcome outcome() {
        List<Decision> all = decisions.all();
        return all.get(all.size() - 1).outcome();
    }

    @Test
    void whatIsDecidedIsDone() {
        adapt();
        tick();
        assertThat(part.gate().limit()).isEqualTo(4);
        assertThat(outcome()).isEqualTo(Outcome.DONE);
        tick();
        assertThat(outcome()).isEqualTo(Outcome.KEPT);
        assertThat(windows).extracting(PoolWindow::limit).containsExactly(2, 4);
    }

    @Test
    void aStepThatTheResizerRefusesIsSaid() {
        tick();
        assertThat(part.gate().limit()).as("not steered").isEqualTo(2);
        assertThat(outcome()).isEqualTo(Outcome.REFUSED);
    }

    /** The log named the ceiling of 5, then 4: the highest limit for the time after a refusal was shown as the ceiling. */
    @Test
    void aSmallStepAfterARefusalIsNotShownAsTheCeiling() {
        adapt();
        tick();
        part.fake.total = 3;
        limiter.resizer().connectFailed(false, part.context.state(), part.ticker.nanos());
        assertThat(part.gate().limit()).isEqualTo(3);
        part.ticker.advance(Duration.ofSeconds(5));
        wanted = PoolWindow::ceiling;
        tick();
        assertThat(part.gate().limit()).isEqualTo(4);
        part.fake.total = 4;
        part.ticker.advance(Duration.ofSeconds(5));
        tick();
        part.fake.total = 5;
        assertThat(decisions.all())
                .extracting(Decision::explanation)
                .satisfiesExactly(
                        first -> assertThat(first).startsWith("limit 2 → 4, tried: "),
                        small -> assertThat(small)
                                .startsWith(
                                        "limit 3 → 4 (a small step: the database has refused connections), tried: "),
                        last -> assertThat(last).startsWith("limit 4 → 5 (the ceiling), tried: "));
    }

    /** Once a tick it decided the same, which was refused, with a line each time. */
    @Test
    void whileTheHoldersWaitForLocksItDecidesNothing() throws Exception {
        TestContext looked = new TestContext(settings -> {
            settings.set(CoreKey.BASE, 2);
            settings.set(CoreKey.MODE, PoolMode.ADAPT);
            settings.set(CoreKey.CEILING, 5);
            settings.controller = (given, mode) -> this::decide;
        });
        DecisionLog made = new DecisionLog("part", looked.context.listeners());
        SizingLoop sizing =
                new SizingLoop(looked.context, Limiter.of(looked.context), new LeaseTracker(looked.context, 2), made);
        AtomicBoolean locked = new AtomicBoolean(true);
        looked.context.insight().set("a part", new LockedUp(locked));
        for (int tick = 0; tick < 6; tick++) {
            looked.ticker.advance(Duration.ofMillis(250));
            sizing.tick(looked.ticker.nanos(), looked.context.state());
        }
        assertThat(made.all()).isEmpty();
        assertThat(sizing.blockingCause()).isEqualTo(Cause.DATABASE_SLOW);
        assertThat(looked.context.refusedGrowths().all()).singleElement().satisfies(refused -> {
            assertThat(refused.reason()).isEqualTo(Reason.LOCKED);
            assertThat(refused.count()).isEqualTo(1);
        });
        locked.set(false);
        looked.ticker.advance(Duration.ofSeconds(2));
        sizing.tick(looked.ticker.nanos(), looked.context.state());
        assertThat(made.all()).hasSize(1);
    }

    @Test
    void inRecommendItIsOnlyReported() {
        part.context.mode().switched(PoolMode.RECOMMEND);
        tick();
        assertThat(asked).isEqualTo(PoolMode.RECOMMEND);
        assertThat(part.gate().limit()).isEqualTo(2);
        assertThat(outcome()).isEqualTo(Outcome.REPORTED);
    }

    @Test
    void inMonitorThereAreNoWindows() {
        part.context.mode().switched(PoolMode.MONITOR);
        tick();
        assertThat(windows).isEmpty();
    }

    @Test
    void aControllerThatThrowsIsFrozen() {
        adapt();
        tick();
        wanted = window -> {
            throw new IllegalStateException("broken");
        };
        tick();
        tick();
        assertThat(windows).hasSize(2);
        assertThat(part.gate().limit()).isEqualTo(4);
        assertThat(decisions.all()).extracting(Decision::cause).containsExactly(Cause.DEMAND, Cause.BROKEN);
        assertThat(loop.trouble())
                .isEqualTo("the sizing controller threw java.lang.IllegalStateException; it is off until the mode is"
                        + " switched");
        wanted = window -> 3;
        part.context.mode().switched(PoolMode.ADAPT);
        tick();
        assertThat(part.gate().limit()).as("after a switch").isEqualTo(3);
        assertThat(loop.trouble()).isNull();
    }

    /** It was frozen, as after a defect of its own, and the pool was not sized again before its mode was switched. */
    @Test
    void memoryThatWasShortDoesNotEndTheController() {
        adapt();
        tick();
        wanted = window -> {
            throw new OutOfMemoryError("once");
        };
        tick();
        tick();
        assertThat(loop.trouble())
                .isEqualTo("the sizing controller threw java.lang.OutOfMemoryError; each tick calls a new controller");
        wanted = window -> {
            throw new IllegalStateException("wrapped", new StackOverflowError());
        };
        tick();
        wanted = window -> 3;
        tick();
        assertThat(part.gate().limit()).isEqualTo(3);
        assertThat(loop.trouble()).isNull();
        assertThat(windows).as("one window each tick").hasSize(5);
        assertThat(decisions.all()).extracting(Decision::cause).containsExactly(Cause.DEMAND, Cause.DEMAND);
        assertThat(part.context.listeners().errors()).isEqualTo(3);
    }

    @Test
    void memoryThatIsShortAtASwitchDelaysIt() {
        shortAtSwitches = 2;
        adapt();
        for (int at = 0; at < 2; at++) {
            assertThatThrownBy(this::tick).isInstanceOf(OutOfMemoryError.class);
        }
        tick();
        assertThat(part.gate().limit()).isEqualTo(4);
    }

    /** Each burst left a line for each step of its return, eleven of them. */
    @Test
    void aReturnIsOneLineHoweverManyStepsItTakes() {
        Logger logger = (Logger) LoggerFactory.getLogger("io.flexpool");
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        try {
            part.context.mode().switched(PoolMode.RECOMMEND);
            part.context.limits().set(2, 40);
            tick();
            for (int burst = 1; burst <= 2; burst++) {
                limiter.gate().limit(40, part.ticker.nanos());
                Set<Integer> steps = new HashSet<>();
                for (int quarter = 0; quarter < 160; quarter++) {
                    tick();
                    steps.add(part.gate().limit());
                }
                assertThat(part.gate().limit()).isEqualTo(2);
                assertThat(steps).hasSizeGreaterThan(5);
                assertThat(log.list)
                        .extracting(ILoggingEvent::getFormattedMessage)
                        .filteredOn(line -> line.contains("lease limit"))
                        .hasSize(burst)
                        .allSatisfy(line -> assertThat(line)
                                .startsWith("part: lease limit 40 -> ")
                                .endsWith(", shrinking to 2: no request has waited for 5.0 s"));
            }
        } finally {
            logger.detachAppender(log);
        }
    }

    @Test
    void inRecommendOtherGrowthIsTakenBack() {
        part.context.mode().switched(PoolMode.RECOMMEND);
        part.context.limits().set(1, 5);
        for (int second = 0; second < 40; second++) {
            tick();
        }
        assertThat(part.gate().limit()).isOne();
    }
}
