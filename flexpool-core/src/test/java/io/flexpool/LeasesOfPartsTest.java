// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.flexpool.internal.config.ClassRule;
import io.flexpool.internal.config.ConfigChecks;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.Settings;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.internal.pool.ManualTicker;
import io.flexpool.internal.pool.MonitoredPool;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolReading;
import io.flexpool.monitoring.PoolStatistics;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.spi.LeaseSink;
import io.flexpool.spi.LeaseSink.LeaseBlock;
import io.flexpool.spi.LeaseSink.LeaseBlock.Phase;
import io.flexpool.spi.PartContext;
import io.flexpool.spi.PoolPart;
import io.flexpool.spi.PoolPartProvider;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mockito.stubbing.Answer;

/** What a pool passes on to a part that takes leases. The test itself ticks. */
class LeasesOfPartsTest {
    private static final Duration MS = Duration.ofMillis(1);
    /** More than there are stripes. */
    private static final int OTHERS = 70;

    /** By the last part, one text a request. */
    private static final List<String> TAKEN = new ArrayList<>();

    @TempDir
    private Path classPath;

    private final FakePool fake = new FakePool();
    private final ManualTicker ticker = new ManualTicker();
    private final Settings settings = new Settings();

    /** Found by the service loader. */
    public static final class Provider implements PoolPartProvider {
        @Override
        public String name() {
            return "taking";
        }

        @Override
        public PoolPart create(PartContext context) {
            TAKEN.clear();
            return new PoolPart() {
                @Override
                public LeaseSink leases() {
                    return new Taking();
                }
            };
        }
    }

    private static final class Taking implements LeaseSink {
        @Override
        public void take(LeaseBlock block) {
            for (int at = 0; at < block.size(); at++) {
                TAKEN.add(block.outcome(at).label() + " waited " + millis(block.waitNanos(at)) + " held "
                        + millis(block.leaseNanos(at)) + (block.nested(at) ? " nested" : "") + " at "
                        + block.callSite(at).replaceAll("\\(.*", "")
                        + shares(block, at)
                        + (block.requestClass(at).isEmpty() ? "" : " of class " + block.requestClass(at)));
            }
        }

        private static String shares(LeaseBlock block, int at) {
            StringBuilder shares = new StringBuilder();
            for (Phase phase : Phase.values()) {
                double share = block.idleShare(at, phase);
                if (!Double.isNaN(share)) {
                    shares.append(' ').append(phase).append(' ').append(Math.round(100 * share));
                }
            }
            return shares.toString();
        }

        private static long millis(long nanos) {
            return Math.round(nanos / 1e6);
        }

        @Override
        public void close() {
            TAKEN.add("closed");
        }
    }

    /** A pool that is built where the provider, or a broken one, is on the class path. */
    private MonitoredPool pool(String provider) throws IOException {
        Path service = Files.createDirectories(classPath.resolve("META-INF/services"))
                .resolve(PoolPartProvider.class.getName());
        Files.writeString(service, provider);
        URL url = service.toUri().toURL();
        ClassLoader own = LeasesOfPartsTest.class.getClassLoader();
        settings.ticker = ticker;
        settings.set(CoreKey.CALL_SITES_SAMPLE_EVERY, 1);
        settings.set(CoreKey.CALL_SITES_APPLICATION, List.of("io.flexpool"));
        Thread.currentThread().setContextClassLoader(new ClassLoader(own) {
            @Override
            public Enumeration<URL> getResources(String name) throws IOException {
                return name.endsWith(PoolPartProvider.class.getName())
                        ? Collections.enumeration(List.of(url))
                        : super.getResources(name);
            }
        });
        try {
            return new MonitoredPool(new ConfigChecks(settings, fake.dataSource, "advised", fake).check());
        } finally {
            Thread.currentThread().setContextClassLoader(own);
        }
    }

    private MonitoredPool pool() throws IOException {
        fake.max = 4;
        return pool(Provider.class.getName());
    }

    private void lease(MonitoredPool pool, int millis) throws SQLException {
        try (Connection connection = pool.acquiring().acquire()) {
            assertThat(connection).isNotNull();
            ticker.advance(MS.multipliedBy(millis));
        }
    }

    /** Each call into the database takes 10 ms. */
    private Connection physical() throws SQLException {
        Connection physical = mock(Connection.class);
        Statement statement = mock(Statement.class);
        Answer<Object> takesTime = call -> {
            ticker.advance(MS.multipliedBy(10));
            return 0;
        };
        when(physical.createStatement()).thenReturn(statement);
        when(statement.executeUpdate("update t")).then(takesTime);
        doAnswer(takesTime).when(physical).commit();
        return physical;
    }

    /** Advances the clock by each number of milliseconds, with a statement after each but the last, and then commits. */
    private void transaction(MonitoredPool pool, int... millis) throws SQLException {
        try (Connection connection = pool.acquiring().acquire();
                Statement statement = connection.createStatement()) {
            for (int at = 0; at < millis.length; at++) {
                ticker.advance(MS.multipliedBy(millis[at]));
                if (at < millis.length - 1) {
                    statement.executeUpdate("update t");
                }
            }
            connection.commit();
            ticker.advance(MS.multipliedBy(40));
        }
    }

    @Test
    void aTimedLeaseHasTheSharesAroundItsStatements() throws Exception {
        settings.set(CoreKey.TIME_IN_DATABASE, true);
        MonitoredPool pool = pool();
        Connection physical = physical();
        fake.answer = () -> physical;
        transaction(pool, 60, 20, 50);
        transaction(pool, 50);
        transaction(pool, 0, 40);
        pool.tick();
        String site = " at LeasesOfPartsTest.transaction";
        assertThat(TAKEN)
                .containsExactly(
                        "ok waited 0 held 200" + site + " BEFORE 30 BETWEEN 10 AFTER 45",
                        "ok waited 0 held 100" + site,
                        "ok waited 0 held 100" + site + " BEFORE 0 BETWEEN 0 AFTER 80");
    }

