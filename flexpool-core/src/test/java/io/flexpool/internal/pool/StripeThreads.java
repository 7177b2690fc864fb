// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.internal.record.StripedCounter;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Threads of which each has a stripe of its own, and which do what they are asked one after the other: what they leave
 * behind depends on the code and on no race. Daemons, that live as long as the JVM.
 */
final class StripeThreads {
    private static final long PATIENCE_SECONDS = 180;

    private final List<LinkedBlockingQueue<Runnable>> inboxes = new ArrayList<>();

    /** As many, on neighbouring stripes if there are not more stripes. */
    StripeThreads(int number) {
        int stripes = StripedCounter.stripes();
        if (number > stripes) {
            throw new IllegalArgumentException(number + " threads, " + stripes + " stripes");
        }
        BitSet taken = new BitSet();
        while (inboxes.size() < number) {
            LinkedBlockingQueue<Runnable> inbox = new LinkedBlockingQueue<>();
            Thread thread = new Thread(() -> work(inbox), "stripe-" + inboxes.size());
            int stripe = (int) (thread.getId() % stripes);
            // The JVM has used up numbers in between if the stripe has a thread: the next one has another stripe.
            if (!taken.get(stripe)) {
                taken.set(stripe);
                inboxes.add(inbox);
                thread.setDaemon(true);
                thread.start();
            }
        }
    }

    private static void work(LinkedBlockingQueue<Runnable> inbox) {
        try {
            while (true) {
                inbox.take().run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    int count() {
        return inboxes.size();
    }

    /** Does something on one of them, and waits for its end. */
    <T> T on(int thread, Callable<T> work) throws Exception {
        FutureTask<T> task = new FutureTask<>(work);
        inboxes.get(thread).add(task);
        return task.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
}
