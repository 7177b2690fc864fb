// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/**
 * The input of an advice beside the trace: the target for the wait, and known figures. Immutable.
 *
 * @param current the pool's current size, 1 or more
 * @param waitTarget the wait that 99 % of the requests must not exceed; more than zero
 * @param timeout the acquisition timeout, at least the target
 * @param knee the number of connections above which the sizing controller measured no more throughput; empty without a
 *     measurement
 * @param connectP99 the 99th percentile of the connect time; zero if unknown
 * @param also additional sizes for the curve, each 1 or more
 * @param classes the pool's classes, in their order; empty without classes
 */
public record Question(
        int current,
        Duration waitTarget,
        Duration timeout,
        OptionalInt knee,
        Duration connectP99,
        List<Integer> also,
        List<ClassLimits> classes) {
    /** A wait that users do not notice. */
    public static final Duration DEFAULT_TARGET = Duration.ofMillis(10);

    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

    /**
     * Checks the values.
     *
     * @param current see {@link #current()}
     * @param waitTarget see {@link #waitTarget()}
     * @param timeout see {@link #timeout()}
     * @param knee see {@link #knee()}
     * @param connectP99 see {@link #connectP99()}
     * @param also see {@link #also()}
     * @param classes see {@link #classes()}
     * @throws IllegalArgumentException if a value is outside its range; the message names it
     */
    public Question {
        if (current < 1) {
            throw new IllegalArgumentException("current = " + current + ": must be 1 or more");
        }
        if (waitTarget.isNegative() || waitTarget.isZero()) {
            throw new IllegalArgumentException("waitTarget = " + waitTarget + ": must be more than zero");
        }
        if (timeout.compareTo(waitTarget) < 0) {
            throw new IllegalArgumentException(
                    "timeout = " + timeout + ": must be at least the wait target, " + waitTarget);
        }
        if (knee.isPresent() && knee.getAsInt() < 1) {
            throw new IllegalArgumentException("knee = " + knee.getAsInt() + ": the saturated size must be 1 or more");
        }
        if (connectP99.isNegative()) {
            throw new IllegalArgumentException("connectP99 = " + connectP99 + ": must be zero or more");
        }
        for (int size : also) {
            if (size < 1) {
                throw new IllegalArgumentException("also = " + size + ": a size must be 1 or more");
            }
        }
        also = List.copyOf(also);
        classes = List.copyOf(classes);
    }

    /**
     * A question with {@link #DEFAULT_TARGET}, a timeout of 30 s, and no other figures.
     *
     * @param current the pool's current size, 1 or more
     * @return the question
     */
    public static Question of(int current) {
        return new Question(
                current, DEFAULT_TARGET, DEFAULT_TIMEOUT, OptionalInt.empty(), Duration.ZERO, List.of(), List.of());
    }

    /**
     * The same question with another target.
     *
     * @param target more than zero, at most the timeout
     * @return a copy
     */
    public Question withWaitTarget(Duration target) {
        return new Question(current, target, timeout, knee, connectP99, also, classes);
    }

    /**
     * The same question with another timeout.
     *
     * @param acquisitionTimeout at least the target
     * @return a copy
     */
    public Question withTimeout(Duration acquisitionTimeout) {
        return new Question(current, waitTarget, acquisitionTimeout, knee, connectP99, also, classes);
    }

    /**
     * The same question with the database's knee.
     *
     * @param connections 1 or more
     * @return a copy
     */
    public Question withKnee(int connections) {
        return new Question(current, waitTarget, timeout, OptionalInt.of(connections), connectP99, also, classes);
    }

    /**
     * The same question with a connect time.
     *
     * @param p99 its 99th percentile, zero or more
     * @return a copy
     */
    public Question withConnectP99(Duration p99) {
        return new Question(current, waitTarget, timeout, knee, p99, also, classes);
    }

    /**
     * The same question with additional sizes for the curve.
     *
     * @param sizes each 1 or more
     * @return a copy
     */
    public Question withAlso(List<Integer> sizes) {
        return new Question(current, waitTarget, timeout, knee, connectP99, sizes, classes);
    }

    /**
     * The same question for a pool with classes.
     *
     * @param limits its classes, in their order
     * @return a copy
     */
    public Question withClasses(List<ClassLimits> limits) {
        return new Question(current, waitTarget, timeout, knee, connectP99, also, limits);
    }
}
