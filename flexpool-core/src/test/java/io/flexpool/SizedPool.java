// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import io.flexpool.internal.config.ConfigChecks;
import io.flexpool.internal.config.PoolConfig;
import io.flexpool.internal.config.Settings;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.internal.pool.ManualTicker;
import io.flexpool.internal.pool.MonitoredPool;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * A wrapped fake pool whose time and ticks are the test's, and threads that ask it for connections. The loop does not
 * know it: nothing happens between two ticks but what the test does.
 */
final class SizedPool implements AutoCloseable {
    static final Duration TICK = Duration.ofMillis(250);
    private static final Duration STEP = Duration.ofMillis(25);
    private static final long AT_MOST_MILLIS = 180_000;

    final FakePool fake;
    final ManualTicker ticker = new ManualTicker();
    final MonitoredPool pool;
    final List<PoolEvent.SizingDecided> decided = new CopyOnWriteArrayList<>();
    final List<PoolEvent.Resized> resized = new CopyOnWriteArrayList<>();
    private final List<Held> held = new CopyOnWriteArrayList<>();
    private final List<Thread> askers = new ArrayList<>();

    private record Held(Connection connection, long sinceNanos, CountDownLatch over) {}

    SizedPool(FakePool fake, Consumer<Settings> said) {
        this.fake = fake;
        Settings settings = new Settings();
        settings.ticker = ticker;
        settings.listeners.add(new PoolListener() {
            @Override
            public void onEvent(PoolEvent event) {
                if (event instanceof PoolEvent.SizingDecided decidedEvent) {
                    decided.add(decidedEvent);
                } else if (event instanceof PoolEvent.Resized resizedEvent) {
                    resized.add(resizedEvent);
                }
            }
        });
        said.accept(settings);
        PoolConfig parts = new ConfigChecks(settings, fake.dataSource, "sized", fake).check();
        if (parts.limitsAtFirst()) {
            fake.prepare(parts.base(), parts.ceiling());
            fake.total = fake.max;
        }
        this.pool = new MonitoredPool(parts);
    }

    int limit() {
        return pool.state().limit();
    }

    void tick() {
        ticker.advance(TICK);
        pool.tick();
    }

    void ticks(int number) {
        for (int at = 0; at < number; at++) {
            tick();
        }
    }

    /** Leases of 25 ms, one after the other: the controller learns what a lease lasts in calm. */
    void calm(int ticks) throws Exception {
        for (int tick = 0; tick < ticks; tick++) {
            for (int at = 0; at < 10; at++) {
                try (Connection lease = pool.acquiring().acquire()) {
                    lease.isClosed();
                    ticker.advance(STEP);
                }
            }
            pool.tick();
        }
    }

    /** Threads that always want one connection each, for 25 ms. */
    void crowd(int threads) {
        for (int at = 0; at < threads; at++) {
            Thread asker = new Thread(this::ask, "asker-" + at);
            asker.setDaemon(true);
            asker.start();
            askers.add(asker);
        }
    }

    private void ask() {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                Held one = new Held(pool.acquiring().acquire(), ticker.nanos(), new CountDownLatch(1));
                held.add(one);
                one.over().await();
            } catch (Exception over) {
                return;
            }
        }
    }

    /** Lets the crowd work for some ticks: leases are closed after 25 ms, and requests with room enter. */
    void work(int ticks, int room) throws InterruptedException {
        for (int tick = 0; tick < ticks; tick++) {
            for (int at = 0; at < 10; at++) {
                settle(room);
                ticker.advance(STEP);
                giveBack();
            }
            settle(room);
            pool.tick();
        }
    }

    private void settle(int room) throws InterruptedException {
        long end = System.currentTimeMillis() + AT_MOST_MILLIS;
        int limit = limit() < 1 ? room : Math.min(room, limit());
        while (!settled(limit) && System.currentTimeMillis() < end) {
            Thread.sleep(0, 50_000);
        }
    }

    /** Whether all who can have a connection have one, and the others have asked. */
    private boolean settled(int limit) {
        int asking = (int) askers.stream().filter(Thread::isAlive).count();
        int holding = held.size();
        return holding >= Math.min(limit, asking) && holding + pool.state().pending() >= asking;
    }

    private void giveBack() {
        for (Iterator<Held> all = held.iterator(); all.hasNext(); ) {
            Held one = all.next();
            if (ticker.nanos() - one.sinceNanos() >= STEP.toNanos()) {
                held.remove(one);
                try {
                    one.connection().close();
                } catch (Exception impossible) {
                    throw new AssertionError(impossible);
                }
                one.over().countDown();
            }
        }
    }

    /** The crowd goes home. */
    void disperse() throws InterruptedException, SQLException {
        askers.forEach(Thread::interrupt);
        for (Thread asker : askers) {
            asker.join();
        }
        askers.clear();
        for (Held one : held) {
            one.connection().close();
        }
        held.clear();
    }

    @Override
    public void close() throws SQLException {
        pool.close();
        try {
            disperse();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
