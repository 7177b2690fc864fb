// SPDX-License-Identifier: Apache-2.0
package io.flexpool.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.event.PoolEvent;
import io.flexpool.spi.Texts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tables of docs/reference/explanations.md have each cause with its text, each event, and each value of a decision. */
class ExplanationsPageTest {
    private static List<String> table(String mark) throws IOException {
        List<String> lines = Files.readAllLines(Path.of("..", "docs", "reference", "explanations.md"));
        assertThat(lines).contains(mark);
        return lines.stream()
                .skip(lines.indexOf(mark) + 3L)
                .takeWhile(line -> line.startsWith("|"))
                .toList();
    }

    @Test
    void eachCauseHasARowWithItsText() throws IOException {
        List<String> rows = table("<!-- causes: tested against Explanation.Cause -->").stream()
                .map(row -> row.replaceFirst(" \\| [^|]* \\|$", ""))
                .toList();
        assertThat(rows)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Explanation.Cause.values())
                        .map(cause -> "| `" + cause + "` | " + cause.words())
                        .toList());
    }

    /** The page that a reader of an exception opens first. */
    @Test
    void eachCauseHasWhatToDo() throws IOException {
        List<String> causes = Files.readAllLines(Path.of("..", "docs", "how-to", "pool-exhausted.md")).stream()
                .filter(line -> line.startsWith("| "))
                .flatMap(row ->
                        Arrays.stream(row.split(" \\| ", 2)[0].substring(2).split(" · ", -1)))
                .toList();
        assertThat(Explanation.Cause.values())
                .allSatisfy(cause -> assertThat(causes).contains(cause.words()));
    }

    @Test
    void eachEventHasARow() throws IOException {
        assertThat(table("<!-- events: tested against PoolEvent.Kind -->").stream()
                        .flatMap(row -> Pattern.compile("`([a-z-]+)`")
                                .matcher(row.replaceFirst("\\|([^|]*)\\|.*", "$1"))
                                .results())
                        .map(word -> word.group(1)))
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(PoolEvent.Kind.values())
                        .map(PoolEvent.Kind::toString)
                        .toList());
    }

    @Test
    void eachValueOfADecisionIsNamed() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "reference", "explanations.md"));
        Stream<String> words = Stream.of(
                        // A cap has the name of its part for a word.
                        Arrays.stream(Decision.Cause.values())
                                .filter(cause -> cause != Decision.Cause.CAP)
                                .map(Texts::word),
                        Arrays.stream(Decision.Verdict.values()).map(Decision.Verdict::toString),
                        Arrays.stream(Decision.Outcome.values()).map(Decision.Outcome::toString))
                .flatMap(all -> all);
        assertThat(words).allSatisfy(word -> assertThat(page).contains("`" + word + "`"));
    }
}
