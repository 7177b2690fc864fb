// SPDX-License-Identifier: Apache-2.0
package io.flexpool.micronaut;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolBuilder;
import io.flexpool.FlexPoolBuilder.FrameworkSettings;
import io.flexpool.micronaut.WrittenKeys.Written;
import io.flexpool.spi.Texts;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.env.Environment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@code flexpool.*} properties of the application. Keys and checks are core's; this class maps what was written to core's
 * keys and adds two for data sources, {@code flexpool.datasources.<name>.enabled} and {@code .name}. Made at every start, also where there is no
 * data source: a key that is wrong ends it. Immutable.
 */
@Context
final class FlexPoolKeys {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool.micronaut");
    private static final String PREFIX = "flexpool.";
    private static final String POOLS = "pools";
    private static final String CLASSES = "classes";
    private static final String SOURCES = "datasources";
    private static final String ENABLED = "enabled";
    private static final String NAME = "name";
    /** Core's keys that name one pool: here the data source does. */
    private static final Map<String, String> NOT_HERE = Map.of(
            NAME,
            "pools are named after their data sources, or as the pool itself says; for another name set " + PREFIX
                    + SOURCES + ".<name>." + NAME,
            "data-source.jndi-name",
            "pools are the application's data sources; this key has no effect here");

    private final Map<String, String> known = new LinkedHashMap<>();
    /** By core's key. */
    private final Map<String, Written> common = new LinkedHashMap<>();

    private final List<OfPool> ofPools = new ArrayList<>();
    private final List<OfSource> ofSources = new ArrayList<>();
    /** Core refuses them and suggests the nearest one. */
    private final List<Written> unknown = new ArrayList<>();

    private record OfPool(String pool, String key, Written written) {}

    private record OfSource(String source, String key, Written written) {}

    /**
     * Reads the properties and refuses what can be refused before a pool exists.
     *
     * @throws IllegalArgumentException naming all unknown keys and values of the wrong kind
     */
    FlexPoolKeys(Environment environment) {
        FlexPool.configurationKeys().forEach(key -> known.put(WrittenKeys.relaxed(key.name()), key.name()));
        List<String> wrong = new ArrayList<>();
        new WrittenKeys(environment).all().forEach(written -> sort(written, wrong));
        check(environment.getPropertyEntries(SOURCES), wrong);
    }

    private void sort(Written written, List<String> wrong) {
        List<String> words = written.words();
        String key = known.get(written.relaxedFrom(0));
        if (key != null) {
            common.put(key, written);
        } else if (words.get(0).equals(SOURCES)) {
            sortOfSource(written, wrong);
        } else if (!words.get(0).equals(POOLS) || !isOfPool(written)) {
            unknown.add(written);
        }
    }

    /** A pool's name may contain dots, so the longest key that fits is meant. */
    private boolean isOfPool(Written written) {
        List<String> words = written.words();
        for (int from = 2; from < words.size(); from++) {
            String key = known.get(written.relaxedFrom(from));
            if (key == null && !written.variable() && words.get(from).equals(CLASSES)) {
                key = String.join(".", words.subList(from, words.size()));
            }
            if (key != null && !NOT_HERE.containsKey(key)) {
                ofPools.add(new OfPool(String.join(".", words.subList(1, from)), key, written));
                return true;
            }
        }
        return false;
    }

    private void sortOfSource(Written written, List<String> wrong) {
        List<String> words = written.words();
        String key = words.get(words.size() - 1);
        if (words.size() < 3 || !(key.equals(ENABLED) || key.equals(NAME))) {
            wrong.add(line(
                    written, "no such key; there are " + PREFIX + SOURCES + ".<name>." + ENABLED + " and ." + NAME));
            return;
        }
        ofSources.add(new OfSource(String.join(".", words.subList(1, words.size() - 1)), key, written));
    }

    private void check(Collection<String> sources, List<String> wrong) {
        NOT_HERE.forEach((key, rule) -> {
            Written written = common.remove(key);
            if (written != null) {
                wrong.add(line(written, rule));
            }
        });
        for (OfSource of : ofSources) {
            checkValue(of, wrong);
            checkName(of, sources, wrong);
        }
        try {
            FlexPoolBuilder builder = FlexPool.lookUp();
            addTo(builder, List.of(), "");
            builder.framework(FrameworkSettings::checkProperties);
        } catch (IllegalArgumentException refused) {
            wrong.add(String.valueOf(refused.getMessage()));
        }
        if (!wrong.isEmpty()) {
            throw new IllegalArgumentException(String.join(System.lineSeparator(), wrong));
        }
    }

    private static void checkValue(OfSource of, List<String> wrong) {
        String value = of.written().value().strip();
        if (of.key().equals(ENABLED) && !value.equals("true") && !value.equals("false")) {
            wrong.add(line(of.written(), "must be true or false"));
        }
    }

    /** Others may be beans that are made by code. */
    private static void checkName(OfSource of, Collection<String> sources, List<String> wrong) {
        String written = WrittenKeys.relaxed(of.source());
        List<String> relaxed = sources.stream().map(WrittenKeys::relaxed).toList();
        if (relaxed.contains(written)) {
            return;
        }
        String line = line(of.written(), "no such data source; there are " + String.join(", ", sources));
        if (relaxed.stream().anyMatch(name -> Texts.alike(written, name))) {
            wrong.add(line);
        } else {
            LOG.warn("perhaps not used: {}", line);
        }
    }

    /** Whether a data source is to be wrapped, if it is a pool. */
    boolean enabled(String source) {
        return ofSource(source, ENABLED).map(value -> value.equals("true")).orElse(true);
    }

    /** The configured name of a data source's pool; empty if it has its own name, or the data source's. */
    Optional<String> nameOf(String source) {
        return ofSource(source, NAME);
    }

    private Optional<String> ofSource(String source, String key) {
        return ofSources.stream()
                .filter(of -> of.key().equals(key) && meant(of.source(), source))
                .map(of -> of.written().value().strip())
                .findFirst();
    }

    private static boolean meant(String written, String name) {
        return WrittenKeys.relaxed(written).equals(WrittenKeys.relaxed(name));
    }

    /**
     * Passes all properties to a builder, each with its origin.
     *
     * @param names what the application calls the pool; sections of the first hold before those of the others
     * @param unique its name, which differs if two pools have the same name
     */
    void addTo(FlexPoolBuilder builder, List<String> names, String unique) {
        common.forEach((key, written) -> add(builder, PREFIX + key, written));
        ofPools.stream()
                .filter(of -> names.stream().noneMatch(name -> meant(of.pool(), name)))
                .forEach(of -> add(builder, of, of.pool()));
        for (int at = names.size() - 1; at >= 0; at--) {
            String name = names.get(at);
            ofPools.stream().filter(of -> meant(of.pool(), name)).forEach(of -> add(builder, of, unique));
        }
        unknown.forEach(written -> add(builder, written.key(), written));
    }

    private static void add(FlexPoolBuilder builder, OfPool of, String pool) {
        add(builder, PREFIX + POOLS + "." + pool + "." + of.key(), of.written());
    }

    private static void add(FlexPoolBuilder builder, String key, Written written) {
        builder.framework(with -> with.properties(Map.of(key, written.value()), written.origin()));
    }

    private static String line(Written written, String rule) {
        String value = Texts.isSecret(written.key()) ? "***" : Texts.line(written.value(), 200);
        return Texts.line(written.key()) + " = " + value + ": " + rule + " (" + written.origin() + ")";
    }
}
