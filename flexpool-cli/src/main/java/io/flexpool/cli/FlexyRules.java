// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import io.flexpool.spi.Texts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Translates single keys of FlexyPool. */
final class FlexyRules {
    private static final int LONGEST_NAME = 100;
    private static final long DAY_MILLIS = 86_400_000;
    private static final long SHORTEST_LOG_MILLIS = 100;
    private static final String IGNORED_WITH_JNDI =
            "FlexyPool ignores this key when " + FlexyKey.DATA_SOURCE_JNDI_NAME.key() + " is set";
    private static final Pattern CLASS_NAME = Pattern.compile("(?!.*\\.\\.)[\\w$][\\w$.]*(?<!\\.)");

    /** Parts of the names of pools and of FlexyPool's adapters, in the order of the search. */
    private static final Map<String, String> ADAPTERS = new LinkedHashMap<>();

    static {
        ADAPTERS.put("hikari", "flexpool-adapter-hikaricp");
        ADAPTERS.put("c3p0", "flexpool-adapter-c3p0");
        ADAPTERS.put("combopooled", "flexpool-adapter-c3p0");
        ADAPTERS.put("tomcat", "flexpool-adapter-tomcat");
        ADAPTERS.put("druid", "flexpool-adapter-druid");
        ADAPTERS.put("dbcp2", "flexpool-adapter-dbcp2");
        ADAPTERS.put("agroal", "flexpool-adapter-agroal");
        ADAPTERS.put("vibur", "flexpool-adapter-vibur");
        ADAPTERS.put("oracle", "flexpool-adapter-ucp");
        ADAPTERS.put("atomikos", "flexpool-adapter-atomikos");
        ADAPTERS.put("bonecp", "flexpool-adapter-legacy");
        ADAPTERS.put("dbcp", "flexpool-adapter-legacy");
        ADAPTERS.put("basicdatasource", "flexpool-adapter-legacy");
    }

    private FlexyRules() {}

    /**
     * Writes the replacement of a key, or reports the necessary manual work.
     *
     * @param written the key in the file, also in full for a prefix
     * @param value its value, which must not be shown if it may contain a password
     */
    static void apply(FlexyKey key, String written, String value, Migration migration) {
        switch (key) {
            case DATA_SOURCE_UNIQUE_NAME -> name(written, value, migration);
            case DATA_SOURCE_JNDI_NAME -> jndiName(written, value, migration);
            case DATA_SOURCE_JNDI_LAZY_LOOKUP ->
                migration.dropped(
                        written,
                        "flexpool resolves the data source once, in FlexPool.lookUp()….build(); call build()"
                                + " after the data source is bound");
            case DATA_SOURCE_CLASS_NAME -> dataSourceClass(written, value, migration);
            case DATA_SOURCE_PROPERTY -> dataSourceProperty(written, migration);
            case POOL_ADAPTER_FACTORY ->
                migration.dropped(written, "flexpool finds the adapter by the pool's class" + artifact(value));
            case POOL_METRICS_FACTORY -> metricsFactory(written, value, migration);
            case POOL_CONNECTION_PROXY_FACTORY ->
                migration.dropped(written, "flexpool wraps connections without proxies, and has no factory for them");
            case POOL_METRICS_REPORTER_LOG_MILLIS -> logMillis(written, value, migration);
            case POOL_METRICS_REPORTER_JMX_ENABLE -> jmxEnable(written, value, migration);
            case POOL_METRICS_REPORTER_JMX_AUTO_START ->
                migration.dropped(written, "flexpool starts the reporters in build(), FlexyPool in start()");
            case POOL_METRICS_NAMING_STRATEGY ->
                migration.dropped(
                        written,
                        "FlexyPool 3.1.1 declares this key and never reads it. flexpool gives each metric"
                                + " the pool's name");
            case POOL_STRATEGIES_FACTORY_RESOLVER -> strategies(written, migration);
            case POOL_EVENT_LISTENER_RESOLVER ->
                migration.manual(
                        written,
                        "your class chooses listeners: implement io.flexpool.event.PoolListener and list"
                                + " the classes in flexpool.listeners");
            case POOL_TIME_THRESHOLD_CONNECTION_ACQUISITION -> threshold("slow-acquisition", written, value, migration);
            case POOL_TIME_THRESHOLD_CONNECTION_LEASE -> threshold("long-lease", written, value, migration);
            case POOL_MAINTAIN_FIXED_SIZE_POOL ->
                migration.dropped(
                        written,
                        "flexpool never raises HikariCP's min idle: connections above the base are opened when they"
                                + " are needed");
        }
    }

    private static void name(String written, String value, Migration migration) {
        // The same check as flexpool's, so that the start does not refuse the translation.
        boolean fits = !value.isBlank() && value.length() <= LONGEST_NAME && Texts.isLine(value);
        if (fits) {
            migration.write(written, "name", value);
        } else {
            migration.manual(
                    written,
                    "flexpool.name must have 1 to " + LONGEST_NAME + " characters, no control or invisible characters");
        }
    }

