// SPDX-License-Identifier: Apache-2.0
package io.flexpool.sizing;

import java.util.Locale;

/**
 * One decision of the sizing controller, or what became of one. Immutable.
 *
 * <p>A step that is tried gives two records with the same number: one with the verdict {@link Verdict#PENDING} when the
 * limit moves, and one with its outcome.
 *
 * @param number which decision it is, from 1; an outcome has the number of its step
 * @param nowNanos when, on the pool's ticker
 * @param from the limit before
 * @param to the limit after; the same where the limit stays
 * @param tried the limit that the step tries or tried; {@code to} where nothing is tried
 * @param cause why
 * @param verdict what became of it
 * @param evidence what it rests on
 */
public record SizingRecord(
        long number, long nowNanos, int from, int to, int tried, Cause cause, Verdict verdict, Evidence evidence) {
    private static final double MS = 1e3;

    /** The decision in one sentence. */
    public String explain() {
        return switch (verdict) {
            case PENDING -> "limit " + from + " → " + to + ", tried: " + why();
            case UNVERIFIED -> unverified();
            case SERVED -> "limit " + to + " kept: nobody waits any more (" + rates() + ")";
            case PROVEN -> "limit " + to + " kept: " + rates();
            case REVERTED -> "limit back to " + to + " from " + tried + ": " + rates() + ", which does not bear it out";
            case ABANDONED -> "limit back to " + to + " from " + tried + " unjudged: " + why();
            case NONE -> from == to ? "limit " + to + " stays: " + why() : "limit " + from + " → " + to + ": " + why();
        };
    }

    private String why() {
        return switch (cause) {
            case DEMAND -> load() + " need more connections for the wait aimed at";
            case DATABASE_SLOW ->
                "leases last " + ms(evidence.leaseSeconds()) + " instead of " + ms(evidence.calmLeaseSeconds())
                        + ", which the load does not explain: the database is slow; whether it can do more at once"
                        + " is found out by trying";
            case OCCUPIED ->
                evidence.stuck() + " leases are out so long that their connections count as taken, and the rest do not"
                        + " carry " + load();
            case QUEUE ->
                "requests go on waiting, the oldest for " + ms(evidence.headAgeSeconds()) + ", with " + load();
            case CONTENTION ->
                "requests go on waiting and leases last " + ms(evidence.leaseSeconds())
                        + ": fewer at once may get more done";
            case KNEE -> load() + " would ask for more, but more connections did not help when tried lately";
            case CALM -> to < from ? "calm, fewer are enough" : "calm, the base again";
            case CONNECT_FAILURE -> "the database refuses connections, nothing grows";
            case OVERRULED -> "somebody else moved the limit, or its connections did not come";
        };
    }

    private String unverified() {
        String step = from == to
                ? "limit " + from + " does not serve everybody: "
                : "limit " + from + ", acting would try " + to + " (unverified): ";
        double wait = evidence.expectedWaitSeconds();
        String expected = Double.isNaN(wait)
                ? ""
                : "; expected p99 of waiting with " + to + " if leases stay as they are: "
                        + (Double.isInfinite(wait) ? "none, the load is too much" : ms(wait));
        return step
                + why()
                + expected
                + (evidence.ceilingAssumed() ? "; no ceiling is set, four times the base was assumed" : "");
    }

    private String load() {
        return Math.round(evidence.arrivalRate()) + " requests/s of " + ms(evidence.leaseSeconds());
    }

    private String rates() {
        double before = evidence.rateBefore();
        double after = evidence.rateAfter();
        if (Double.isNaN(before) || Double.isNaN(after) || before <= 0) {
            return "not enough completions to compare";
        }
        return String.format(
                Locale.ROOT,
                "completions %.0f/s before, %.0f/s with %d (%+.0f %% ± %.0f %%)",
                before,
                after,
                tried,
                100 * (after / before - 1),
                100 * evidence.gainError() * after / before);
    }

    private static String ms(double seconds) {
        return seconds < 0.01 ? String.format(Locale.ROOT, "%.1f ms", seconds * MS) : Math.round(seconds * MS) + " ms";
    }
}
