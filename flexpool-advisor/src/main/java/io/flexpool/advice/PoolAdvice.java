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

    /** Whether there is an advice. Minor releases may add constants. */
    public enum Status {
        /** There is one. */
        READY,
        /** Not yet: too little was recorded, or the calculation runs. */
        EARLY,
        /** No module that calculates an advice is on the class path. */
        MISSING,
        /** The advice is disabled, or the pool is. */
        OFF
    }

    private PoolAdvice(Status status, String text, @Nullable SizeAdvice size, @Nullable Instant madeAt) {
        this.status = status;
        this.text = text;
        this.size = size;
        this.madeAt = madeAt;
    }

    /**
     * Without a size.
     *
     * @param status the reason; not {@link Status#READY}
     * @param text the reason as a sentence
     * @return an advice without a size
     * @throws IllegalArgumentException if the status is {@link Status#READY}
     */
    public static PoolAdvice without(Status status, String text) {
        if (status == Status.READY) {
            throw new IllegalArgumentException("ready advice must have a size");
        }
        return new PoolAdvice(status, Objects.requireNonNull(text), null, null);
    }

    /**
     * With a size.
     *
     * @param size the recommendation
     * @param madeAt the time of the calculation
     * @return a ready advice, whose text is that of the size
     */
    public static PoolAdvice of(SizeAdvice size, Instant madeAt) {
        Objects.requireNonNull(size, "size is null");
        Objects.requireNonNull(madeAt, "madeAt is null");
        return new PoolAdvice(Status.READY, size.text(), size, madeAt);
    }

    /** {@return whether there is an advice} */
    public Status status() {
        return status;
    }

    /** {@return the advice as one paragraph, or why there is none; never empty; show it as plain text only} */
    public String text() {
        return text;
    }

    /** {@return the recommended size and its curve; null without an advice} */
    public @Nullable SizeAdvice size() {
        return size;
    }

    /** {@return the time of the calculation; null without an advice} */
    public @Nullable Instant madeAt() {
        return madeAt;
    }

    /** {@return the text} */
    @Override
    public String toString() {
        return text;
    }
}
