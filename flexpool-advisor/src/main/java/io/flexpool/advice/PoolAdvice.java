// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advice;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The size that a pool needs, or why it is unknown. Immutable.
 */
public final class PoolAdvice {
    /** The advice for a pool without a record. */
    public static final PoolAdvice NONE = new PoolAdvice(Status.OFF, "No advice: nothing is recorded.", null, null);

    private final Status status;
    private final String text;

    @Nullable
    private final SizeAdvice size;

    @Nullable
    private final Instant madeAt;

    /** Whether advice exists, or why not. Minor releases may add constants. */
    public enum Status {
        /** Advice exists. */
        READY,
        /** No advice yet: too few requests were recorded, or the calculation runs. */
        EARLY,
        /** No module on the class path calculates advice. */
        MISSING,
        /** Advice is disabled, or flexpool is disabled for the pool. */
        OFF
    }

    private PoolAdvice(Status status, String text, @Nullable SizeAdvice size, @Nullable Instant madeAt) {
        this.status = status;
        this.text = text;
        this.size = size;
        this.madeAt = madeAt;
    }

    /**
     * Creates advice without a size.
     *
     * @param status the reason; not {@link Status#READY}
     * @param text the reason as a sentence
     * @return the advice
     * @throws IllegalArgumentException if the status is {@link Status#READY}
     */
    public static PoolAdvice without(Status status, String text) {
        if (status == Status.READY) {
            throw new IllegalArgumentException("ready advice must have a size");
        }
        return new PoolAdvice(status, Objects.requireNonNull(text), null, null);
    }

    /**
     * Creates advice with a size.
     *
     * @param size the recommendation
     * @param madeAt the time of the calculation
     * @return the advice, with the text of the size
     */
    public static PoolAdvice of(SizeAdvice size, Instant madeAt) {
        Objects.requireNonNull(size, "size is null");
        Objects.requireNonNull(madeAt, "madeAt is null");
        return new PoolAdvice(Status.READY, size.text(), size, madeAt);
    }

    /** {@return whether advice exists, or why not} */
    public Status status() {
        return status;
    }

    /** {@return the advice as one paragraph, or why it is missing; never empty; show it as plain text only} */
    public String text() {
        return text;
    }

    /** {@return the recommended size and its curve; null without advice} */
    public @Nullable SizeAdvice size() {
        return size;
    }

    /** {@return the time of the calculation; null without advice} */
    public @Nullable Instant madeAt() {
        return madeAt;
    }

    /** {@return the text} */
    @Override
    public String toString() {
        return text;
    }
}
