// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.metrics.tck.ScriptedPool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The keys of a summary line are the names of docs/reference/metrics.md. */
class LogPageTest {
    private String page = "";

    @BeforeEach
    void read() throws IOException {
        page = Files.readString(Path.of("../docs/reference/metrics.md"));
    }

    @Test
    void everyKeyOfASummaryIsExplained() {
        String line = Summary.of("orders", new ScriptedPool("orders"));
        for (String part : line.split(" ", -1)) {
            String key = part.substring(0, part.indexOf('='));
            String name = key.replaceFirst("\\.(p50|p99|max)$", "").replaceFirst("^acquisition\\..*", "acquisition");
            assertThat(name.equals("pool") || page.contains("\n| `" + name + "` |"))
                    .as(key)
                    .isTrue();
        }
    }
}
