// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Where a measurement was taken: without it no figure can be compared with another.
 *
 * @param os the operating system and its version
 * @param arch the processor architecture
 * @param cpus the processors that the JVM may use
 * @param maxHeapMb the most heap that the JVM may use
 * @param java the version of the Java runtime
 * @param vm the name and version of the virtual machine
 * @param versions the versions of the libraries measured; under {@link #PROCESSOR} and {@link #MEMORY} what is known of
 *     the machine
 */
public record Environment(
        String os, String arch, int cpus, long maxHeapMb, String java, String vm, Map<String, String> versions) {

    /** Among the versions, the maker's name of the processors. */
    public static final String PROCESSOR = "processor";

    /** Among the versions, the machine's memory. */
    public static final String MEMORY = "memory";

    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

    /**
     * This JVM on this machine.
     *
     * @return the environment
     */
    public static Environment here() {
        Runtime runtime = Runtime.getRuntime();
        return new Environment(
                property("os.name") + " " + property("os.version"),
                property("os.arch"),
                runtime.availableProcessors(),
                runtime.maxMemory() >> 20,
                property("java.version"),
                property("java.vm.name") + " " + property("java.vm.version"),
                withMachine(builtWith()));
    }

    private static Map<String, String> withMachine(Map<String, String> versions) {
        if (Files.isReadable(PROCESSORS)) {
            try (Stream<String> lines = Files.lines(PROCESSORS)) {
                lines.filter(line -> line.startsWith("model name"))
                        .findFirst()
                        .ifPresent(line -> versions.put(
                                PROCESSOR, line.substring(line.indexOf(':') + 1).strip()));
            } catch (IOException | UncheckedIOException e) {
                // A machine without this file has figures too.
                versions.remove(PROCESSOR);
            }
        }
        if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean machine) {
            versions.put(MEMORY, (machine.getTotalMemorySize() >> 20) + " MB");
        }
        return versions;
    }

    /**
     * The one line that heads a table.
     *
     * @return processors, operating system and Java in words
     */
    public String summary() {
        return os + " " + arch + ", " + cpus + " CPUs, Java " + java + ", flexpool " + versions.get("flexpool")
                + ", HikariCP " + versions.get("hikaricp");
    }

    /**
     * The versions that the build wrote.
     *
     * @return by library
     */
    public static Map<String, String> builtWith() {
        Properties written = new Properties();
        try (InputStream in = Environment.class.getResourceAsStream("versions.properties")) {
            if (in != null) {
                written.load(in);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Map<String, String> versions = new TreeMap<>();
        written.forEach((name, version) -> versions.put(name.toString(), version.toString()));
        return versions;
    }

    private static String property(String key) {
        return System.getProperty(key, "unknown");
    }
}
