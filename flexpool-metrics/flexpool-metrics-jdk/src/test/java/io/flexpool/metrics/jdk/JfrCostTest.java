// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.metrics.tck.ScriptedPool;
import io.flexpool.monitoring.ConfigKey;
import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.monitoring.MetricsBinder.Binding;
import io.flexpool.monitoring.MetricsProvider;
import io.flexpool.pool.AcquisitionOutcome;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The cost of a call that no recording wants. */
class JfrCostTest {
    private static final int CALLS = 200_000;
    private static final long MILLI = 1_000_000;

    private final Binding binding = JfrEvents.create().bind(new ScriptedPool("orders"));
    private final LeaseObserver observer = binding.observer();

    @AfterEach
    void unbind() {
        binding.unbind();
    }

    /** A recording changes the events' classes: JFR instruments them. */
    @Test
    void afterARecordingACallAllocatesNothing() {
        try (Recording recording = recording()) {
            recordedCalls();
            recording.stop();
        }
        callsAllocateNothing(2 * MILLI);
    }

    @Test
    void aCallBelowLongerThanAllocatesNothing() {
        try (Recording recording = recording()) {
            recordedCalls();
            callsAllocateNothing(MILLI / 2);
            recording.stop();
        }
    }

    private static Recording recording() {
        Recording recording = new Recording();
        recording.enable(ConnectionAcquisition.NAME).with("longerThan", "1 ms").withoutStackTrace();
        recording.enable(ConnectionLease.NAME).with("longerThan", "1 ms").withoutStackTrace();
        recording.start();
        return recording;
    }

    private void recordedCalls() {
        for (int at = 0; at < CALLS / 10; at++) {
            observer.acquired(0, MILLI, AcquisitionOutcome.OK);
            observer.released(0, MILLI);
        }
    }

    private void callsAllocateNothing(long nanos) {
        double leastBytes = Double.MAX_VALUE;
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
        // Only compiled code avoids the events; when it is compiled is up to the JVM.
        while (leastBytes > 0.5 && System.nanoTime() - end < 0) {
            long before = allocated();
            for (int at = 0; at < CALLS; at++) {
                observer.acquired(at, at + nanos, AcquisitionOutcome.OK);
                observer.released(at, at + nanos);
            }
            leastBytes = Math.min(leastBytes, (double) (allocated() - before) / CALLS);
        }
        assertThat(leastBytes).as("bytes a call").isLessThanOrEqualTo(0.5);
    }

    /** Through the MBean: its interface is the JDK's own. */
    private static long allocated() {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        try {
            return (long) server.invoke(
                    new ObjectName("java.lang:type=Threading"),
                    "getThreadAllocatedBytes",
                    new Object[] {Thread.currentThread().getId()},
                    new String[] {"long"});
        } catch (JMException e) {
            throw new AssertionError(e);
        }
    }

    /** Registration takes milliseconds, for which the pool's first request would wait. */
    @Test
    void eventsAreRegisteredBeforeTheFirstRequest() throws Exception {
        int before = types();
        MetricsProvider again = (MetricsProvider) new LoadedAgain(name -> false)
                .loadClass(JfrProvider.class.getName())
                .getConstructor()
                .newInstance();
        Binding other = again.create(new ConfigKey.Values(Map.of())).bind(new ScriptedPool("orders"));
        int after = types();
        other.unbind();
        assertThat(after - before).isEqualTo(RecordedPool.EVENTS.size());
    }

    private static int types() {
        return (int) FlightRecorder.getFlightRecorder().getEventTypes().stream()
                .filter(type -> type.getName().startsWith("flexpool."))
                .count();
    }
}
