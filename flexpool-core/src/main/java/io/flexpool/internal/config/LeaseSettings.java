// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.pool.CallSiteCapture;
import io.flexpool.pool.NestedPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What was said of open leases so far, by code or by properties, and its checks. For one thread. */
public final class LeaseSettings {
    private static final Duration SHORTEST_THRESHOLD = Duration.ofSeconds(30);
    private static final Duration LONGEST = Duration.ofDays(1);
    private static final int LARGEST_SAMPLE = 1_000_000;
    private static final long NEVER = Long.MAX_VALUE;

    public CallSiteCapture capture = CallSiteCapture.SAMPLED;
    public int sampleEvery = LeaseConfig.SAMPLE_EVERY;
    public final List<String> ignored = new ArrayList<>();
    public boolean statementText;
    public boolean timeInDatabase;

    @Nullable
    public Duration leakThreshold;

    public boolean allowShort;

    @Nullable
    public Duration reclaimAfter;

    public NestedPolicy nested = NestedPolicy.COUNT;

    LeaseSettings() {}

    void copyFrom(LeaseSettings other) {
        capture = other.capture;
        sampleEvery = other.sampleEvery;
        ignored.addAll(other.ignored);
        statementText = other.statementText;
        timeInDatabase = other.timeInDatabase;
        leakThreshold = other.leakThreshold;
        allowShort = other.allowShort;
        reclaimAfter = other.reclaimAfter;
        nested = other.nested;
    }

    /**
     * Checks all of it.
     *
     * @throws IllegalArgumentException naming key, value and what is allowed
     */
    LeaseConfig check(Refusals refusals) {
        if (sampleEvery < 1 || sampleEvery > LARGEST_SAMPLE) {
            throw refusals.of(CoreKey.CALL_SITES_SAMPLE_EVERY, sampleEvery, "must be from 1 to " + LARGEST_SAMPLE);
        }
        for (String prefix : ignored) {
            if (prefix.isBlank()) {
                throw refusals.ofText(CoreKey.CALL_SITES_IGNORE, prefix, "must not be blank");
            }
        }
        return new LeaseConfig(
                capture,
                sampleEvery,
                List.copyOf(ignored),
                statementText,
                timeInDatabase,
                leakNanos(refusals),
                reclaimNanos(refusals),
                nested == NestedPolicy.STRICT);
    }

    private long leakNanos(Refusals refusals) {
        Duration given = leakThreshold;
        if (given == null) {
            return NEVER;
        }
        checkRange(refusals, CoreKey.LEAK_THRESHOLD, given);
        if (!allowShort && given.compareTo(SHORTEST_THRESHOLD) < 0) {
            throw refusals.of(
                    CoreKey.LEAK_THRESHOLD,
                    given,
                    "must be at least " + SHORTEST_THRESHOLD + ", or "
                            + CoreKey.LEAK_ALLOW_SHORT.key().name() + " = true given, which is meant for tests");
        }
        return given.toNanos();
    }

    private long reclaimNanos(Refusals refusals) {
        Duration given = reclaimAfter;
        if (given == null) {
            return NEVER;
        }
        checkRange(refusals, CoreKey.LEAK_RECLAIM_AFTER, given);
        Duration threshold = leakThreshold;
        if (threshold == null || given.compareTo(threshold) <= 0) {
            throw refusals.of(
                    CoreKey.LEAK_RECLAIM_AFTER,
                    given,
                    "must be longer than " + CoreKey.LEAK_THRESHOLD.key().name() + ", "
                            + (threshold == null ? "which must be given too" : threshold));
        }
        return given.toNanos();
    }

    private static void checkRange(Refusals refusals, CoreKey key, Duration given) {
        if (given.isZero() || given.isNegative() || given.compareTo(LONGEST) > 0) {
            throw refusals.of(key, given, "must be above PT0S and at most P1D");
        }
    }
}
