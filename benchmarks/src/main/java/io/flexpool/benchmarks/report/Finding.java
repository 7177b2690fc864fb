// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.report;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.flexpool.benchmarks.kit.TextTable;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * One claim or goal beside what was measured.
 *
 * @param claim in one sentence
 * @param source who says so, and when; of a goal, this project
 * @param published the published figure with its unit; null where none was
 * @param measured the measured figure with its unit
 * @param ratio measured by published, or what the claim is about; null where there is none
 * @param verdict what is to be thought of it
 * @param why the evidence, or what keeps it from being judged
 */
public record Finding(
        String claim,
        String source,
        @JsonSetter(nulls = Nulls.SET) @Nullable String published,
        String measured,
        @JsonSetter(nulls = Nulls.SET) @Nullable Double ratio,
        Verdict verdict,
        String why) {

    /**
     * The ratio where it is one.
     *
     * @return empty if there is none, and if it came out as no number
     */
    OptionalDouble finiteRatio() {
        return ratio == null || !Double.isFinite(ratio) ? OptionalDouble.empty() : OptionalDouble.of(ratio);
    }

    /** For a screen. */
    List<String> lines() {
        OptionalDouble its = finiteRatio();
        return List.of(
                "",
                verdict.words().toUpperCase(Locale.ROOT) + ": " + claim + " (" + source + ")",
                "  " + (published == null ? "" : "published " + published + ", ") + "measured " + measured
                        + (its.isEmpty() ? "" : ", ratio " + TextTable.number(its.getAsDouble(), 2)),
                "  " + why);
    }

    /** What became of a claim or a goal. */
    public enum Verdict {
        /** The claim holds here too. */
        REPRODUCED,
        /** The claim does not hold here. */
        NOT_REPRODUCED,
        /** This machine, or this run, cannot decide it. */
        CANNOT_BE_JUDGED,
        /** A goal of this project is reached. */
        GOAL_MET,
        /** A goal of this project is not reached. */
        GOAL_MISSED;

        /**
         * For people.
         *
         * @return small letters with spaces, as in {@code not reproduced}
         */
        public String words() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }
}
