// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.hikaricp;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.database.StubDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A crowd of threads that all want a connection: HikariCP alone, watched, and behind the gate with as many permits as connections.
 * The threads are virtual where Java has them (21 and newer), else threads of the system.
 * <p>
 * The short form: {@code mvn -Pscenarios verify -pl flexpool-adapters/flexpool-adapter-hikaricp -am
 * -Dtest=VirtualThreadsScenarioTest -Dsurefire.failIfNoSpecifiedTests=false}. From {@code -Dscenario.rounds=3
 * -Dscenario.seconds=5} on the goals are judged.
 */
@Tag("scenario")
class VirtualThreadsScenarioTest {
    private static final int THREADS = 1_000;
    private static final int CONNECTIONS = 10;
    private static final long WORK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final int ROUNDS = Integer.getInteger("scenario.rounds", 1);
    private static final int SECONDS = Integer.getInteger("scenario.seconds", 1);
    private static final double LEAST_REQUESTS = 0.95;
    private static final double MAX_WAIT = 1.05;

    /** One round of a pool. */
    private record Figures(double requestsPerSecond, double waitP99Ms) {}

    /** By name: this code is compiled for Java 17. */
    private static ExecutorService executor() throws ReflectiveOperationException {
        return Runtime.version().feature() < 21
                ? Executors.newCachedThreadPool()
                : (ExecutorService) Executors.class
                        .getMethod("newVirtualThreadPerTaskExecutor")
                        .invoke(null);
    }

    private static HikariDataSource hikari(String name) {
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(new StubDatabase().dataSource());
        pool.setMaximumPoolSize(CONNECTIONS);
        pool.setPoolName(name);
        return pool;
    }

    private static Figures measured(DataSource pool, AtomicInteger failed) throws Exception {
        Queue<Long> waits = new ConcurrentLinkedQueue<>();
        long begin = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
        long end = begin + TimeUnit.SECONDS.toNanos(SECONDS);
        ExecutorService threads = executor();
        for (int at = 0; at < THREADS; at++) {
            threads.execute(() -> {
                for (long asked; (asked = System.nanoTime()) - end < 0; ) {
                    try (Connection connection = pool.getConnection()) {
                        long got = System.nanoTime();
                        LockSupport.parkNanos(WORK_NANOS);
                        assertThat(connection.isClosed()).isFalse();
                        if (asked - begin >= 0) {
                            waits.add(got - asked);
                        }
                    } catch (SQLException refused) {
                        failed.incrementAndGet();
                    }
                }
            });
        }
        threads.shutdown();
        assertThat(threads.awaitTermination(5, TimeUnit.MINUTES)).isTrue();
        long[] sorted = waits.stream().mapToLong(Long::longValue).sorted().toArray();
        return new Figures((double) sorted.length / SECONDS, sorted[sorted.length * 99 / 100] / 1e6);
    }

    private static double median(List<Figures> rounds, boolean requests) {
        double[] sorted = rounds.stream()
                .mapToDouble(one -> requests ? one.requestsPerSecond() : one.waitP99Ms())
                .sorted()
                .toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    @Test
    void behindTheGateNoRequestIsLostAndAsManyAreServed() throws Exception {
        Map<String, List<Figures>> rounds = new TreeMap<>();
        AtomicInteger failed = new AtomicInteger();
        for (int round = 0; round < ROUNDS; round++) {
            for (String variant : Arrays.asList("bare", "watched", "gated")) {
                HikariDataSource hikari = hikari(variant);
                FlexPoolDataSource wrapped = variant.equals("bare")
                        ? null
                        : variant.equals("gated")
                                ? FlexPool.wrap(hikari)
                                        .name(variant)
                                        .set("base", CONNECTIONS)
                                        .build()
                                : FlexPool.wrap(hikari).name(variant).build();
                try (HikariDataSource closing = hikari) {
                    rounds.computeIfAbsent(variant, any -> new ArrayList<>())
                            .add(measured(wrapped == null ? closing : wrapped, failed));
                } finally {
                    if (wrapped != null) {
                        wrapped.close();
                    }
                }
            }
        }
        rounds.forEach((variant, its) -> System.out.printf(
                Locale.ROOT,
                "%-8s %.0f requests/s, wait p99 %.1f ms%n",
                variant,
                median(its, true),
                median(its, false)));

        assertThat(failed).hasValue(0);
        assertThat(rounds.values())
                .allSatisfy(its -> assertThat(median(its, true)).isPositive());
        if (ROUNDS >= 3 && SECONDS >= 5) {
            List<Figures> gated = Objects.requireNonNull(rounds.get("gated"));
            List<Figures> bare = Objects.requireNonNull(rounds.get("bare"));
            assertThat(median(gated, true)).isGreaterThanOrEqualTo(LEAST_REQUESTS * median(bare, true));
            assertThat(median(gated, false)).isLessThanOrEqualTo(MAX_WAIT * median(bare, false));
        }
    }
}
