// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JvmFactsTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    static final class Program {
        private Program() {}

        public static void main(String[] args) {
            AnsweringJvm.answer(() -> MAPPER.writeValueAsString(JvmFacts.here()));
        }
    }

    @ParameterizedTest
    @CsvSource({"-XX:+UseG1GC,G1", "-XX:+UseParallelGC,PS", "-XX:+UseSerialGC,Copy+MarkSweepCompact"})
    void theFactsAreThoseOfTheJvmThatRuns(String option, String collector) throws IOException, InterruptedException {
        FreshJvm jvm = new FreshJvm(Program.class).options(List.of(option, "-Xmx64m", "-XX:ActiveProcessorCount=3"));

        String answer = AnsweringJvm.ask("facts", jvm, Duration.ofMinutes(1), () -> false, news -> {})
                .orElseThrow();

        JvmFacts facts = MAPPER.readValue(answer, JvmFacts.class);
        assertThat(facts.collector()).isEqualTo(collector);
        assertThat(facts.cpus()).isEqualTo(3);
        assertThat(facts.maxHeapMb()).isBetween(50L, 64L);
        assertThat(facts.vm()).startsWith(System.getProperty("java.vm.name")).contains(facts.java());
        assertThat(facts.name())
                .isEqualTo(
                        "Java " + System.getProperty("java.version") + " (" + System.getProperty("java.vendor") + ")");
    }
}
