// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import io.flexpool.spi.Texts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One translation of FlexyPool's properties: what flexpool's file says, and what is reported. For one thread. */
final class Migration {
    static final String LOG_EVERY = "metrics.dropwizard.log-every";
    static final String JMX = "metrics.dropwizard.jmx";

    private static final String METRICS = "metrics";
    private static final String DEFAULT_LOG_EVERY = "5m";

    /** The keys that are ever written, in the order of the file; those of single data sources come last. */
    private static final List<String> ORDER = List.of(
            "enabled",
            "name",
            "data-source.jndi-name",
            "ceiling",
            "grow-on-wait.enabled",
            "grow-on-wait.after",
            METRICS,
            LOG_EVERY,
            JMX,
            "metrics.slf4j.period",
            "slow-acquisition",
            "long-lease");

    /** Each key that is known, without the full stop of a prefix; of which the nearest is named. */
    private static final List<String> KNOWN = Arrays.stream(FlexyKey.values())
            .map(one -> one.isPrefix() ? one.key().substring(0, one.key().length() - 1) : one.key())
            .toList();

    private final Properties flexy;
    private final Backend backend;
    private final Map<String, String> written = new TreeMap<>(
            Comparator.comparingInt((String key) -> ORDER.contains(key) ? ORDER.indexOf(key) : ORDER.size())
                    .thenComparing(Comparator.naturalOrder()));
    private final List<Finding> findings = new ArrayList<>();
    private final List<String> proposed = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();

    private Migration(Properties flexy, @Nullable Backend wanted) {
        this.flexy = flexy;
        this.backend = backendOf(given(FlexyKey.POOL_METRICS_FACTORY), wanted);
    }

    private static Backend backendOf(@Nullable String factory, @Nullable Backend wanted) {
        return factory == null
                ? Objects.requireNonNullElse(wanted, Backend.DROPWIZARD)
                : Objects.requireNonNullElse(Backend.ofFactory(factory), Backend.OWN);
    }

    /** FlexyPool's metrics modules. */
    enum Backend {
        DROPWIZARD,
        MICROMETER,
        /** A factory of the application's. */
        OWN;

        private static final String PACKAGES = "com.vladmihalcea.flexypool.metric.";

        /** {@return the name in flexpool.metrics} */
        String key() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** The module that a factory's class belongs to, null if to none. */
        static @Nullable Backend ofFactory(String className) {
            if (!className.startsWith(PACKAGES)) {
                return null;
            }
            return switch (className.substring(PACKAGES.length()).replaceFirst("\\..*", "")) {
                case "dropwizard", "codahale" -> DROPWIZARD;
                case "micrometer" -> MICROMETER;
                default -> null;
            };
        }
    }

    /** What became of a key. */
    enum Outcome {
        TRANSLATED("translated"),
        DROPPED("not needed"),
        MANUAL("by hand"),
        UNKNOWN("unknown");

        private final String text;

