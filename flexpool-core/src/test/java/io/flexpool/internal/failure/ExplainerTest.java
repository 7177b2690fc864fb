// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.diagnostics.Explanation;
import io.flexpool.diagnostics.Explanation.Cause;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.diagnostics.OpenLease.Activity;
import io.flexpool.internal.context.StateReader;
import io.flexpool.internal.failure.FailedAttempt.Attempt;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.pool.LockedUp;
import io.flexpool.internal.pool.ManualTicker;
import io.flexpool.internal.pool.TestContext;
import io.flexpool.internal.record.StatisticsHistory;
import io.flexpool.internal.resize.DecisionLog;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import io.flexpool.spi.SessionInsight.SessionFindings;
import io.flexpool.spi.SessionInsight.SessionFindings.Query;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(300)
class ExplainerTest {
    private static final PoolState STATE =
            new StateReader.State(4, 4, 8, 4, 0, 2, 0, Duration.ZERO, new PoolSnapshot(4, 0, 4, 0, 4, 0));
    private static final AcquisitionFailure EXHAUSTED = new AcquisitionFailure(Kind.EXHAUSTED, null, "none came back");
    private static final AcquisitionFailure REFUSED = new AcquisitionFailure(Kind.CONNECT_FAILED, "08001", "refused");

    private final TestContext part = new TestContext(settings -> {});
    private final ManualTicker ticker = part.ticker;
    private final StatisticsHistory history =
            new StatisticsHistory(part.context.recorder(), () -> 0, part.context.nanos(), Long.MAX_VALUE);
    private final DecisionLog decisions = new DecisionLog(part.context.name(), part.context.listeners());
    private volatile List<OpenLease> open = List.of();
    private final AtomicInteger asked = new AtomicInteger();
    private final Explainer explainer = explainer();

    private Explainer explainer() {
        return reading(() -> {
            asked.incrementAndGet();
            return open;
        });
    }

    private Explainer reading(Supplier<List<OpenLease>> leases) {
        return new Explainer(part.context, now -> leases.get(), history, decisions);
    }

    private FailedAttempt failed(AcquisitionFailure why, long requestedNanos) {
        return new FailedAttempt(Attempt.only(requestedNanos), ticker.nanos(), why, STATE, null, null);
    }

    private FailedAttempt explain(AcquisitionFailure why, long requestedNanos) {
        return explainer.explain(failed(why, requestedNanos));
    }

    private static String report(FailedAttempt explained) {
        return Objects.requireNonNull(explained.report());
    }

    private static OpenLease lease(long threadId, boolean virtual, long ageMillis) {
        return new LeaseTracker.Open(
                "worker-" + threadId,
                threadId,
                virtual,
                "OrderService.place(OrderService.java:42)",
                Duration.ofMillis(ageMillis),
                Activity.UNKNOWN,
                null,
                null,
                false,
                null,
                null);
    }

    @Test
    void aRehearsalLeavesNothingBehind() {
        explainer.rehearse(STATE, ticker.nanos());
        assertThat(explainer.last()).isNull();
        assertThat(asked).hasValue(0);
        assertThat(report(explain(EXHAUSTED, ticker.nanos())))
                .contains("0 ms: more demand than connections\n  cause    exhausted")
                .contains("; report 1\n");
    }

    @Test
    void oneInASecondIsExplained() {
        long first = ticker.nanos();
        ticker.advance(Duration.ofMillis(300));
        assertThat(report(explain(EXHAUSTED, first)))
                .startsWith("part: no connection after 300 ms: more demand than connections\n  cause    exhausted, ")
                .contains("; report 1\n");
        ticker.advance(Duration.ofMillis(340));
        FailedAttempt other = explain(EXHAUSTED, first + 1);
        assertThat(report(other)).endsWith("; details: report 1");
        assertThat(other.explanation()).isNull();
        ticker.advance(Duration.ofMillis(659));
        assertThat(explain(EXHAUSTED, first + 2).explanation()).isNull();
        ticker.advance(Duration.ofMillis(1));
        assertThat(report(explain(EXHAUSTED, first + 3))).contains("; report 2\n");
        assertThat(explainer.last()).extracting(Explanation::number).isEqualTo(2L);
        assertThat(asked).as("times that the leases were read").hasValue(2);
    }

    /** A part compares the ages of leases with what it found: it took them to be as old as when the request had failed. */
    @Test
    void aPartGetsTheTimeAtWhichTheLeasesWereRead() {
        AtomicLong read = new AtomicLong();
        part.context.insight().set("a part", new LockedUp(new AtomicBoolean()) {
            @Override
            public Query failed(boolean mayConnect) {
                ticker.advance(Duration.ofMillis(400));
                return (leases, readNanos) -> {
                    read.set(readNanos);
                    return mock(SessionFindings.class);
                };
            }
        });
        long failed = ticker.nanos();
        explainer().explain(failed(EXHAUSTED, failed));
        assertThat(read.get() - failed).isEqualTo(400_000_000L);
    }

