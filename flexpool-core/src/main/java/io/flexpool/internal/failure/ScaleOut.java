// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import io.flexpool.diagnostics.Decision;
import io.flexpool.diagnostics.Explanation;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether more instances of the application would serve the requests that wait, as an autoscaler should know before it starts
 * them: each brings connections of its own, and against a database that is the bottleneck they make it worse.
 *
 * <p>It speaks against them only with evidence: connects fail; the controller sees why requests wait at this moment, and it is not
 * the load; or a request failed within a minute, and was explained by something else than demand. A minute, because requests that
 * fail now and then are one trouble, and an autoscaler looks a few times a minute. Without evidence it helps: then an autoscaler does
 * what it would do by the demand alone, and a figure that came and went would make it fail. Thread-safe.
 */
public final class ScaleOut {
    static final Duration FRESH = Duration.ofMinutes(1);

    private final ConnectFailures connects;
    private final Explainer explainer;
    private final Supplier<Decision.@Nullable Cause> waitsFor;
    private final InstantSource clock = InstantSource.system();

    /** Of a pool; {@code waitsFor} has what the controller sees, null if nothing. */
    public ScaleOut(ConnectFailures connects, Explainer explainer, Supplier<Decision.@Nullable Cause> waitsFor) {
        this.connects = connects;
        this.explainer = explainer;
        this.waitsFor = waitsFor;
    }

    /** Whether it does, as far as is known. */
    public boolean helps() {
        return connects.inARow() == 0 && helps(waitsFor.get(), explainer.last(), clock.instant());
    }

    /** By what the controller sees and by the last failure. */
    static boolean helps(Decision.@Nullable Cause waitsFor, @Nullable Explanation last, Instant now) {
        if (waitsFor != null && !byLoad(waitsFor)) {
            return false;
        }
        return last == null
                || last.cause() == Explanation.Cause.DEMAND
                || last.cause() == Explanation.Cause.OPENING
                || last.time().plus(FRESH).isBefore(now);
    }

    static boolean byLoad(Decision.Cause cause) {
        return switch (cause) {
            case DATABASE_SLOW, OCCUPIED, CONTENTION, KNEE, CONNECT_FAILURE -> false;
            case DEMAND, QUEUE, CEILING, OPENING, CALM, OVERRULED, CAP, BROKEN -> true;
        };
    }
}
