// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import static io.flexpool.advisor.Traces.MS;
import static io.flexpool.advisor.Traces.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.advice.ClassAdvice;
import io.flexpool.advice.SizeAdvice;
import io.flexpool.advice.SizeAdvice.Confidence;
import io.flexpool.advice.SizeAdvice.Verdict;
import io.flexpool.advisor.LeaseTrace.Ending;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.monitoring.HistogramSnapshot;
import io.flexpool.monitoring.RequestClass;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.spi.LeaseSink.LeaseBlock;
import io.flexpool.spi.PoolPartProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is said of a pool that runs, from blocks of a tick each. Its clock begins shortly before it overflows. */
class LiveAdvisorTest {
    private static final long ORIGIN = Long.MAX_VALUE - 1_800 * SECOND;
    private static final long TICK = 250 * MS;
    private static final long HOUR = 3_600 * SECOND;
    private static final String BATCH_SITE = "shop.Export.run";

    private final LiveAdvisor advisor = new LiveAdvisor();
    private long now = ORIGIN;

    /** A request; times since the begin. */
    private record Ended(long arrival, long waited, long lease, AcquisitionOutcome outcome, String site) {
        static Ended ok(long arrival, long lease) {
            return new Ended(arrival, 0, lease, AcquisitionOutcome.OK, "");
        }
    }

    private record Block(List<Ended> ended, long takenNanos, int demand, long lost) implements LeaseBlock {
        @Override
        public long unwanted() {
            return 0;
        }

        @Override
        public int size() {
            return ended.size();
        }

        @Override
        public long arrivalNanos(int request) {
            return ORIGIN + ended.get(request).arrival();
        }

        @Override
        public long waitNanos(int request) {
            return ended.get(request).waited();
        }

        @Override
        public long leaseNanos(int request) {
            return ended.get(request).lease();
        }

        @Override
        public AcquisitionOutcome outcome(int request) {
            return ended.get(request).outcome();
        }

        @Override
        public String callSite(int request) {
            return ended.get(request).site();
        }

        @Override
        public int thread(int request) {
            return 1 + request % 1_024;
        }

        @Override
        public String requestClass(int request) {
            return ended.get(request).site().equals(BATCH_SITE) ? "batch" : "interactive";
        }

        @Override
        public boolean nested(int request) {
            return false;
        }
    }

    private record State(String name, int guaranteed, OptionalInt max, int leased, int waiting)
            implements RequestClass {
        @Override
        public HistogramSnapshot waits() {
            return HistogramSnapshot.EMPTY;
        }

        @Override
        public HistogramSnapshot recentWaits() {
            return HistogramSnapshot.EMPTY;
        }

        @Override
        public long timeouts() {
            return 0;
        }

        @Override
        public long shed() {
            return 0;
        }
    }

    private static AdviceRequest request(
            int current, OptionalInt knee, List<OpenLease> openLeases, long nowNanos, List<RequestClass> classes) {
        return new AdviceRequest(
                nowNanos,
                current,
                Duration.ofMillis(10),
                Duration.ofSeconds(5),
                knee,
                Duration.ZERO,
                openLeases,
                classes);
    }

    /** Passes a trace on, each request with the tick after its end. */
    private void live(LeaseTrace trace) {
        List<Ended> all = new ArrayList<>();
        for (int at = 0; at < trace.requests(); at++) {
            boolean late = trace.ending(at) == Ending.TIMED_OUT;
            all.add(new Ended(
                    trace.arrivalNanos(at),
                    trace.waitNanos(at),
                    late ? 0 : trace.leaseNanos(at),
                    late ? AcquisitionOutcome.TIMEOUT : AcquisitionOutcome.OK,
                    trace.sites().get(trace.site[at])));
        }
        live(all);
    }

    private static long end(Ended request) {
        return request.arrival() + request.waited() + request.lease();
    }

    private void live(List<Ended> requests) {
        List<Ended> all = new ArrayList<>(requests);
        all.sort((one, other) -> Long.compare(end(one), end(other)));
        int next = 0;
        while (next < all.size()) {
            now += TICK;
            List<Ended> ended = new ArrayList<>();
            while (next < all.size() && end(all.get(next)) <= now - ORIGIN) {
                ended.add(all.get(next++));
            }
            long at = now - ORIGIN;
            long open = all.subList(next, Math.min(all.size(), next + 100)).stream()
                    .filter(each -> each.arrival() <= at)
                    .count();
            advisor.take(new Block(ended, now, (int) open, 0));
        }
    }

