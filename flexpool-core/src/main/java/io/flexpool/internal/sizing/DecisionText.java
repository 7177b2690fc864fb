// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import io.flexpool.diagnostics.Decision.Cause;
import io.flexpool.diagnostics.Decision.Verdict;
import io.flexpool.internal.sizing.Evidence.Trial;
import java.util.Locale;

/** A decision in one sentence. */
record DecisionText(int from, int to, int tried, Cause cause, Verdict verdict, Evidence evidence) {
    static final String AT_CEILING = " (the ceiling)";
    private static final double MS = 1e3;
    /** The largest error with which a text has a percentage. Does not affect decisions. */
    private static final double MOST_ERROR = 0.5;
    /** The highest ratio with which a text has a percentage: above it, the rate before was a stall. */
    private static final double MOST_RATIO = 4;

    @Override
    public String toString() {
        return switch (verdict) {
            case PENDING ->
                "limit " + from + " → " + to + atCeiling() + ", tried: " + why()
                        + (cause == Cause.DATABASE_SLOW ? "; the trial shows whether more connections help" : "");
            case UNVERIFIED -> unverified();
            case SERVED -> "limit " + to + atCeiling() + " kept: no request waits now" + served();
            case PROVEN -> "limit " + to + atCeiling() + " kept: " + rates();
            case REVERTED -> "limit " + tried + " → " + to + ", reverted: " + notBorneOut();
            case ABANDONED ->
                to == from && tried == from
                        ? "limit " + to + " kept, effect unknown: " + (cause == Cause.OCCUPIED ? why() : fewLeases())
                        : "limit " + tried + " → " + to + ", reverted, effect unknown: " + why();
            case NONE -> from == to ? "limit " + to + " stays: " + why() : "limit " + from + " → " + to + ": " + why();
        };
    }

    private String atCeiling() {
        return to == evidence.ceiling() && to != 0 ? AT_CEILING : "";
    }

    private String why() {
        return switch (cause) {
            case DEMAND -> load() + " need more connections for the target wait";
            case DATABASE_SLOW ->
                leases()
                        + (verdict == Verdict.ABANDONED
                                ? "; the step alone does not explain this"
                                : "; the load alone does not explain this");
            case OCCUPIED ->
                evidence.occupied() + " long leases occupy connections, and the remaining connections cannot serve "
                        + load();
            case QUEUE -> queue();
            case CONTENTION ->
                verdict == Verdict.ABANDONED
                        ? "leases that began at the old limit have not ended"
                        : waiting() + ", and " + leases()
                                + ": the trial shows whether fewer connections complete more requests";
            case KNEE -> waiting() + hold();
            case CEILING -> waiting() + ", and " + to + " is the ceiling";
            case OPENING ->
                verdict == Verdict.ABANDONED
                        ? "the pool did not open the connections of the step"
                        : waiting() + ": connections up to the limit are still opening";
            case CALM ->
                to == from
                        ? "no request has timed out for " + Math.round(Decay.CALM_SECONDS) + " s"
                        : to > from
                                ? "low load, back to the base"
                                : "low load, fewer connections are enough"
                                        + (tried < to ? ", shrinking to " + tried : "");
            case CONNECT_FAILURE -> "the database refuses connections, nothing grows";
            case CAP -> "a part of flexpool changed the cap";
            case BROKEN -> "the sizing controller failed";
            case OVERRULED -> "the limit was changed externally";
        };
    }

    private String queue() {
        if (verdict == Verdict.PENDING || verdict == Verdict.UNVERIFIED) {
            return waiting() + ", with " + now();
        }
        return waiting() + "; the limit was reached for " + Math.round(100 * evidence.boundShare())
                + " % of the last second; a trial begins when waits increase";
    }

    private String waiting() {
        String oldest = ms(evidence.oldestWaitSeconds());
        if (evidence.failedPerSecond() > 0) {
            String waits = evidence.oldestWaitSeconds() > 0 ? ", the oldest waits " + oldest : "";
            return Math.round(evidence.failedPerSecond()) + " requests/s fail" + waits;
        }
        return evidence.oldestWaitSeconds() > 0
                ? "requests continue to wait, the oldest for " + oldest
                : "requests have failed within the last seconds";
    }

