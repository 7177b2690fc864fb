// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import java.time.Duration;
import java.util.List;

/**
 * How many connections a pool needs, and what that is based on. Immutable.
 *
 * @param verdict what to do
 * @param connections the recommended size; where more than today's may be needed and nothing shows that the database could
 *     serve them, today's
 * @param minIdle how many of them to keep open
 * @param timeout the recommended acquisition timeout
 * @param confidence how far to trust it
 * @param curve what requests would have waited with other sizes, ascending by size
 * @param question what was asked
 * @param load what was recorded
 * @param notes what limits the advice and what was left out, as sentences, most important first
 */
public record Advice(
        Verdict verdict,
        int connections,
        int minIdle,
        Duration timeout,
        Confidence confidence,
        List<SizePoint> curve,
        Question question,
        Load load,
        List<String> notes) {
    /** What to do. */
    public enum Verdict {
        /** Fewer connections would have been enough. */
        FEWER,
        /** Today's size is right. */
        KEEP,
        /** More connections would have made requests wait less, and the database has room for them. */
        MORE,
        /** Requests wait too long, and nothing shows whether more connections would help or slow the database. */
        UNKNOWN,
        /** Requests wait too long because the database does no more work with more connections. */
        DATABASE
    }

    /** How far to trust an advice. */
    public enum Confidence {
        /** Too few requests, too short a time, or too many of them without a known lease. */
        LOW,
        /** Other traces of the same process would give somewhat different sizes. */
        MEDIUM,
        /** Other traces of the same process would give nearly the same size. */
        HIGH
    }

    /**
     * What was recorded.
     *
     * @param requests how many requests
     * @param timedOut how many of them timed out
     * @param span from the first to the last one
     * @param demandMax how many requests had or wanted a connection at once, at most
     * @param demandP99 how many for all but 1 % of the time
     * @param demandP50 how many for half of the time
     */
    public record Load(int requests, int timedOut, Duration span, int demandMax, int demandP99, int demandP50) {}

    /** Copies the lists. */
    public Advice {
        curve = List.copyOf(curve);
        notes = List.copyOf(notes);
    }

    /** {@return the advice as one paragraph} */
    public String text() {
        return AdviceText.of(this);
    }
}
