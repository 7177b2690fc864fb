// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import io.flexpool.internal.config.ConfigChecks;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.GrowOnWait;
import io.flexpool.internal.config.Settings;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.internal.pool.MonitoredPool;
import io.flexpool.pool.PoolMode;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A listener that does not return blocks neither mode switches nor limit changes nor the pool's close. */
@Timeout(300)
class BlockingListenerTest {
    private final FakePool fake = new FakePool();
    private final CountDownLatch inside = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final List<String> received = new CopyOnWriteArrayList<>();
    private final ExecutorService callers = Executors.newCachedThreadPool();
    private MonitoredPool pool;

    @BeforeEach
    void wrap() {
        Settings settings = new Settings();
        settings.set(CoreKey.BASE, 2);
        settings.strategies.add(GrowOnWait.upTo(5));
        settings.listeners.add(new PoolListener() {
            @Override
            public void onEvent(PoolEvent event) {
                if (event instanceof PoolEvent.Resized resized) {
                    inside.countDown();
                    try {
                        released.await();
                    } catch (InterruptedException stopped) {
                        Thread.currentThread().interrupt();
                    }
                    received.add("from " + resized.from() + " to " + resized.to());
                }
            }

            @Override
            public void onClosed(String closed) {
                received.add("closed");
            }
        });
        pool = new MonitoredPool(new ConfigChecks(settings, fake.dataSource, "orders", fake).check());
    }

    @AfterEach
    void release() throws InterruptedException {
        released.countDown();
        callers.shutdown();
        assertThat(callers.awaitTermination(3, TimeUnit.MINUTES)).isTrue();
        pool.close();
    }

    private void get(Future<?> done) throws Exception {
        done.get(3, TimeUnit.MINUTES);
    }

    @Test
    void limitsModesAndCloseDoNotWaitForAListener() throws Exception {
        Future<?> first = callers.submit(() -> pool.limits(3, 5));
        inside.await();
        get(callers.submit(() -> pool.limits(4, 5)));
        get(callers.submit(() -> pool.mode(PoolMode.MONITOR)));
        get(callers.submit(() -> pool.mode(PoolMode.RECOMMEND)));
        get(callers.submit(pool::close));
        assertThat(pool.closed()).isTrue();
        assertThat(fake.poolClosed).hasValue(1);
        assertThat(received).isEmpty();
        released.countDown();
        get(first);
        while (received.size() < 3) {
            Thread.sleep(5);
        }
        assertThat(received).containsExactly("from 2 to 3", "from 3 to 4", "closed");
    }

    @Test
    void aSwitchReturnsAfterItsListenersIfTheyDoNotBlock() {
        released.countDown();
        pool.limits(3, 5);
        assertThat(received).containsExactly("from 2 to 3");
        pool.close();
        assertThat(received).containsExactly("from 2 to 3", "closed");
    }
}
