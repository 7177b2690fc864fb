// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Each public interface says whether applications may implement it: a new method without a default breaks those who did.
 */
class ImplementersTest {
    private static final Path SOURCES = Path.of("src/main/java/io/flexpool");

    /** Of these, implementations of others are the purpose. */
    private static final Set<String> OPEN = Set.of(
            "AcquisitionStrategy",
            "LeaseObserver",
            "MetricsBinder",
            "MetricsProvider",
            "PoolAdapter",
            "PoolAdapterProvider",
            "PoolListener",
            "Ticker",
            // for parts
            "LeaseSink",
            "PoolPart",
            "PoolPartProvider",
            "SessionInsight");

    private static final Pattern INTERFACE = Pattern.compile("(?m)^public interface (\\w+)");

    @Test
    void anInterfaceIsOpenOrSaysThatFlexpoolAloneMakesIt() throws IOException {
        Set<String> silent = new TreeSet<>();
        Set<String> open = new TreeSet<>();
        for (Path file : sources()) {
            String text = Files.readString(file);
            Matcher found = INTERFACE.matcher(text);
            if (found.find()) {
                String name = found.group(1);
                if (OPEN.contains(name)) {
                    open.add(name);
                }
                String javadoc = text.substring(0, found.start()).replaceAll("\\s+\\*?\\s*", " ");
                if (OPEN.contains(name) == javadoc.contains("Made by flexpool alone")) {
                    silent.add(name);
                }
            }
        }
        assertThat(silent).isEmpty();
        assertThat(open).isEqualTo(OPEN);
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.toString().contains("internal"))
                    .toList();
        }
    }
}
