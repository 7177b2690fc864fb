// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.scenario;

import io.flexpool.diagnostics.Explanation;
import java.util.regex.Pattern;

/**
 * How right an explanation is.
 *
 * @param causeRight whether the cause is the expected one
 * @param culpritRight whether its evidence names the culprit; true where there is none to name
 * @param culpritWrong whether its evidence names a session that is not the culprit's
 */
record Verdict(boolean causeRight, boolean culpritRight, boolean culpritWrong) {
    private static final Pattern SESSION = Pattern.compile("session (\\d+)");

    static Verdict of(Explanation explanation, String cause, Culprit culprit) {
        String evidence = String.join("; ", explanation.evidence());
        return new Verdict(
                explanation.cause().name().equals(cause),
                culprit.words().stream().allMatch(evidence::contains),
                SESSION.matcher(evidence)
                        .results()
                        .anyMatch(named -> !culprit.sessions().contains(Long.valueOf(named.group(1)))));
    }
}
