// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads HikariCP's lines from logs of any length, in any order. For one reading. */
final class HikariLog {
    private static final byte[] FIGURES = HikariLine.FIGURES.getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TIMED_OUT = HikariLine.TIMED_OUT.getBytes(StandardCharsets.US_ASCII);
    private static final Pattern SECOND = Pattern.compile("\\d{1,2}:\\d{2}:\\d{2}");
    private static final int SECOND_WITHIN = 80;
    /** The search range for a JSON line's time, which often follows the message. */
    private static final int SECOND_OF_JSON_WITHIN = 4_096;
    /** The length of "request timed out after 30000ms ", which distinguishes two failures of one second. */
    private static final int MESSAGE_WITHIN = 30;

    private final LogInput input;
    private final @Nullable String given;
    private final Map<String, PoolSamples> pools = new TreeMap<>();
    private long damaged;
    private String damagedPlace = "";
    private String second = "";

    /**
     * Creates a reader.
     *
     * @param given the requested pool; null for all
     */
    HikariLog(LogInput input, @Nullable String given) {
        this.input = input;
        this.given = given;
    }

    /**
     * The samples of each pool that the logs name.
     *
     * @throws IOException if a file cannot be read, or none has a line of HikariCP
     */
    Map<String, PoolSamples> read(List<Path> logs) throws IOException {
        for (Path log : logs) {
            long whole = 0;
            try (InputStream bytes = input.open(log)) {
                LogLines lines = new LogLines(bytes);
                try {
                    read(LogInput.name(log), lines);
                } finally {
                    whole = lines.number();
                }
            } catch (java.util.zip.ZipException | java.io.EOFException cut) {
                if (pools.isEmpty()) {
                    throw new IOException(LogInput.name(log) + ": the compressed file is damaged or ends early", cut);
                }
                damaged(LogInput.name(log) + ": the compressed file is damaged or ends early; the first " + whole
                        + " lines are used");
            }
        }
        if (pools.isEmpty()) {
            throw new IOException(logs.stream().map(LogInput::name).collect(Collectors.joining(", "))
                    + ": no line has figures of HikariCP. HikariCP logs them with each timeout since version 5.1, and"
                    + " every 30 s at level DEBUG of com.zaxxer.hikari.pool.HikariPool"
                    + (damaged > 0 ? "; not readable: " + damagedPlace : ""));
        }
        return pools;
    }

    /** The number of lines with impossible figures and the place of the first, as a sentence; empty without any. */
    String damage() {
        return damaged == 0
                ? ""
                : damaged + (damaged == 1 ? " place was not readable: " : " places were not readable, the first: ")
                        + damagedPlace + ".";
    }

    private void damaged(String place) {
        damaged++;
        damagedPlace = damagedPlace.isEmpty() ? place : damagedPlace;
    }

    private void read(String name, LogLines lines) throws IOException {
        while (lines.next()) {
            boolean figures = lines.contains(FIGURES);
            if (figures || lines.contains(TIMED_OUT)) {
                String line = lines.text();
                rememberSecond(line);
                // Read once per line, because a line may have thousands of places.
                String instance = PoolNames.source(line);
                if (figures) {
                    figures(name, lines, line, instance);
                }
                timeouts(lines, line, instance);
            }
        }
    }

    /** Stores the second of a line. Lines of a stack trace have no time, so the previous line's applies. */
    private void rememberSecond(String line) {
        int within = line.startsWith("{") ? SECOND_OF_JSON_WITHIN : SECOND_WITHIN;
        Matcher matcher = SECOND.matcher(line.substring(0, Math.min(line.length(), within)));
        if (matcher.find()) {
            second = matcher.group();
        }
    }

    private void figures(String name, LogLines lines, String line, String instance) {
        int seen = lines.seen();
        for (int at = line.indexOf(HikariLine.FIGURES); at >= 0; at = line.indexOf(HikariLine.FIGURES, at + 1)) {
            int end = HikariLine.endOfFigures(line, at);
            if (end < 0 || end < seen) {
                continue;
            }
            try {
                HikariLine found = HikariLine.at(line, at, given);
                if (found != null) {
                    add(found, instance, line.substring(Math.max(0, at - MESSAGE_WITHIN), end));
                }
            } catch (NumberFormatException impossible) {
                damaged(name + ", line " + lines.number() + ": " + impossible.getMessage());
            }
        }
    }

    /** Reads timeouts of versions before 5.1: {@code … request timed out after 30000ms.} */
    private void timeouts(LogLines lines, String line, String instance) {
        int seen = lines.seen();
        for (int at = line.indexOf(HikariLine.TIMED_OUT); at >= 0; at = line.indexOf(HikariLine.TIMED_OUT, at + 1)) {
            int end = at + HikariLine.TIMED_OUT.length();
            int first = end;
            while (end < line.length() && Character.isDigit(line.charAt(end))) {
                end++;
            }
            boolean whole =
                    end > first && line.startsWith("ms", end) && !line.startsWith("ms " + HikariLine.FIGURES, end);
            if (whole && end + 2 > seen) {
                add(HikariLine.timeoutAt(line, at, given), instance, line.substring(at, end));
            }
        }
    }

    private void add(HikariLine line, String instance, String message) {
        if (!line.pool().isEmpty()) {
            pools.computeIfAbsent(line.pool(), pool -> new PoolSamples())
                    .add(line, instance, instance + '\n' + second + '\n' + message);
        }
    }
}
