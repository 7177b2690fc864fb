// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InterruptTest {
    @Test
    void aTerminatedScenarioStillWrites(@TempDir Path folder) throws IOException, InterruptedException {
        Path written = folder.resolve("written");
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Scenario.class.getName(),
                        written.toString())
                .redirectErrorStream(true);
        // A JVM prints a line about it, before that of the scenario.
        builder.environment().remove("JDK_JAVA_OPTIONS");
        Process scenario = builder.start();
        try (BufferedReader said = scenario.inputReader()) {
            assertThat(said.readLine()).isEqualTo("measuring");

            // As Ctrl-C does, this begins the JVM's end.
            scenario.destroy();

            assertThat(scenario.waitFor(3, TimeUnit.MINUTES)).isTrue();
            assertThat(written).hasContent("complete: false");
        } finally {
            scenario.destroyForcibly();
        }
    }

    @Test
    void noStopIsReportedBeforeARequest() throws InterruptedException {
        Thread jvm;
        try (Interrupt stop = Interrupt.watch()) {
            assertThat(stop.asked()).isFalse();
            assertThat(stop.askedWithin(Duration.ofMillis(1))).isFalse();

            jvm = new Thread(stop::ask);
            jvm.start();

            assertThat(stop.askedWithin(Duration.ofMinutes(1))).isTrue();
            assertThat(stop.asked()).isTrue();
            assertThat(jvm.isAlive()).isTrue();
        }
        jvm.join(TimeUnit.MINUTES.toMillis(1));
        assertThat(jvm.isAlive()).isFalse();
    }

    /** Measures for longer than a test would wait, and writes slowly. */
    static final class Scenario {
        private Scenario() {}

        public static void main(String[] args) throws IOException, InterruptedException {
            try (Interrupt stop = Interrupt.watch()) {
                System.out.println("measuring");
                boolean ended = stop.askedWithin(Duration.ofMinutes(2));
                TimeUnit.MILLISECONDS.sleep(300);
                Files.writeString(Path.of(args[0]), "complete: " + !ended);
            }
        }
    }
}