    /** The compared figure: ended leases, or open leases if they are older than ended ones. */
    private String leases() {
        String ended = evidence.leaseSeconds() > 0 ? ms(evidence.leaseSeconds()) : "none recently";
        double open = evidence.openLeaseSeconds();
        double calm = evidence.calmLeaseSeconds();
        String last = open > evidence.leaseSeconds()
                ? "open leases have lasted " + ms(open) + " (ended leases: " + ended + ")"
                : "leases last " + ended;
        return last + (calm > 0 ? " instead of " + ms(calm) + " at low load" : "");
    }

    private String hold() {
        long seconds = (long) Math.ceil(evidence.holdSeconds());
        String trial = tried == from ? "a recent trial" : "the trial of " + tried;
        String rates = evidence.trial().after() > 0 ? ": " + rates() : "";
        return seconds > 0
                ? ", and " + trial + " did not help" + rates + "; the next trial is in " + seconds + " s"
                : ", and " + trial + " within the last minute did not help" + rates;
    }

    private String unverified() {
        if (from == to) {
            return "limit " + from + " does not serve all requests: " + why()
                    + "; only a trial can find the right size";
        }
        double wait = evidence.expectedP99WaitSeconds();
        String expected = "; p99 wait expected with " + to + " connections if lease times do not change: "
                + (Double.isInfinite(wait) ? "unlimited, because the load is too high" : ms(wait));
        String assumed = "; no ceiling is set, four times the base was assumed";
        return "limit " + from + ", mode adapt would try " + to + " (unverified): " + why()
                + (Double.isNaN(wait) ? "" : expected) + (evidence.ceilingAssumed() ? assumed : "");
    }

    /** The figure of the calculation: the low-load lease, if known. */
    private String load() {
        double calm = evidence.calmLeaseSeconds();
        return calm > 0 ? rate() + " requests/s with leases of " + ms(calm) + " (at low load)" : now();
    }

    private String now() {
        String lease = evidence.leaseSeconds() > 0
                ? " requests/s with leases of " + ms(evidence.leaseSeconds())
                : " requests/s";
        return rate() + lease;
    }

    /** The rate; of rare requests with a digit after the point. */
    private String rate() {
        double rate = evidence.arrivalsPerSecond();
        return rate < Baseline.FEWEST ? String.format(Locale.ROOT, "%.1f", rate) : String.valueOf(Math.round(rate));
    }

    /** A rate that did not rise equals the arrivals, and is no reason. */
    private String served() {
        Trial trial = evidence.trial();
        boolean flat = trial.after() <= trial.before() * (1 + gain(trial.required()));
        return flat ? "" : " (" + rates() + ")";
    }

    private String notBorneOut() {
        return evidence.trial().leases() < Experiment.ENOUGH
                ? fewLeases()
                : rates()
                        + (evidence.trial().after() < evidence.trial().before()
                                ? ", fewer completions"
                                : ", no significant gain");
    }

    private String fewLeases() {
        return "only " + Math.round(evidence.trial().leases()) + " leases ended, " + Experiment.ENOUGH
                + " are required to judge";
    }

    private String rates() {
        Trial trial = evidence.trial();
        double after = trial.after();
        if (Double.isNaN(trial.before()) || Double.isNaN(after)) {
            return "not enough completions to compare";
        }
        if (trial.before() <= 0 || trial.error() > MOST_ERROR || after > trial.before() * MOST_RATIO) {
            // After a stall, or too few before for a ratio to mean anything.
            return String.format(
                    Locale.ROOT, "completions %.0f/s before, %.0f/s with limit %d", trial.before(), after, tried);
        }
        String required = Double.isNaN(trial.required())
                ? ""
                : String.format(Locale.ROOT, "; required %+.0f %%", 100 * gain(trial.required()))
                        + (trial.instances() > 1 ? " for one of " + trial.instances() + " instances" : "");
        return String.format(
                        Locale.ROOT,
                        "completions %.0f/s before, %.0f/s with limit %d (%+.0f %% ± %.0f %%",
                        trial.before(),
                        after,
                        tried,
                        100 * (after / trial.before() - 1),
                        100 * trial.error() * after / trial.before())
                + required
                + ")";
    }

    /** The gain of a logarithm; 0 without one. */
    private static double gain(double logarithm) {
        return Double.isNaN(logarithm) ? 0 : Math.expm1(logarithm);
    }

    private static String ms(double seconds) {
        return seconds < 0.01 ? String.format(Locale.ROOT, "%.1f ms", seconds * MS) : Math.round(seconds * MS) + " ms";
    }
}
