// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.virtualthreads;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.management.AttributeList;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/**
 * How busy the carriers of virtual threads are: looked at two hundred times a second, in the scheduler's MBean, which Java
 * has from 24 on. The looking thread is no virtual one, so it looks too while all carriers are busy.
 */
final class Carriers implements AutoCloseable {
    private static final String SCHEDULER = "jdk.management:type=VirtualThreadScheduler";
    private static final String[] LOOKED_AT = {"MountedVirtualThreadCount", "Parallelism", "QueuedVirtualThreadCount"};
    private static final long EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    private final ObjectName scheduler;
    private final Thread thread = new Thread(this::watch, "benchmark-carriers");
    private volatile boolean ended;
    private long looks;
    private double busy;
    private double queued;

    private Carriers(ObjectName scheduler) {
        this.scheduler = scheduler;
        thread.setDaemon(true);
    }

    /** Begins to look. */
    static Carriers watch(String bean) {
        try {
            Carriers carriers = new Carriers(new ObjectName(bean));
            carriers.thread.start();
            return carriers;
        } catch (MalformedObjectNameException e) {
            throw new IllegalArgumentException(bean, e);
        }
    }

    /** Begins to look at this JVM's. */
    static Carriers watchOwn() {
        return watch(SCHEDULER);
    }

    private void watch() {
        while (beans.isRegistered(scheduler)) {
            look();
            if (ended) {
                return;
            }
            LockSupport.parkNanos(this, EVERY_NANOS);
        }
    }

    private void look() {
        try {
            AttributeList read = beans.getAttributes(scheduler, LOOKED_AT);
            double[] values = read.asList().stream()
                    .mapToDouble(one -> ((Number) one.getValue()).doubleValue())
                    .toArray();
            // A figure that the scheduler does not know is negative.
            if (values.length == LOOKED_AT.length && values[0] >= 0 && values[1] > 0) {
                looks++;
                busy += Math.min(1, values[0] / values[1]);
                queued += Math.max(0, values[2]);
            }
        } catch (JMException e) {
            // It is gone: the next look finds that.
            LockSupport.parkNanos(this, EVERY_NANOS);
        }
    }

    /** Ends the looking. */
    @Override
    public void close() {
        ended = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The part of the carriers that ran a virtual thread, 0 to 1, on average; NaN if that is not known. After the end. */
    double busy() {
        return looks == 0 ? Double.NaN : busy / looks;
    }

    /** How many virtual threads could go on and had no carrier, on average; NaN if that is not known. After the end. */
    double queued() {
        return looks == 0 ? Double.NaN : queued / looks;
    }
}
