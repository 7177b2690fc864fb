// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static io.flexpool.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import ch.qos.logback.core.read.ListAppender;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import io.flexpool.internal.config.ConfigChecks;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.GrowOnWait;
import io.flexpool.internal.config.Settings;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.internal.pool.MonitoredPool;
import io.flexpool.monitoring.PoolDiagnosis.Housekeeping;
import io.flexpool.monitoring.PoolMetric;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** The watch over several pools, in real time: what one of them does must not end it, or stop it for the others. */
@Timeout(300)
class WatchTest {
    private static final String LOOP = "flexpool-loop";

    private final Logger logger = (Logger) LoggerFactory.getLogger("io.flexpool");
    private @Nullable Level level;
    private final List<MonitoredPool> pools = new ArrayList<>();
    private final CountDownLatch released = new CountDownLatch(1);

    @BeforeEach
    void logWarnings() {
        level = logger.getLevel();
        logger.setLevel(Level.WARN);
    }

    @AfterEach
    void closeAll() {
        logger.setLevel(level);
        released.countDown();
        pools.forEach(MonitoredPool::close);
    }

    private MonitoredPool watched(String name, FakePool fake, Settings settings) {
        MonitoredPool pool = new MonitoredPool(new ConfigChecks(settings, fake.dataSource, name, fake).check());
        pools.add(pool);
        pool.start();
        return pool;
    }

    private static long samples(MonitoredPool pool) {
        return pool.statistics().total().numbers(PoolMetric.ACTIVE_SAMPLED).count();
    }

    private static void awaitSamples(MonitoredPool pool) throws InterruptedException {
        long before = samples(pool);
        eventually(() -> samples(pool) > before + 2);
    }

