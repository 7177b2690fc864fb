// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The lines that HikariCP's housekeeper logs at the level DEBUG, one each 30 s:
 * {@code HikariPool-1 - Pool stats (total=10/10, active=4, idle=6/10, waiting=0)}, without the maxima before version 5. Each
 * shows one moment.
 */
final class HikariLog {
    private static final Pattern LINE = Pattern.compile(
            "(\\S+) - (?:[\\w ]*?)[Pp]ool stats \\(total=(\\d+)(?:/(\\d+))?, active=(\\d+), idle=(\\d+)(?:/\\d+)?, waiting=(\\d+)\\)");

    private static final int ENOUGH = 120;
    private static final double QUANTILE = 0.99;

    private HikariLog() {}

    /** One moment of a pool; the maximum is 0 if the line does not have it. */
    record Moment(int total, int max, int active, int waiting) {
        int demand() {
            return active + waiting;
        }
    }

    /** The moments of each pool that a log names, in the order of the lines. */
    static Map<String, List<Moment>> read(Path log) throws IOException {
        Map<String, List<Moment>> moments = new TreeMap<>();
        try (BufferedReader lines = Files.newBufferedReader(log, StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher matcher = LINE.matcher(line);
                if (matcher.find()) {
                    moments.computeIfAbsent(matcher.group(1), pool -> new ArrayList<>())
                            .add(moment(matcher));
                }
            }
        } catch (MalformedInputException e) {
            throw new IOException(log + ": not a text in UTF-8", e);
        }
        if (moments.isEmpty()) {
            throw new IOException(log + ": no line with HikariCP's pool stats; they are logged at the level DEBUG of"
                    + " com.zaxxer.hikari.pool.HikariPool");
        }
        return moments;
    }

    private static Moment moment(Matcher matcher) {
        String max = matcher.group(3);
        return new Moment(
                Integer.parseInt(matcher.group(2)),
                max == null ? 0 : Integer.parseInt(max),
                Integer.parseInt(matcher.group(4)),
                Integer.parseInt(matcher.group(6)));
    }

    /** The 99th percentile of the demand of all moments, and one more. */
    static SampledDemand advise(String pool, List<Moment> moments) {
        int[] demand = moments.stream().mapToInt(Moment::demand).sorted().toArray();
        int p99 = demand[(int) Math.ceil(QUANTILE * demand.length) - 1];
        int highest = demand[demand.length - 1];
        int max = moments.stream()
                .mapToInt(moment -> Math.max(moment.max(), moment.total()))
                .max()
                .orElse(0);
        long waited = moments.stream().filter(moment -> moment.waiting() > 0).count();
        int size = p99 + 1;
        List<String> unknown = new ArrayList<>();
        if (moments.size() < ENOUGH) {
            unknown.add("Only " + moments.size() + " lines, of " + moments.size() / 2
                    + " min: busier times may not be among them.");
        }
        unknown.add(
                "Not known: what happened between the lines, 30 s apart; how long requests waited; whether leases were"
                        + " long because the database was slow.");
        String compared = size < max
                ? "The pool has " + max + ": " + size + " would probably be enough."
                : size == max
                        ? "The pool has " + max + ", which is probably right."
                        : "The pool has " + max + ", and requests wait; whether more connections help is unknown.";
        return new SampledDemand(
                max,
                size > max && waited > 0 ? max : size,
                "In " + moments.size() + " moments of " + pool + " at most " + highest
                        + " requests at once had or wanted a connection (p99 " + p99 + "); in " + waited
                        + " of them some waited. " + compared + " " + SampledDemand.CONFIDENCE + moments.size()
                        + " samples.",
                unknown);
    }
}