    private @Nullable SizeAdvice ask(int current, OpenLease... open) {
        return advisor.advise(request(current, OptionalInt.empty(), List.of(open), now, List.of()));
    }

    private SizeAdvice asked(int current, OpenLease... open) {
        return Objects.requireNonNull(ask(current, open));
    }

    /** Each tenth of the requests is of the second class, and takes ten times as long. */
    @Test
    void eachClassIsAdvisedOn() {
        LeaseTrace trace = Traces.poisson(11, Duration.ofMinutes(70), 20, 30, Traces.exponential(20));
        List<Ended> requests = new ArrayList<>();
        for (int at = 0; at < trace.requests(); at++) {
            boolean batch = at % 10 == 0;
            requests.add(new Ended(
                    trace.arrivalNanos(at),
                    0,
                    batch ? 10 * trace.leaseNanos(at) : trace.leaseNanos(at),
                    AcquisitionOutcome.OK,
                    batch ? BATCH_SITE : ""));
        }
        live(requests);
        SizeAdvice advice = Objects.requireNonNull(advisor.advise(request(
                30,
                OptionalInt.empty(),
                List.of(),
                now,
                List.of(
                        new State("interactive", 0, OptionalInt.empty(), 0, 0),
                        new State("batch", 1, OptionalInt.of(2), 0, 0)))));
        assertThat(advice.classes()).extracting(ClassAdvice::name).containsExactly("interactive", "batch");
        ClassAdvice batch = advice.classes().get(1);
        assertThat(batch.requests()).as("of the sample").isBetween(2_000L, requests.size() / 10L);
        assertThat(batch.guaranteed()).isOne();
        assertThat(batch.guaranteeFit()).isEqualTo(ClassAdvice.Fit.LOW);
        assertThat(batch.max()).hasValue(2);
        assertThat(batch.needed()).isGreaterThan(2);
        assertThat(advice.text()).contains("Class interactive: ").contains("Class batch: ");
    }

    @Test
    void theServiceLoaderFindsIt() {
        assertThat(ServiceLoader.load(PoolPartProvider.class))
                .extracting(PoolPartProvider::name)
                .containsExactlyInAnyOrder("advisor", "history", "lease-phases", "recorder");
    }

    @Test
    void fewRequestsSayNothing() {
        assertThat(ask(30)).isNull();
        live(Traces.poisson(1, Duration.ofSeconds(8), 10, 30, Traces.exponential(100)));
        assertThat(ask(30)).isNull();
    }

    /** Virtual time, a fixed seed: the same words each time. */
    @Test
    void theWordsOfAKnownProcess() {
        live(Traces.poisson(11, Duration.ofMinutes(70), 20, 30, Traces.exponential(100)));
        SizeAdvice advice = asked(30);
        assertThat(advice.text())
                .isEqualTo("In 70 min the demand was at most 10 connections (p99 6). p99 wait: 1 % timeouts with"
                        + " 2 connections, 0.0 ms with 7 connections, 0.0 ms with 8 connections, 0.0 ms with 9"
                        + " connections, 0.0 ms with 30 connections. The pool has 30 connections: 8 would be enough."
                        + " Confidence high: 83,868 leases, no timeouts. Target: 99 % of the requests wait at most"
                        + " 10 ms. The recorded requests needed 7 connections. With a margin of 8 %, 8 are needed. Unknown:"
                        + " whether the database slows down above 10 connections.");
        assertThat(advice.verdict()).isEqualTo(Verdict.FEWER);
        assertThat(advice.minIdle()).isEqualTo(2);
        assertThat(advice.current()).isEqualTo(30);
    }

    /** What a trace of the whole says, the sample says as well. */
    @Test
    void aSampleGivesTheSameSizeAsAllOfIt() {
        LeaseTrace all = Traces.poisson(5, Duration.ofMinutes(65), 120, 60, Traces.exponential(60));
        live(all);
        SizeAdvice advice = asked(60);
        assertThat(advice.requests()).isEqualTo(all.requests()).isGreaterThan(10L * HourRecord.MOST);
        int ofAll = Advisor.advise(all, Question.of(60).withTimeout(Duration.ofSeconds(5)))
                .connections();
        assertThat(advice.connections()).isBetween(ofAll - 1, ofAll + 1);
        assertThat(advice.confidence()).isEqualTo(Confidence.HIGH);
    }

