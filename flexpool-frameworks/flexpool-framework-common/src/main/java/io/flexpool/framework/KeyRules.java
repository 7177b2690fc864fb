// SPDX-License-Identifier: Apache-2.0
package io.flexpool.framework;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The differences between the keys of one framework and core's. Immutable: each method returns a copy with another
 * difference.
 */
public final class KeyRules {
    /** A key in core's spelling within a message. */
    private static final Pattern IN_CORE = Pattern.compile("(?<![\\w.-])flexpool\\.(?=[a-z])");

    final Map<String, String> ofOnePool;
    final String prefix;
    final String dataSource;
    final boolean holders;
    final List<String> switches;

    private KeyRules(
            Map<String, String> ofOnePool, String prefix, String dataSource, boolean holders, List<String> switches) {
        this.ofOnePool = ofOnePool;
        this.prefix = prefix;
        this.dataSource = dataSource;
        this.holders = holders;
        this.switches = switches;
    }

    /**
     * Rules that refuse the keys for one pool's name, because an application names pools by its data sources.
     *
     * @param name the refusal of {@code flexpool.name}
     * @param jndiName the refusal of {@code flexpool.data-source.jndi-name}
     * @return rules with core's prefix, without sections of data sources and without switches
     */
    public static KeyRules refusing(String name, String jndiName) {
        Map<String, String> rules = new TreeMap<>(Map.of(
                ApplicationKeys.NAME,
                Objects.requireNonNull(name, "name is null"),
                ApplicationKeys.JNDI_NAME,
                Objects.requireNonNull(jndiName, "jndiName is null")));
        return new KeyRules(rules, "flexpool.", "", false, List.of());
    }

    /**
     * Sets the framework's prefix.
     *
     * @param own the prefix with a dot at its end, for example {@code quarkus.flexpool.}
     * @return rules with this prefix, which also messages of core show
     */
    public KeyRules prefix(String own) {
        return new KeyRules(ofOnePool, own, dataSource, holders, switches);
    }

    /**
     * Adds the keys {@code datasources.<name>.enabled} and {@code datasources.<name>.name}.
     *
     * @param placeholder the word for the name in refusals, for example {@code bean}
     * @return rules with these keys
     */
    public KeyRules dataSources(String placeholder) {
        return new KeyRules(ofOnePool, prefix, placeholder, holders, switches);
    }

    /**
     * Allows data sources within others, which are named {@code <holder>.<key>}.
     *
     * @return rules that accept sections of such names
     */
    public KeyRules holders() {
        return new KeyRules(ofOnePool, prefix, dataSource, true, switches);
    }

    /**
     * Adds keys of the framework's module.
     *
     * @param own the keys, each true or false; the module reads them
     * @return rules with these keys
     */
    public KeyRules switches(List<String> own) {
        return new KeyRules(ofOnePool, prefix, dataSource, holders, List.copyOf(own));
    }

    /** Converts the keys in a message of core to the framework's spelling. */
    String asWritten(String message) {
        return IN_CORE.matcher(message).replaceAll(Matcher.quoteReplacement(prefix));
    }
}
