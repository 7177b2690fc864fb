// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.stream.Collectors;

/**
 * What of a JVM its figures depend on.
 *
 * @param java the version of the Java runtime
 * @param vendor who built it
 * @param vm the name and version of the virtual machine
 * @param collector the garbage collector, {@code G1} for example
 * @param cpus the processors that the JVM may use
 * @param maxHeapMb the most heap that the JVM may use
 */
public record JvmFacts(String java, String vendor, String vm, String collector, int cpus, long maxHeapMb) {
    /**
     * Those of this JVM.
     *
     * @return the facts
     */
    public static JvmFacts here() {
        Runtime runtime = Runtime.getRuntime();
        return new JvmFacts(
                System.getProperty("java.version", "unknown"),
                System.getProperty("java.vendor", "unknown"),
                System.getProperty("java.vm.name", "unknown") + " " + System.getProperty("java.vm.version", "unknown"),
                collectorHere(),
                runtime.availableProcessors(),
                runtime.maxMemory() >> 20);
    }

    /** A collector has a bean for each kind of collection, and their names begin with its own. */
    private static String collectorHere() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .map(GarbageCollectorMXBean::getName)
                .map(name -> name.split(" ", 2)[0])
                .distinct()
                .collect(Collectors.joining("+"));
    }

    /**
     * What a table calls this Java.
     *
     * @return version and vendor
     */
    public String name() {
        return "Java " + java + " (" + vendor + ")";
    }
}
