// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.messaging;

import io.flexpool.benchmarks.report.Finding;
import io.flexpool.benchmarks.report.Finding.Verdict;
import java.util.ArrayList;
import java.util.List;

/** What keeps a finding from being judged. Not thread-safe. */
public final class Doubts {
    private final List<String> reasons = new ArrayList<>();

    /** None yet. */
    public Doubts() {}

    /**
     * Adds one.
     *
     * @param doubtful whether there is a doubt at all
     * @param reason in words
     * @return this
     */
    public Doubts when(boolean doubtful, String reason) {
        if (doubtful) {
            reasons.add(reason);
        }
        return this;
    }

    /**
     * Takes the verdict from a finding that is in doubt.
     *
     * @param finding as it would be without doubts
     * @return the same, or one that cannot be judged and says why before all else
     */
    public Finding judged(Finding finding) {
        return reasons.isEmpty()
                ? finding
                : new Finding(
                        finding.claim(),
                        finding.source(),
                        finding.published(),
                        finding.measured(),
                        finding.ratio(),
                        Verdict.CANNOT_BE_JUDGED,
                        String.join("; ", reasons) + "; " + finding.why());
    }
}
