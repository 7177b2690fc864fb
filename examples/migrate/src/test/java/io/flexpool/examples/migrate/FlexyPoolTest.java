// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.codahale.metrics.MetricRegistry;
import com.vladmihalcea.flexypool.FlexyPoolDataSource;
import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.OpenPools;
import io.flexpool.cli.FlexpoolCli;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.sql.DataSource;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** docs/how-to/migrate-flexypool.md: the same orders through FlexyPool and through flexpool have the same figures. */
@Timeout(300)
class FlexyPoolTest {
    /** One more than the pool has. */
    private static final int AT_ONCE = 3;

    private static final int ONE_BY_ONE = 5;

    private final MetricRegistry registry = new MetricRegistry();

    /** What both programs are given to do. */
    private static void work(DataSource orders, ThrowingRunnable whileHeld) throws Throwable {
        List<Connection> held = new ArrayList<>();
        for (int at = 0; at < AT_ONCE; at++) {
            held.add(orders.getConnection());
        }
        whileHeld.run();
        for (Connection one : held) {
            one.close();
        }
        for (int at = 0; at < ONE_BY_ONE; at++) {
            try (Connection one = orders.getConnection()) {
                assertThat(one.isValid(5)).isTrue();
            }
        }
    }

    /** Longer than the threshold of a long lease, and until something is seen. */
    private static void hold(BooleanSupplier seen) {
        long begun = System.nanoTime();
        await().until(() -> System.nanoTime() - begun > 150_000_000 && seen.getAsBoolean());
    }

    private Map<String, Long> flexyPool() throws Throwable {
        FlexyPoolBefore.LongLeases longLeases = new FlexyPoolBefore.LongLeases();
        HikariDataSource pool = RealDatabase.hikariPool();
        try (FlexyPoolDataSource<HikariDataSource> orders = FlexyPoolBefore.wrapped(pool, registry, longLeases)) {
            work(orders, () -> hold(() -> true));
            return Map.of(
                    "leases", registry.timer("connectionLeaseMillis").getCount(),
                    "acquisitions",
                            registry.timer("overallConnectionAcquisitionMillis").getCount(),
                    "in use at most",
                            registry.histogram("concurrentConnectionsHistogram")
                                    .getSnapshot()
                                    .getMax(),
                    "size at most",
                            registry.histogram("maxPoolSizeHistogram")
                                    .getSnapshot()
                                    .getMax(),
                    "grown by",
                            registry.histogram("overgrowPoolSizeHistogram")
                                    .getSnapshot()
                                    .getMax(),
                    "long leases", Math.min(AT_ONCE, longLeases.count.sum()));
        }
    }

    private Map<String, Long> flexpool() throws Throwable {
        FlexyPoolAfter.LongLeases longLeases = new FlexyPoolAfter.LongLeases();
        HikariDataSource pool = RealDatabase.hikariPool();
        try (FlexPoolDataSource orders = FlexyPoolAfter.wrapped(pool, registry, longLeases)) {
            work(
                    orders,
                    () -> hold(() -> most("active.sampled") == AT_ONCE
                            && most("limit.sampled") == AT_ONCE
                            && most("grown.sampled") == 1));
            // Reads within 100 ms share one reading of the pool.
            await().until(() -> longLeases.count.sum() >= AT_ONCE
                    && registry.timer("flexpool.orders.lease").getCount() > AT_ONCE);
            return Map.of(
                    "leases", registry.timer("flexpool.orders.lease").getCount(),
                    "acquisitions",
                            registry.timer("flexpool.orders.acquisition.ok").getCount(),
                    "in use at most", most("active.sampled"),
                    "size at most", most("limit.sampled"),
                    "grown by", most("grown.sampled"),
                    "long leases", Math.min(AT_ONCE, longLeases.count.sum()));
        }
    }

    private long most(String name) {
        return registry.histogram("flexpool.orders." + name).getSnapshot().getMax();
    }

