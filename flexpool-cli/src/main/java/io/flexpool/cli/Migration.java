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

/** One translation of FlexyPool's properties: flexpool's file and the report. For one thread. */
final class Migration {
    static final String LOG_EVERY = "metrics.dropwizard.log-every";
    static final String JMX = "metrics.dropwizard.jmx";

    private static final String METRICS = "metrics";
    private static final String DEFAULT_LOG_EVERY = "5m";

    /** The possible keys of the file, in order; keys of single data sources are last. */
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

    /** All known keys, for the suggestion of the nearest; prefixes without their full stop. */
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
        /** The application's own factory. */
        OWN;

        private static final String PACKAGES = "com.vladmihalcea.flexypool.metric.";

        /** {@return the value for the key flexpool.metrics} */
        String key() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** The module of a factory class; null if unknown. */
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

    /** The result for a key. */
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
     * @param text the text, without values that may be passwords
     */
    record Finding(Outcome outcome, String key, String text) {}

    /**
     * Translates all keys.
     *
     * @param wanted the metrics module on FlexyPool's class path, used if the properties name none; null for
     *     Dropwizard's, which logs and has MBeans
     * @throws IOException if FlexyPool itself could not read a value; the message names each
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
        // An application's file has many other keys.
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

    /** Whether the properties have any key of FlexyPool, even misspelt, or of its starter. */
    static boolean knows(Properties properties) {
        return properties.stringPropertyNames().stream().anyMatch(Migration::isFlexyPools);
    }

    static boolean isFlexyPools(String key) {
        return StarterRules.isStarters(key) || key.startsWith("flexy.pool.");
    }

    private static String unknown(String key) {
        // This is the only key that FlexyPool 3 has renamed.
        return key.equals("flexy.pool.time.threshold.connection.acquire")
                ? "FlexyPool 3.1.1 does not read this key of FlexyPool 2; the nearest key is "
                        + FlexyKey.POOL_TIME_THRESHOLD_CONNECTION_ACQUISITION.key()
                : "FlexyPool 3.1.1 does not read it" + Nearest.to(key, KNOWN, "; the nearest key is ", "");
    }

    /** Adds FlexyPool's defaults for missing keys. */
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

    /** {@return the value in the properties; null without one} */
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

    /** Adds a metrics backend to the named ones. */
    void addMetrics(String from, String backendName) {
        String before = written.get(METRICS);
        write(from, METRICS, before == null ? backendName : before + "," + backendName);
    }

    /** Adds lines that a person must complete. */
    void propose(List<String> lines) {
        proposed.addAll(lines);
    }

    /** A whole number; null if it is none, which is reported at the end. */
    @Nullable
    Long number(String from, String value) {
        try {
            // Accepts only ASCII digits: Long.valueOf also accepts other scripts' digits.
            return Long.valueOf(value.matches("[+-]?[0-9]+") ? value : "");
        } catch (NumberFormatException none) {
            refused.add(from + " = " + Texts.masked(value) + ": must be a whole number of milliseconds");
            return null;
        }
    }

    List<Finding> findings() {
        return List.copyOf(findings);
    }

    /** {@return whether manual work is left} */
    boolean leavesWork() {
        return findings.stream().anyMatch(one -> one.outcome() == Outcome.MANUAL || one.outcome() == Outcome.UNKNOWN);
    }

    /** {@return the content of a properties file, in UTF-8} */
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

    /** Escapes a value; values are stripped, so they have no leading space. */
    private static String escaped(String value) {
        // printable() escapes other control characters in the form that properties files use.
        return Reasons.printable(value.replace("\\", "\\\\")
                .replace("\t", "\\t")
                .replace("\n", "\\n")
                .replace("\r", "\\r"));
    }
}
