// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.virtualthreads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;
import jdk.jfr.Event;
import org.junit.jupiter.api.Test;

/** What is read of the JVM, where it has virtual threads and where it has none. */
class SchedulerTest {
    private static final String BEAN = "flexpool.benchmarks:type=Scheduler";

    /** As the JDK's own has them. */
    public interface SchedulerMXBean {
        int getMountedVirtualThreadCount();

        int getParallelism();

        long getQueuedVirtualThreadCount();
    }

    private record Known(int mounted, int parallelism, long queued) implements SchedulerMXBean {
        @Override
        public int getMountedVirtualThreadCount() {
            return mounted;
        }

        @Override
        public int getParallelism() {
            return parallelism;
        }

        @Override
        public long getQueuedVirtualThreadCount() {
            return queued;
        }
    }

    /** What the recorder is asked to count. */
    static final class Marked extends Event {}

    private static Carriers looked(SchedulerMXBean scheduler) throws JMException {
        ObjectName name = new ObjectName(BEAN);
        ManagementFactory.getPlatformMBeanServer().registerMBean(scheduler, name);
        try {
            Carriers carriers = Carriers.watch(BEAN);
            carriers.close();
            return carriers;
        } finally {
            ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
        }
    }

    @Test
    void theSchedulerSaysHowBusyItsCarriersAre() throws JMException {
        Carriers carriers = looked(new Known(3, 4, 70));

        assertThat(carriers.busy()).isCloseTo(0.75, within(1e-9));
        assertThat(carriers.queued()).isCloseTo(70, within(1e-9));
        assertThat(looked(new Known(5, 4, 0)).busy()).as("an estimate").isCloseTo(1, within(1e-9));
    }

    @Test
    void whatItDoesNotKnowIsNoFigure() throws JMException {
        assertThat(looked(new Known(-1, 4, -1)).busy()).isNaN();
        try (Carriers none = Carriers.watch("flexpool.benchmarks:type=None")) {
            assertThat(none.busy()).isNaN();
            assertThat(none.queued()).isNaN();
        }
    }

    @Test
    void theRecorderCountsEventsHoweverShort() {
        try (PinnedEvents events = PinnedEvents.count(Marked.class.getName())) {
            for (int at = 0; at < 3; at++) {
                new Marked().commit();
            }

            assertThat(events.counted()).isEqualTo(3);
        }
        try (PinnedEvents events = PinnedEvents.count()) {
            assertThat(events.counted()).isZero();
        }
    }

    @Test
    void anOlderJavaIsRefusedByItsNumber() {
        assertThat(VirtualThreads.unavailable(20))
                .hasValueSatisfying(why -> assertThat(why).contains("Java 21 or newer", "this is Java 20"));
        assertThat(VirtualThreads.unavailable(21)).isEmpty();
    }
}