    @Test
    void bothProgramsShowTheSameFigures() throws Throwable {
        Map<String, Long> before = flexyPool();
        assertThat(before).containsEntry("leases", (long) AT_ONCE + ONE_BY_ONE).containsEntry("size at most", 3L);
        assertThat(flexpool()).isEqualTo(before);
        assertThat(DocumentTest.expectedOn("migrate-flexypool.md")).isEqualTo(before);
    }

    @Test
    void theMigratedFileShowsTheSameFigures() throws Throwable {
        StringWriter properties = new StringWriter();
        StringWriter report = new StringWriter();
        CommandLine program = new CommandLine(new FlexpoolCli());
        program.setOut(new PrintWriter(properties, true));
        program.setErr(new PrintWriter(report, true));
        Path resources = Path.of("src", "main", "resources");
        assertThat(program.execute(
                        "migrate", resources.resolve("flexy-pool.properties").toString()))
                .isZero();
        assertThat(properties).hasToString(Files.readString(resources.resolve("flexpool.properties")));
        assertThat(report.toString())
                .contains("flexy.pool.data.source.unique.name: translated: flexpool.name")
                .contains("time.threshold.connection.acquire: unknown");

        long before;
        try (FlexyPoolDataSource<HikariDataSource> orders = FlexyPoolFileBefore.wrapped(RealDatabase.hikariPool())) {
            oneByOne(orders);
            before = count("*:name=connectionLeaseMillis,*");
        }
        long after;
        try (FlexPoolDataSource orders = FlexyPoolFileAfter.wrapped(RealDatabase.hikariPool())) {
            oneByOne(orders);
            assertThat(orders.name()).isEqualTo("orders");
            // Reads within 100 ms share one reading of the pool.
            await().until(() -> count("flexpool:name=flexpool.orders.lease,*") > 0);
            after = count("flexpool:name=flexpool.orders.lease,*");
        }
        assertThat(after).isEqualTo(before).isEqualTo(ONE_BY_ONE);
    }

    private static void oneByOne(DataSource orders) throws Exception {
        for (int at = 0; at < ONE_BY_ONE; at++) {
            orders.getConnection().close();
        }
    }

    private static long count(String pattern) throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        assertThat(server.queryNames(new ObjectName(pattern), null)).hasSize(1);
        ObjectName name =
                server.queryNames(new ObjectName(pattern), null).iterator().next();
        return (Long) server.getAttribute(name, "Count");
    }

    /** Both close the pool; flexpool also refuses requests that come later, removes its figures, and closes twice. */
    @Test
    void closeEndsMoreThanStopDid() throws Exception {
        HikariDataSource stopped = RealDatabase.hikariPool();
        FlexyPoolDataSource<HikariDataSource> flexyPool =
                FlexyPoolBefore.wrapped(stopped, registry, new FlexyPoolBefore.LongLeases());
        flexyPool.stop();
        assertThat(stopped.isClosed()).isFalse();
        assertThat(registry.getNames()).contains("connectionLeaseMillis");
        flexyPool.getConnection().close();
        stopped.close();

        HikariDataSource closed = RealDatabase.hikariPool();
        FlexPoolDataSource flexpool = FlexyPoolAfter.wrapped(closed, registry, new FlexyPoolAfter.LongLeases());
        assertThat(registry.getNames()).contains("flexpool.orders.lease");
        flexpool.close();
        flexpool.close();
        assertThat(closed.isClosed()).isTrue();
        assertThat(registry.getNames()).noneMatch(name -> name.startsWith("flexpool."));

        HikariDataSource released = RealDatabase.hikariPool();
        try (released) {
            FlexPoolDataSource unwrapped = FlexyPoolAfter.wrapped(released, registry, new FlexyPoolAfter.LongLeases());
            OpenPools.release(unwrapped, null);
            assertThat(released.isClosed()).isFalse();
            assertThat(registry.getNames()).noneMatch(name -> name.startsWith("flexpool."));
        }
    }
}
