// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.acme.shop.StagedShop;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.cli.ProgramRun;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Situations of a real application in another JVM, which the program reads while they last: {@code mvn verify -Pscenarios -pl
 * flexpool-cli -am -Dtest=DoctorScenarioTest -Dsurefire.failIfNoSpecifiedTests=false}. With {@code -Ddoctor.home=<JDK 25>} the
 * application runs on that JDK and its methods are traced.
 */
@Tag("scenario")
@Timeout(300)
class DoctorScenarioTest {
    @TempDir
    private Path folder;

    private @Nullable Process application;

    @AfterEach
    void end() {
        if (application != null) {
            application.destroyForcibly();
        }
    }

    /** Starts it, and waits until requests wait for a connection, or have failed. */
    private Process start(String situation, String... more) throws IOException, InterruptedException {
        Path log = folder.resolve("app.log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("doctor.home", System.getProperty("java.home")), "bin", "java")
                        .toString(),
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                StagedShop.class.getName(),
                situation));
        command.addAll(List.of(more));
        Process started = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        application = started;
        boolean leak = situation.equals("leak");
        await(started, log, leak ? "Apparent connection leak" : "ready");
        if (leak || situation.equals("down")) {
            await(started, log, "request timed out after");
        }
        // All holders are then where they stay.
        TimeUnit.SECONDS.sleep(3);
        return started;
    }

    private static void await(Process started, Path log, String text) throws IOException, InterruptedException {
        while (!Files.readString(log).contains(text)) {
            assertThat(started.isAlive()).as(Files.readString(log)).isTrue();
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "sleep,     held_idle,       StagedShop.pack,    may hold a connection while sleeping",
        "http,      held_idle,       StagedShop.pay,     may hold a connection during an HTTP call",
        "nested,    nested,          StagedShop.inner,   waits for a second connection",
        "slow,      held,            StagedShop.execute, runs a statement",
        "lock,      held,            StagedShop.reserve, runs a statement",
        "demand,    demand,          StagedShop.execute, runs a statement",
        "inversion, lock_inversion,  StagedShop.update,  may hold a connection while waiting for a lock",
        "leak,      leak,            StagedShop.forget,  reported as leaked",
        "down,      connect_failure, '',                 ''"
    })
    void theCauseAndTheHoldersLineAreFound(String situation, String cause, String site, String what) throws Exception {
        Process shop = start(situation);
        List<String> arguments = new ArrayList<>(List.of("doctor", String.valueOf(shop.pid()), "--json", "-"));
        if (situation.equals("leak") || situation.equals("down")) {
            arguments.add(folder.resolve("app.log").toString());
        }
        ProgramRun run = ProgramRun.of(arguments.toArray(String[]::new));
        JsonNode answer = new ObjectMapper().readTree(run.out());
        assertThat(answer.path("cause").asText()).as(run.err()).isEqualTo(cause);
        List<String> holders = new ArrayList<>();
        answer.path("holders").fieldNames().forEachRemaining(holders::add);
        if (!site.isEmpty()) {
            assertThat(holders)
                    .as(run.err())
                    .isNotEmpty()
                    .allMatch(holder -> holder.startsWith(site + "(StagedShop.java:") && holder.endsWith(what));
        }
        assertThat(run.code()).isZero();
        assertThat(shop.isAlive()).isTrue();
    }

    /** What stacks leave open, the server's sessions settle. */
    @ParameterizedTest
    @CsvSource({
        "sleep,  held_idle,         StagedShop.pack,    may hold a connection while sleeping",
        "slow,   slow_database,     StagedShop.execute, runs a statement",
        "lock,   blocked_by_holder, StagedShop.reserve, runs a statement",
        "demand, demand,            StagedShop.execute, runs a statement"
    })
    void theServersSideIsReadToo(String situation, String cause, String site, String what) throws Exception {
        boolean root = "root".equals(System.getProperty("user.name"));
        assumeTrue(
                !root || LinuxUtils.isUnshareAvailable(),
                "PostgreSQL does not run as root, and this machine allows no user namespaces");
        try (EmbeddedPostgres server = EmbeddedPostgres.start()) {
            Process shop = start(situation, server.getJdbcUrl("postgres", "postgres"));
            ProgramRun run = ProgramRun.of(
                    "doctor",
                    String.valueOf(shop.pid()),
                    "--json",
                    "-",
                    "--jdbc-url",
                    server.getJdbcUrl("postgres", "postgres"));
            JsonNode answer = new ObjectMapper().readTree(run.out());
            assertThat(answer.path("cause").asText()).as(run.err()).isEqualTo(cause);
            assertThat(answer.path("holders").fieldNames())
                    .toIterable()
                    .isNotEmpty()
                    .allMatch(holder -> holder.startsWith(site + "(StagedShop.java:") && holder.endsWith(what));
            shop.destroyForcibly().waitFor();
        }
    }
}
