// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.ownpart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The code in docs/how-to/write-a-part.md is compiled and tested here. */
class DocumentTest {
    private static final Path SOURCES = Path.of("src", "main", "java", "io", "flexpool", "examples", "ownpart");

    @Test
    void everyBlockOfJavaIsInASourceOfThisModule() throws IOException {
        String sources = oneLine(Files.readString(SOURCES.resolve("WebhookProvider.java"))
                + Files.readString(SOURCES.resolve("Webhook.java")));
        List<String> blocks = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("..", "..", "docs", "how-to", "write-a-part.md")))
                .results()
                .map((MatchResult found) -> oneLine(found.group(1)))
                .toList();
        assertThat(blocks)
                .hasSizeGreaterThan(2)
                .allSatisfy(block -> assertThat(sources).contains(block));
    }

    private static String oneLine(String text) {
        return text.strip().replaceAll("\\s+", "");
    }
}
