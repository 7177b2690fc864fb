// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.diagnostics.Decision;
import io.flexpool.diagnostics.Explanation;
import io.flexpool.internal.failure.ExplanationWriter.Written;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ScaleOutTest {
    private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");

    private static boolean helps(
            Decision.@Nullable Cause waitsFor, Explanation.@Nullable Cause failed, int secondsAgo) {
        Explanation last = failed == null
                ? null
                : new Written(
                        1,
                        NOW.minusSeconds(secondsAgo),
                        "orders",
                        "none",
                        failed,
                        List.of("9"),
                        List.of(),
                        2,
                        "none",
                        "");
        return ScaleOut.helps(waitsFor, last, NOW);
    }

    @Test
    void withoutEvidenceAnAutoscalerIsNotHeldBack() {
        assertThat(helps(null, null, 0)).isTrue();
        assertThat(helps(Decision.Cause.QUEUE, null, 0)).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void onlyDemandIsAReasonOfFailuresThatInstancesRemove(Explanation.Cause cause) {
        assertThat(helps(null, cause, 59))
                .isEqualTo(cause == Explanation.Cause.DEMAND || cause == Explanation.Cause.OPENING);
        assertThat(helps(null, cause, 61)).as("a minute later").isTrue();
    }

    @Test
    void aFailureDoesNotCountForAnHourIfTheClockWasSetBackByAnHour() {
        assertThat(helps(null, Explanation.Cause.SLOW_DATABASE, -3_600)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = Decision.Cause.class,
            names = {"DATABASE_SLOW", "OCCUPIED", "CONTENTION", "KNEE", "CONNECT_FAILURE"})
    void whatTheControllerSeesCountsAtOnce(Decision.Cause cause) {
        assertThat(helps(cause, null, 0)).isFalse();
        assertThat(helps(cause, Explanation.Cause.DEMAND, 5)).isFalse();
    }

    @Test
    void loadThatTheControllerSeesDoesNotOutweighAFailureForAnotherReason() {
        assertThat(helps(Decision.Cause.DEMAND, null, 0)).isTrue();
        assertThat(helps(Decision.Cause.DEMAND, Explanation.Cause.BLOCKED_BY_OTHER, 5))
                .isFalse();
    }
}
