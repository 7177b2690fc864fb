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
 * Whether more instances of the application would serve waiting requests, for an autoscaler: each instance adds
 * connections, which make a database bottleneck worse. Thread-safe.
 *
 * <p>False only with evidence: connects fail; the controller's current cause of waits is not the load; or a request
 * failed within a minute, explained by another cause than demand. A minute, because occasional failures are one
 * problem, and an autoscaler checks a few times a minute. True without evidence: an autoscaler fails without a figure.
 */
public final class ScaleOut {
    static final Duration FRESH = Duration.ofMinutes(1);

    private final ConnectFailures connects;
    private final Explainer explainer;
    private final Supplier<Decision.@Nullable Cause> waitsFor;
    private final InstantSource clock = InstantSource.system();

    /** Decides for a pool; {@code waitsFor} supplies the controller's current cause, null without one. */
    public ScaleOut(ConnectFailures connects, Explainer explainer, Supplier<Decision.@Nullable Cause> waitsFor) {
        this.connects = connects;
        this.explainer = explainer;
        this.waitsFor = waitsFor;
    }

    public boolean helps() {
        return connects.inARow() == 0 && helps(waitsFor.get(), explainer.last(), clock.instant());
    }

    /** Decides by the controller's cause and the last failure. */
    static boolean helps(Decision.@Nullable Cause waitsFor, @Nullable Explanation last, Instant now) {
        if (waitsFor != null && !byLoad(waitsFor)) {
            return false;
        }
        return last == null
                || last.cause() == Explanation.Cause.DEMAND
                || last.cause() == Explanation.Cause.OPENING
                || Duration.between(last.time(), now).abs().compareTo(FRESH) > 0;
    }

    static boolean byLoad(Decision.Cause cause) {
        return switch (cause) {
            case DATABASE_SLOW, OCCUPIED, CONTENTION, KNEE, CONNECT_FAILURE -> false;
            case DEMAND, QUEUE, CEILING, OPENING, CALM, OVERRULED, CAP, BROKEN -> true;
        };
    }
}
