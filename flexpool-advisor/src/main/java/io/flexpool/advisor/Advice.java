// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.advice.SizeAdvice;
import java.time.Duration;
import java.util.List;

/**
 * The number of connections that a pool needs, and the evidence. Immutable.
 *
 * @param verdict the verdict on the current size
 * @param connections the recommended size; the current size if a larger one may be needed, but without evidence that
 *     the database can serve it
 * @param minIdle the recommended minimum of open connections
 * @param timeout the recommended acquisition timeout
 * @param confidence the confidence in the advice
 * @param curve the waits with other sizes, ascending by size
 * @param question the question
 * @param load the recorded load
 * @param notes the limits of the advice and the omitted data, as sentences, most important first
 * @param classes the needs of the pool's classes, in their order; empty without classes
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
     * The recorded load.
     *
     * @param requests the number of requests
     * @param timedOut the number of requests that timed out
     * @param span the time from the first request to the last
     * @param demandMax the highest demand: the number of requests that had or needed a connection at once
     * @param demandP99 the demand, 99th percentile over time
     * @param demandP50 the demand, median over time
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
