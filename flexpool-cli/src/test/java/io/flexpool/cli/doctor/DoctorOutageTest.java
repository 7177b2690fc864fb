// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.cli.LogInput;
import io.flexpool.cli.ProgramRun;
import io.flexpool.diagnostics.Explanation.Cause;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A database that refuses or never answers. The dumps, the JVM's logs of exceptions (OpenJDK 17) and the recording (25) are of an
 * application with PostgreSQL 18 behind a proxy, which was closed or stopped to forward.
 */
class DoctorOutageTest {
    private static final Path FILES = Path.of("src/test/resources/doctor");

    @TempDir
    private Path folder;

    private Path unpacked(String name) throws IOException {
        Path file = folder.resolve(name);
        try (InputStream in = new GZIPInputStream(Files.newInputStream(FILES.resolve(name + ".gz")))) {
            Files.copy(in, file);
        }
        return file;
    }

    private static JsonNode answer(Path... files) throws IOException {
        String[] arguments = new String[files.length + 3];
        arguments[0] = "doctor";
        arguments[1] = "--json";
        arguments[2] = "-";
        for (int at = 0; at < files.length; at++) {
            arguments[at + 3] = files[at].toString();
        }
        return new ObjectMapper().readTree(ProgramRun.of(arguments).out());
    }

    /** As of a live JVM: three dumps, and then the JVM's log of its exceptions. */
    private Diagnosis.Answer live(String dumps, String events) throws IOException {
        Evidence evidence = new Evidence();
        evidence.read(unpacked(dumps), new LogInput(() -> InputStream.nullInputStream()));
        String log = events.isEmpty() ? "" : Files.readString(unpacked(events), StandardCharsets.UTF_8);
        evidence.add(RefusedConnects.of(log));
        return new Diagnosis(evidence).answer();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hikaricp", "druid"})
    void aPoolThatPausesBetweenConnectsCannotConnect(String pool) throws IOException {
        JsonNode answer = answer(FILES.resolve("outage-" + pool + ".txt.gz"));
        assertThat(answer.path("cause").asText()).isEqualTo("connect_failure");
        assertThat(answer.path("waiting").asInt()).isEqualTo(8);
        assertThat(answer.path("evidence").toString())
                .contains("pauses between its attempts to connect in all 3 dumps");
        String one = Files.readString(unpacked("outage-" + pool + ".txt"), StandardCharsets.UTF_8);
        Path first = Files.writeString(
                folder.resolve("first"), one.substring(0, one.indexOf("Full thread dump", one.indexOf("desk-"))));
        assertThat(answer(first).path("cause").asText()).isEqualTo("unknown");
    }

    /** One may be down, and the other one exhausted. */
    @Test
    void ofTwoPoolsItIsUnknownWhichOneCannotConnect() throws IOException {
        String dumps = Files.readString(unpacked("outage-hikaricp.txt"), StandardCharsets.UTF_8);
        Path two = Files.writeString(
                folder.resolve("two"),
                dumps
                        + "\n\"reports:housekeeper\" #99 daemon prio=5 os_prio=0 tid=0x00007f7e78002d40 nid=0x2393 waiting\n");
        assertThat(answer(two).path("cause").asText()).isEqualTo("unknown");
    }

    /** DBCP 2 opens its first connection in a monitor, for which all other requests wait. */
    @ParameterizedTest
    @CsvSource({"dbcp2, Commons DBCP 2", "agroal, Agroal"})
    void aConnectWithoutAnAnswerIsNamed(String pool, String kind) throws IOException {
        JsonNode answer = answer(FILES.resolve("opening-" + pool + ".txt.gz"));
        assertThat(answer.path("pool").asText()).isEqualTo(kind);
        assertThat(answer.path("cause").asText()).isEqualTo("opening");
        assertThat(answer.path("waiting").asInt()).isEqualTo(8);
        assertThat(answer.path("advice").asText()).contains("Check that the database runs");
    }

    @Test
    void aConnectThatAThreadOfThePoolFailedIsAnOutage() throws IOException {
        assertThat(live("outage-c3p0.txt", "events-c3p0.txt").cause()).isEqualTo(Cause.CONNECT_FAILURE);
    }

    /** c3p0's threads rest between their attempts like others. */
    @Test
    void withoutTheLogOfExceptionsItIsUnknown() throws IOException {
        assertThat(live("outage-c3p0.txt", "").cause()).isNull();
        // Of another thread.
        assertThat(live("outage-hikaricp.txt", "events-tomcat.txt").evidence().toString())
                .doesNotContain("of the pool failed");
    }

    /** Its threads connect for their own requests, and may have called another service. No request waits. */
    @Test
    void aConnectOfARequestMayBeOneToAnotherService() throws IOException {
        Diagnosis.Answer answer = live("outage-tomcat.txt", "events-tomcat.txt");
        assertThat(answer.cause()).isNull();
        assertThat(answer.quiet()).isFalse();
        assertThat(answer.evidence().toString()).contains("to an unknown server failed in the last 15 s");
        assertThat(answer.missing()).containsExactly("which server refused: give the application's log");
    }

    @Test
    void oldFailuresAreNotCounted() throws IOException {
        String failed =
                "Event: 4.653 Thread 0x00007f7cbc3ecb00 Exception <a 'java/net/ConnectException'{0x00000000fe106850}>"
                        + " (0x00000000fe106850) \nthrown [./src/hotspot/share/prims/jni.cpp, line 516]\n";
        assertThat(RefusedConnects.of(failed).threads()).containsExactly(0x7f7cbc3ecb00L);
        assertThat(RefusedConnects.of(failed + "Event: 19.6 Executing VM operation: PrintThreads\n")
                        .threads())
                .hasSize(1);
        assertThat(RefusedConnects.of(failed + "Event: 19.7 Executing VM operation: PrintThreads\n")
                        .threads())
                .isEmpty();
    }

    /** OpenJDK 25 recorded Tomcat JDBC, whose requests fail at once. */
    @Test
    void exceptionsBelowAPoolNameTheOutage() throws IOException {
        JsonNode answer = answer(unpacked("thrown-tomcat.jfr"));
        assertThat(answer.path("cause").asText()).isEqualTo("connect_failure");
        assertThat(answer.path("evidence").toString()).contains("connects of the pool failed while it was recorded");
        assertThat(answer.path("measured").toString()).contains("requests failed, and no other was recorded");
    }

    @Test
    void failedRequestsOfAPoolWithoutAnyConnectionAreAnOutage() throws IOException {
        String timeout =
                "20:36:49.322 [desk-1] ERROR booking failed: java.sql.SQLTransientConnectionException: bay-pool -"
                        + " Connection is not available, request timed out after 30012ms (total=%d, active=%d, idle=0, waiting=7)\n";
        Path empty = Files.writeString(folder.resolve("empty.log"), timeout.replace("%d", "0"));
        assertThat(answer(empty).path("cause").asText()).isEqualTo("connect_failure");
        Path full = Files.writeString(folder.resolve("full.log"), timeout.replace("%d", "5"));
        assertThat(answer(full).path("cause").asText()).isEqualTo("unknown");
        Path over =
                Files.writeString(folder.resolve("over.log"), timeout.replace("%d", "0") + timeout.replace("%d", "5"));
        assertThat(answer(over).path("cause").asText()).isEqualTo("unknown");
    }
}
