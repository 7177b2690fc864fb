// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.advice.SizeAdvice;
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
 * @param classes what each class of the pool's requests needs, in their order; empty if there is one for all
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
        List<String> notes,
        List<ClassNeeds> classes)
        implements SizeAdvice {
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
    public record Load(long requests, long timedOut, Duration span, int demandMax, int demandP99, int demandP50) {}

    /**
     * Copies the lists.
     *
     * @param verdict see {@link #verdict()}
     * @param connections see {@link #connections()}
     * @param minIdle see {@link #minIdle()}
     * @param timeout see {@link #timeout()}
     * @param confidence see {@link #confidence()}
     * @param curve see {@link #curve()}
     * @param question see {@link #question()}
     * @param load see {@link #load()}
     * @param notes see {@link #notes()}
     * @param classes see {@link #classes()}
     */
    public Advice {
        curve = List.copyOf(curve);
        notes = List.copyOf(notes);
        classes = List.copyOf(classes);
    }

    @Override
    public int current() {
        return question.current();
    }

    @Override
    public Duration waitTarget() {
        return question.waitTarget();
    }

    @Override
    public long requests() {
        return load.requests();
    }

    @Override
    public long timedOut() {
        return load.timedOut();
    }

    @Override
    public Duration span() {
        return load.span();
    }

    @Override
    public int demandMax() {
        return load.demandMax();
    }

    @Override
    public int demandP99() {
        return load.demandP99();
    }

    @Override
    public int demandP50() {
        return load.demandP50();
    }

    @Override
    public String text() {
        return AdviceText.of(this);
    }
}