    private static void jndiName(String written, String value, Migration migration) {
        int scheme = value.indexOf(':');
        if (scheme < 0 || value.startsWith("java:")) {
            migration.write(written, "data-source.jndi-name", value);
        } else {
            // Omits the value, which may contain a password.
            migration.manual(written, "flexpool resolves local names only, java:… or one without a scheme");
        }
    }

    private static void dataSourceClass(String written, String value, Migration migration) {
        if (migration.given(FlexyKey.DATA_SOURCE_JNDI_NAME) != null) {
            migration.dropped(written, IGNORED_WITH_JNDI);
        } else {
            migration.manual(
                    written,
                    "create the pool" + shown(value) + " in code and give it to FlexPool.wrap(pool)" + artifact(value));
        }
    }

    private static void dataSourceProperty(String written, Migration migration) {
        if (migration.given(FlexyKey.DATA_SOURCE_JNDI_NAME) != null) {
            migration.dropped(written, IGNORED_WITH_JNDI);
        } else {
            migration.manual(
                    written,
                    "set "
                            + written.substring(
                                    FlexyKey.DATA_SOURCE_PROPERTY.key().length())
                            + " on the pool itself, before it is wrapped");
        }
    }

    private static String shown(String className) {
        return CLASS_NAME.matcher(className).matches() ? ", a " + className + "," : "";
    }

    private static String artifact(String className) {
        String name = className.toLowerCase(Locale.ROOT);
        return ADAPTERS.entrySet().stream()
                .filter(one -> name.contains(one.getKey()))
                .findFirst()
                .map(one -> "; its artifact is " + one.getValue())
                .orElse("");
    }

    private static void metricsFactory(String written, String value, Migration migration) {
        Migration.Backend named = Migration.Backend.ofFactory(value);
        if (named == null) {
            migration.manual(
                    written, "your factory creates the metrics: pass a MetricsBinder to FlexPoolBuilder.metrics(…)");
        } else {
            migration.write(written, "metrics", named.key());
        }
    }

    private static void logMillis(String written, String value, Migration migration) {
        Long millis = migration.number(written, value);
        if (millis == null) {
            return;
        }
        if (migration.backend() != Migration.Backend.DROPWIZARD) {
            migration.dropped(written, "only the Dropwizard module of FlexyPool logs");
        } else if (millis <= 0) {
            migration.dropped(written, "this value disables the log, which is flexpool's default");
        } else if (millis < SHORTEST_LOG_MILLIS || millis > DAY_MILLIS) {
            migration.manual(written, "flexpool.metrics.dropwizard.log-every must be from 100ms to 24h");
        } else {
            migration.write(written, Migration.LOG_EVERY, duration(millis));
        }
    }

    private static void jmxEnable(String written, String value, Migration migration) {
        if (migration.backend() != Migration.Backend.DROPWIZARD) {
            migration.dropped(written, "only the Dropwizard module of FlexyPool registers MBeans");
            return;
        }
        migration.write(written, Migration.JMX, String.valueOf(Boolean.parseBoolean(value)));
        if (!value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
            migration.manual(written, "its value is neither true nor false: FlexyPool reads it as false");
        }
    }

    private static void strategies(String written, Migration migration) {
        migration.manual(
                written,
                "your class chooses strategies: set flexpool.grow-on-wait.*, flexpool.ceiling and"
                        + " flexpool.retry.deadline, as the comments of the result show");
        migration.propose(List.of(
                "flexpool.ceiling = <maxOvergrowPoolSize of IncrementPoolOnTimeoutConnectionAcquisitionStrategy>",
                "flexpool.grow-on-wait.enabled = true",
                "flexpool.retry.deadline = <retryAttempts of RetryConnectionAcquisitionStrategy times the timeout>"));
    }

    /** Translates a duration beyond which FlexyPool raises an event. */
    private static void threshold(String key, String written, String value, Migration migration) {
        Long millis = migration.number(written, value);
        if (millis == null) {
            return;
        }
        if (millis > DAY_MILLIS) {
            migration.dropped(written, "above 1 d, the maximum of flexpool." + key + ": no event is raised");
        } else if (millis < 0) {
            migration.manual(
                    written, "FlexyPool raises an event for every request; flexpool." + key + " must be above 0");
        } else {
            // FlexyPool compares whole milliseconds, so 0 means from 1 ms.
            migration.write(written, key, duration(Math.max(1, millis)));
        }
    }

    /** A duration in the largest unit without a fraction. */
    private static String duration(long millis) {
        if (millis % 3_600_000 == 0) {
            return millis / 3_600_000 + "h";
        }
        if (millis % 60_000 == 0) {
            return millis / 60_000 + "m";
        }
        return millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms";
    }
}
