// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class OutboxTest {
    private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Outbox outbox = new Outbox("orders");
    private final List<Integer> delivered = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch released = new CountDownLatch(1);
    private final CountDownLatch inside = new CountDownLatch(1);

    @AfterEach
    void close() {
        released.countDown();
        outbox.close();
    }

    private void block() {
        inside.countDown();
        try {
            released.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aBlockedDeliveryQueuesAThousand() throws InterruptedException {
        outbox.add(this::block);
        outbox.deliverElsewhere();
        inside.await();
        for (int at = 0; at < Outbox.CAPACITY + 7; at++) {
            int number = at;
            outbox.add(() -> delivered.add(number));
        }
        outbox.addAlways(() -> delivered.add(-1));
        assertThat(outbox.dropped()).isEqualTo(7);
        assertThat(outbox.waiting()).isEqualTo(Outbox.CAPACITY + 1);
        outbox.deliver();
        assertThat(delivered).as("another thread is at it").isEmpty();
        assertThat(outbox.settle(0)).isFalse();
        released.countDown();
        assertThat(outbox.settle(LONG_NANOS)).isTrue();
        List<Integer> all =
                new ArrayList<>(IntStream.range(0, Outbox.CAPACITY).boxed().toList());
        all.add(-1);
        assertThat(delivered).containsExactlyElementsOf(all);
        assertThat(outbox.waiting()).isZero();
    }

    @Test
    void whatADeliveryAddsComesAfterIt() {
        outbox.add(() -> {
            outbox.add(() -> delivered.add(2));
            outbox.deliver();
            assertThat(outbox.settle(LONG_NANOS))
                    .as("it does not wait for itself")
                    .isTrue();
            delivered.add(1);
        });
        outbox.deliver();
        assertThat(delivered).containsExactly(1, 2);
    }

    @Test
    void nothingIsLostAndEachThreadsOrderIsKept() throws InterruptedException {
        int each = 20_000;
        List<Thread> threads = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            int base = thread * each;
            threads.add(new Thread(() -> {
                for (int at = 0; at < each; at++) {
                    int number = base + at;
                    outbox.addAlways(() -> delivered.add(number));
                    if ((at & 1) == 0) {
                        outbox.deliver();
                    } else {
                        outbox.deliverElsewhere();
                    }
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(outbox.settle(LONG_NANOS)).isTrue();
        assertThat(delivered).hasSize(4 * each);
        for (int thread = 0; thread < 4; thread++) {
            int base = thread * each;
            assertThat(delivered.stream().filter(number -> number >= base && number < base + each))
                    .isSorted();
        }
    }

    @Test
    void anInterruptDoesNotEndTheWait() throws InterruptedException {
        outbox.add(this::block);
        outbox.deliverElsewhere();
        inside.await();
        boolean[] settled = new boolean[2];
        Thread waiting = new Thread(() -> {
            settled[0] = outbox.settle(LONG_NANOS);
            settled[1] = Thread.currentThread().isInterrupted();
        });
        waiting.start();
        waiting.interrupt();
        released.countDown();
        waiting.join();
        assertThat(settled).containsExactly(true, true);
    }
}
