// SPDX-License-Identifier: Apache-2.0
package io.flexpool.diagnostics;

import io.flexpool.internal.shared.PlainText;
import io.flexpool.pool.PoolMode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * What the sizing controller decided about a pool, and on what. Immutable.
 *
 * @param number counts the decisions of a pool, from 1; what became of a step has the number of the step
 * @param time when it was made
 * @param mode the mode that the pool was in: in {@link PoolMode#RECOMMEND} it was only reported
 * @param from the lease limit before; of a pool that nothing limits its max
 * @param to the lease limit that was decided
 * @param tried the lease limit that a step tries, or tried; {@code to} where nothing is tried
 * @param cause why, in one word: for example {@code demand} or {@code database-slow}
 * @param verdict what became of the step so far, in one word: for example {@code pending}, {@code proven}, {@code reverted}; or
 *     {@code unverified}, if it was only reported
 * @param outcome what was done
 * @param inputs what it was decided on: figures by name, in the unit that the name ends with
 * @param explanation all of it in one sentence
 */
public record Decision(
        long number,
        Instant time,
        PoolMode mode,
        int from,
        int to,
        int tried,
        String cause,
        String verdict,
        Outcome outcome,
        Map<String, Double> inputs,
        String explanation) {
    /** What was done about a decision. */
    public enum Outcome {
        /** The limit moved. */
        DONE,
        /** The limit stays, and that is what was decided. */
        KEPT,
        /** The limit could not be moved: connections were missing or refused, or somebody else had moved it. */
        REFUSED,
        /** Nothing is done in this mode. */
        REPORTED
    }

    /**
     * The decision in one line.
     *
     * @return for example {@code 2026-11-21T22:17:35.123Z limit 4 → 6, tried: … (pending, done)}
     */
    public String describe() {
        return time.truncatedTo(ChronoUnit.MILLIS) + " " + PlainText.line(explanation) + " (" + verdict + ", "
                + PlainText.word(outcome) + ")";
    }

    /** Copies the inputs. */
    public Decision {
        Objects.requireNonNull(time, "time");
        inputs = Collections.unmodifiableMap(new LinkedHashMap<>(inputs));
    }
}
