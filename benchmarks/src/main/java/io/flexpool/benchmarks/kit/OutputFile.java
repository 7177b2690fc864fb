// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A file that a run is to write. Checked when the command line is read: a run of minutes must not end in "cannot write".
 *
 * @param path where the file is or will be
 */
public record OutputFile(Path path) {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .defaultPrettyPrinter(new DefaultPrettyPrinter(Separators.createDefaultInstance()
                            .withObjectFieldValueSpacing(Separators.Spacing.NONE)
                            .withObjectEmptySeparator("")
                            .withArrayEmptySeparator(""))
                    .withArrayIndenter(Shallow.INDENTER)
                    .withObjectIndenter(Shallow.INDENTER))
            .build();

    /** A row of figures stays on its line, as do the lines of a graph: else most of the file would be white space. */
    private enum Shallow implements DefaultPrettyPrinter.Indenter {
        INDENTER;

        private static final int DEEPEST = 3;

        @Override
        public void writeIndentation(JsonGenerator file, int level) throws IOException {
            if (level <= DEEPEST) {
                DefaultIndenter.SYSTEM_LINEFEED_INSTANCE.writeIndentation(file, level);
            }
        }

        @Override
        public boolean isInline() {
            return false;
        }
    }

    /**
     * Writes JSON, replacing what was there.
     *
     * @param report records, maps and lists
     * @throws IOException if the file can no longer be written
     */
    public void json(Object report) throws IOException {
        text(MAPPER.writeValueAsString(report) + "\n");
    }

    /**
     * Writes text, replacing what was there. In UTF-8. Half a character, as a driver's message may have it, becomes a
     * question mark and costs no file.
     *
     * @param text all of it
     * @throws IOException if the file can no longer be written
     */
    public void text(String text) throws IOException {
        Files.write(path, text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Whether what is written to one file would replace the other one.
     *
     * @param other another one, or where it will be
     * @return true if both are the same file, under any name
     */
    public boolean same(Path other) {
        try {
            if (Files.exists(path) && Files.exists(other)) {
                return Files.isSameFile(path, other);
            }
            return path.toAbsolutePath()
                    .normalize()
                    .equals(other.toAbsolutePath().normalize());
        } catch (IOException e) {
            return false;
        }
    }

    /** Accepts only a path that can be written now. */
    public static final class Converter implements ITypeConverter<OutputFile> {
        @Override
        public OutputFile convert(String value) {
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
            return new OutputFile(path);
        }
    }
}
