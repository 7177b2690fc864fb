// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import me.tongfei.progressbar.ProgressBarConsumer;
import org.junit.jupiter.api.Test;

class ProgressTest {
    @Test
    void itSaysHowFarTheRunIsAndHowLongItWillTakeFromHere() {
        Lines lines = new Lines();
        try (Progress progress = new Progress("directory", 10, lines)) {
            progress.step("c3p0");
            progress.steps(4, "tomcat");
        }

        // Elapsed and to come, both hours, minutes and seconds.
        assertThat(lines.shown)
                .last()
                .asString()
                .matches("directory\\s+50% .*5/10 \\(\\d:\\d\\d:\\d\\d / \\d:\\d\\d:\\d\\d\\) tomcat.*");
    }

    /** What would stand on standard error. */
    private static final class Lines implements ProgressBarConsumer {
        private final Queue<String> shown = new ConcurrentLinkedQueue<>();

        @Override
        public int getMaxRenderedLength() {
            return 120;
        }

        @Override
        public void accept(String line) {
            shown.add(line);
        }

        @Override
        public void close() {}
    }
}
