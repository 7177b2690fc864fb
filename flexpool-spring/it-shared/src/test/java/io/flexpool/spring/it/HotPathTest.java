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

/** What the proxy in front of flexpool costs whoever borrows a connection, and what it still is. */
class HotPathTest {
    private static final int CYCLES = 2_000;

    /** Of one cycle; the least of several tries, for a compiler at work and a pool that looks at its connection add some. */
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

    /** By name, for it is not of the platform's own interface. What the question costs is the same each time. */
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
    void aConnectionOfTheBeanAllocatesWhatOneOfTheBareWrapperDoes() {
        // A call site is captured every 50 ms of the clock, however many cycles a busy machine gets done in them.
        boot().withPropertyValues("flexpool.call-sites.capture=off").run(context -> {
            DataSource bean = context.getBean(DataSource.class);
            FlexPoolDataSource bare = pool(context, "dataSource");
            bytes(bare);
            double withProxy = bytes(bean);
            double without = bytes(bare);
            double poolAlone = bytes(bean.unwrap(DataSource.class));
            assertThat(poolAlone).isPositive();
            // The smallest object has 16.
            assertThat(withProxy - without).isLessThan(1);
        });
    }

    /** Spring adds advisors of its own to a proxy that it finds, for {@code @Async} for example. */
    @Test
    void anAdvisorThatIsAddedLaterIsHeard() {
        boot().run(context -> {
            DataSource bean = context.getBean(DataSource.class);
            AtomicInteger heard = new AtomicInteger();
            MethodInterceptor hears = call -> {
                heard.incrementAndGet();
                return call.proceed();
            };
            ((Advised) bean).addAdvice(0, hears);
            try (Connection connection = bean.getConnection()) {
                assertThat(connection.isClosed()).isFalse();
            }
            assertThat(heard).hasValue(1);
            assertThat(pool(context, "dataSource").state().leased()).isZero();
            ((Advised) bean).removeAdvice(hears);
            bean.getConnection().close();
            assertThat(heard).hasValue(1);
        });
    }

    /** Call sites of all leases named what stands between the application and its pool. */
    @Test
    void theCallSiteOfALeaseIsTheApplicationsAndNotTheProxy() {
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
            // Asks equals() even where it is the same one.
            assertThat(Set.of(bean).contains(bean)).isTrue();
            assertThat(bean.equals(bean.unwrap(DataSource.class))).isFalse();
            assertThat(bean.equals(pool(context, "dataSource"))).isFalse();
            assertThat(bean.toString()).startsWith("HikariDataSource");
        });
    }
}