        Outcome(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /**
     * A line of the report.
     *
     * @param text without any value that could be a password
     */
    record Finding(Outcome outcome, String key, String text) {}

    /**
     * Translates all keys.
     *
     * @param wanted the metrics module that FlexyPool found on the class path, if the properties name none; null for
     *     Dropwizard's, the one that logs and has MBeans
     * @throws IOException naming each value that FlexyPool itself could not read
     */
    static Migration of(Properties flexy, @Nullable Backend wanted) throws IOException {
        Migration migration = new Migration(flexy, wanted);
        migration.translate();
        return migration;
    }

    private void translate() throws IOException {
        boolean starters = flexy.stringPropertyNames().stream().anyMatch(StarterRules::isStarters);
        if (starters) {
            Map<String, String> all = new TreeMap<>();
            flexy.stringPropertyNames().forEach(key -> all.put(key, flexy.getProperty(key)));
            StarterRules.apply(all, this);
        }
        // A file of an application has many keys that are none of FlexyPool's.
        List<String> keys = flexy.stringPropertyNames().stream()
                .filter(key -> !starters || key.startsWith("flexy."))
                .sorted()
                .toList();
        for (FlexyKey one : FlexyKey.values()) {
            for (String key : keys) {
                if (FlexyKey.of(key) == one) {
                    FlexyRules.apply(one, key, flexy.getProperty(key, "").strip(), this);
                }
            }
        }
        for (String key : keys) {
            if (FlexyKey.of(key) == null) {
                findings.add(new Finding(Outcome.UNKNOWN, key, unknown(key)));
            }
        }
        if (!refused.isEmpty()) {
            throw new IOException(String.join(System.lineSeparator(), refused));
        }
        if (!starters || !keys.isEmpty()) {
            addDefaults();
        }
    }

    /** Whether the properties have any key of FlexyPool, misspelt ones included, or of its starter. */
    static boolean knows(Properties properties) {
        return properties.stringPropertyNames().stream().anyMatch(Migration::isFlexyPools);
    }

    static boolean isFlexyPools(String key) {
        return StarterRules.isStarters(key) || key.startsWith("flexy.pool.");
    }

    private static String unknown(String key) {
        // The only key that FlexyPool 3 has renamed.
        return key.equals("flexy.pool.time.threshold.connection.acquire")
                ? "FlexyPool 3.1.1 does not read this key of FlexyPool 2; the nearest key is "
                        + FlexyKey.POOL_TIME_THRESHOLD_CONNECTION_ACQUISITION.key()
                : "FlexyPool 3.1.1 does not read it" + Nearest.to(key, KNOWN, "; the nearest key is ", "");
    }

    /** What FlexyPool does without a key. */
    private void addDefaults() {
        if (backend == Backend.OWN) {
            return;
        }
        written.putIfAbsent(METRICS, backend.key());
        if (backend == Backend.DROPWIZARD) {
            if (given(FlexyKey.POOL_METRICS_REPORTER_LOG_MILLIS) == null) {
                written.put(LOG_EVERY, DEFAULT_LOG_EVERY);
            }
            if (given(FlexyKey.POOL_METRICS_REPORTER_JMX_ENABLE) == null) {
                written.put(JMX, "true");
            }
        }
    }

    /** {@return what the properties say, null if nothing} */
    @Nullable
    String given(FlexyKey key) {
        String value = flexy.getProperty(key.key());
        return value == null ? null : value.strip();
    }

    Backend backend() {
        return backend;
    }

    void write(String from, String key, String value) {
        written.put(key, value);
        findings.add(new Finding(Outcome.TRANSLATED, from, "flexpool." + key));
    }

    void dropped(String from, String reason) {
        findings.add(new Finding(Outcome.DROPPED, from, reason));
    }

    void manual(String from, String what) {
        findings.add(new Finding(Outcome.MANUAL, from, what));
    }

    void unknown(String from, String what) {
        findings.add(new Finding(Outcome.UNKNOWN, from, what));
    }

    void refuse(String sentence) {
        refused.add(sentence);
    }

    /** One more backend beside those that are named. */
    void addMetrics(String from, String backendName) {
        String before = written.get(METRICS);
        write(from, METRICS, before == null ? backendName : before + "," + backendName);
    }

    /** Lines for a person to complete. */
    void propose(List<String> lines) {
        proposed.addAll(lines);
    }

    /** A whole number; null, and refused in the end, if it is none. */
    @Nullable
    Long number(String from, String value) {
        try {
            // Digits of other scripts are none of a properties file.
            return Long.valueOf(value.matches("[+-]?[0-9]+") ? value : "");
        } catch (NumberFormatException none) {
            refused.add(from + " = " + Texts.masked(value) + ": must be a whole number of milliseconds");
            return null;
        }
    }

    List<Finding> findings() {
        return List.copyOf(findings);
    }

    /** {@return whether a person has something to do} */
    boolean leavesWork() {
        return findings.stream().anyMatch(one -> one.outcome() == Outcome.MANUAL || one.outcome() == Outcome.UNKNOWN);
    }

    /** {@return a file in the format of java.util.Properties, in UTF-8} */
    String text() {
        StringBuilder text = new StringBuilder(
                "# flexpool's keys, translated from FlexyPool's; docs/reference/keys.md lists all keys\n");
        written.forEach((key, value) -> text.append("flexpool.")
                .append(key)
                .append(" = ")
                .append(escaped(value))
                .append('\n'));
        if (!proposed.isEmpty()) {
            text.append("# to complete by hand:\n");
            proposed.forEach(
                    line -> text.append("# ").append(Reasons.printable(line)).append('\n'));
        }
        return text.toString();
    }

    /** Stripped values have no space at their beginning. */
    private static String escaped(String value) {
        // Other control characters are escaped for a terminal as a file of properties has them.
        return Reasons.printable(value.replace("\\", "\\\\")
                .replace("\t", "\\t")
                .replace("\n", "\\n")
                .replace("\r", "\\r"));
    }
}
