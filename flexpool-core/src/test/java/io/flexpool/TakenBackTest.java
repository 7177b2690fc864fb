// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static io.flexpool.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import io.flexpool.internal.config.ConfigChecks;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.Settings;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.internal.pool.ManualTicker;
import io.flexpool.internal.pool.MonitoredPool;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** Connections that a pool takes back although nobody has closed them. The test itself ticks. */
@Timeout(300)
class TakenBackTest {
    private static final Duration TICK = Duration.ofMillis(250);

    private final FakePool fake = new FakePool();
    private final ManualTicker ticker = new ManualTicker();
    private final Settings settings = new Settings();
    private final Set<Connection> gone = ConcurrentHashMap.newKeySet();
    private final List<PoolEvent.LeakResolved> resolved = new CopyOnWriteArrayList<>();

    private MonitoredPool pool() {
        fake.takenBack = gone::contains;
        settings.ticker = ticker;
        settings.set(CoreKey.BASE, 1);
        settings.set(CoreKey.CALL_SITES_SAMPLE_EVERY, 1);
        settings.listeners.add(new PoolListener() {
            @Override
            public void onEvent(PoolEvent event) {
                if (event instanceof PoolEvent.LeakResolved resolvedEvent) {
                    resolved.add(resolvedEvent);
                }
            }
        });
        return new MonitoredPool(new ConfigChecks(settings, fake.dataSource, "orders", fake).check());
    }

    private void pass(Duration time, MonitoredPool pool) {
        ticker.advance(time);
        pool.tick();
    }

    private Connection physical() {
        Connection physical = mock(Connection.class);
        fake.answer = () -> physical;
        return physical;
    }

    /** The pool served again; flexpool had lost the permit, for nothing would ever end the lease. */
    @Test
    void theLeaseEndsOnceAndItsPermitIsFree() throws Exception {
        MonitoredPool pool = pool();
        Connection first = physical();
        Connection forgotten = pool.acquiring().acquire();
        pass(TICK, pool);
        pass(TICK, pool);
        assertThat(pool.state().leased()).isOne();
        gone.add(first);
        List<String> lines = logged("orders: the pool took back", () -> {
            pass(TICK, pool);
            eventually(() -> pool.state().leased() == 0);
        });
        assertThat(lines)
                .singleElement()
                .asString()
                .startsWith("orders: the pool took back a connection that was not closed: ")
                .contains("TakenBackTest.theLeaseEndsOnceAndItsPermitIsFree(TakenBackTest.java:")
                .contains("held for 750 ms");
        assertThat(pool.openLeases()).isEmpty();
        Connection second = physical();
        Connection next = pool.acquiring().acquire();
        assertThat(forgotten.isClosed()).isTrue();
        assertThatThrownBy(forgotten::createStatement).isInstanceOf(SQLException.class);
        forgotten.close();
        forgotten.abort(Runnable::run);
        pass(TICK, pool);
        verify(first, never()).close();
        verify(second, never()).close();
        assertThat(fake.aborted).isEmpty();
        assertThat(pool.state().leased()).isOne();
        next.close();
        verify(second).close();
        assertThat(pool.statistics().total().leases().count()).isEqualTo(2);
        pool.close();
    }

    /** Its end is known, and it was not the application's. */
    @Test
    void aSuspectedLeakIsResolved() throws Exception {
        settings.set(CoreKey.LEAK_THRESHOLD, Duration.ofMinutes(1));
        MonitoredPool pool = pool();
        Connection first = physical();
        pool.acquiring().acquire();
        pass(Duration.ofMinutes(1).plus(TICK), pool);
        gone.add(first);
        pass(TICK, pool);
        eventually(() -> resolved.size() == 1);
        assertThat(resolved.get(0).reclaimed()).isTrue();
        assertThat(resolved.get(0).describe()).endsWith(" ended: the connection was reclaimed after 60500 ms");
        pool.close();
    }

    @Test
    void whatWasGivenBackIsNotTakenBack() throws Exception {
        MonitoredPool pool = pool();
        Connection first = physical();
        pool.acquiring().acquire().close();
        gone.add(first);
        assertThat(logged("orders: the pool took back", () -> {
                    pass(TICK, pool);
                    pass(TICK, pool);
                }))
                .isEmpty();
        assertThat(pool.statistics().total().leases().count()).isOne();
        pool.close();
    }

    @Test
    void anAdapterThatThrowsEndsNoLease() throws Exception {
        MonitoredPool pool = pool();
        fake.takenBack = connection -> {
            throw new IllegalStateException("unreadable");
        };
        Connection held = pool.acquiring().acquire();
        pass(TICK, pool);
        assertThat(held.isClosed()).isFalse();
        assertThat(pool.state().leased()).isOne();
        held.close();
        pool.close();
    }

    /** A pool that takes back only for a request never got one, because that waits for a permit. */
    @Test
    void aPoolThatNeedsARequestGetsOne() throws Exception {
        fake.overdueAfter = Duration.ofSeconds(1);
        fake.timeout = Duration.ofHours(1);
        MonitoredPool pool = pool();
        Connection forgotten = pool.acquiring().acquire();
        pass(Duration.ofSeconds(2), pool);
        assertThat(fake.takenBackOverdue).as("nobody waits").hasValue(0);
        forgotten.close();
        Connection again = pool.acquiring().acquire();
        Thread waiter = new Thread(() -> {
            try {
                pool.acquiring().acquire().close();
            } catch (SQLException thrown) {
                throw new IllegalStateException(thrown);
            }
        });
        waiter.start();
        eventually(() -> pool.state().waiting() == 1);
        pass(Duration.ofMillis(1_400), pool);
        assertThat(fake.takenBackOverdue).as("not yet").hasValue(0);
        pass(TICK, pool);
        eventually(() -> fake.takenBackOverdue.get() == 1);
        again.close();
        waiter.join();
        pool.close();
    }

    private interface Work {
        void run() throws Exception;
    }

    private static List<String> logged(String start, Work work) throws Exception {
        Logger log = (Logger) LoggerFactory.getLogger("io.flexpool");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        log.addAppender(lines);
        try {
            work.run();
        } finally {
            log.detachAppender(lines);
        }
        return lines.list.stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.startsWith(start))
                .toList();
    }

    /** Of an unknown version: the pool is watched without it, which one line says. */
    @Test
    void aPoolThatDoesNotShowItIsNamedInOneLine() throws Exception {
        Logger log = (Logger) LoggerFactory.getLogger("io.flexpool");
        Level before = log.getLevel();
        log.setLevel(Level.INFO);
        fake.takenBackUnreadable = new UnsupportedOperationException("no field 'all' in Fake 9");
        try {
            assertThat(logged("orders: flexpool cannot see", () -> {
                        MonitoredPool pool = pool();
                        pass(TICK, pool);
                        pass(TICK, pool);
                        pool.close();
                    }))
                    .containsExactly(
                            "orders: flexpool cannot see when the pool reclaims a connection, so a lease ends only when its"
                                    + " connection is closed: no field 'all' in Fake 9");
        } finally {
            log.setLevel(before);
        }
    }
}