    private void block() {
        boolean interrupted = false;
        while (released.getCount() > 0) {
            try {
                released.await();
            } catch (InterruptedException again) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Nested
    class TheWatchDoesNotEnd {
        @Test
        void anErrorInATickAndALogThatThrowsDoNotEndTheWatch() throws Exception {
            AtomicBoolean broken = new AtomicBoolean(true);
            AtomicBoolean thrown = new AtomicBoolean();
            Settings breaking = new Settings();
            breaking.ticker = () -> {
                if (broken.get() && Thread.currentThread().getName().startsWith(LOOP)) {
                    throw new OutOfMemoryError("staged");
                }
                return System.nanoTime();
            };
            UnsynchronizedAppenderBase<ILoggingEvent> appender = new UnsynchronizedAppenderBase<>() {
                /** What append throws would be caught. */
                @Override
                public void doAppend(ILoggingEvent event) {
                    if (Thread.currentThread().getName().startsWith(LOOP)) {
                        thrown.set(true);
                        throw new IllegalStateException("the appender is broken");
                    }
                }

                @Override
                protected void append(ILoggingEvent event) {}
            };
            appender.start();
            logger.addAppender(appender);
            try {
                MonitoredPool bad = watched("bad", new FakePool(), breaking);
                MonitoredPool good = watched("good", new FakePool(), new Settings());
                eventually(thrown::get);
                awaitSamples(good);
                broken.set(false);
                awaitSamples(bad);
            } finally {
                logger.detachAppender(appender);
            }
        }

        @Test
        void theAgeOfTheLastTickShowsThatAPoolIsNoLongerTicked() throws Exception {
            AtomicBoolean broken = new AtomicBoolean();
            Settings breaking = new Settings();
            breaking.ticker = () -> {
                if (broken.get() && Thread.currentThread().getName().startsWith(LOOP)) {
                    throw new OutOfMemoryError("staged");
                }
                return System.nanoTime();
            };
            MonitoredPool pool = watched("bad", new FakePool(), breaking);
            awaitSamples(pool);
            broken.set(true);
            eventually(() -> pool.diagnosis().housekeeping().stalled());
            assertThat(pool.diagnosis().housekeeping().troubles())
                    .containsExactly("the monitoring of this pool is stuck");
            assertThat(pool.report()).contains("the monitoring of this pool is stuck");
            broken.set(false);
            eventually(() -> !pool.diagnosis().housekeeping().stalled());
            assertThat(pool.diagnosis().housekeeping().troubles()).isEmpty();
        }
    }

    @Nested
    class OnePoolHangs {
        @Test
        void aPoolWhoseReadHangsDoesNotStopOthers() throws Exception {
            ListAppender<ILoggingEvent> lines = new ListAppender<>();
            lines.start();
            logger.addAppender(lines);
            Level before = logger.getLevel();
            logger.setLevel(Level.INFO);
            try {
                FakePool fake = new FakePool();
                MonitoredPool hanging = watched("hanging", fake, new Settings());
                awaitSamples(hanging);
                fake.onSnapshot = WatchTest.this::block;
                eventually(() -> hanging.diagnosis().housekeeping().stalled());

                othersShrinkAlarmAndSample();

                assertThat(hanging.diagnosis().housekeeping().troubles())
                        .containsExactly("the reading of the pool has not returned");
                assertThat(hanging.state().pool().max())
                        .as("who reads it does not hang")
                        .isEqualTo(-1);
                assertThat(hanging.report()).contains("the reading of the pool has not returned");
                eventually(() -> said(lines, "hanging: monitoring has been stuck for "));
                long samplesBefore = samples(hanging);
                released.countDown();
                eventually(() -> samples(hanging) > samplesBefore + 2);
                assertThat(hanging.diagnosis().housekeeping().troubles()).isEmpty();
                assertThat(hanging.state().pool().max()).isEqualTo(2);
                eventually(() -> said(lines, "hanging: monitoring recovered"));
            } finally {
                logger.setLevel(before);
                logger.detachAppender(lines);
            }
        }

        private void othersShrinkAlarmAndSample() throws Exception {
            List<PoolEvent.LeakSuspected> alarms = new CopyOnWriteArrayList<>();
            Settings settings = new Settings();
            settings.set(CoreKey.BASE, 1);
            settings.strategies.add(GrowOnWait.upTo(3).withAfter(Duration.ZERO));
            settings.set(CoreKey.GROW_ON_WAIT_KEEP, Duration.ofMillis(100));
            settings.set(CoreKey.LEAK_THRESHOLD, Duration.ofMillis(500));
            settings.listeners.add(new PoolListener() {
                @Override
                public void onEvent(PoolEvent event) {
                    if (event instanceof PoolEvent.LeakSuspected suspected) {
                        alarms.add(suspected);
                    }
                }
            });
            FakePool fake = new FakePool();
            fake.prepare(1, 3);
            fake.total = 1;
            MonitoredPool pool = watched("healthy", fake, settings);
            Connection first = pool.acquiring().acquire();
            Connection second = pool.acquiring().acquire();
            assertThat(pool.state().limit()).isEqualTo(2);
            second.close();
            eventually(() -> pool.state().limit() == 1);
            eventually(() -> !alarms.isEmpty());
            awaitSamples(pool);
            first.close();
        }

        private static boolean said(ListAppender<ILoggingEvent> lines, String words) {
            return List.copyOf(lines.list).stream()
                    .anyMatch(line -> line.getFormattedMessage().startsWith(words));
        }

        /** Its own thread stays with it: the others pay for the first time only. */
        @Test
        void aPoolThatIsForeverSlowHoldsOneThread() throws Exception {
            FakePool fake = new FakePool();
            MonitoredPool slow = watched("slow", fake, new Settings());
            fake.onSnapshot = () -> {
                if (Thread.currentThread().getName().startsWith(LOOP)) {
                    try {
                        released.await(400, TimeUnit.MILLISECONDS);
                    } catch (InterruptedException stopped) {
                        Thread.currentThread().interrupt();
                    }
                }
            };
            eventually(() -> threads(LOOP + "-slow") == 1);
            long before = samples(slow);
            eventually(() -> samples(slow) > before + 4);
            assertThat(threads(LOOP + "-slow")).isOne();
            fake.onSnapshot = () -> {};
            eventually(() -> threads(LOOP + "-slow") == 0);
            awaitSamples(slow);
        }

        private static long threads(String name) {
            return Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().equals(name))
                    .count();
        }
    }

    @Nested
    class AListenerBlocks {
        @Test
        void aBlockingListenerStopsNoWatch() throws Exception {
            List<String> received = new CopyOnWriteArrayList<>();
            CountDownLatch inside = new CountDownLatch(1);
            Settings settings = new Settings();
            settings.set(CoreKey.LEAK_THRESHOLD, Duration.ofMillis(100));
            settings.listeners.add(new PoolListener() {
                @Override
                public void onEvent(PoolEvent event) {
                    if (event instanceof PoolEvent.LeakSuspected) {
                        inside.countDown();
                        block();
                        received.add("suspected");
                    } else if (event instanceof PoolEvent.LeakResolved) {
                        received.add("resolved");
                    }
                }
            });
            MonitoredPool blocked = watched("blocked", new FakePool(), settings);
            MonitoredPool other = watched("other", new FakePool(), new Settings());
            Connection leaked = blocked.acquiring().acquire();
            inside.await();
            awaitSamples(other);
            awaitSamples(blocked);
            eventually(() -> !blocked.diagnosis().housekeeping().troubles().isEmpty());
            Housekeeping watch = blocked.diagnosis().housekeeping();
            assertThat(watch.stalled()).isFalse();
            assertThat(watch.troubles()).singleElement().asString().startsWith("the listener io.flexpool.WatchTest$");
            leaked.close();
            assertThat(received).isEmpty();
            released.countDown();
            eventually(() -> received.size() == 2);
            assertThat(received).containsExactly("suspected", "resolved");
            eventually(() -> blocked.diagnosis().housekeeping().troubles().isEmpty());
        }
    }
}
