// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The file a page goes to. Checked when the command line is read, as {@link JsonFile} is.
 *
 * @param path where the file is or will be
 */
public record HtmlFile(Path path) {
    /**
     * Writes a page, replacing what was there.
     *
     * @param page the whole page
     * @throws IOException if the file can no longer be written
     */
    public void write(String page) throws IOException {
        JsonFile.write(path, page);
    }

    /** Accepts only a path that can be written now and does not look like that of a result. */
    public static final class Converter implements ITypeConverter<HtmlFile> {
        /** Made by the command line parser. */
        public Converter() {}

        @Override
        public HtmlFile convert(String value) {
            if (value.toLowerCase(Locale.ROOT).endsWith(".json")) {
                throw new TypeConversionException(
                        "'" + value + "' is the name of a result; must be the name of a page, as in report.html");
            }
            return new HtmlFile(JsonFile.writable(value));
        }
    }
}