    /** The message of an exception is made before the event, and both must say the same. */
    @Test
    void aFailureIsExplainedOnce() {
        FailedAttempt explained = explain(REFUSED, ticker.nanos());
        ticker.advance(Duration.ofSeconds(5));
        assertThat(explainer.explain(explained)).isSameAs(explained);
        assertThat(explainer.last()).isSameAs(explained.explanation());
        assertThat(asked).hasValue(1);
    }

    /** A driver's sentence ended with two full stops on the page, and with {@code correct.; 4 connections} in the text. */
    @ParameterizedTest
    @EnumSource(names = {"CONNECT_FAILED", "REJECTED", "OTHER"})
    void aDriversSentenceHasNoFullStopInsideOurs(Kind kind) {
        String sentence = "PSQLException: Connection to db:5432 refused. Check that the port is correct";
        AcquisitionFailure why = new AcquisitionFailure(kind, "08001", sentence + ".");
        FailedAttempt explained = explain(why, ticker.nanos());
        Explanation explanation = explained.explanation();
        assertThat(report(explained)).contains(sentence).doesNotContainPattern("correct\\.");
        if (kind == Kind.CONNECT_FAILED) {
            assertThat(Objects.requireNonNull(explanation).evidence())
                    .contains("last error: " + sentence)
                    .noneMatch(line -> line.endsWith("."));
        }
    }

    /** The caller gets the reasons of its own request, also after attempts that followed within the second. */
    @Test
    void aRetriedConnectFailureKeepsItsExplanation() {
        long requested = ticker.nanos();
        FailedAttempt first = explain(REFUSED, requested);
        Attempt next = new Attempt(requested, ticker.nanos(), 2, first.explanation(), null);
        ticker.advance(Duration.ofMillis(999));
        FailedAttempt second = explainer.explain(new FailedAttempt(next, ticker.nanos(), REFUSED, STATE, null, null));
        assertThat(second.explanation()).isSameAs(first.explanation());
        assertThat(report(second)).contains("after 999 ms and 2 attempts: ").contains("report 1\n");
        FailedAttempt other = explainer.explain(new FailedAttempt(next, ticker.nanos(), EXHAUSTED, STATE, null, null));
        assertThat(report(other)).as("of another kind").contains("; report 2\n");
        ticker.advance(Duration.ofMillis(1));
        FailedAttempt late = explainer.explain(new FailedAttempt(next, ticker.nanos(), REFUSED, STATE, null, null));
        assertThat(report(late)).as("of another second").contains("; report 3\n");
    }

    /** The first connect failures of an outage once had only the number of a report on a crowd, made a moment before. */
    @Test
    void theFirstSecondOfAnOutageIsExplainedThoughThePoolWasExhausted() {
        explain(EXHAUSTED, ticker.nanos());
        ticker.advance(Duration.ofMillis(10));
        FailedAttempt outage = explain(REFUSED, ticker.nanos());
        assertThat(report(outage))
                .contains(": connecting to the database fails\n")
                .contains("report 2");
        assertThat(explainer.last()).isSameAs(outage.explanation());
        assertThat(report(explain(REFUSED, ticker.nanos()))).endsWith("; details: report 2");
        assertThat(report(explain(EXHAUSTED, ticker.nanos()))).endsWith("; details: report 1");
        assertThat(asked).as("times that the leases were read").hasValue(2);
    }

    /**
     * One connect had failed, the next one succeeded, and the connections were then held for nothing: the timeouts of that second
     * once had only the number of the report on the connect.
     */
    @Test
    void theTimeoutsAfterAFailedConnectAreExplained() {
        explain(REFUSED, ticker.nanos());
        ticker.advance(Duration.ofMillis(500));
        FailedAttempt timeout = explain(EXHAUSTED, ticker.nanos());
        assertThat(report(timeout)).contains("report 2\n").doesNotContain("connecting to the database fails");
        assertThat(explainer.last()).isSameAs(timeout.explanation());
        ticker.advance(Duration.ofMillis(499));
        assertThat(report(explain(EXHAUSTED, ticker.nanos()))).endsWith("; details: report 2");
        assertThat(report(explain(REFUSED, ticker.nanos()))).endsWith("; details: report 1");
    }

    @Test
    void ifItFailsTheReportIsTheShortLine() {
        Explainer broken = reading(() -> {
            throw new StackOverflowError("deep");
        });
        FailedAttempt explained = broken.explain(failed(EXHAUSTED, ticker.nanos()));
        assertThat(explained.explanation()).isNull();
        assertThat(report(explained)).endsWith(STATE.describe());
        assertThat(part.context.listeners().errors()).isOne();
        assertThat(broken.last()).isNull();
    }

    @ParameterizedTest
    @EnumSource(names = {"INTERRUPTED", "CLOSED", "REJECTED", "OTHER"})
    void whatNeedsNoExplanationTakesNoNumber(Kind kind) {
        FailedAttempt explained = explain(new AcquisitionFailure(kind, null, "so"), ticker.nanos());
        assertThat(explained.explanation()).isNull();
        assertThat(report(explained)).endsWith(STATE.describe());
        assertThat(explain(EXHAUSTED, ticker.nanos()).explanation()).isNotNull();
    }

