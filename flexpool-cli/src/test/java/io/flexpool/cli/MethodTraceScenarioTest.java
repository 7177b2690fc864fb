// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.acme.shop.SteadyShop;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * An application on JDK 25 whose methods the JDK traces, while flexpool records the same requests: {@code mvn verify -Pscenarios
 * -Ddoctor.home=<JDK 25> -pl flexpool-cli -am -Dtest=MethodTraceScenarioTest -Dsurefire.failIfNoSpecifiedTests=false}.
 */
@Tag("scenario")
@Timeout(120)
class MethodTraceScenarioTest {
    private static final Pattern NEEDED = Pattern.compile("margin of 8 %, (?<connections>\\d+) are needed\\.");

    @TempDir
    private Path folder;

    private Path home() throws IOException {
        String home = System.getProperty("doctor.home", System.getProperty("java.home"));
        Matcher version = Pattern.compile("JAVA_VERSION=\"(\\d+)").matcher(Files.readString(Path.of(home, "release")));
        assumeTrue(
                version.find() && Integer.parseInt(version.group(1)) >= 25,
                () -> home + " is no JDK 25, which traces methods: set -Ddoctor.home");
        return Path.of(home);
    }

    private static JsonNode advice(Object... arguments) throws IOException {
        ProgramRun run = ProgramRun.of(Stream.concat(Stream.of("advise"), Stream.of(arguments))
                .map(Object::toString)
                .toArray(String[]::new));
        assertThat(run.code()).as(run.err()).isZero();
        return new ObjectMapper().readTree(run.out());
    }

    /** Before the limit of one step, which depends on how many leases were active at once. */
    private static double needed(JsonNode advice) {
        Matcher needed = NEEDED.matcher(advice.path("text").asText());
        assertThat(needed.find()).as(advice.path("text").asText()).isTrue();
        return Double.parseDouble(needed.group("connections"));
    }

    @ParameterizedTest
    @CsvSource({"30, fewer", "10, more", "7, 'more,unknown,database'"})
    void theAdvisedSizeIsThatOfFlexpoolsRecord(int size, String verdicts) throws Exception {
        Path recording = folder.resolve("app.jfr");
        Process shop = new ProcessBuilder(
                        home().resolve("bin").resolve("java").toString(),
                        "-Xmx256m",
                        "-XX:StartFlightRecording:filename=" + recording + ",method-trace=" + MethodTrace.FILTER,
                        "-cp",
                        System.getProperty("java.class.path"),
                        SteadyShop.class.getName(),
                        String.valueOf(size),
                        "450",
                        "15",
                        folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("app.log").toFile())
                .start();
        assertThat(shop.waitFor())
                .as(Files.readString(folder.resolve("app.log")))
                .isZero();
        JsonNode recorded = advice(folder.resolve("orders.fpt"), "--json", "-");
        JsonNode traced = advice("--jfr", recording, "--size", size, "--timeout", "500ms", "--json", "-");
        String verdict = recorded.path("verdict").asText();
        assertThat(verdicts.split(",", -1)).contains(verdict);
        assertThat(traced.path("verdict").asText()).isEqualTo(verdict);
        // Of requests that end within some nanoseconds of the timeout each may count one more.
        assertThat(traced.path("timedOut").asDouble())
                .isCloseTo(recorded.path("timedOut").asDouble(), offset(2.0));
        assertThat(traced.path("requests").asDouble())
                .isCloseTo(recorded.path("requests").asDouble(), withinPercentage(1));
        assertThat(needed(traced)).isCloseTo(needed(recorded), withinPercentage(10));
        if (verdict.equals("fewer")) {
            assertThat(traced.path("connections").asInt()).isLessThan(size);
            assertThat(traced.path("connections").asDouble())
                    .isCloseTo(recorded.path("connections").asDouble(), withinPercentage(10));
        }
    }
}
