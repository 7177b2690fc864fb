// SPDX-License-Identifier: Apache-2.0
package io.flexpool.framework.contract;

import io.flexpool.FlexPool;
import io.flexpool.monitoring.ConfigKey;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A value that a key accepts and one that it refuses, for each key of core, of the backends and of the parts on the class path. Both
 * follow from the kind of the key and from its documented range, so that a new key is walked without being named here.
 *
 * @param key without {@code flexpool.}
 * @param accepted as a file has it
 * @param refused as a file has it
 */
public record KeyValues(String key, String accepted, String refused) {
    /** In refusals they name one pool, and pools of frameworks have names. */
    private static final List<String> OF_ONE_POOL = List.of("name", "data-source.jndi-name");

    /** Texts that are neither numbers nor choices: an accepted and a refused one. */
    private static final Map<String, List<String>> TEXTS = Map.of(
            "name", List.of("orders", "x".repeat(101)),
            "data-source.jndi-name", List.of("java:comp/env/jdbc/orders", "ldap://elsewhere/orders"),
            "record", List.of("off", ""),
            "fleet.name", List.of("orders", "x".repeat(101)),
            "fleet.max", List.of("auto", "many"),
            "fleet.uri", List.of("redis://localhost:6379", ""),
            "server-view.pgbouncer", List.of("jdbc:postgresql://localhost:6432/pgbouncer?user=stats", ""));

    private static final Pattern FROM = Pattern.compile("from (\\w[\\w.]*) to ");
    private static final Pattern AT_MOST = Pattern.compile("at most (\\w+)");
    private static final Pattern CHOICES = Pattern.compile("([a-z-]+)(?:, [a-z-]+)* or [a-z-]+");

    /** {@return those of each key that names no single pool} */
    public static List<KeyValues> ofPools() {
        return all().stream().filter(each -> !OF_ONE_POOL.contains(each.key())).toList();
    }

    /** {@return those of each key} */
    public static List<KeyValues> all() {
        return FlexPool.configurationKeys().stream().map(KeyValues::of).toList();
    }

    private static KeyValues of(ConfigKey key) {
        List<String> values = TEXTS.get(key.name());
        if (values == null) {
            values = switch (key.kind()) {
                case FLAG -> List.of("true", "maybe");
                case COUNT -> List.of(bound(key), "many");
                case DURATION -> List.of(bound(key), "soon");
                case LIST -> List.of("some,other", "some,some");
                case TEXT -> List.of(first(CHOICES, key.allowed()), "no-such-choice");
            };
        }
        return new KeyValues(key.name(), values.get(0), values.get(1));
    }

    private static String bound(ConfigKey key) {
        return key.allowed().contains("from ") ? first(FROM, key.allowed()) : first(AT_MOST, key.allowed());
    }

    private static String first(Pattern pattern, String allowed) {
        Matcher found = pattern.matcher(allowed);
        if (!found.find()) {
            throw new IllegalStateException("add values for: " + allowed);
        }
        return found.group(1);
    }
}
