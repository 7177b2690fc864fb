// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.slf4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.metrics.tck.ScriptedPool;
import io.flexpool.monitoring.ConfigKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DocumentationTest {
    private String page = "";

    @BeforeEach
    void read() throws IOException {
        page = Files.readString(Path.of("../../docs/metrics/slf4j.md"));
    }

    private static String spaceless(String text) {
        return text.replaceAll("\\s+", "");
    }

    @Test
    void javaExamplesCompile() throws IOException {
        String examples = Files.readString(Path.of("src/test/java/io/flexpool/metrics/slf4j/Examples.java"));
        String[] blocks = page.split("```java\n", -1);
        assertThat(blocks).hasSizeGreaterThan(1);
        for (int at = 1; at < blocks.length; at++) {
            String block = blocks[at].substring(0, blocks[at].indexOf("```"));
            assertThat(spaceless(examples)).contains(spaceless(block));
        }
    }

    @Test
    void everyKeyIsInTheTable() {
        for (ConfigKey key : new Slf4jProvider().keys()) {
            assertThat(page)
                    .containsPattern(Pattern.quote("| `flexpool.metrics.slf4j." + key.name() + "` | `") + "\\w+"
                            + Pattern.quote("` | " + key.fallback() + " | " + key.allowed() + " | " + key.meaning()));
        }
    }

    @Test
    void everyKeyOfASummaryIsExplained() {
        String line = Summary.of("orders", new ScriptedPool("orders"));
        for (String part : line.split(" ", -1)) {
            String key = part.substring(0, part.indexOf('='));
            String last = key.substring(key.lastIndexOf('.') + 1);
            assertThat(page.contains("`" + key + "`") || page.contains("`." + last + "`"))
                    .as(key)
                    .isTrue();
        }
    }
}
