// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import io.flexpool.spi.Texts;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Translates the keys of FlexyPool's Spring Boot starter ({@code decorator.datasource.*} of
 * spring-boot-data-source-decorator, 1.12.1 for Spring Boot 3 and 2.0.1 for 4, and the names before 1.10).
 */
final class StarterRules {
    static final String PREFIX = "decorator.datasource.";
    private static final String FLEXY = "flexy-pool.";

    private static final String CEILING = "acquisition-strategy.increment-pool.max-overgrow-pool-size";
    private static final String GROW_AFTER = "acquisition-strategy.increment-pool.timeout-millis";
    private static final String ATTEMPTS = "acquisition-strategy.retry.attempts";
    private static final String LOG = "metrics.reporter.log.millis";
    private static final String JMX = "metrics.reporter.jmx.enabled";
    private static final String JMX_START = "metrics.reporter.jmx.auto-start";
    private static final String ACQUISITION = "threshold.connection.acquisition";
    private static final String LEASE = "threshold.connection.lease";
    private static final List<String> KEYS =
            List.of(CEILING, GROW_AFTER, ATTEMPTS, LOG, JMX, JMX_START, ACQUISITION, LEASE);

    private StarterRules() {}

    /** Whether a key belongs to the starter, in any of Spring's spellings. */
    static boolean isStarters(String key) {
        return PoolSizes.plain(key).startsWith(PoolSizes.plain(PREFIX));
    }

    /** Translates all keys of the starter; ignores the application's other keys. */
    static void apply(Map<String, String> properties, Migration migration) {
        new TreeMap<>(properties).forEach((key, value) -> {
            if (isStarters(key)) {
                String plain =
                        PoolSizes.plain(key).substring(PoolSizes.plain(PREFIX).length());
                String flexy = PoolSizes.plain(FLEXY);
                if (plain.startsWith(flexy)) {
                    flexy(key, renamed(plain.substring(flexy.length())), value.strip(), migration);
                } else {
                    common(key, plain, value.strip(), migration);
                }
            }
        });
    }

    /** Converts an older key to its name since 1.10. */
    private static String renamed(String plain) {
        return plain.replace("acquiringstrategy", "acquisitionstrategy")
                .replace("maxoverflowpoolsize", "maxovergrowpoolsize")
                .replaceFirst("connectionacquire$", "connectionacquisition");
    }

    private static void common(String key, String plain, String value, Migration migration) {
        switch (plain) {
            case "enabled" -> migration.write(key, "enabled", flag(key, value, migration));
            case "excludebeans" -> {
                for (String bean : value.split(",", -1)) {
                    if (!bean.isBlank()) {
                        migration.write(key, "datasources." + bean.strip() + ".enabled", "false");
                    }
                }
            }
            case "ignoreroutingdatasources" ->
                migration.dropped(key, "flexpool never wraps a routing data source; it wraps the pools behind it");
            default -> {
                if (plain.startsWith("excludebeans")) {
                    migration.write(key, "datasources." + value + ".enabled", "false");
                } else {
                    migration.dropped(key, "this key configures another library, which flexpool does not replace");
                }
            }
        }
    }

    private static void flexy(String key, String plain, String value, Migration migration) {
        String known = KEYS.stream()
                .filter(each -> PoolSizes.plain(each).equals(plain))
                .findFirst()
                .orElse("");
        switch (known) {
            case CEILING -> {
                if (migration.number(key, value) != null) {
                    migration.write(key, "ceiling", value);
                    migration.write(key, "grow-on-wait.enabled", "true");
                }
            }
            case GROW_AFTER -> millis(key, "grow-on-wait.after", value, migration);
            case ATTEMPTS -> {
                if (migration.number(key, value) != null) {
                    String times = value + " times the pool's acquisition timeout";
                    migration.manual(key, "flexpool.retry.deadline limits the time of all attempts together: " + times);
                    migration.propose(List.of("flexpool.retry.deadline = <" + times + ">"));
                }
            }
            case LOG -> {
                migration.addMetrics(key, "slf4j");
                millis(key, "metrics.slf4j.period", value, migration);
            }
            case JMX -> {
                if (Boolean.parseBoolean(flag(key, value, migration))) {
                    migration.addMetrics(key, "jmx");
                } else {
                    migration.dropped(key, "flexpool has no MBeans unless flexpool.metrics names jmx");
                }
            }
            case JMX_START -> migration.dropped(key, "flexpool registers its MBeans at the start");
            case ACQUISITION -> millis(key, "slow-acquisition", value, migration);
            case LEASE -> millis(key, "long-lease", value, migration);
            default ->
                migration.unknown(
                        key,
                        "the starter does not read it"
                                + Nearest.to(plain, KEYS, "; the nearest key is " + PREFIX + FLEXY, ""));
        }
    }

    private static void millis(String key, String to, String value, Migration migration) {
        if (migration.number(key, value) != null) {
            migration.write(key, to, value + "ms");
        }
    }

    private static String flag(String key, String value, Migration migration) {
        if (!value.equals("true") && !value.equals("false")) {
            migration.refuse(key + " = " + Texts.masked(value) + ": must be true or false");
        }
        return value;
    }
}
