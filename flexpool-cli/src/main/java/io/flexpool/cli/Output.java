// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/** The target of a result: a file, or the standard output for {@code -}. */
public record Output(Path file, PrintWriter standard) {
    /** Whether a target is the standard output, which then must contain nothing else. */
    public static boolean isStandard(Path file) {
        return file.equals(LogInput.STANDARD);
    }

    /**
     * Writes a text.
     *
     * @throws IOException if the file cannot be written; the message has file and reason
     */
    public void write(String text) throws IOException {
        if (isStandard(file)) {
            standard.print(text);
            standard.flush();
            return;
        }
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            throw new IOException(file + ": there is no such folder");
        }
        try {
            Files.writeString(file, text);
        } catch (IOException failed) {
            throw new IOException(file + ": cannot be written: " + Reasons.why(failed), failed);
        }
    }
}
