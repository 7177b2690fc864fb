// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.flexpool.adapter.tck.PostgresServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Twelve pools in four JVMs share 50 connections of a server with 60; the server counts its sessions four times a second. Each
 * schedule lasts {@code -Dfleet.seconds=60}.
 */
@Tag("scenario")
class FleetOfProcessesTest {
    private static final int JVMS = 4;
    private static final int MEMBERS = 3;
    private static final int CAP = 50;
    private static final int RESERVE = 4;
    /** In a rolling update one JVM more. */
    private static final int INSTANCES = (JVMS + 1) * MEMBERS;

    private static final int SHARE = (CAP - RESERVE) / INSTANCES;
    private static final int SECONDS = Integer.getInteger("fleet.seconds", 60);
    private static final String COUNT = "select count(*) from pg_stat_activity where application_name = 'fleet'";

    private final List<Process> processes = new ArrayList<>();
    private final AtomicInteger refused = new AtomicInteger();
    /** What each member said last. */
    private final Map<Integer, Said> said = new ConcurrentHashMap<>();

    private PostgresServer server;
    private int started;
    private int samples;
    private int above;
    private int most;
    private long unmet;
    private long ideal;
    private int longestBelow;

    private record Said(long nanos, int demand, int granted) {}

    /** What happens after a third of the time. */
    private enum Schedule {
        CALM,
        KILLED,
        STOPPED_30_S,
        STORE_AWAY,
        STORE_EMPTIED,
        ROLLING_UPDATE
    }

    @BeforeEach
    void start() throws SQLException {
        assumeTrue(PostgresServer.unavailable().isEmpty());
        server = PostgresServer.start(Map.of("max_connections", "60"));
        superuser(new JdbcBudgetScript().text());
        superuser("grant select, insert, update, delete on flexpool_fleet to " + server.user());
    }

    /** The migration script as a user runs it. */
    private static final class JdbcBudgetScript {
        String text() {
            return Dialect.POSTGRESQL.create();
        }
    }

    @AfterEach
    void stop() throws Exception {
        for (Process process : processes) {
            process.destroyForcibly();
            process.waitFor();
        }
        server.close();
    }

    private void superuser(String statement) throws SQLException {
        try (Connection connection = server.superuser().getConnection();
                Statement run = connection.createStatement()) {
            run.execute(statement);
        }
    }

    private Process jvm() throws IOException {
        String[] arguments = {
            String.valueOf(server.port()),
            String.valueOf(MEMBERS * started++),
            String.valueOf(MEMBERS),
            String.valueOf(CAP),
            String.valueOf(INSTANCES),
            String.valueOf(RESERVE),
            "postgresql",
            server.user(),
            String.valueOf(server.password().getBytes(StandardCharsets.UTF_8).length)
        };
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                FleetProcess.class.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        OutputStream input = process.getOutputStream();
        input.write(server.password().getBytes(StandardCharsets.UTF_8));
        input.flush();
        processes.add(process);
        Thread reader = new Thread(() -> read(process));
        reader.setDaemon(true);
        reader.start();
        return process;
    }

    private void read(Process process) {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split(" ");
                if (words[0].equals("REFUSED")) {
                    refused.incrementAndGet();
                } else if (words[0].equals("MEMBER")) {
                    said.put(
                            Integer.valueOf(words[1]),
                            new Said(System.nanoTime(), Integer.parseInt(words[2]), Integer.parseInt(words[3])));
                }
            }
        } catch (IOException ended) {
            // It was killed.
        }
    }

    @ParameterizedTest
    @EnumSource(Schedule.class)
    void theServerNeverHasMoreSessionsThanTheFleetMayHave(Schedule schedule) throws Exception {
        for (int at = 0; at < JVMS; at++) {
            jvm();
        }
        try (Connection connection = server.superuser().getConnection();
                Statement statement = connection.createStatement()) {
            sample(statement, SECONDS / 3);
            happen(schedule, statement);
            sample(statement, SECONDS - SECONDS / 3);
        }
        String result = String.format(
                Locale.ROOT,
                "%s: samples %d, above the cap %d, most %d, refused %d, longest below the share %d s, unmet / ideal %d / %d",
                schedule,
                samples,
                above,
                most,
                refused.get(),
                longestBelow,
                unmet,
                ideal);
        System.out.println("RESULT " + result);
        assertThat(above).as(result).isZero();
        assertThat(refused).as(result).hasValue(0);
        assertThat(most).as(result).isGreaterThan(JVMS * MEMBERS);
    }

    private void happen(Schedule schedule, Statement statement) throws Exception {
        Process first = processes.get(0);
        switch (schedule) {
            case CALM -> {}
            case KILLED -> {
                first.destroyForcibly().waitFor();
                jvm();
            }
            case STOPPED_30_S -> {
                signal(first, "STOP");
                sample(statement, 30);
                signal(first, "CONT");
            }
            case STORE_AWAY -> {
                superuser("alter table flexpool_fleet rename to away");
                sample(statement, 30);
                superuser("alter table away rename to flexpool_fleet");
            }
            case STORE_EMPTIED -> superuser("delete from flexpool_fleet");
            case ROLLING_UPDATE -> {
                for (Process old : List.copyOf(processes)) {
                    jvm();
                    sample(statement, 10);
                    old.getOutputStream().close();
                    assertThat(old.waitFor(30, TimeUnit.SECONDS)).isTrue();
                    sample(statement, 5);
                }
            }
        }
    }

    private static void signal(Process process, String name) throws Exception {
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                .start()
                .waitFor();
    }

    /** Four times a second what the server says, and once a second what the members say. */
    private void sample(Statement statement, int seconds) throws Exception {
        Map<Integer, Integer> below = new ConcurrentHashMap<>();
        for (int at = 0; at < 4 * seconds; at++) {
            Thread.sleep(250);
            try (ResultSet row = statement.executeQuery(COUNT)) {
                row.next();
                int sessions = row.getInt(1);
                samples++;
                most = Math.max(most, sessions);
                above += sessions > CAP ? 1 : 0;
            }
            if (at % 4 == 0) {
                count(below);
            }
        }
    }

    private void count(Map<Integer, Integer> below) {
        long now = System.nanoTime();
        int demanded = 0;
        for (Map.Entry<Integer, Said> each : said.entrySet()) {
            Said one = each.getValue();
            if (now - one.nanos() > 2_500_000_000L) {
                continue;
            }
            demanded += one.demand();
            unmet += Math.max(0, one.demand() - one.granted());
            boolean starved = one.granted() < Math.min(one.demand(), SHARE);
            int seconds = starved ? below.merge(each.getKey(), 1, Integer::sum) : 0;
            if (!starved) {
                below.remove(each.getKey());
            }
            longestBelow = Math.max(longestBelow, seconds);
        }
        ideal += Math.max(0, demanded - CAP);
    }
}
