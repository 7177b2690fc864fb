// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import io.flexpool.benchmarks.kit.Nearest;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a workload from its properties; refuses what it does not know, by name. */
final class WorkloadFile {
    private static final String QUEUE = "queue://";
    private static final String TOPIC = "topic://";
    private static final String ENDING = ".properties";
    private static final int MANY = 100;
    private static final int LARGEST = 10 << 20;
    private static final int HOUR = 3_600;
    private static final int MOST_MESSAGES = 10_000_000;

    private final String name;
    private final Properties properties;
    /** All keys there are, with the values that were given or hold by default. */
    private final Map<String, String> values = new TreeMap<>();

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
        String destination = destination(value("destname", "queue://benchmark"));
        Workload workload = new Workload(
                name,
                number("numconnections", "1", 1, MANY),
                number("numsessions", "1", 1, MANY),
                destination.startsWith(TOPIC),
                destination.substring(QUEUE.length()),
                number("numdests", "1", 1, MANY),
                truth("istransacted", "true"),
                number("msgpertxn", "1", 1, MANY),
                oneOf("deliverymode", "persistent", List.of("persistent", "non_persistent"))
                        .equals("persistent"),
                constant("msgtype", Workload.MessageType.TEXT),
                number("msgsize", "1024", 1, LARGEST),
                truth("durable", "false"),
                constant("ackmode", Workload.AckMode.AUTO),
                number("numrptintervals", "0", 0, HOUR),
                number("rptintervalsecs", "1", 1, HOUR),
                truth("dowarmup", "true"),
                number("nummessages", "10000", 0, MOST_MESSAGES));
        for (String key : properties.stringPropertyNames()) {
            if (!values.containsKey(key)) {
                throw new IllegalArgumentException(name + ": '" + key + "' must be one of "
                        + String.join(", ", values.keySet()) + Nearest.words(key, values.keySet()));
            }
        }
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

    private String value(String key, String byDefault) {
        String value = properties.getProperty(key, byDefault).strip();
        values.put(key, value);
        return value;
    }

    private IllegalArgumentException wrong(String key, String allowed) {
        return new IllegalArgumentException(name + ": " + key + " = '" + values.get(key) + "' " + allowed);
    }

    private int number(String key, String byDefault, int least, int most) {
        try {
            int number = Integer.parseInt(value(key, byDefault));
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Refused below, in the same words as a number out of range.
        }
        throw wrong(key, "must be a whole number from " + least + " to " + most);
    }

    private boolean truth(String key, String byDefault) {
        return oneOf(key, byDefault, List.of("true", "false")).equals("true");
    }

    private <E extends Enum<E>> E constant(String key, E byDefault) {
        List<E> constants = List.of(byDefault.getDeclaringClass().getEnumConstants());
        List<String> names = constants.stream()
                .map(each -> each.name().toLowerCase(Locale.ROOT))
                .toList();
        return constants.get(names.indexOf(oneOf(key, byDefault.name().toLowerCase(Locale.ROOT), names)));
    }

    private String oneOf(String key, String byDefault, List<String> names) {
        String given = value(key, byDefault).toLowerCase(Locale.ROOT);
        if (!names.contains(given)) {
            throw wrong(key, "must be " + String.join(" or ", names) + Nearest.words(given, names));
        }
        return given;
    }

    private String destination(String given) {
        if (!given.matches("(queue|topic)://[A-Za-z0-9._-]+")) {
            throw wrong(
                    "destname",
                    "must be " + QUEUE + "NAME or " + TOPIC + "NAME, the name of letters, digits, '.', '_' and '-'");
        }
        return given;
    }

    /** Reads a workload of one's own from the file that an option names. */
    static final class Converter implements ITypeConverter<Workload> {
        @Override
        public Workload convert(String value) {
            Path file = Path.of(value);
            if (!Files.isRegularFile(file)) {
                throw new TypeConversionException("'" + value + "' is no file");
            }
            try {
                return WorkloadFile.read(file);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            } catch (IOException e) {
                throw new TypeConversionException("'" + value + "' cannot be read: " + e.getMessage());
            }
        }
    }
}
