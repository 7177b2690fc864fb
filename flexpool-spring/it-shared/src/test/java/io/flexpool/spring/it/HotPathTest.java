// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import static io.flexpool.spring.it.Contexts.boot;
import static io.flexpool.spring.it.Contexts.pool;
import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.diagnostics.OpenLease;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.sql.DataSource;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.Advised;

/** The cost of the proxy in front of flexpool per acquisition, and what the proxy preserves. */
class HotPathTest {
    private static final int CYCLES = 2_000;

    /** Of one cycle; the minimum of several tries, because compilation and connection checks add some. */
    private static double bytes(DataSource source) {
        return LongStream.range(0, 8).map(any -> allocated(source)).min().orElseThrow() / (double) CYCLES;
    }

    private static long allocated(DataSource source) {
        try {
            long before = allocated();
            for (int cycle = 0; cycle < CYCLES; cycle++) {
                source.getConnection().close();
            }
            return allocated() - before;
        } catch (SQLException failed) {
            throw new AssertionError(failed);
        }
    }

    /** By name, because the method is not in the platform's interface. The cost of the call is the same each time. */
    private static long allocated() {
        try {
            return (Long) ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME),
                            "getThreadAllocatedBytes",
                            new Object[] {Thread.currentThread().getId()},
                            new String[] {"long"});
        } catch (JMException failed) {
            throw new AssertionError(failed);
        }
    }

    @Test
    void theBeanAllocatesNoMoreThanTheWrapper() {
        // A call site is captured every 50 ms, however many cycles a busy machine completes meanwhile.
        boot().withPropertyValues("flexpool.call-sites.sample-every=0").run(context -> {
            DataSource bean = context.getBean(DataSource.class);
            FlexPoolDataSource bare = pool(context, "dataSource");
            bytes(bare);
            double withProxy = bytes(bean);
            double without = bytes(bare);
            double poolAlone = bytes(bean.unwrap(DataSource.class));
            assertThat(poolAlone).isPositive();
            // The smallest object has 16 bytes.
            assertThat(withProxy - without).isLessThan(1);
        });
    }

    /** Spring adds its own advisors to a proxy that it finds, for {@code @Async} for example. */
    @Test
    void anAdvisorAddedLaterIsCalled() {
        boot().run(context -> {
            DataSource bean = context.getBean(DataSource.class);
            AtomicInteger calls = new AtomicInteger();
            MethodInterceptor counting = call -> {
                calls.incrementAndGet();
                return call.proceed();
            };
            ((Advised) bean).addAdvice(0, counting);
            try (Connection connection = bean.getConnection()) {
                assertThat(connection.isClosed()).isFalse();
            }
            assertThat(calls).hasValue(1);
            assertThat(pool(context, "dataSource").state().leased()).isZero();
            ((Advised) bean).removeAdvice(counting);
            bean.getConnection().close();
            assertThat(calls).hasValue(1);
        });
    }

    /** Call sites once named the frames between the application and its pool. */
    @Test
    void theCallSiteIsTheApplicationsAndNotTheProxys() {
        boot().run(context -> {
            try (Connection connection = context.getBean(DataSource.class).getConnection()) {
                assertThat(connection.isClosed()).isFalse();
                assertThat(pool(context, "dataSource").openLeases())
                        .singleElement()
                        .extracting(OpenLease::callSite)
                        .asString()
                        .startsWith("HotPathTest.");
            }
        });
    }

    @Test
    void theBeanIsEqualToItselfAndToNothingElse() {
        boot().run(context -> {
            DataSource bean = context.getBean(DataSource.class);
            // Calls equals() even for the same object.
            assertThat(Set.of(bean).contains(bean)).isTrue();
            assertThat(bean.equals(bean.unwrap(DataSource.class))).isFalse();
            assertThat(bean.equals(pool(context, "dataSource"))).isFalse();
            assertThat(bean.toString()).startsWith("HikariDataSource");
        });
    }
}
