// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.plainjdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The programs of these pages run, print the output that the page expects, and have the code that the page shows. */
@Timeout(300)
class ExamplesOfPagesTest {
    private static final Path PAGES = Path.of("..", "..", "docs");
    private static final Path SOURCES = Path.of("src", "main", "java", "io", "flexpool", "examples", "plainjdbc");

    @ParameterizedTest
    @CsvSource({
        "how-to/warm-up-and-drain.md, Restart",
        "how-to/batch-beside-interactive.md, NightlyJob",
        "how-to/several-instances.md, SharedDatabase"
    })
    void theProgramOfThePagePrintsTheOutputOfThePage(String page, String program) throws Exception {
        String text = Files.readString(PAGES.resolve(page));
        String source = Files.readString(SOURCES.resolve(program + ".java"));
        assertThat(text).contains("/" + program + ".java)");
        assertThat(blocks(text, "java"))
                .isNotEmpty()
                .allSatisfy(block -> assertThat(withoutSpace(source)).contains(withoutSpace(block)));

        String printed = printed(Class.forName(getClass().getPackageName() + "." + program));

        assertThat(blocks(text, "text").get(0)).isEqualTo(printed);
    }

    private static String printed(Class<?> program) throws ReflectiveOperationException, IOException {
        PrintStream before = System.out;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            System.setOut(out);
            program.getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        } finally {
            System.setOut(before);
        }
        // Lines of the log begin with the time.
        return bytes.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.matches("\\d\\d:\\d\\d:\\d\\d\\..*"))
                .map(line -> line + "\n")
                .collect(Collectors.joining());
    }

    private static List<String> blocks(String page, String language) {
        return Pattern.compile("(?s)```" + language + "\n(.*?)```")
                .matcher(page)
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    private static String withoutSpace(String text) {
        return text.strip().replaceAll("\\s+", "");
    }
}
