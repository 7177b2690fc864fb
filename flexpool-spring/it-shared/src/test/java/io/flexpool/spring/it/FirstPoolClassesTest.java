// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.spring.FlexPools;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Configuration;

/** The classes that the starter loads early are those that a start loads, as a JVM of its own logs them. */
class FirstPoolClassesTest {
    private static final Path WRITTEN =
            Path.of("../flexpool-spring-boot-starter/src/main/resources/io/flexpool/spring/first-pool.txt");

    /** Of the classes that a start needs, so many in a hundred are enough: a class more does not stop the build. */
    private static final int ENOUGH = 90;

    private static final String NEEDED = "io.flexpool.internal.pool.MonitoredPool";

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        /** Started by the test. */
        public static void main(String[] arguments) throws InterruptedException {
            new SpringApplicationBuilder(Application.class)
                    .web(WebApplicationType.NONE)
                    .properties(
                            "spring.datasource.url=jdbc:h2:mem:first",
                            "spring.liquibase.enabled=false",
                            "spring.flyway.enabled=false",
                            "spring.main.banner-mode=off")
                    .run(arguments)
                    .close();
            for (Thread thread : Thread.getAllStackTraces().keySet()) {
                if (thread.getName().equals("flexpool-start")) {
                    thread.join(TimeUnit.MINUTES.toMillis(1));
                }
            }
        }
    }

    @Test
    void theListNamesWhatAStartLoads(@TempDir Path directory) throws Exception {
        Set<String> loaded = loadedByAStart(directory, 1, true);
        assertThat(loaded).hasSizeGreaterThan(200);
        if (System.getProperty("flexpool.write") != null) {
            Files.write(WRITTEN, loaded);
            return;
        }
        Set<String> named = named();
        List<String> missing = new ArrayList<>(loaded);
        missing.removeAll(named);
        List<String> superfluous = new ArrayList<>(named);
        superfluous.removeAll(loaded);
        String how = "-Dflexpool.write writes the list anew; missing " + missing + ", superfluous " + superfluous;
        assertThat(100 * missing.size()).as(how).isLessThan((100 - ENOUGH) * loaded.size());
        assertThat(100 * superfluous.size()).as(how).isLessThan((100 - ENOUGH) * named.size());
    }

    /** A start that wraps no pool needs none of them itself. */
    @Test
    @Tag("scenario")
    void theyAreLoadedWhereThereIsASecondProcessor(@TempDir Path directory) throws Exception {
        assertThat(named()).contains(NEEDED);
        assertThat(loadedByAStart(directory, 2, false)).contains(NEEDED);
    }

    /** Another start in a JVM of its own, which takes seconds. */
    @Test
    @Tag("scenario")
    void theyAreNotLoadedWhereThereIsOne(@TempDir Path directory) throws Exception {
        assertThat(loadedByAStart(directory, 1, false)).doesNotContain(NEEDED);
    }

    private static Set<String> named() throws IOException {
        try (InputStream list = FlexPools.class.getResourceAsStream("first-pool.txt")) {
            return new String(Objects.requireNonNull(list).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .collect(Collectors.toSet());
        }
    }

    /** With one processor nothing is loaded early. */
    private static Set<String> loadedByAStart(Path directory, int processors, boolean enabled)
            throws IOException, InterruptedException {
        Path log = directory.resolve("classes-" + processors + ".log");
        Process start = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:ActiveProcessorCount=" + processors,
                        "-XX:TieredStopAtLevel=1",
                        "-Xlog:class+load:file=" + log + ":none",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Application.class.getName(),
                        "--flexpool.enabled=" + enabled)
                .redirectErrorStream(true)
                .start();
        String said = new String(start.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(start.waitFor()).as(said).isZero();
        try (Stream<String> lines = Files.lines(log)) {
            return lines.map(line -> line.split(" ", 2)[0])
                    .filter(name -> name.startsWith("io.flexpool.") && !name.startsWith("io.flexpool.spring.it."))
                    .filter(name -> !name.contains("$$"))
                    .collect(Collectors.toCollection(LinkedHashSet::new));
        }
    }
}
