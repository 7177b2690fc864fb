// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.internal.shared.Words;
import io.flexpool.monitoring.ConfigKey;
import io.flexpool.monitoring.ConfigKey.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The classes of a pool's requests: their keys, which exist for each class that {@code flexpool.classes} names, and
 * the checks. For one thread.
 */
final class ClassSettings {
    static final int MAX_CLASSES = 8;
    /** Precedes a class's name and key. */
    static final String PREFIX = CoreKey.CLASSES.key().name() + ".";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,40}");
    private static final Pattern PART = Pattern.compile("[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)");
    private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(1);
    private static final Duration LONGEST_TIMEOUT = Duration.ofHours(1);

    private static final ConfigKey GUARANTEE = new ConfigKey(
            "guarantee",
            Kind.TEXT,
            "0",
            "a number from 0 to 1, for example 0.75; the sum of all classes is at most 1",
            "Guaranteed share of the limit.");
    private static final ConfigKey MAX = new ConfigKey(
            "max",
            Kind.COUNT,
            "none; while the first class is in use, the other classes leave 1 connection free for it",
            "from 1 to " + PoolConfig.LARGEST_LIMIT,
            "Maximum number of connections of this class.");
    private static final ConfigKey TIMEOUT = new ConfigKey(
            "timeout",
            Kind.DURATION,
            "the acquisition timeout",
            "from " + SHORTEST_TIMEOUT + " to " + LONGEST_TIMEOUT,
            "How long a request of the class waits for a connection.");
    private static final ConfigKey THREADS = new ConfigKey(
            "threads",
            Kind.LIST,
            "none",
            "thread names; * matches any characters",
            "Thread names that select this class, unless code names a class.");
    /** The keys of one class. */
    static final List<ConfigKey> KEYS = List.of(GUARANTEE, MAX, TIMEOUT, THREADS);

    private final Refusals refusals;
    private final Problems problems;

    ClassSettings(Refusals refusals, Problems problems) {
        this.refusals = refusals;
        this.problems = problems;
    }

    /** Adds the keys of a class with a name that is not checked yet. */
    static void addKeys(String requestClass, Map<String, ConfigKey> keys) {
        for (ConfigKey key : KEYS) {
            String name = PREFIX + requestClass + "." + key.name();
            keys.put(name, new ConfigKey(name, key.kind(), key.fallback(), key.allowed(), key.meaning()));
        }
    }

    /** The class of a key without prefix; null if it is no key of a class. */
    static @Nullable String classOf(String key) {
        int end = key.lastIndexOf('.');
        return key.startsWith(PREFIX) && end > PREFIX.length() ? key.substring(PREFIX.length(), end) : null;
    }

    // ---- properties ----

    /** The classes of these names, in their order, with the values of their keys. */
    List<ClassRule> read(List<String> names, Map<String, Refusals.Given> properties) {
        List<ClassRule> rules = new ArrayList<>();
        for (String name : names) {
            rules.add(with(ClassRule.named(name), properties));
        }
        for (Map.Entry<String, Refusals.Given> given : properties.entrySet()) {
            // Only for the pool's own section: a key for all pools concerns pools that have the class.
            String its = given.getValue().key().startsWith(ConfigReader.POOL_PREFIX) ? classOf(given.getKey()) : null;
            if (its != null && named(its, rules) == null) {
                problems.add(
                        given.getKey(),
                        refusals.of(given.getKey(), given.getValue().value(), noSuchClass(its, rules)));
            }
        }
        return List.copyOf(rules);
    }

    private static @Nullable ClassRule named(String name, List<ClassRule> rules) {
        for (ClassRule rule : rules) {
            if (rule.name().equals(name)) {
                return rule;
            }
        }
        return null;
    }

    private static String noSuchClass(String name, List<ClassRule> rules) {
        List<String> names = rules.stream().map(ClassRule::name).toList();
        return names.isEmpty()
                ? "the pool has no classes; set " + ConfigReader.PREFIX
                        + CoreKey.CLASSES.key().name()
                : "the pool has no such class; must be one of " + String.join(", ", names) + "; the nearest is "
                        + Words.nearest(name, names);
    }

    private ClassRule with(ClassRule rule, Map<String, Refusals.Given> properties) {
        ClassRule its = rule;
        for (ConfigKey key : KEYS) {
            String name = PREFIX + rule.name() + "." + key.name();
            Refusals.Given given = properties.get(name);
            Object value = given == null ? null : given.value();
            if (value instanceof Integer max) {
                its = its.withMax(max);
            } else if (value instanceof Duration timeout) {
                its = its.withTimeout(timeout);
            } else if (value instanceof List<?> threads) {
                its = its.withThreads(threads.stream().map(String::valueOf).toList());
            } else if (value instanceof String guarantee) {
                its = its.withGuarantee(part(name, guarantee));
            }
        }
        return its;
    }

    private double part(String key, String text) {
        // The JDK's parser also takes 0x1p-1, 1e-1, 0.5d and NaN.
        if (PART.matcher(text).matches()) {
            return Double.parseDouble(text);
        }
        refuse(key, text, GUARANTEE.allowed());
        return 0;
    }

    // ---- checks ----

    /** Adds the problems of the classes. */
    void check(List<ClassRule> rules) {
        if (rules.isEmpty()) {
            return;
        }
        Set<String> seen = new HashSet<>();
        for (ClassRule rule : rules) {
            String name = rule.name();
            if (!NAME.matcher(name).matches() || !seen.add(name)) {
                refuse(CoreKey.CLASSES.key().name(), name, CoreKey.CLASSES.key().allowed());
            }
            if (rule.guarantee() < 0 || rule.guarantee() > 1 || Double.isNaN(rule.guarantee())) {
                refuse(rule, GUARANTEE, rule.guarantee());
            }
            Integer max = rule.max();
            if (max != null && (max < 1 || max > PoolConfig.LARGEST_LIMIT)) {
                refuse(rule, MAX, max);
            }
            Duration timeout = rule.timeout();
            if (timeout != null
                    && (timeout.compareTo(SHORTEST_TIMEOUT) < 0 || timeout.compareTo(LONGEST_TIMEOUT) > 0)) {
                refuse(rule, TIMEOUT, timeout);
            }
            if (rule.threads().stream().anyMatch(String::isBlank)) {
                refuse(rule, THREADS, "''");
            }
        }
        if (rules.size() > MAX_CLASSES) {
            String rule = "must be at most " + MAX_CLASSES + " classes, not " + rules.size();
            problems.add(
                    CoreKey.CLASSES,
                    refusals.of(CoreKey.CLASSES, rules.get(MAX_CLASSES).name(), rule));
        }
        double sum = rules.stream().mapToDouble(ClassRule::guarantee).sum();
        // A sum like 0.7 + 0.2 + 0.1 may be a little above 1.
        if (sum > 1 + 1e-9 && !problems.aboutAny(PREFIX)) {
            ClassRule last = rules.get(rules.size() - 1);
            String key = PREFIX + last.name() + "." + GUARANTEE.name();
            String rule = "must be at most 1 summed over all classes, not " + (float) sum;
            problems.add(key, refusals.of(key, written(key, last.guarantee()), rule));
        }
    }

    private void refuse(ClassRule rule, ConfigKey key, Object value) {
        String name = PREFIX + rule.name() + "." + key.name();
        refuse(name, written(name, value), key.allowed());
    }

    /** The value in its written form: a guarantee is a text in properties, and a number in code. */
    private Object written(String key, Object value) {
        Refusals.Given given = refusals.properties().get(key);
        return given != null && value instanceof Double ? given.value() : Objects.requireNonNull(value);
    }

    private void refuse(String key, Object value, String allowed) {
        problems.add(key, refusals.of(key, value, "must be " + allowed));
    }
}
