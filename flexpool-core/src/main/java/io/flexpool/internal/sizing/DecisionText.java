// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import io.flexpool.diagnostics.Decision.Cause;
import io.flexpool.diagnostics.Decision.Verdict;
import io.flexpool.internal.sizing.Evidence.Trial;
import java.util.Locale;

/** A decision in one sentence. */
record DecisionText(int from, int to, int tried, Cause cause, Verdict verdict, Evidence evidence) {
    private static final double MS = 1e3;

    @Override
    public String toString() {
        return switch (verdict) {
            case PENDING ->
                "limit " + from + " → " + to + atCeiling() + ", tried: " + why()
                        + (cause == Cause.DATABASE_SLOW ? "; the trial shows whether it can serve more at once" : "");
            case UNVERIFIED -> unverified();
            case SERVED -> "limit " + to + atCeiling() + " kept: no request waits any longer" + served();
            case PROVEN -> "limit " + to + atCeiling() + " kept: " + rates();
            case REVERTED -> "limit back to " + to + " from " + tried + ": " + notBorneOut();
            case ABANDONED ->
                to == from && tried == from
                        ? "limit " + to + " not judged: " + why()
                        : "limit back to " + to + " from " + tried + ", not judged: " + why();
            case NONE -> from == to ? "limit " + to + " stays: " + why() : "limit " + from + " → " + to + ": " + why();
        };
    }

    private String atCeiling() {
        return to == evidence.ceiling() && to != 0 ? " (the ceiling)" : "";
    }

    private String why() {
        return switch (cause) {
            case DEMAND -> load() + " need more connections for the wait aimed at";
            case DATABASE_SLOW ->
                leases()
                        + (verdict == Verdict.ABANDONED
                                ? ": the database has become slower meanwhile"
                                : ", which the load does not explain: the database is slow");
            case OCCUPIED ->
                evidence.occupied()
                        + " leases last so long that their connections count as taken, and the rest do not"
                        + " carry " + load();
            case QUEUE -> queue();
            case CONTENTION -> "requests go on waiting and " + leases() + ": fewer at once may get more done";
            case KNEE -> load() + " would need more, but more connections did not help in a recent trial" + hold();
            case CEILING -> waiting() + ", and " + to + " is the ceiling";
            case OPENING -> waiting() + ", for connections that the limit allows and that are not open yet";
            case CALM ->
                to > from
                        ? "calm, the base again"
                        : "calm, fewer are enough" + (tried < to ? ", on the way to " + tried : "");
            case CONNECT_FAILURE -> "the database refuses connections, nothing grows";
            case FLEET -> "the fleet granted another number";
            case BROKEN -> "the sizing controller failed";
            case OVERRULED -> "the limit was moved from elsewhere, or its connections did not come";
        };
    }

    private String queue() {
        if (verdict == Verdict.PENDING || verdict == Verdict.UNVERIFIED) {
            return waiting() + ", with " + now();
        }
        return to > from || verdict == Verdict.ABANDONED
                ? waiting() + ": the base again"
                : waiting() + ", but the limit binds for only " + Math.round(100 * evidence.boundShare())
                        + " % of the time: more would not help all of them";
    }

    private String waiting() {
        String oldest = ms(evidence.oldestWaitSeconds());
        return evidence.failedPerSecond() > 0
                ? Math.round(evidence.failedPerSecond()) + " requests/s fail, the oldest waits " + oldest
                : "requests go on waiting, the oldest for " + oldest;
    }

    /** The figure that was looked at: what ended, or what is still out if that is older than what ended. */
    private String leases() {
        String ended = ms(evidence.leaseSeconds());
        double open = evidence.openLeaseSeconds();
        double calm = evidence.calmLeaseSeconds();
        String last = open > evidence.leaseSeconds()
                ? ms(open) + " by the age of open leases (ended leases: " + ended + ")"
                : ended;
        return "leases last " + last + (calm > 0 ? " instead of " + ms(calm) : "");
    }

    private String hold() {
        long seconds = (long) Math.ceil(evidence.holdSeconds());
        return seconds > 0 ? "; the next try is in " + seconds + " s" : "";
    }

    private String unverified() {
        String step = from == to ? " does not serve all requests: " : ", adapt would try " + to + " (unverified): ";
        double wait = evidence.expectedP99WaitSeconds();
        String expected = "; expected p99 of waiting with " + to + " if leases stay as they are: "
                + (Double.isInfinite(wait) ? "without end, the load is too much" : ms(wait));
        String assumed = "; no ceiling is set, four times the base was assumed";
        return "limit " + from + step + why() + (Double.isNaN(wait) ? "" : expected)
                + (evidence.ceilingAssumed() ? assumed : "");
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
        Trial trial = evidence.trial();
        boolean flat = trial.after() <= trial.before() * (1 + gain(trial.required()));
        return flat ? "" : " (" + rates() + ")";
    }

    private String notBorneOut() {
        double leases = evidence.trial().leases();
        return leases < Experiment.ENOUGH
                ? "only " + Math.round(leases) + " leases ended, " + Experiment.ENOUGH + " are required to judge"
                : rates() + ", no significant gain";
    }

    private String rates() {
        Trial trial = evidence.trial();
        double after = trial.after();
        if (Double.isNaN(trial.before()) || Double.isNaN(after)) {
            return "not enough completions to compare";
        }
        if (trial.before() <= 0) {
            return String.format(Locale.ROOT, "completions 0/s before, %.0f/s with %d", after, tried);
        }
        String required = Double.isNaN(trial.required())
                ? ""
                : String.format(Locale.ROOT, "; required %+.0f %%", 100 * gain(trial.required()));
        return String.format(
                        Locale.ROOT,
                        "completions %.0f/s before, %.0f/s with %d (%+.0f %% ± %.0f %%",
                        trial.before(),
                        after,
                        tried,
                        100 * (after / trial.before() - 1),
                        100 * trial.error() * after / trial.before())
                + required
                + ")";
    }

    /** Of a logarithm; 0 if there is none. */
    private static double gain(double logarithm) {
        return Double.isNaN(logarithm) ? 0 : Math.expm1(logarithm);
    }

    private static String ms(double seconds) {
        return seconds < 0.01 ? String.format(Locale.ROOT, "%.1f ms", seconds * MS) : Math.round(seconds * MS) + " ms";
    }
}
