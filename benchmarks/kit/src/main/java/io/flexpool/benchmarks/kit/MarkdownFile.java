// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;

/**
 * The file a report goes to, as Markdown. Checked when the command line is read, as {@link JsonFile} is.
 *
 * @param path where the file is or will be
 */
public record MarkdownFile(Path path) {
    /**
     * Writes a report, replacing what was there.
     *
     * @param report what to write
     * @throws IOException if the file can no longer be written
     */
    public void write(Report report) throws IOException {
        JsonFile.write(path, report.markdown());
    }

    /** Accepts only a path that can be written now. */
    public static final class Converter implements ITypeConverter<MarkdownFile> {
        /** Made by the command line parser. */
        public Converter() {}

        @Override
        public MarkdownFile convert(String value) {
            return new MarkdownFile(JsonFile.writable(value));
        }
    }
}
