// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.faults.Crowd;
import io.flexpool.diagnostics.CallSiteStatistics;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.event.PoolEvent;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.pool.AcquisitionOutcome;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** The holders of connections: what the pool reports of open leases and of leaks. */
abstract class LeaseContract extends ContractPart {
    private static final Duration THRESHOLD = Duration.ofSeconds(30);
    /** The time within which a leak must be reported. */
    private static final Duration SOON = Duration.ofSeconds(5);

    private static final int CONNECTIONS = 12;
    private static final int VIRTUAL_THREADS = 1_000;

    LeaseContract(PoolAdapterContract contract) {
        super(contract);
    }

    @Test
    void aLeakOfTwelveIsNamedWithItsThreadsAndLines() throws Exception {
        AtomicLong skippedNanos = new AtomicLong();
        FlexPoolDataSource pool = build(wrap(pool(CONNECTIONS, Duration.ofSeconds(5)))
                .set("call-sites.sample-every", 1)
                .set("leak.threshold", THRESHOLD)
                .framework(with -> with.ticker(() -> System.nanoTime() + skippedNanos.get())));
        try (LeakyApplication application = new LeakyApplication(pool)) {
            application.forgetsTwelve();
            assertThat(pool.openLeases()).hasSize(CONNECTIONS).noneMatch(OpenLease::leakSuspected);
            assertThat(application.places().values().stream().distinct()).hasSize(3);
            skippedNanos.set(THRESHOLD.toNanos());
            assertThat(Crowd.eventually(SOON, () -> suspected().size() == CONNECTIONS))
                    .as("reported in time: %s", suspected())
                    .isTrue();
            Map<String, String> reported = new HashMap<>();
            for (PoolEvent.LeakSuspected event : suspected()) {
                OpenLease lease = event.lease();
                reported.put(lease.thread(), lease.callSite());
                assertThat(lease.age()).isBetween(THRESHOLD, THRESHOLD.plus(SOON));
            }
            assertThat(reported).isEqualTo(application.places());
            assertThat(pool.openLeases()).hasSize(CONNECTIONS).allMatch(OpenLease::leakSuspected);
        }
        assertThat(pool.openLeases()).isEmpty();
        assertThat(Crowd.eventually(SOON, () -> resolved().size() == CONNECTIONS))
                .as("reported as returned: %s", resolved())
                .isTrue();
        assertThat(resolved()).noneMatch(PoolEvent.LeakResolved::reclaimed);
        assertThat(pool.statistics().total().counter(PoolMetric.LEAKS_SUSPECTED))
                .isEqualTo(CONNECTIONS);
    }

    private List<PoolEvent.LeakSuspected> suspected() {
        return events.stream()
                .filter(PoolEvent.LeakSuspected.class::isInstance)
                .map(PoolEvent.LeakSuspected.class::cast)
                .toList();
    }

    private List<PoolEvent.LeakResolved> resolved() {
        return events.stream()
                .filter(PoolEvent.LeakResolved.class::isInstance)
                .map(PoolEvent.LeakResolved.class::cast)
                .toList();
    }

    /**
     * The threads wait at the gate, because before Java 24 some pools pin the carrier thread of a waiting virtual
     * thread.
     */
    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void eachOfAThousandVirtualThreadsIsKnown() throws Throwable {
        FlexPoolDataSource pool = build(wrap(pool(CONNECTIONS, Duration.ofSeconds(30)))
                .set("base", CONNECTIONS)
                .set("acquisition-timeout", Duration.ofSeconds(60))
                .set("call-sites.sample-every", 1));
        Set<Long> served = ConcurrentHashMap.newKeySet();
        Set<OpenLease> seen = new HashSet<>();
        ExecutorService threads = virtualThreads();
        List<Future<Boolean>> uses = new ArrayList<>();
        for (int at = 0; at < VIRTUAL_THREADS; at++) {
            uses.add(threads.submit(() -> use(pool, served)));
        }
        threads.shutdown();
        while (!threads.awaitTermination(1, TimeUnit.MILLISECONDS)) {
            // Slots are read one by one, so an ended lease and its successor may both be seen.
            seen.addAll(pool.openLeases());
        }
        assertThat(uses).allSatisfy(use -> assertThat(use.get()).isTrue());
        assertThat(served).hasSize(VIRTUAL_THREADS);
        assertThat(seen).isNotEmpty().allSatisfy(lease -> {
            assertThat(lease.virtualThread()).isTrue();
            assertThat(lease.thread()).isEqualTo("virtual-" + lease.threadId());
            assertThat(served).contains(lease.threadId());
            assertThat(lease.callSite()).startsWith("LeaseContract.use(LeaseContract.java:");
        });
        assertThat(pool.openLeases()).isEmpty();
        assertThat(pool.diagnosis().callSites())
                .singleElement()
                .satisfies(site -> assertThat(site)
                        .extracting(CallSiteStatistics::callSite, CallSiteStatistics::count)
                        .containsExactly(seen.iterator().next().callSite(), (long) VIRTUAL_THREADS));
        assertThat(pool.statistics().total().counter(PoolMetric.NESTED_ACQUISITIONS))
                .isZero();
        assertThat(pool.statistics().total().acquisition(AcquisitionOutcome.OK).count())
                .isEqualTo(VIRTUAL_THREADS);
    }

    private static boolean use(FlexPoolDataSource pool, Set<Long> served) throws Exception {
        try (Connection connection = pool.getConnection()) {
            LockSupport.parkNanos(200_000);
            return !connection.isClosed() && served.add(Thread.currentThread().getId());
        }
    }

    /** Found by name, because this module is compiled for a Java version without virtual threads. */
    private static ExecutorService virtualThreads() throws Throwable {
        return (ExecutorService) MethodHandles.publicLookup()
                .findStatic(
                        Executors.class,
                        "newVirtualThreadPerTaskExecutor",
                        MethodType.methodType(ExecutorService.class))
                .invoke();
    }
}
