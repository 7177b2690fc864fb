// SPDX-License-Identifier: Apache-2.0
package io.flexpool.junit5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.OpenPools;
import io.flexpool.junit5.Examples.CheckoutTest;
import io.flexpool.junit5.Examples.OneOfSeveralPoolsTest;
import io.flexpool.junit5.Examples.OrderTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/** docs/how-to/find-leaks-in-tests.md shows the real failures. */
class DocumentationTest {
    private static final Path PAGE = Path.of("../../docs/how-to/find-leaks-in-tests.md");

    private static List<String> blocks(String language) throws IOException {
        return Stream.of(Files.readString(PAGE).split("```" + language + "\n", -1))
                .skip(1)
                .map(rest -> rest.substring(0, rest.indexOf("```")))
                .toList();
    }

    private static String spaceless(String text) {
        return text.replaceAll("\\s+", "");
    }

    /** Other tests are about tests without a pool. */
    @AfterAll
    static void close() {
        OpenPools.list().forEach(FlexPoolDataSource::close);
    }

    @Test
    void javaExamplesCompile() throws IOException {
        String examples = spaceless(Files.readString(Path.of("src/test/java/io/flexpool/junit5/Examples.java")));
        assertThat(blocks("java"))
                .hasSize(1)
                .allSatisfy(block -> assertThat(examples).contains(spaceless(block)));
    }

    @Test
    void theFailureShownIsReal() throws IOException {
        EngineExecutionResults results = EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(OrderTest.class), selectClass(OneOfSeveralPoolsTest.class))
                .execute();
        assertThat(results.containerEvents().failed().count()).isZero();
        assertThat(results.testEvents().succeeded().count()).isEqualTo(4);
        String said = results.testEvents().failed().stream()
                .map(event -> event.getRequiredPayload(TestExecutionResult.class)
                        .getThrowable()
                        .orElseThrow()
                        .getMessage())
                .reduce("", String::concat);
        assertThat(withoutFigures(blocks("text").get(0))).isEqualTo(withoutFigures(said));
    }

    @Test
    void theFailuresOfRulesAreReal() throws IOException {
        EngineExecutionResults results = EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(CheckoutTest.class))
                .execute();
        List<String> said = results.testEvents().failed().stream()
                .map(event -> event.getRequiredPayload(TestExecutionResult.class)
                        .getThrowable()
                        .orElseThrow())
                .map(thrown -> withoutFigures(String.valueOf(thrown.getMessage())))
                .toList();
        assertThat(said)
                .containsExactlyInAnyOrder(withoutFigures(blocks("text").get(1)).split("\n(?=CheckoutTest)"));
    }

    @Test
    void theParametersShownAreReal() throws IOException {
        assertThat(Files.readString(PAGE))
                .contains(
                        "| `" + LeaseRules.MAX_PARAMETER + "` |",
                        "| `" + LeaseRules.NO_IO_PARAMETER + "` |",
                        "| `" + LeaseRules.BASELINE_PARAMETER + "` |",
                        "| `" + LeaseRules.WRITE_PARAMETER + "` |",
                        "| `" + LeaseRules.FACTOR_PARAMETER + "` |",
                        "| `" + LeaseRules.FLOOR_PARAMETER + "` |",
                        "| `" + LeakCheck.REQUIRE_POOL_PARAMETER + "` |",
                        "if it lasts " + IoKind.WAIT_MILLIS + " ms or more");
    }

    private static String withoutFigures(String text) {
        return text.strip().replaceAll("\\d+ ms", "N ms").replaceAll(":\\d+([),:])", ":N$1");
    }

    @Test
    void theGracePeriodShownIsReal() throws IOException {
        assertThat(Files.readString(PAGE))
                .contains("| `" + LeakCheck.GRACE_PARAMETER + "` | `PT0S` to `PT1M` |")
                .contains("half a second");
        assertThat(LeakCheck.GRACE.toMillis()).isEqualTo(500);
    }
}
