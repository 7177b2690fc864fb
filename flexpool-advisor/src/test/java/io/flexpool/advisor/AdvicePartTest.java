// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.flexpool.advice.PoolAdvice;
import io.flexpool.advice.PoolAdvice.Status;
import io.flexpool.advice.SizeAdvice;
import io.flexpool.pool.PoolMode;
import io.flexpool.spi.LeaseSink.LeaseBlock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** When an advice is worked out, kept and logged. Time and the worker are the test's. */
class AdvicePartTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.flexpool");
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private final List<AdviceRequest> asked = new ArrayList<>();
    private final Fake fake = new Fake();
    private final FakeContext part = new FakeContext();
    private AdvicePart desk = desk(fake);

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void listenNoMore() {
        logger.detachAppender(log);
    }

    private final class Fake implements PoolAdvisor {
        @Nullable
        SizeAdvice next = size(8, Duration.ofHours(2), 5_000);

        Duration takes = Duration.ZERO;
        boolean broken;

        @Override
        public void take(LeaseBlock block) {
            throw new AssertionError("not asked here");
        }

        @Override
        public @Nullable SizeAdvice advise(AdviceRequest request) {
            asked.add(request);
            part.advance(takes);
            if (broken) {
                throw new IllegalStateException("broken");
            }
            return next;
        }

        @Override
        public void close() {
            throw new AssertionError("not ended here");
        }
    }

    private static SizeAdvice size(int connections, Duration span, long requests) {
        return new AdviceFieldsTest.Size(
                SizeAdvice.Verdict.FEWER,
                connections,
                1,
                Duration.ofSeconds(1),
                SizeAdvice.Confidence.HIGH,
                List.of(),
                connections,
                Duration.ofMillis(10),
                requests,
                0,
                span,
                1,
                1,
                1,
                List.of(),
                "You need " + connections + ".",
                List.of());
    }

    /** Before the first minute has passed, requests are not what is missing. */
    @Test
    void whatIsMissingIsNamed() {
        fake.next = null;
        request();
        assertThat(desk.advice().text()).contains("computed after a minute").doesNotContain("too few");
        pass(Duration.ofMinutes(2));
        assertThat(asked).isNotEmpty();
        assertThat(desk.advice().text()).contains("too few connections have been requested");
    }

    @Test
    void aPoolWithoutRequestsHasTooFewAfterAMinute() {
        assertThat(desk.advice().text()).contains("computed after a minute");
        part.advance(Duration.ofMinutes(2));
        assertThat(desk.advice().text()).contains("too few connections have been requested");
        assertThat(asked).isEmpty();
    }

    private AdvicePart desk(@Nullable PoolAdvisor advisor) {
        return new AdvicePart(part, advisor, waiting::add);
    }

    private void request() {
        part.ended++;
    }

    private void work() {
        while (!waiting.isEmpty()) {
            waiting.remove().run();
        }
    }

    /** Ticks once a minute, with a request each. */
    private void pass(Duration span) {
        for (long minute = 0; minute < span.toMinutes(); minute++) {
            part.advance(Duration.ofMinutes(1));
            request();
            desk.tick(part.pool().state(), part.nanos());
            work();
        }
    }

    private List<String> lines() {
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void switchedOffItSaysSo() {
        AdvicePart off = new AdvicePart(part, null);
        assertThat(off.advice().status()).isEqualTo(Status.OFF);
        assertThat(off.advice().text()).contains("flexpool.advice is false");
        assertThat(off.leases()).isNull();
    }

    /** As the report, the endpoint, the MBean and code read it. */
    @Test
    void itIsShownInEachForm() {
        pass(Duration.ofMinutes(1));
        assertThat(desk.view(PoolAdvice.class)).containsSame(desk.advice());
        assertThat(desk.view(String.class)).isEmpty();
        assertThat(desk.reportLines()).containsExactly("Size: You need 8.");
        assertThat(desk.texts()).containsExactly(Map.entry("advice", "You need 8."));
        assertThat(desk.fields()).containsOnlyKeys("advice");
    }

    /** It may take a second, and a reader may be a health check. */
    @Test
    void aReaderDoesNotWorkItOut() {
        request();
        part.advance(Duration.ofMinutes(1));
        assertThat(desk.advice().text()).contains("is being calculated");
        assertThat(asked).isEmpty();
        work();
        assertThat(desk.advice().text()).isEqualTo("You need 8.");
        assertThat(desk.advice().status()).isEqualTo(Status.READY);
        assertThat(desk.advice().madeAt()).isNotNull();
    }

    @Test
    void readersOfAFreshOneDoNotHaveItWorkedOutAgain() {
        request();
        part.advance(Duration.ofMinutes(1));
        desk.advice();
        work();
        request();
        part.advance(Duration.ofSeconds(59));
        desk.advice();
        assertThat(waiting).isEmpty();
        part.advance(Duration.ofSeconds(1));
        desk.advice();
        assertThat(waiting).hasSize(1);
    }

    @Test
    void whatTakesLongIsDoneForAHundredthOfTheTime() {
        fake.takes = Duration.ofSeconds(3);
        request();
        part.advance(Duration.ofMinutes(1));
        desk.advice();
        work();
        request();
        part.advance(Duration.ofSeconds(290));
        desk.advice();
        assertThat(waiting).isEmpty();
        part.advance(Duration.ofSeconds(7));
        desk.advice();
        assertThat(waiting).hasSize(1);
    }

    @Test
    void aPoolThatRestsHasNoneWorkedOut() {
        part.advance(Duration.ofDays(1));
        desk.tick(part.pool().state(), part.nanos());
        assertThat(desk.advice().status()).isEqualTo(Status.EARLY);
        assertThat(desk.advice().text()).contains("too few");
        assertThat(waiting).isEmpty();
    }

    @Test
    void theTickHasItWorkedOutSeldomer() {
        pass(Duration.ofMinutes(63));
        assertThat(asked).hasSize(6);
        pass(Duration.ofHours(5));
        assertThat(asked).hasSize(11);
    }

    @Test
    void itIsAskedWithWhatIsKnown() {
        part.limited(5, 5, PoolMode.RECOMMEND);
        part.waitTarget = Duration.ofMillis(25);
        part.timeout = Duration.ofSeconds(3);
        part.knee = OptionalInt.of(12);
        pass(Duration.ofMinutes(1));
        AdviceRequest request = asked.get(0);
        assertThat(request.current()).isEqualTo(5);
        assertThat(request.waitTarget()).isEqualTo(Duration.ofMillis(25));
        assertThat(request.timeout()).isEqualTo(Duration.ofSeconds(3));
        assertThat(request.knee()).isEqualTo(OptionalInt.of(12));
        assertThat(request.connectP99()).isZero();
        part.knee = OptionalInt.empty();
        pass(Duration.ofMinutes(1));
        assertThat(asked.get(1).knee()).isEmpty();
    }

    @Test
    void anAdvisorThatThrowsBreaksNothing() {
        fake.broken = true;
        pass(Duration.ofMinutes(1));
        assertThat(part.failures).isEqualTo(1);
        assertThat(desk.advice().status()).isEqualTo(Status.EARLY);
        fake.broken = false;
        pass(Duration.ofMinutes(2));
        assertThat(desk.advice().text()).isEqualTo("You need 8.");
    }

    @Test
    void anAdvisorThatThrowsIsATroubleUntilItAnswers() {
        fake.broken = true;
        pass(Duration.ofMinutes(1));
        assertThat(desk.trouble(part.nanos()))
                .isEqualTo("the advisor threw java.lang.IllegalStateException; the last advice is kept");
        fake.broken = false;
        pass(Duration.ofMinutes(3));
        assertThat(desk.trouble(part.nanos())).isNull();
    }

    /** The thread of the advisor could not be started: no advice was worked out for an hour, or for ever. */
    @Test
    void withoutAThreadTheNextTickTriesAgain() {
        List<Error> noThreads =
                new ArrayList<>(List.of(new OutOfMemoryError("unable to create native thread"), new InternalError()));
        desk = new AdvicePart(part, fake, work -> {
            if (!noThreads.isEmpty()) {
                throw noThreads.remove(0);
            }
            waiting.add(work);
        });
        part.advance(Duration.ofMinutes(1));
        request();
        for (int tick = 0; tick < 3; tick++) {
            desk.tick(part.pool().state(), part.nanos());
        }
        work();
        assertThat(desk.advice().status()).isEqualTo(Status.READY);
    }

    @Test
    void tooLittleKeepsWhatWasSaidBefore() {
        fake.next = null;
        pass(Duration.ofMinutes(1));
        assertThat(desk.advice().status()).isEqualTo(Status.EARLY);
    }

    @Test
    void itIsLoggedOnceADay() {
        pass(Duration.ofHours(50));
        assertThat(lines()).containsExactly("part: You need 8.", "part: You need 8.", "part: You need 8.");
    }

    @Test
    void aChangeByMoreThanAFifthIsLoggedAtOnce() {
        fake.next = size(10, Duration.ofHours(2), 5_000);
        pass(Duration.ofHours(2));
        fake.next = size(12, Duration.ofHours(3), 6_000);
        pass(Duration.ofHours(2));
        assertThat(lines()).containsExactly("part: You need 10.");
        fake.next = size(13, Duration.ofHours(5), 7_000);
        pass(Duration.ofHours(2));
        assertThat(lines()).containsExactly("part: You need 10.", "part: You need 13.");
    }

    @Test
    void littleIsNotLogged() {
        fake.next = size(8, Duration.ofMinutes(59), 5_000);
        pass(Duration.ofHours(2));
        fake.next = size(8, Duration.ofHours(2), 999);
        pass(Duration.ofHours(2));
        assertThat(lines()).isEmpty();
    }

    @Test
    void theControllerNeedsNoAdvice() {
        part.limited(2, 3, PoolMode.ADAPT);
        pass(Duration.ofHours(2));
        assertThat(asked).isNotEmpty().allMatch(request -> request.current() == 3);
        assertThat(lines()).isEmpty();
    }

    @Test
    void aPoolWhoseSizeIsUnknownHasNone() {
        part.max(-1);
        pass(Duration.ofMinutes(1));
        assertThat(asked).isEmpty();
        assertThat(desk.advice().text()).contains("does not report");
    }
}
