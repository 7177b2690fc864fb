// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.advisor.LeaseTrace.Ending;
import io.flexpool.cli.MethodTrace.Lease;
import io.flexpool.cli.MethodTrace.Leases;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import jdk.jfr.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Recordings of real pools on OpenJDK 25 by src/test/record/RecordMethods.java: HikariCP 7.1.0, Tomcat JDBC 11.0.27, DBCP 2.14.0,
 * Druid 1.2.28, c3p0 0.14.1, Agroal 3.2.1, UCP 23.26.4 and Vibur 26.0.
 */
class MethodTraceTest {
    @TempDir
    private Path folder;

    private Path recording(String name) throws IOException {
        Path file = folder.resolve(name + ".jfr");
        try (InputStream stored = Objects.requireNonNull(
                        getClass().getResourceAsStream("/jfr/methods-" + name + ".jfr.gz"), name);
                InputStream recorded = new GZIPInputStream(stored)) {
            Files.copy(recorded, file);
        }
        return file;
    }

    private static List<Lease> of(Leases leases, Ending how) {
        return leases.leases().stream().filter(each -> each.ending() == how).toList();
    }

    /** 36 leases of 30 ms on two connections, one that is held while a request fails, and one that is not returned. */
    @ParameterizedTest
    @CsvSource({
        "hikaricp, HikariCP",
        "tomcat, Tomcat JDBC",
        "dbcp2, Commons DBCP 2",
        "druid, Druid",
        "c3p0, c3p0",
        "agroal, Agroal",
        "ucp, Oracle UCP",
        "vibur, Vibur"
    })
    void eachLeaseAndEachReturnIsFound(String name, String kind) throws IOException {
        MethodTrace.Read read = MethodTrace.read(recording(name));
        assertThat(read.leases()).containsOnlyKeys(kind);
        Leases leases = Objects.requireNonNull(read.leases().get(kind));
        assertThat(leases.missing()).isEmpty();
        List<Lease> released = of(leases, Ending.RELEASED);
        assertThat(released).hasSize(37);
        assertThat(released.subList(0, 36)).allSatisfy(each -> {
            assertThat(each.site()).isEqualTo("RecordMethods.find");
            assertThat(each.held()).isBetween(Duration.ofMillis(30), Duration.ofMillis(400));
            assertThat(each.nested()).isFalse();
        });
        assertThat(released.get(36).site()).isEqualTo("RecordMethods.hold");
        assertThat(released.get(36).held()).isBetween(Duration.ofMillis(490), Duration.ofMillis(1_500));
        assertThat(released.get(36).nested()).isTrue();
        long waited =
                released.stream().filter(each -> each.waited().toMillis() > 50).count();
        assertThat(waited).as("four of six wait; some pools prefer who comes").isGreaterThan(7);
        assertThat(of(leases, Ending.TIMED_OUT)).singleElement().satisfies(each -> {
            assertThat(each.site()).isEqualTo("RecordMethods.refused");
            assertThat(each.waited()).isBetween(Duration.ofMillis(390), Duration.ofMillis(900));
        });
        assertThat(of(leases, Ending.OPEN))
                .singleElement()
                .satisfies(each -> assertThat(each.site()).isEqualTo("RecordMethods.hold"));
        assertThat(leases.trace().requests()).isEqualTo(39);
    }

    @Test
    void theSettingsAreThoseOfTheJdk() throws Exception {
        Map<String, String> settings =
                Configuration.create(new StringReader(MethodTrace.settings())).getSettings();
        assertThat(settings)
                .containsEntry("jdk.ThreadPark#threshold", "20 ms")
                .hasEntrySatisfying(
                        "jdk.MethodTrace#filter",
                        filter -> assertThat(filter)
                                .contains(
                                        "com.zaxxer.hikari.pool.PoolEntry::recycle;",
                                        "java.sql.SQLException::<init>;"));
    }

    @Test
    void adviceOfLeasesMayBeFewer() throws IOException {
        Path recording = recording("c3p0");
        ProgramRun run = ProgramRun.of("advise", "--jfr", recording.toString(), "--size", "30");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out())
                .startsWith("In 1 s the demand was at most 6 connections")
                .containsPattern("The pool has 30 connections: \\d would be enough")
                .contains("39 requests, 1 of them timed out");
        assertThat(ProgramRun.of("advise", "--jfr", recording.toString()).err())
                .contains("--size = (not given): must be given, because the recording has no pool size");
        assertThat(ProgramRun.of("advise", "--jfr", recording.toString(), "--size", "3", "--pool", "Druid")
                        .err())
                .contains("--pool = Druid: must be one of c3p0");
    }
}
