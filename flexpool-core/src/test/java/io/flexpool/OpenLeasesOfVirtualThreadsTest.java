// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.withSettings;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.monitoring.PoolMetric;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Leases of virtual threads; the source is compiled for a Java without them, so it uses reflection. */
@Timeout(300)
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "there are no virtual threads before JDK 21")
class OpenLeasesOfVirtualThreadsTest {
    private static final int THREADS = 1_000;

    private final FakePool fake = new FakePool();

    @Test
    void aThousandVirtualThreadsHoldALeaseEach() throws Throwable {
        Connection physical = mock(Connection.class, withSettings().stubOnly());
        fake.answer = () -> physical;
        CountDownLatch out = new CountDownLatch(THREADS);
        CountDownLatch seen = new CountDownLatch(1);
        ExecutorService executor = virtualThreads();
        try (FlexPoolDataSource pool = FlexPool.wrap(fake.dataSource)
                .name("virtual")
                .adapter(fake)
                .set("base", THREADS)
                .set("call-sites.sample-every", 1)
                .build()) {
            List<Future<?>> all = new ArrayList<>();
            for (int at = 0; at < THREADS; at++) {
                all.add(executor.submit(() -> {
                    try (Connection lease = OrderService.place(pool::getConnection)) {
                        out.countDown();
                        seen.await();
                        return lease.isClosed();
                    }
                }));
            }
            out.await();
            List<OpenLease> open = pool.openLeases();
            assertThat(open).hasSize(THREADS).allSatisfy(lease -> {
                assertThat(lease.virtualThread()).isTrue();
                assertThat(lease.thread()).isEqualTo("virtual-" + lease.threadId());
                assertThat(lease.callSite()).isEqualTo("OrderService.place(OrderService.java:19)");
            });
            assertThat(open).extracting(OpenLease::threadId).doesNotHaveDuplicates();
            seen.countDown();
            for (Future<?> one : all) {
                one.get();
            }
            assertThat(pool.openLeases()).isEmpty();
            assertThat(pool.statistics().total().counter(PoolMetric.NESTED_ACQUISITIONS))
                    .isZero();
            assertThat(pool.diagnosis().callSites())
                    .singleElement()
                    .satisfies(site -> assertThat(site.count()).isEqualTo(THREADS));
        } finally {
            seen.countDown();
            executor.shutdown();
            assertThat(executor.awaitTermination(5, TimeUnit.MINUTES)).isTrue();
        }
    }

    private static ExecutorService virtualThreads() throws Throwable {
        return (ExecutorService) MethodHandles.publicLookup()
                .findStatic(
                        Executors.class,
                        "newVirtualThreadPerTaskExecutor",
                        MethodType.methodType(ExecutorService.class))
                .invoke();
    }
}
