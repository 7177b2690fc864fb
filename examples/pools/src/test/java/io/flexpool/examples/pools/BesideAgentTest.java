// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.pools;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.monitoring.PoolMetric;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs a program with each pool beside the real Java agent of OpenTelemetry: each metric is exported once. */
@Timeout(1_800)
class BesideAgentTest {
    private static final String CONVENTIONS = "-Dotel.semconv-stability.opt-in=database";
    private static final String FLEXPOOL = "io.flexpool";
    private static final List<String> POOLS =
            List.of("hikaricp", "c3p0", "tomcatjdbc", "druid", "commonsdbcp2", "agroal", "vibur", "oracleucp");

    /** A line of the agent's console exporter: the scope, the name, and the form with the unit. */
    private static final Pattern LINE = Pattern.compile(
            "instrumentationScopeInfo=InstrumentationScopeInfo\\{name=([^,]+),.*?}, name=(db\\.client\\.connection[^,]*|flexpool\\.[^,]*),"
                    + " description=.*?, unit=([^,]*), type=([A-Z_]+)");

    private static final Pattern POOL = Pattern.compile("pool\\.name=\"([^\"]+)\"");

    @TempDir
    private Path directory;

    /**
     * A metric of a pool.
     *
     * @param form unit and instrument
     */
    private record Series(String pool, String scope, String name, String form) {}

    @Test
    void eachMetricOfEachPoolIsExportedOnce() throws Exception {
        Set<Series> both = exported(true, POOLS, CONVENTIONS);
        Set<Series> once = exported(false, POOLS, CONVENTIONS);
        for (String pool : POOLS) {
            Map<String, Set<String>> repeated = scopes(both, pool);
            repeated.remove("db.client.connection.max");
            Map<String, Set<String>> scopes = scopes(once, pool);
            scopes.forEach((name, by) -> assertThat(by).as("%s: %s", pool, name).hasSize(1));
            for (PoolMetric waits : List.of(PoolMetric.ACQUISITION, PoolMetric.PENDING, PoolMetric.TIMEOUTS)) {
                boolean agents = repeated.getOrDefault(waits.conventionName(), Set.of()).stream()
                        .anyMatch(scope -> !scope.equals(FLEXPOOL));
                String own = waits.conventionName().replace("db.client.connection.", "flexpool.");
                assertThat(scopes.remove(own) != null).as("%s: %s", pool, own).isEqualTo(agents);
            }
            assertThat(scopes.keySet()).as(pool).isEqualTo(repeated.keySet());
        }
        assertThat(scopes(once, "hikaricp").get("db.client.connection.use_time"))
                .containsOnly("io.opentelemetry.hikaricp-3.0");
        bothShowTheSame(both);
    }

    /** Names, units and instruments. */
    private static void bothShowTheSame(Set<Series> both) {
        Set<String> ours = new TreeSet<>();
        Set<String> agents = new TreeSet<>();
        for (Series each : both) {
            if (each.name().startsWith("db.")) {
                (each.scope().equals(FLEXPOOL) ? ours : agents).add(each.name() + " " + each.form());
            }
        }
        // Metrics that only one of the two exports.
        assertThat(ours.remove("db.client.connection.max {connection} LONG_SUM"))
                .isTrue();
        assertThat(agents.remove("db.client.connection.idle.max {connection} LONG_SUM"))
                .isTrue();
        assertThat(ours).isEqualTo(agents);
    }

    @Tag("scenario")
    @Test
    void anAgentWithTheOldNamesOrWithoutThePoolIsNotWaitedFor() throws Exception {
        for (List<String> options : List.of(
                List.of("-Dcontrol=true"), List.of(CONVENTIONS, "-Dotel.instrumentation.hikaricp.enabled=false"))) {
            Set<Series> all = exported(false, List.of("hikaricp"), options.toArray(String[]::new));
            Set<String> ours = all.stream()
                    .filter(each -> each.scope().equals(FLEXPOOL))
                    .map(Series::name)
                    .collect(Collectors.toCollection(TreeSet::new));
            assertThat(ours)
                    .as("%s", options)
                    .contains(
                            PoolMetric.ACTIVE.conventionName(),
                            PoolMetric.ACQUISITION.conventionName(),
                            PoolMetric.LEASE.conventionName(),
                            PoolMetric.MAX.conventionName())
                    .doesNotContain("flexpool.wait_time");
        }
    }

    /** The scopes that export a metric of a pool, by the metric's name. */
    private static Map<String, Set<String>> scopes(Set<Series> all, String pool) {
        Map<String, Set<String>> scopes = new TreeMap<>();
        for (Series each : all) {
            if (each.pool().equals(pool)) {
                scopes.computeIfAbsent(each.name(), unknown -> new TreeSet<>()).add(each.scope());
            }
        }
        return scopes;
    }

    /** Runs the program beside the agent and reads what was exported when it ended. */
    private Set<Series> exported(boolean repeat, List<String> pools, String... options)
            throws IOException, InterruptedException {
        List<String> path = Arrays.asList(System.getProperty("java.class.path").split(File.pathSeparator));
        String agent = path.stream()
                .filter(each -> each.contains("opentelemetry-javaagent"))
                .findFirst()
                .orElseThrow();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-javaagent:" + agent,
                "-Dotel.metrics.exporter=console",
                "-Dotel.traces.exporter=none",
                "-Dotel.logs.exporter=none",
                "-Dotel.metric.export.interval=3600000"));
        command.addAll(List.of(options));
        command.addAll(List.of(
                "-cp",
                path.stream().filter(each -> !each.equals(agent)).collect(Collectors.joining(File.pathSeparator)),
                AgentProgram.class.getName(),
                String.valueOf(repeat)));
        command.addAll(pools);
        Path output = directory.resolve("output");
        Process program = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(program.waitFor(10, TimeUnit.MINUTES)).isTrue();
        } finally {
            program.destroyForcibly();
        }
        List<String> lines = Files.readAllLines(output);
        String said = lines.stream()
                .filter(each -> !each.contains("LoggingMetricExporter"))
                .collect(Collectors.joining("\n"));
        assertThat(program.exitValue()).as(said).isZero();
        return series(lines);
    }

    private static Set<Series> series(List<String> lines) {
        Set<Series> all = new LinkedHashSet<>();
        for (String line : lines) {
            Matcher metric = LINE.matcher(line);
            if (metric.find()) {
                Matcher pool = POOL.matcher(line);
                while (pool.find()) {
                    all.add(new Series(
                            pool.group(1), metric.group(1), metric.group(2), metric.group(3) + " " + metric.group(4)));
                }
            }
        }
        return all;
    }
}
