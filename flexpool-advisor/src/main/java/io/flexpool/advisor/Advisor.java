// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.advice.SizeAdvice.Confidence;
import io.flexpool.advice.SizeAdvice.Verdict;
import io.flexpool.advisor.Advice.Load;
import io.flexpool.advisor.LeaseTrace.Ending;
import io.flexpool.advisor.SetAside.Aside;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Recommends a size for a pool: the smallest with which the requests meet the wait target, plus 8 %. The target must be
 * met in each recorded hour, and in four resampled traces of it. The number of bootstraps and the margin were chosen on
 * 32 synthetic cases, and checked on others: see benchmarks/results/README.md.
 *
 * <p>A replay keeps the recorded lease times. A trace shows whether more connections would change them only if its
 * number of active leases varied. Otherwise the advice states this limit and recommends no growth.
 */
public final class Advisor {
    private static final double TARGET_QUANTILE = 0.99;

    private static final int FEW_REQUESTS = 10_000;
    private static final double MANY_TIMEOUTS = 0.01;
    /** The share of timeouts from which a record counts as an incident, not as a load. */
    private static final double INCIDENT = 0.1;
    /** Leases that did not slow each other show capacity up to their number; a quarter more is a small risk. */
    private static final double BEYOND_SEEN = 1.25;
    /** HikariCP refuses a shorter timeout. */
    private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(250);
    /** The number of replayed sizes of the curve, which is smooth between them. */
    private static final int POINTS = 50;

    private static final String INCIDENT_NOTE =
            "At least 10 % of the requests timed out: the record shows an incident, so the number of connections"
                    + " needed is unknown. Record the usual load.";

    private Advisor() {}

    /**
     * Calculates advice.
     *
     * @param trace the recorded requests
     * @param question the question
     * @return the advice
     * @throws IllegalArgumentException if the trace has no request
     */
    public static Advice advise(LeaseTrace trace, Question question) {
        if (trace.requests() == 0) {
            throw new IllegalArgumentException("the trace has no request: nothing can be recommended");
        }
        Demand demand = Demand.recorded(trace);
        Load recorded = new Load(
                trace.requests(),
                trace.count(Ending.TIMED_OUT),
                trace.span(),
                demand.max(),
                demand.percentile(TARGET_QUANTILE),
                demand.percentile(0.5));
        return advise(trace, question, recorded, List.of());
    }

    /**
     * Calculates advice from a trace that has only a part of the recorded requests.
     *
     * @param recorded the figures of all recorded requests
     * @param doubts further reasons for a low confidence, as sentences
     */
    static Advice advise(LeaseTrace tries, Question question, Load recorded, List<String> doubts) {
        LeaseTrace trace = tries.withTriesJoined();
        SetAside parts = SetAside.of(trace);
        LeaseTrace load = Censored.completed(parts.rest);
        int jobs = parts.jobConnections();
        Required required = Required.of(load, question);
        int wanted = required.withMargin() + jobs;
        Optional<Elasticity> elasticity = Elasticity.of(parts.rest);
        int seen = new ActiveLeases(trace).most(question.current());
        boolean incident = incident(recorded, question) && trace.count(Ending.TIMED_OUT) >= INCIDENT * trace.requests();
        Verdict verdict = incident ? Verdict.UNKNOWN : verdict(wanted, question, elasticity, seen);
        int size = switch (verdict) {
            case FEWER, KEEP -> wanted;
            case MORE -> question.knee().isPresent() ? wanted : Math.min(wanted, beyond(seen));
            case UNKNOWN -> question.current();
            case DATABASE -> question.knee().orElse(question.current());
        };
        List<SizePoint> curve = curve(load, question, size, wanted, jobs);
        Waits waits = new Replay(load, question.timeout().toNanos()).with(Math.max(1, size - jobs));
        boolean slowConnects = question.connectP99().compareTo(question.waitTarget()) > 0;
        List<String> reasons = new ArrayList<>(doubts);
        reasons.addAll(doubts(recorded));
        List<String> notes =
                notes(reasons, parts, new Sized(verdict, size, wanted, seen, incident, required), question, elasticity);
        joined(tries, trace).ifPresent(notes::add);
        return new Advice(
                verdict,
                size,
                slowConnects ? size : Math.max(1, Math.min(size, recorded.demandP50())),
                timeout(waits, question),
                reasons.isEmpty() ? required.confidence(verdict) : Confidence.LOW,
                curve,
                question,
                recorded,
                notes,
                ClassNeeds.of(trace, question));
    }

