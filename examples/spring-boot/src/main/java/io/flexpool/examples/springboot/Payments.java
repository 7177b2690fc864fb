// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.springboot;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** Stands for a payment provider elsewhere, which takes its time to answer. */
@Component
final class Payments {
    private final Duration answersAfter;
    private final CountDownLatch neverOpened = new CountDownLatch(1);

    Payments(@Value("${orders.payment-answers-after}") Duration answersAfter) {
        this.answersAfter = answersAfter;
    }

    /**
     * Waits for the provider, which always agrees.
     *
     * @throws IllegalStateException if interrupted
     */
    void authorise() {
        try {
            if (neverOpened.await(answersAfter.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new AssertionError("must not be opened");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the payment provider", e);
        }
    }
}
