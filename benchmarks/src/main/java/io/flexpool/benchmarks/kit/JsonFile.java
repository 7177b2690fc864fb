// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The file a report goes to, as JSON. Checked when the command line is read: a run of minutes must not end in "cannot
 * write".
 *
 * @param path where the file is or will be
 */
public record JsonFile(Path path) {
    private static final ObjectMapper MAPPER = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    /**
     * Writes a report, replacing what was there.
     *
     * @param report records, maps and lists
     * @throws IOException if the file can no longer be written
     */
    public void write(Object report) throws IOException {
        Files.writeString(path, MAPPER.writeValueAsString(report) + "\n");
    }

    static Path writable(String value) {
        Path path = Path.of(value).toAbsolutePath();
        Path folder = path.getParent();
        if (folder == null || Files.isDirectory(path)) {
            throw new TypeConversionException("'" + value + "' is a folder; must be a file that can be written");
        }
        if (!Files.isDirectory(folder)) {
            throw new TypeConversionException("'" + value + "': the folder " + folder + " does not exist");
        }
        if (!Files.isWritable(Files.exists(path) ? path : folder)) {
            throw new TypeConversionException("'" + value + "' cannot be written");
        }
        return path;
    }

    /** Accepts only a path that can be written now. */
    public static final class Converter implements ITypeConverter<JsonFile> {
        /** Made by the command line parser. */
        public Converter() {}

        @Override
        public JsonFile convert(String value) {
            return new JsonFile(writable(value));
        }
    }
}