    /** Half a day of calm around one busy hour: that hour is kept, and decides. */
    @Test
    void theBusiestHourIsNotForgotten() {
        List<Ended> day = new ArrayList<>();
        for (int hour = 0; hour < 12; hour++) {
            LeaseTrace each =
                    Traces.poisson(hour, Duration.ofMinutes(59), hour == 6 ? 40 : 1, 60, Traces.exponential(100));
            for (int at = 0; at < each.requests(); at++) {
                day.add(Ended.ok((long) hour * HOUR + each.arrivalNanos(at), each.leaseNanos(at)));
            }
        }
        live(day);
        LeaseTrace peak = Traces.poisson(6, Duration.ofMinutes(59), 40, 60, Traces.exponential(100));
        int forPeak = Advisor.advise(peak, Question.of(60).withTimeout(Duration.ofSeconds(5)))
                .connections();
        SizeAdvice advice = asked(60);
        assertThat(advice.connections()).isBetween(forPeak - 1, forPeak + 1);
        assertThat(advice.span()).isBetween(Duration.ofHours(11), Duration.ofHours(12));
        assertThat(advice.requests()).isEqualTo(day.size());
        assertThat(advice.demandP99()).isGreaterThan(advice.demandP50());
    }

    /** Five hours are kept; the busy one was the first, so that it goes first where the least busy one is chosen wrongly. */
    @Test
    void theRequestsOfTheBusiestHourAreKept() {
        for (int hour = 0; hour < 9; hour++) {
            int width = hour == 0 ? 9 : hour == 3 ? 5 : 1;
            for (int second = 10; second < 3_600; second += 10) {
                now = ORIGIN + hour * HOUR + second * SECOND;
                List<Ended> ended = new ArrayList<>();
                for (int at = 0; at < width; at++) {
                    ended.add(Ended.ok(now - ORIGIN - 5 * SECOND, 5 * SECOND));
                }
                advisor.take(new Block(ended, now, width, 0));
            }
        }
        assertThat(asked(30).connections()).isEqualTo(10);
    }

    /** With the hours moved by it, the calm begin of the third hour would come to what is busy at the end of the second. */
    @Test
    void anOldLeakDoesNotMoveTheHours() {
        List<Ended> all = new ArrayList<>();
        for (int at = 0; at < 3 * 20 * 3_600; at++) {
            if (at / (20 * 3_600) != 1 || at % 80 == 0) {
                all.add(Ended.ok(at * 50L * MS, MS));
            }
        }
        for (int at = 0; at < 120; at++) {
            all.add(Ended.ok(HOUR + (55 * 60 + at / 20 * 30L) * SECOND, 100 * MS));
        }
        live(all);
        assertThat(asked(30).connections()).isEqualTo(21);
        Duration lived = Duration.ofNanos(now - ORIGIN);
        Open leak = new Open(lived.plusHours(40).plusMinutes(10), 7, "Export.run(Export.java:7)");
        assertThat(asked(30, leak).connections()).isEqualTo(21);
    }

    @Test
    void requestsThatTimedOutNeedConnectionsToo() {
        List<Ended> all = new ArrayList<>();
        for (int at = 0; at < 20_000; at++) {
            boolean late = at % 2 == 0;
            all.add(new Ended(
                    at * 50L * MS,
                    late ? 5 * SECOND : 0,
                    late ? 0 : 190 * MS,
                    late ? AcquisitionOutcome.TIMEOUT : AcquisitionOutcome.OK,
                    ""));
        }
        live(all);
        SizeAdvice advice = asked(4);
        assertThat(advice.timedOut()).isEqualTo(10_000);
        assertThat(advice.confidence()).isEqualTo(Confidence.LOW);
        assertThat(advice.notes()).anyMatch(note -> note.startsWith("10,000 requests timed out"));
        // 20 a second of 190 ms: without the half that timed out 2 connections would be enough.
        assertThat(advice.curve().stream()
                        .filter(point -> point.p99Nanos() <= 10 * MS)
                        .mapToInt(SizeAdvice.Point::connections)
                        .min())
                .hasValue(4);
    }

    /** While the database is gone, requests are turned away again and again: that is no demand. */
    @Test
    void whatAnOutageTurnsAwayIsNoDemand() {
        List<Ended> all = new ArrayList<>();
        for (int at = 0; at < 1_000; at++) {
            all.add(Ended.ok(at * 100L * MS, 10 * MS));
            all.add(new Ended(at * 100L * MS, 0, 0, AcquisitionOutcome.CONNECT_FAILURE, ""));
            all.add(new Ended(at * 100L * MS, 0, 0, AcquisitionOutcome.REJECTED, ""));
        }
        live(all);
        assertThat(asked(4).requests()).isEqualTo(1_000);
        assertThat(asked(4).timedOut()).isZero();
    }

