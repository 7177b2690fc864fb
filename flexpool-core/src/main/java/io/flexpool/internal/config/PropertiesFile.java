// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * Reads the format of {@link Properties}, in the order of the file and with the number of each entry's first line,
 * which {@code Properties} does not report. {@code Properties} parses each line.
 */
final class PropertiesFile {
    /**
     * One property as it was written.
     *
     * @param line the number of its first line, from 1; 0 without a file
     */
    record Entry(String key, String value, int line) {}

    private final List<Entry> entries = new ArrayList<>();

    private PropertiesFile() {}

    /** All entries, including duplicates. The stream is closed. */
    static List<Entry> read(InputStream in) throws IOException {
        StringWriter whole = new StringWriter();
        // A decoder reports other encodings; a charset would replace their characters.
        try (Reader reader = new InputStreamReader(in, StandardCharsets.UTF_8.newDecoder())) {
            reader.transferTo(whole);
        } catch (CharacterCodingException other) {
            throw new IOException("must be encoded in UTF-8", other);
        }
        String text = whole.toString();
        PropertiesFile file = new PropertiesFile();
        int begin = 0;
        int first = 1;
        int number = 0;
        for (int at = 0; at < text.length(); ) {
            int end = endOfLine(text, at);
            number++;
            first = begin == at ? number : first;
            boolean more = goesOn(text.substring(at, end), begin == at);
            at = text.startsWith("\r\n", end) ? end + 2 : Math.min(end + 1, text.length());
            if (!more || at == text.length()) {
                // With the original line ends, on which the format of the last line depends.
                file.add(text.substring(begin, at), first);
                begin = at;
            }
        }
        return file.entries;
    }

    private static int endOfLine(String text, int from) {
        int at = from;
        while (at < text.length() && text.charAt(at) != '\n' && text.charAt(at) != '\r') {
            at++;
        }
        return at;
    }

    /** Whether the entry continues in the next line: an odd number of backslashes at the end, and no comment. */
    private static boolean goesOn(String line, boolean first) {
        String start = line.stripLeading();
        if (first && (start.startsWith("#") || start.startsWith("!"))) {
            return false;
        }
        int from = line.length();
        while (from > 0 && line.charAt(from - 1) == '\\') {
            from--;
        }
        return (line.length() - from) % 2 == 1;
    }

    private void add(String entry, int line) throws IOException {
        Properties one = new Properties();
        try {
            one.load(new StringReader(entry));
        } catch (IllegalArgumentException malformed) {
            throw new IOException("malformed in line " + line + ": " + malformed.getMessage(), malformed);
        }
        one.stringPropertyNames().forEach(key -> entries.add(new Entry(key, one.getProperty(key), line)));
    }
}
