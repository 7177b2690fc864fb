// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.metrics.tck.ScriptedPool;
import io.flexpool.monitoring.ConfigKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** docs/metrics/slf4j.md, beside the backend. Its Java is compiled with that of the README. */
class LogPageTest {
    private String page = "";

    @BeforeEach
    void read() throws IOException {
        page = Files.readString(Path.of("../docs/metrics/slf4j.md"));
    }

    @Test
    void everyKeyIsInTheTable() {
        for (ConfigKey key : new LogBackend().keys()) {
            assertThat(page)
                    .contains("| `flexpool.metrics.slf4j." + key.name() + "` | " + key.fallback() + " | "
                            + key.allowed() + " | " + key.meaning() + " |");
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
