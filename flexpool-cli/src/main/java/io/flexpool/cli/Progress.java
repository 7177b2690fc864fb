// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** Shows on a terminal how much of a large file has been read; nothing if the output is piped. */
final class Progress {
    /** Below this size a file is read in less than a second. */
    private static final long SMALL = 64L << 20;

    private static final int UPDATE_MS = 500;
    private static final long MEGABYTE = 1L << 20;

    private Progress() {}

    @SuppressWarnings("SystemConsoleNull") // on JDKs on which it is never null, isTerminal() decides
    static InputStream of(Path file, InputStream bytes) throws IOException {
        // Older JDKs return null if a stream is no terminal; newer ones always return a console.
        boolean terminal = System.console() != null && System.getenv("TERM") != null && isTerminal();
        if (!terminal || Files.size(file) < SMALL) {
            return bytes;
        }
        return ProgressBar.wrap(
                bytes,
                new ProgressBarBuilder()
                        .setTaskName(String.valueOf(file.getFileName()))
                        .setInitialMax(Files.size(file))
                        .setUnit(" MB", MEGABYTE)
                        .setUpdateIntervalMillis(UPDATE_MS)
                        .setStyle(ProgressBarStyle.ASCII)
                        .clearDisplayOnFinish());
    }

    private static boolean isTerminal() {
        try {
            Object answer = java.io.Console.class.getMethod("isTerminal").invoke(System.console());
            return !Boolean.FALSE.equals(answer);
        } catch (ReflectiveOperationException before22) {
            return true;
        }
    }
}
