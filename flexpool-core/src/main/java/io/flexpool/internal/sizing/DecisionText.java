// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import io.flexpool.diagnostics.Decision.Cause;
import io.flexpool.diagnostics.Decision.Verdict;
import java.util.Locale;

/** A decision in one sentence. */
record DecisionText(int from, int to, int tried, Cause cause, Verdict verdict, Evidence evidence) {
    private static final double MS = 1e3;
    private static final int ENOUGH = Experiment.ENOUGH;

    @Override
    public String toString() {
        return switch (verdict) {
            case PENDING -> "limit " + from + " → " + to + atCeiling() + ", tried: " + why() + outlook();
            case UNVERIFIED -> unverified();
            case SERVED -> "limit " + to + atCeiling() + " kept: no request waits any longer" + served();
            case PROVEN -> "limit " + to + atCeiling() + " kept: " + rates();
            case REVERTED -> "limit back to " + to + " from " + tried + ": " + notBorneOut();
            case ABANDONED ->
                to == from && tried == from
                        ? "limit " + to + " not judged: " + why()
                        : "limit back to " + to + " from " + tried + " unjudged: " + why();
            case NONE -> from == to ? "limit " + to + " stays: " + why() : "limit " + from + " → " + to + ": " + why();
        };
    }

    private String atCeiling() {
        return to == evidence.ceiling() && to != 0 ? " (the ceiling)" : "";
    }

    private String why() {
        return switch (cause) {
            case DEMAND -> load() + " need more connections for the wait aimed at";
            case DATABASE_SLOW -> slow();
            case OCCUPIED ->
                evidence.occupied()
                        + " leases last so long that their connections count as taken, and the rest do not"
                        + " carry " + load();
            case QUEUE -> queue();
            case CONTENTION ->
                "requests go on waiting and " + leases() + inCalm() + ": fewer at once may get more done";
            case KNEE -> load() + " would ask for more, but more connections did not help when tried lately" + hold();
            case CEILING -> waiting() + ", and " + to + " is the ceiling";
            case OPENING -> waiting() + ", for connections that the limit allows and that are not open yet";
            case CALM ->
                to > from
                        ? "calm, the base again"
                        : "calm, fewer are enough" + (tried < to ? ", on the way to " + tried : "");
            case CONNECT_FAILURE -> "the database refuses connections, nothing grows";
            case BROKEN -> "the sizing controller failed";
            case OVERRULED -> "the limit was moved from elsewhere, or its connections did not come";
        };
    }

    private String slow() {
        return verdict == Verdict.ABANDONED
                ? leases() + inCalm() + ": the database has become slower meanwhile"
                : leases() + inCalm() + ", which the load does not explain: the database is slow";
    }

    private String outlook() {
        return cause == Cause.DATABASE_SLOW ? "; whether it can do more at once is found out by trying" : "";
    }

    private String queue() {
        if (verdict == Verdict.PENDING || verdict == Verdict.UNVERIFIED) {
            return waiting() + ", with " + now();
        }
        return to > from || verdict == Verdict.ABANDONED
                ? waiting() + ": the base again"
                : waiting() + ", but the limit binds for only " + percent(evidence.boundShare())
                        + " of the time: more would not help all of them";
    }

    private String waiting() {
        boolean fail = evidence.failedPerSecond() > 0;
        String oldest = "the oldest for " + ms(evidence.oldestWaitSeconds());
        return fail
                ? String.format(
                                Locale.ROOT,
                                "%.0f requests/s fail, %s waits ",
                                evidence.failedPerSecond(),
                                "the oldest")
                        + ms(evidence.oldestWaitSeconds())
                : "requests go on waiting, " + oldest;
    }

    /** The figure that was looked at: what ended, or what is still out if that is older than what ended. */
    private String leases() {
        String ended = "leases last " + ms(evidence.leaseSeconds());
        return evidence.openLeaseSeconds() > evidence.leaseSeconds()
                ? "leases last " + ms(evidence.openLeaseSeconds()) + " by the age of those out (those that ended: "
                        + ms(evidence.leaseSeconds()) + ")"
                : ended;
    }

    private String inCalm() {
        return evidence.calmLeaseSeconds() > 0 ? " instead of " + ms(evidence.calmLeaseSeconds()) : "";
    }

    private String hold() {
        return evidence.holdSeconds() > 0
                ? String.format(Locale.ROOT, "; the next try is in %.0f s", Math.ceil(evidence.holdSeconds()))
                : "";
    }

    private String unverified() {
        String step = from == to
                ? "limit " + from + " does not serve everybody: "
                : "limit " + from + ", adapt would try " + to + " (unverified): ";
        double wait = evidence.expectedP99WaitSeconds();
        String expected = Double.isNaN(wait)
                ? ""
                : "; expected p99 of waiting with " + to + " if leases stay as they are: "
                        + (Double.isInfinite(wait) ? "without end, the load is too much" : ms(wait));
        return step
                + why()
                + expected
                + (evidence.ceilingAssumed() ? "; no ceiling is set, four times the base was assumed" : "");
    }

    /** What was reckoned with: the lease in calm, where it is known. */
    private String load() {
        double calm = evidence.calmLeaseSeconds();
        return calm > 0 ? Math.round(evidence.arrivalsPerSecond()) + " requests/s of " + ms(calm) + " in calm" : now();
    }

    private String now() {
        return Math.round(evidence.arrivalsPerSecond()) + " requests/s of " + ms(evidence.leaseSeconds());
    }

    /** A rate that did not rise is that of the arrivals, and no reason. */
    private String served() {
        if (!comparable()) {
            return " (not enough completions to compare)";
        }
        boolean risen = evidence.trial().after()
                > evidence.trial().before() * (1 + gain(evidence.trial().required()));
        return risen ? " (" + rates() + ")" : "";
    }

    private String notBorneOut() {
        return evidence.trial().leases() < ENOUGH
                ? String.format(
                        Locale.ROOT,
                        "only %.0f leases ended, %d are required to judge",
                        evidence.trial().leases(),
                        ENOUGH)
                : rates() + ", which does not bear it out";
    }

    private boolean comparable() {
        return !Double.isNaN(evidence.trial().before())
                && !Double.isNaN(evidence.trial().after());
    }

    private String rates() {
        if (!comparable()) {
            return "not enough completions to compare";
        }
        double before = evidence.trial().before();
        double after = evidence.trial().after();
        if (before <= 0) {
            return String.format(Locale.ROOT, "completions 0/s before, %.0f/s with %d", after, tried);
        }
        String required = Double.isNaN(evidence.trial().required())
                ? ""
                : String.format(
                        Locale.ROOT,
                        "; required %+.0f %%",
                        100 * gain(evidence.trial().required()));
        return String.format(
                        Locale.ROOT,
                        "completions %.0f/s before, %.0f/s with %d (%+.0f %% ± %.0f %%",
                        before,
                        after,
                        tried,
                        100 * (after / before - 1),
                        100 * evidence.trial().error() * after / before)
                + required
                + ")";
    }

    /** Of a logarithm; 0 if there is none. */
    private static double gain(double logarithm) {
        return Double.isNaN(logarithm) ? 0 : Math.expm1(logarithm);
    }

    private static String percent(double share) {
        return Math.round(100 * share) + " %";
    }

    private static String ms(double seconds) {
        return seconds < 0.01 ? String.format(Locale.ROOT, "%.1f ms", seconds * MS) : Math.round(seconds * MS) + " ms";
    }
}
