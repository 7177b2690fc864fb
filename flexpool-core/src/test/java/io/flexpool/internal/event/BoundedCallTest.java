// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class BoundedCallTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private final AtomicBoolean late = new AtomicBoolean();

    @Test
    void runsWithTheCallersClassLoaderAndReturns() throws Exception {
        AtomicReference<ClassLoader> seen = new AtomicReference<>();
        boolean returned = BoundedCall.run(
                "call",
                LONG,
                () -> {
                    seen.set(Thread.currentThread().getContextClassLoader());
                    return null;
                },
                () -> late.set(true));
        assertThat(returned).isTrue();
        assertThat(seen.get()).isSameAs(Thread.currentThread().getContextClassLoader());
        assertThat(late).isFalse();
    }

    @Test
    void throwsWhatTheCallThrows() {
        assertThatThrownBy(() -> BoundedCall.run(
                        "call",
                        LONG,
                        () -> {
                            throw new IOException("broken");
                        },
                        () -> {}))
                .isExactlyInstanceOf(IOException.class);
        assertThatThrownBy(() -> BoundedCall.run(
                        "call",
                        LONG,
                        () -> {
                            throw new NoClassDefFoundError("missing");
                        },
                        () -> {}))
                .isExactlyInstanceOf(NoClassDefFoundError.class);
        assertThatThrownBy(() -> BoundedCall.run(
                        "call",
                        LONG,
                        () -> {
                            throw new CompletionException("close failed", new IOException("broken"));
                        },
                        () -> {}))
                .isExactlyInstanceOf(CompletionException.class);
    }

    @Test
    void doesNotWaitForACallThatHangsAndReportsItsLateEnd() throws Exception {
        CountDownLatch lock = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        boolean returned = BoundedCall.run(
                "call",
                Duration.ofMillis(20),
                () -> {
                    lock.await();
                    return null;
                },
                ended::countDown);
        assertThat(returned).isFalse();
        assertThat(ended.getCount()).isOne();
        lock.countDown();
        assertThat(ended.await(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void anInterruptOfTheCallerEndsTheCallAndStaysSet() throws Exception {
        AtomicBoolean interrupted = new AtomicBoolean();
        Thread.currentThread().interrupt();
        boolean returned = BoundedCall.run(
                "call",
                LONG,
                () -> {
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException enough) {
                        interrupted.set(true);
                    }
                    return null;
                },
                () -> late.set(true));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(returned).isTrue();
        assertThat(interrupted).isTrue();
    }
}