    @Test
    void whatIsTurnedAwayForWantOfConnectionsIsDemand() {
        List<Ended> all = new ArrayList<>();
        for (int at = 0; at < 1_000; at++) {
            all.add(Ended.ok(at * 100L * MS, 10 * MS));
            all.add(new Ended(at * 100L * MS, 0, 0, AcquisitionOutcome.REJECTED, ""));
        }
        live(all);
        assertThat(asked(4).timedOut()).isEqualTo(1_000);
    }

    @Test
    void leaksAreNamedAndNotCounted() {
        LeaseTrace trace = Traces.poisson(11, Duration.ofMinutes(70), 20, 30, Traces.exponential(100));
        live(trace);
        int without = asked(30).connections();
        Open[] leaks = new Open[9];
        for (int at = 0; at < leaks.length; at++) {
            leaks[at] = new Open(Duration.ofHours(30), at, "Export.run(Export.java:7)");
        }
        SizeAdvice advice = asked(30, leaks);
        assertThat(advice.connections()).isEqualTo(without);
        assertThat(advice.notes()).anyMatch(note -> note.contains("9 connections of Export.run"));
    }

    /** Of most leases the call site is not captured, of a nightly job's as well. */
    @Test
    void aLongJobNeedsItsConnectionsBesideTheRestThoughItsPlaceIsNotKnown() {
        List<Ended> all = new ArrayList<>();
        LeaseTrace rest = Traces.poisson(11, Duration.ofMinutes(70), 20, 30, Traces.exponential(100));
        for (int at = 0; at < rest.requests(); at++) {
            all.add(Ended.ok(rest.arrivalNanos(at), rest.leaseNanos(at)));
        }
        live(all);
        int without = asked(30).connections();
        LiveAdvisorTest other = new LiveAdvisorTest();
        for (int at = 0; at < 20; at++) {
            all.add(Ended.ok(at * 60L * SECOND, 150L * SECOND));
        }
        other.live(all);
        SizeAdvice advice = other.asked(30);
        assertThat(advice.connections()).isEqualTo(without + 3);
        assertThat(advice.notes()).anyMatch(note -> note.contains(LeaseSites.UNKNOWN_JOBS + " hold up to 3"));
    }

    @Test
    void whatCameTooFastIsSaid() {
        live(Traces.poisson(11, Duration.ofMinutes(70), 20, 30, Traces.exponential(100)));
        advisor.take(new Block(List.of(), now, 0, 100));
        assertThat(asked(30).confidence()).isEqualTo(Confidence.HIGH);
        advisor.take(new Block(List.of(), now, 0, 2_000));
        assertThat(asked(30).confidence()).isEqualTo(Confidence.LOW);
        assertThat(asked(30).notes()).anyMatch(note -> note.startsWith("2,100 requests arrived faster"));
    }

    @Test
    void theKneeThatTheControllerMeasuredIsTheMost() {
        live(Traces.poisson(11, Duration.ofMinutes(70), 20, 30, Traces.exponential(100)));
        SizeAdvice advice =
                Objects.requireNonNull(advisor.advise(request(4, OptionalInt.of(5), List.of(), now, List.of())));
        assertThat(advice.verdict()).isEqualTo(Verdict.DATABASE);
        assertThat(advice.connections()).isEqualTo(5);
        assertThat(advice.text())
                .contains("with more than 5 connections the database")
                .doesNotContain("Unknown: whether");
    }

    @Test
    void afterTheCloseAllIsForgotten() {
        live(Traces.poisson(11, Duration.ofMinutes(2), 20, 30, Traces.exponential(100)));
        assertThat(ask(30)).isNotNull();
        advisor.close();
        assertThat(ask(30)).isNull();
    }

    /** 50,000 a tick, as 200,000 leases a second are: the memory stays what it is. */
    @Test
    void aStormIsThinned() {
        HourRecord hour = new HourRecord(HourRecord.MOST);
        for (int at = 0; at < 2_000_000; at++) {
            hour.add(at * 5_000L, 0, 20_000, Ending.RELEASED, 0, 1, false);
        }
        assertThat(hour.size()).isBetween(HourRecord.MOST / 4, HourRecord.MOST);
        LeaseTrace.Builder trace = LeaseTrace.builder();
        hour.addTo(trace, 0, new LeaseSites());
        LeaseTrace kept = trace.build();
        assertThat(kept.requests() / (kept.span().toNanos() / 1e9))
                .as("the rate")
                .isBetween(190_000.0, 210_000.0);
        assertThat(kept.leaseNanos(0)).isEqualTo(19_968);
    }
}