    /**
     * The smallest size with which exactly these requests meet the target, without a margin, and including jobs and
     * leaks. Requests that timed out count with a lease of 0. A binary search works, because waits fall with each added
     * connection.
     *
     * @param load the recorded requests
     * @param question provides the target and the timeout; the rest is ignored
     * @return 1 or more
     */
    public static int smallest(LeaseTrace load, Question question) {
        Replay replay = new Replay(load, question.timeout().toNanos());
        Waits waits = new Waits(1, question.timeout().toNanos());
        int from = 1;
        int to = Math.max(1, Demand.unlimited(load).max());
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (replay.with(middle, waits).percentileNanos(TARGET_QUANTILE)
                    <= question.waitTarget().toNanos()) {
                to = middle;
            } else {
                from = middle + 1;
            }
        }
        return from;
    }

    /**
     * Whether the record shows an incident. No size follows from its leases, because the database or the application
     * hung, and its timed-out requests may be repetitions. With a knee it is no incident: a knee is measured only while
     * the database works.
     */
    private static boolean incident(Load load, Question question) {
        return question.knee().isEmpty() && load.timedOut() >= INCIDENT * load.requests();
    }

    /**
     * The largest size that a record with {@code seen} active leases supports: beyond it the database may slow down.
     */
    private static int beyond(int seen) {
        return (int) (BEYOND_SEEN * seen);
    }

    private static Verdict verdict(int wanted, Question question, Optional<Elasticity> elasticity, int seen) {
        int current = question.current();
        boolean beyondKnee =
                question.knee().isPresent() && wanted > question.knee().getAsInt();
        if (beyondKnee) {
            return Verdict.DATABASE;
        }
        if (wanted <= current) {
            return wanted == current ? Verdict.KEEP : Verdict.FEWER;
        }
        if (elasticity.filter(Elasticity::bottleneck).isPresent()) {
            return Verdict.DATABASE;
        }
        boolean hasCapacity = question.knee().isPresent()
                || (beyond(seen) > current
                        && elasticity.filter(Elasticity::hasCapacity).isPresent());
        return hasCapacity ? Verdict.MORE : Verdict.UNKNOWN;
    }

    private static List<SizePoint> curve(LeaseTrace load, Question question, int size, int wanted, int jobs) {
        TreeSet<Integer> sizes = new TreeSet<>(question.also());
        for (int near = -1; near <= 1; near++) {
            sizes.add(size + near);
            sizes.add(wanted + near);
        }
        sizes.add(question.current());
        int highest = Math.max(Math.max(wanted, size), question.current());
        for (int at = 1; at <= POINTS; at++) {
            sizes.add((int) Math.round((double) at * highest / POINTS));
        }
        List<Integer> withoutJobs =
                sizes.tailSet(jobs + 1).stream().map(each -> each - jobs).toList();
        return curve(load, question.timeout(), withoutJobs).stream()
                .map(point -> new SizePoint(
                        point.connections() + jobs,
                        point.p50Nanos(),
                        point.p99Nanos(),
                        point.p999Nanos(),
                        point.timedOut()))
                .toList();
    }

    /**
     * The waits of exactly these requests with some sizes, including jobs and leaks. Requests that timed out count with
     * a lease of 0.
     *
     * @param load the recorded requests
     * @param timeout the longest wait of a request
     * @param sizes each 1 or more
     * @return a point for each size, in their order
     */
    public static List<SizePoint> curve(LeaseTrace load, Duration timeout, Collection<Integer> sizes) {
        Replay replay = new Replay(load, timeout.toNanos());
        Waits waits = new Waits(1, timeout.toNanos());
        return sizes.stream().map(size -> replay.with(size, waits).point()).toList();
    }

    private static Duration timeout(Waits waits, Question question) {
        Duration waited = Duration.ofNanos(waits.percentileNanos(0.999)).multipliedBy(2);
        Duration connect = question.connectP99().multipliedBy(4);
        Duration longer = waited.compareTo(connect) > 0 ? waited : connect;
        return longer.compareTo(SHORTEST_TIMEOUT) > 0 ? longer : SHORTEST_TIMEOUT;
    }

    private static List<String> doubts(Load load) {
        List<String> doubts = new ArrayList<>();
        if (load.requests() < FEW_REQUESTS) {
            doubts.add("The record has only " + AdviceText.number(load.requests(), "request")
                    + "; percentiles are reliable from " + AdviceText.number(FEW_REQUESTS)
                    + " requests.");
        }
        if (load.span().compareTo(Duration.ofHours(1)) < 0) {
            doubts.add("Only " + AdviceText.span(load.span()) + " were recorded; busier times may be missing.");
        }
        if (load.timedOut() > MANY_TIMEOUTS * load.requests()) {
            doubts.add(AdviceText.number(load.timedOut(), "request")
                    + " timed out: lease times are estimated from the other requests.");
        }
        return doubts;
    }

    /**
     * The decision on the size.
     *
     * @param size the recommended size
     * @param wanted the size needed if lease times stay the same
     * @param seen the maximum number of leases active at once
     */
    private record Sized(Verdict verdict, int size, int wanted, int seen, boolean incident, Required required) {}

    private static List<String> notes(
            List<String> doubts, SetAside parts, Sized sized, Question question, Optional<Elasticity> elasticity) {
        List<String> notes = new ArrayList<>();
        if (sized.incident) {
            notes.add(INCIDENT_NOTE);
        } else {
            notes.add(sized.required.reason(question, parts.jobConnections()));
            notes.addAll(limits(sized, question, elasticity));
            sized.required.doubt().ifPresent(notes::add);
        }
        notes.addAll(doubts);
        if (!sized.incident) {
            notes.addAll(repeated(parts.rest, question, parts.jobConnections()));
        }
        for (Aside aside : parts.asides) {
            String site = aside.site().isEmpty() ? "an unknown call site" : aside.site();
            notes.add(
                    aside.leak()
                            ? aside.requests() + " connections of " + site
                                    + " were never closed; the advice ignores them."
                            : "Long leases (jobs) of " + site + " hold up to " + aside.connections()
                                    + " connections for a long time; the advice adds them to the need of the other requests.");
        }
        if (parts.rest.nested()) {
            notes.add("Some threads hold two connections at once; with too few connections such threads wait for each"
                    + " other.");
        }
        if (question.knee().isEmpty() && sized.verdict != Verdict.DATABASE && sized.verdict != Verdict.UNKNOWN) {
            notes.add("Unknown: whether the database slows down above " + sized.seen + " connections.");
        }
        return notes;
    }

    /** The limits that the database sets to a size. */
    private static List<String> limits(Sized sized, Question question, Optional<Elasticity> elasticity) {
        int wanted = sized.wanted;
        if (sized.verdict == Verdict.DATABASE) {
            return List.of(
                    question.knee().isPresent()
                            ? "The sizing controller measured that with more than "
                                    + question.knee().getAsInt()
                                    + " connections the database's throughput does not rise: "
                                    + wanted + " would only make leases longer."
                            : "If the number of active leases doubles, each lease lasts "
                                    + AdviceText.decimal(Math.pow(
                                            2,
                                            elasticity.map(Elasticity::exponent).orElse(1.0)))
                                    + " times as long: more connections would only lengthen leases. The size at which this starts"
                                    + " is unknown; mode = adapt measures it.");
        }
        if (sized.verdict == Verdict.UNKNOWN) {
            boolean hasCapacity = elasticity.filter(Elasticity::hasCapacity).isPresent();
            return List.of("If lease times did not change, " + wanted
                    + " connections would be needed. It is unknown whether they change: "
                    + (hasCapacity
                            ? "in the record, at most " + sized.seen + " leases were active at once"
                            : "the record does not show "
                                    + elasticity.map(Elasticity::doubt).orElse("enough leases at different loads"))
                    + ". If the database is the bottleneck, more connections make it worse.");
        }
        if (sized.verdict == Verdict.MORE && question.knee().isEmpty() && sized.size > sized.seen) {
            return List.of(
                    "At most " + sized.seen + " leases were active at once, so the record does not show a pool of "
                            + sized.size
                            + (wanted > sized.size
                                    ? ". If lease times did not change, " + wanted
                                            + " connections would be needed; the advice raises the size by at most 25 %"
                                    : "")
                            + ".");
        }
        return List.of();
    }

    private static Optional<String> joined(LeaseTrace tries, LeaseTrace trace) {
        int repeated = tries.requests() - trace.requests();
        return repeated == 0
                ? Optional.empty()
                : Optional.of(AdviceText.number(repeated, "request")
                        + " timed out and had another attempt within a second by the same thread at the same call"
                        + " site: such attempts count as one request.");
    }

    /** A note that timeouts may be repetitions: those repeated later, or by another thread, are not recognised. */
    private static List<String> repeated(LeaseTrace rest, Question question, int jobs) {
        int timedOut = rest.count(Ending.TIMED_OUT);
        if (timedOut <= MANY_TIMEOUTS * rest.requests() || timedOut == rest.requests()) {
            return List.of();
        }
        int[] served = IntStream.range(0, rest.size)
                .filter(at -> rest.ending(at) != Ending.TIMED_OUT)
                .toArray();
        return List.of("Requests that timed out count as demand. If they were only retries, "
                + (Required.of(rest.only(served), question).withMargin() + jobs) + " connections would be enough.");
    }
}
