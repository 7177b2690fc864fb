// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.report;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The evidence for or against a {@link Claim}. Immutable.
 *
 * @param figure the measured figure with its unit; {@code -} where nothing was measured
 * @param ratio measured by published, or what the claim is about; null where there is none
 * @param why where the figure comes from; may be empty if there is a doubt
 * @param doubts what keeps the evidence from deciding the claim, one clause each; usually empty
 */
public record Measured(String figure, @Nullable Double ratio, String why, List<String> doubts) {
    /**
     * Evidence without a doubt.
     *
     * @param figure the measured figure with its unit
     * @param ratio measured by published, or what the claim is about; null where there is none
     * @param why where the figure comes from
     * @return the evidence
     */
    public static Measured of(String figure, @Nullable Double ratio, String why) {
        return new Measured(figure, ratio, why, List.of());
    }

    /**
     * No evidence.
     *
     * @param missing what would have to be measured
     * @return evidence that decides nothing
     */
    public static Measured nothing(String missing) {
        return new Measured("-", null, "", List.of("this run did not measure " + missing));
    }

    /**
     * The same evidence with a doubt, if there is one.
     *
     * @param doubtful whether there is
     * @param reason in one clause, without a full stop
     * @return evidence with the doubt behind those before
     */
    public Measured unless(boolean doubtful, String reason) {
        return doubtful
                ? new Measured(
                        figure,
                        ratio,
                        why,
                        Stream.concat(doubts.stream(), Stream.of(reason)).toList())
                : this;
    }

    /** The doubts, then where the figure comes from. */
    String inWords() {
        return Stream.concat(doubts.stream(), Stream.of(why))
                .filter(clause -> !clause.isEmpty())
                .collect(Collectors.joining("; "));
    }
}
