// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.persistence;

import io.flexpool.benchmarks.kit.Nearest;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;

/** Reads a workload from its properties; refuses what it does not know, by name. */
final class WorkloadFile {
    private static final Map<String, String> DEFAULTS = Map.ofEntries(
            Map.entry("numconnections", "1"),
            Map.entry("numsessions", "1"),
            Map.entry("destname", "queue://benchmark"),
            Map.entry("numdests", "1"),
            Map.entry("istransacted", "true"),
            Map.entry("msgpertxn", "1"),
            Map.entry("deliverymode", "persistent"),
            Map.entry("msgtype", "text"),
            Map.entry("msgsize", "1024"),
            Map.entry("durable", "false"),
            Map.entry("ackmode", "auto"),
            Map.entry("numrptintervals", "0"),
            Map.entry("rptintervalsecs", "1"),
            Map.entry("dowarmup", "true"),
            Map.entry("nummessages", "10000"));

    private static final String QUEUE = "queue://";
    private static final String TOPIC = "topic://";
    private static final String ENDING = ".properties";
    private static final int MANY = 100;
    private static final int LARGEST = 10 << 20;
    private static final int HOUR = 3_600;
    private static final int MOST_MESSAGES = 10_000_000;

    private final String name;
    private final Properties properties;

    private WorkloadFile(String name, Properties properties) {
        this.name = name;
        this.properties = properties;
    }

    /** A workload that comes with this program. */
    static Workload shipped(String name) {
        try (InputStream in = WorkloadFile.class.getResourceAsStream(name + ENDING)) {
            if (in == null) {
                throw new IllegalStateException("no workload " + name);
            }
            Properties properties = new Properties();
            properties.load(in);
            return new WorkloadFile(name, properties).workload();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A workload of one's own.
     *
     * @throws IllegalArgumentException if a key or a value is wrong; the message names file, key, value and what is
     *     allowed
     * @throws IOException if the file cannot be read
     */
    static Workload read(Path file) throws IOException {
        Properties properties = new Properties();
        try (Reader in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(in);
        }
        String name = String.valueOf(file.getFileName());
        String shorter = name.endsWith(ENDING) ? name.substring(0, name.length() - ENDING.length()) : name;
        // Destinations have it in their names, where other characters have a meaning.
        if (!shorter.matches("[A-Za-z0-9._-]+")) {
            throw new IllegalArgumentException(
                    "the file's name '" + name + "' must be of letters, digits, '.', '_' and '-'");
        }
        return new WorkloadFile(shorter, properties).workload();
    }

    private Workload workload() {
        List<String> known = DEFAULTS.keySet().stream().sorted().toList();
        for (String key : properties.stringPropertyNames()) {
            if (!DEFAULTS.containsKey(key)) {
                throw new IllegalArgumentException(name + ": '" + key + "' must be one of " + String.join(", ", known)
                        + Nearest.words(key, known));
            }
        }
        String destination = destination();
        Workload workload = new Workload(
                name,
                number("numconnections", 1, MANY),
                number("numsessions", 1, MANY),
                destination.startsWith(TOPIC),
                destination.substring(QUEUE.length()),
                number("numdests", 1, MANY),
                truth("istransacted"),
                number("msgpertxn", 1, MANY),
                oneOf("deliverymode", "persistent", "non_persistent").equals("persistent"),
                Workload.MessageType.valueOf(oneOf("msgtype", Workload.MessageType.values())),
                number("msgsize", 1, LARGEST),
                truth("durable"),
                Workload.AckMode.valueOf(oneOf("ackmode", Workload.AckMode.values())),
                number("numrptintervals", 0, HOUR),
                number("rptintervalsecs", 1, HOUR),
                truth("dowarmup"),
                number("nummessages", 0, MOST_MESSAGES));
        check(workload);
        return workload;
    }

    private void check(Workload workload) {
        if (workload.durable() && !workload.topic()) {
            throw wrong("durable", "must be false with a queue; a queue keeps its messages anyway");
        }
        if (!workload.istransacted() && workload.msgpertxn() > 1) {
            throw wrong("msgpertxn", "must be 1 with istransacted = false");
        }
        if (workload.consumers() < workload.numdests()) {
            throw wrong(
                    "numdests",
                    "must not be above numconnections times numsessions, " + workload.consumers()
                            + ": each destination needs a consumer");
        }
        if (workload.nummessages() == 0 && workload.numrptintervals() == 0) {
            throw wrong("nummessages", "must not be 0 with numrptintervals = 0: the run would not end");
        }
    }

    private String value(String key) {
        String given = properties.getProperty(key);
        return (given == null ? String.valueOf(DEFAULTS.get(key)) : given).strip();
    }

    private IllegalArgumentException wrong(String key, String allowed) {
        return new IllegalArgumentException(name + ": " + key + " = '" + value(key) + "' " + allowed);
    }

    private int number(String key, int least, int most) {
        try {
            int number = Integer.parseInt(value(key));
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Refused below, in the same words as a number out of range.
        }
        throw wrong(key, "must be a whole number from " + least + " to " + most);
    }

    private boolean truth(String key) {
        return oneOf(key, "true", "false").equals("true");
    }

    private String oneOf(String key, Enum<?>... allowed) {
        String[] names = Arrays.stream(allowed)
                .map(each -> each.name().toLowerCase(Locale.ROOT))
                .toArray(String[]::new);
        return oneOf(key, names).toUpperCase(Locale.ROOT);
    }

    private String oneOf(String key, String... allowed) {
        List<String> names = List.of(allowed);
        String given = value(key).toLowerCase(Locale.ROOT);
        if (!names.contains(given)) {
            throw wrong(
                    key, "must be " + names.stream().collect(Collectors.joining(" or ")) + Nearest.words(given, names));
        }
        return given;
    }

    private String destination() {
        String given = value("destname");
        if (!given.matches("(queue|topic)://[A-Za-z0-9._-]+")) {
            throw wrong(
                    "destname",
                    "must be " + QUEUE + "NAME or " + TOPIC + "NAME, the name of letters, digits, '.', '_' and '-'");
        }
        return given;
    }
}
