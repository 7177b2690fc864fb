// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.benchmarks.report.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * The table of docs/scenarios/virtual-threads.md is that of benchmarks/results/virtual-threads.json. With {@code -Dflexpool.write} it is written
 * from the file.
 */
class VirtualThreadsPageTest {
    private static final Path FOLDER = Path.of("..", "docs", "scenarios");
    private static final Path PAGE = FOLDER.resolve("virtual-threads.md");
    private static final Path FILE = Path.of("results", "virtual-threads.json");
    private static final String BEGIN = "<!-- figures: virtual-threads.json -->\n";
    private static final String END = "<!-- end of figures -->\n";
    private static final String NONE = "No run on a quiet machine has been published yet.\n";
    private static final long MOST_BYTES = 100_000;

    /** What stands between the marks. */
    private static String figures() throws IOException {
        if (!Files.exists(FILE)) {
            return NONE;
        }
        ObjectMapper mapper = new ObjectMapper();
        JsonNode result = mapper.readTree(FILE.toFile());
        StringBuilder figures = new StringBuilder();
        for (JsonNode table : result.path("tables")) {
            figures.append(mapper.treeToValue(table, Table.class).text().markdown());
        }
        return figures.append('\n')
                .append("Java ")
                .append(result.at("/environment/java").asText())
                .append(", ")
                .append(result.at("/environment/cpus").asInt())
                .append(" processors, HikariCP ")
                .append(result.at("/environment/versions/hikaricp").asText())
                .append(" ([all of them](../../benchmarks/results/virtual-threads.json)).\n")
                .toString();
    }

    @Test
    void theTableIsThatOfTheFile() throws IOException {
        String page = Files.readString(PAGE);
        int from = page.indexOf(BEGIN) + BEGIN.length();
        int to = page.indexOf(END);
        assertThat(to).isGreaterThan(from);
        String expected = page.substring(0, from) + figures() + page.substring(to);
        if (Boolean.getBoolean("flexpool.write")) {
            Files.writeString(PAGE, expected);
        }

        assertThat(PAGE).hasContent(expected);
    }

    @Test
    void theFileIsSmallAndOfAWholeRun() throws IOException {
        if (Files.exists(FILE)) {
            assertThat(Files.size(FILE)).isLessThan(MOST_BYTES);
            assertThat(new ObjectMapper()
                            .readTree(FILE.toFile())
                            .path("complete")
                            .asBoolean())
                    .isTrue();
        }
        assertThat(Files.readString(PAGE)).contains("virtual-threads --json benchmarks/results/virtual-threads.json");
    }
}