    @Test
    void anUntimedLeaseHasNoShares() throws Exception {
        MonitoredPool pool = pool();
        Connection physical = physical();
        fake.answer = () -> physical;
        transaction(pool, 60, 20, 50);
        pool.tick();
        assertThat(TAKEN).containsExactly("ok waited 0 held 200 at LeasesOfPartsTest.transaction");
    }

    @Test
    void eachLeaseIsPassedOnWithTheNextTick() throws Exception {
        MonitoredPool pool = pool();
        lease(pool, 20);
        lease(pool, 30);
        assertThat(TAKEN).isEmpty();
        pool.tick();
        String site = " at LeasesOfPartsTest.lease";
        assertThat(TAKEN).containsExactly("ok waited 0 held 20" + site, "ok waited 0 held 30" + site);
        pool.tick();
        assertThat(TAKEN).hasSize(2);
    }

    /** No sample meets it, whose tick comes before and after. */
    @Test
    void aBurstBetweenTwoTicksIsThePeakOfTheMinute() throws Exception {
        MonitoredPool pool = pool();
        pool.tick();
        ticker.advance(MS);
        try (Connection first = pool.acquiring().acquire();
                Connection second = pool.acquiring().acquire();
                Connection third = pool.acquiring().acquire()) {
            assertThat(List.of(first, second, third)).doesNotContainNull();
            ticker.advance(MS);
        }
        lease(pool, 5);
        pool.tick();
        PoolStatistics statistics = pool.statistics();
        assertThat(statistics.recent().numbers(PoolMetric.ACTIVE_SAMPLED).max())
                .as("by samples")
                .isZero();
        assertThat(statistics.activePeak()).isEqualTo(3);
        assertThat(PoolReading.of(pool).gauge(PoolMetric.ACTIVE_PEAK)).isEqualTo(3);
        ticker.advance(Duration.ofSeconds(65));
        assertThat(pool.statistics().activePeak()).isZero();
    }

    /** Of the other threads, one after the other, some are of the same stripe. */
    @Test
    void onlyASecondConnectionOfTheSameThreadIsNested() throws Exception {
        MonitoredPool pool = pool();
        lease(pool, 1);
        try (Connection outer = pool.acquiring().acquire()) {
            lease(pool, 5);
            for (int at = 0; at < OTHERS; at++) {
                FutureTask<Void> other = new FutureTask<>(() -> {
                    lease(pool, 7);
                    return null;
                });
                new Thread(other).start();
                other.get();
            }
            assertThat(outer).isNotNull();
        }
        lease(pool, 2);
        pool.tick();
        List<String> taken = TAKEN.stream()
                .map(text -> text.replaceAll(" at .*", ""))
                .filter(text -> !text.equals("ok waited 0 held 7"))
                .toList();
        assertThat(TAKEN).hasSize(taken.size() + OTHERS);
        assertThat(taken)
                .containsExactlyInAnyOrder(
                        "ok waited 0 held 1",
                        "ok waited 0 held 5 nested",
                        "ok waited 0 held " + (5 + 7 * OTHERS),
                        "ok waited 0 held 2");
    }

    @Test
    void aRequestThatTimedOutIsPassedOnWithItsCallSite() throws Exception {
        MonitoredPool pool = pool();
        fake.answer = () -> {
            ticker.advance(MS.multipliedBy(50));
            throw new SQLException("exhausted");
        };
        assertThatThrownBy(() -> lease(pool, 1)).isInstanceOf(SQLException.class);
        pool.tick();
        assertThat(TAKEN)
                .containsExactly(AcquisitionOutcome.TIMEOUT.label() + " waited 50 held 0 at LeasesOfPartsTest.lease");
    }

    @Test
    void eachRequestIsPassedOnWithItsClass() throws Exception {
        settings.set(CoreKey.BASE, 1);
        settings.classes = List.of(ClassRule.named("interactive").withGuarantee(1), ClassRule.named("batch"));
        MonitoredPool pool = pool();
        lease(pool, 20);
        try (PoolScope.Opened scope = PoolScope.of("batch").open()) {
            assertThat(scope).isNotNull();
            lease(pool, 30);
            fake.answer = () -> {
                ticker.advance(MS.multipliedBy(50));
                throw new SQLException("exhausted");
            };
            assertThatThrownBy(() -> lease(pool, 1)).isInstanceOf(SQLException.class);
        }
        pool.tick();
        String site = " at LeasesOfPartsTest.lease of class ";
        assertThat(TAKEN)
                .containsExactlyInAnyOrder(
                        "ok waited 0 held 20" + site + "interactive",
                        "ok waited 0 held 30" + site + "batch",
                        "timeout waited 50 held 0" + site + "batch");
    }

    @Test
    void theCloseOfThePoolPassesOnTheRest() throws Exception {
        MonitoredPool pool = pool();
        lease(pool, 20);
        pool.close();
        assertThat(TAKEN).containsExactly("ok waited 0 held 20 at LeasesOfPartsTest.lease", "closed");
    }

    @Test
    void aProviderThatIsBrokenIsLeftOut() throws Exception {
        MonitoredPool pool = pool("io.flexpool.NoSuchProvider");
        lease(pool, 20);
        pool.tick();
        assertThat(pool.parts()).isEmpty();
    }
}
