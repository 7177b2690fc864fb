// SPDX-License-Identifier: Apache-2.0
package io.flexpool.junit5;

import io.flexpool.spi.Texts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The committed file of the lease times of each call site. A call site's line, which changes with every edit of its
 * class, is left out, like the number of a lambda.
 *
 * @param file where it is
 * @param written whether this run writes the file
 * @param times the median by call site, in milliseconds or finer; empty if the file is written
 * @param factor the factor by which a median may exceed the file's median
 * @param floor the median that is always allowed
 */
record LeaseBaseline(Path file, boolean written, Map<String, Duration> times, int factor, Duration floor) {
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final String ALLOWED =
            "must be a line such as \"OrderService.place(OrderService.java) = 12ms\", above 0 and up to " + LONGEST;
    private static final List<String> HEADER = List.of(
            "# Median lease times of each call site in tests. Written by flexpool-junit5 with",
            "# " + LeaseRules.WRITE_PARAMETER
                    + " = true. Other runs compare with this file: see flexpool's docs/how-to/find-leaks-in-tests.md.");

    static LeaseBaseline toWrite(Path file) {
        return new LeaseBaseline(file, true, Map.of(), 1, Duration.ZERO);
    }

    /**
     * Reads a file.
     *
     * @param value the file's name as given
     * @throws IllegalArgumentException if the file is missing or invalid
     */
    static LeaseBaseline read(Path file, String value, int factor, Duration floor) {
        try {
            return new LeaseBaseline(file, false, times(value, Files.readAllLines(file)), factor, floor);
        } catch (IOException unreadable) {
            String why = unreadable instanceof NoSuchFileException
                    ? "there is no such file"
                    : unreadable instanceof MalformedInputException ? "is not UTF-8 text" : "cannot be read";
            throw (IllegalArgumentException) RuleParameters.refused(
                            LeaseRules.BASELINE_PARAMETER,
                            value,
                            why + "; must be a file that was written with -D" + LeaseRules.WRITE_PARAMETER + "=true")
                    .initCause(unreadable);
        }
    }

    private static Map<String, Duration> times(String value, List<String> lines) {
        Map<String, Duration> times = new TreeMap<>();
        for (int at = 0; at < lines.size(); at++) {
            String line = lines.get(at).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            int equals = line.lastIndexOf('=');
            String site = equals < 0 ? "" : line.substring(0, equals).strip();
            Duration time = equals < 0
                    ? null
                    : Texts.duration(line.substring(equals + 1).strip());
            String place = value + ", line " + (at + 1) + ", " + line;
            if (site.isEmpty() || time == null || time.isNegative() || time.isZero() || time.compareTo(LONGEST) > 0) {
                throw RuleParameters.refused(LeaseRules.BASELINE_PARAMETER, place, ALLOWED);
            }
            if (times.put(withoutLine(site), time) != null) {
                throw RuleParameters.refused(LeaseRules.BASELINE_PARAMETER, place, "must have each call site once");
            }
        }
        return times;
    }

    /** A call site in the form of the file. */
    static String withoutLine(String callSite) {
        return callSite.replaceFirst(":\\d+\\)$", ")").replaceFirst("(\\.lambda\\$[^$(]*)\\$\\d+\\(", "$1(");
    }

    /** The longest allowed median of a call site; null if the file does not have the call site. */
    @Nullable
    Duration allowed(String site) {
        Duration time = times.get(site);
        if (time == null) {
            return null;
        }
        Duration most = time.multipliedBy(factor);
        return most.compareTo(floor) > 0 ? most : floor;
    }

    /** The calculation of the allowed median, in words. */
    String rule(String site) {
        return factor + " × the baseline of " + text(times.getOrDefault(site, Duration.ZERO)) + ", at least "
                + text(floor);
    }

    static String text(Duration time) {
        long millis = time.toMillis();
        return time.equals(Duration.ofMillis(millis))
                ? millis + " ms"
                : Math.round(time.toNanos() / 1e4) / 100.0 + " ms";
    }

    /** Writes medians, in whole milliseconds rounded up, and keeps the file's other call sites. */
    void write(Map<String, Duration> medians) {
        Map<String, Duration> all = new TreeMap<>();
        try {
            if (Files.exists(file)) {
                all.putAll(read(file, file.toString(), factor, floor).times());
            }
        } catch (IllegalArgumentException invalid) {
            all.clear();
        }
        all.putAll(medians);
        List<String> lines = new ArrayList<>(HEADER);
        all.forEach((site, time) -> lines.add(site + " = " + (time.toNanos() + 999_999) / 1_000_000 + "ms"));
        try {
            Files.write(file, lines);
        } catch (IOException failed) {
            throw new UncheckedIOException(
                    LeaseRules.BASELINE_PARAMETER + " = " + file + ": cannot be written", failed);
        }
    }
}