    @Test
    void ofManyThatFailAtOnceOneIsExplained() throws Exception {
        AtomicInteger explained = new AtomicInteger();
        CountDownLatch go = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int at = 0; at < 8; at++) {
            long requested = ticker.nanos() + at;
            Thread thread = new Thread(() -> {
                try {
                    go.await();
                } catch (InterruptedException e) {
                    return;
                }
                for (int each = 0; each < 1_000; each++) {
                    explained.addAndGet(explain(EXHAUSTED, requested).explanation() == null ? 0 : 1);
                }
            });
            threads.add(thread);
            thread.start();
        }
        go.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(explained).hasValue(1);
        assertThat(asked).hasValue(1);
        assertThat(Objects.requireNonNull(explainer.last()).number()).isOne();
    }

    /** Between the turn that one took and its number a second one once found neither, and got no report at all. */
    @Test
    void ofTwoAtTheSameMomentEachNamesANumber() throws Exception {
        int rounds = 500;
        List<Explainer> explainers =
                Stream.generate(this::explainer).limit(rounds).toList();
        AtomicInteger there = new AtomicInteger();
        List<Callable<List<String>>> askers = new ArrayList<>();
        for (int at = 0; at < 2; at++) {
            long requested = ticker.nanos() + at;
            askers.add(() -> {
                List<String> without = new ArrayList<>();
                int all = 0;
                for (Explainer each : explainers) {
                    all += 2;
                    there.incrementAndGet();
                    // No barrier that parks: those who are woken come one after the other. A pause only for the other
                    // one that has no processor.
                    for (int spins = 1; there.get() < all; spins++) {
                        if (spins % 10_000 == 0) {
                            LockSupport.parkNanos(1_000);
                        }
                        Thread.onSpinWait();
                    }
                    String text = report(each.explain(failed(EXHAUSTED, requested)));
                    if (!text.contains("eport 1")) {
                        without.add(text);
                    }
                }
                return without;
            });
        }
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (Future<List<String>> without : threads.invokeAll(askers)) {
                assertThat(without.get()).isEmpty();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** A report that is being made has a number already. */
    @Test
    void aFailureMeanwhileNamesTheNumber() {
        List<String> meanwhile = new ArrayList<>();
        Explainer[] self = new Explainer[1];
        self[0] = reading(() -> {
            meanwhile.add(report(self[0].explain(failed(EXHAUSTED, 77))));
            return List.of();
        });
        assertThat(report(self[0].explain(failed(EXHAUSTED, 78)))).contains("; report 1\n");
        assertThat(meanwhile).singleElement().asString().endsWith("; details: report 1");
    }

    /** Between the list and the look at a thread, a short lease has ended and its thread has returned to its executor. */
    @Test
    void aLeaseThatHasEndedMeanwhileIsNoLeak() throws InterruptedException {
        Thread gone = new Thread(() -> {});
        gone.start();
        gone.join();
        List<OpenLease> before = List.of(lease(gone.getId(), false, 5));
        List<OpenLease> after = List.of(lease(gone.getId(), false, 1));
        AtomicInteger reads = new AtomicInteger();
        Explainer racing = reading(() -> reads.getAndIncrement() == 0 ? before : after);
        assertThat(racing.explain(failed(EXHAUSTED, ticker.nanos())).explanation())
                .extracting(Explanation::cause)
                .isNotEqualTo(Cause.LEAK);
        open = before;
        assertThat(explain(EXHAUSTED, ticker.nanos()).explanation())
                .extracting(Explanation::cause)
                .isEqualTo(Cause.LEAK);
    }

    /** Most of the cost is in a few stacks and sentences; going through the leases is next to nothing. */
    @Test
    void aThousandOpenLeasesCostHardlyMoreThanTen() {
        List<OpenLease> ten = leases(10);
        List<OpenLease> thousand = leases(1_000);
        long[] ofTen = new long[300];
        long[] ofAThousand = new long[ofTen.length];
        for (int at = 0; at < ofTen.length; at++) {
            ofTen[at] = nanosFor(ten);
            ofAThousand[at] = nanosFor(thousand);
        }
        assertThat(Objects.requireNonNull(explainer.last()).openLeases()).isEqualTo(1_000);
        assertThat(median(ofAThousand)).isLessThan(4 * median(ofTen));
    }

    /** The oldest is that of a thread that lives, the others are those of virtual threads. */
    private static List<OpenLease> leases(int count) {
        List<OpenLease> leases = new ArrayList<>();
        for (int at = 0; at < count; at++) {
            long id = at == 0 ? Thread.currentThread().getId() : 1_000_000 + at;
            leases.add(lease(id, at > 0, 2_000 - at));
        }
        return leases;
    }

    private long nanosFor(List<OpenLease> leases) {
        open = leases;
        ticker.advance(Duration.ofSeconds(2));
        long requested = ticker.nanos();
        long begun = System.nanoTime();
        FailedAttempt explained = explain(EXHAUSTED, requested);
        long took = System.nanoTime() - begun;
        assertThat(explained.explanation()).isNotNull();
        return took;
    }

    private static long median(long[] nanos) {
        Arrays.sort(nanos);
        return nanos[nanos.length / 2];
    }
}
