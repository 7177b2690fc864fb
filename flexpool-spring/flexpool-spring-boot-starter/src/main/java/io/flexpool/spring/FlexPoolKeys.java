// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolBuilder;
import io.flexpool.FlexPoolBuilder.FrameworkSettings;
import io.flexpool.spi.Texts;
import io.flexpool.spring.WrittenKeys.Written;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.env.Environment;

/**
 * The {@code flexpool.*} properties of the application. Keys and checks are core's; this class only maps what was
 * written to core's keys and adds two for beans, {@code flexpool.datasources.<bean>.enabled} and {@code .name}, and the
 * {@linkplain #OWN switches} of the starter. Immutable.
 */
final class FlexPoolKeys {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool.spring");
    private static final String PREFIX = "flexpool.";
    private static final String POOLS = "pools";
    private static final String BEANS = "datasources";
    private static final String ENABLED = "enabled";
    private static final String NAME = "name";
    /** The starter's own, true or false: conditions of its configurations read them. */
    private static final List<String> OWN = List.of("transaction-deadlines", "web.unavailable");
    /** Core's keys that name one pool: here the bean name does. */
    private static final Map<String, String> NOT_HERE = Map.of(
            NAME,
            "pools are named after their beans, or as HikariCP's pool-name says; for another name set " + PREFIX + BEANS
                    + ".<bean>." + NAME,
            "data-source.jndi-name",
            "pools are the application's beans; for a JNDI lookup set spring.datasource.jndi-name");

    private final Map<String, String> known = new LinkedHashMap<>();
    /** By core's key. */
    private final Map<String, Written> common = new LinkedHashMap<>();
    /** By pool and core's key, both relaxed. */
    private final Map<String, OfPool> ofPools = new LinkedHashMap<>();
    /** By bean and key, both in relaxed spelling. */
    private final Map<String, OfBean> ofBeans = new LinkedHashMap<>();
    /** By one of the starter's own keys. */
    private final Map<String, Written> own = new LinkedHashMap<>();
    /** Unknown keys: core refuses them and suggests the nearest one. */
    private final List<Written> unknown = new ArrayList<>();

    private final List<String> problems = new ArrayList<>();

    private record OfPool(String pool, String key, Written written) {}

    private record OfBean(String bean, String key, Written written) {}

    /** Reads the properties. Refuses nothing yet. */
    FlexPoolKeys(Environment environment) {
        FlexPool.configurationKeys().forEach(key -> known.put(WrittenKeys.relaxed(key.name()), key.name()));
        List<String> asked = new ArrayList<>(known.values());
        asked.addAll(OWN);
        WrittenKeys.read(environment, asked, this::sort);
        sortOfClasses();
    }

    /** The first value written takes precedence. */
    private void sort(Written written) {
        List<String> words = written.words();
        String key = known.get(written.relaxedFrom(0));
        String first = WrittenKeys.relaxed(words.get(0));
        Optional<String> its = OWN.stream()
                .filter(one -> WrittenKeys.relaxed(one).equals(written.relaxedFrom(0)))
                .findFirst();
        if (key != null) {
            common.putIfAbsent(key, written);
        } else if (its.isPresent()) {
            own.putIfAbsent(its.get(), written);
        } else if (first.equals(POOLS) && words.size() > 2) {
            sortOfPool(written);
        } else if (first.equals(BEANS)) {
            sortOfBean(written);
        } else {
            unknown.add(written);
        }
    }

    /**
     * A pool name may contain dots, and environment variables separate every word, so the longest matching key wins.
     */
    private void sortOfPool(Written written) {
        List<String> words = written.words();
        for (int from = 2; from < words.size(); from++) {
            String key = known.get(written.relaxedFrom(from));
            if (key != null && !NOT_HERE.containsKey(key)) {
                String pool = String.join(".", words.subList(1, from));
                ofPools.putIfAbsent(WrittenKeys.relaxed(pool) + '/' + key, new OfPool(pool, key, written));
                return;
            }
        }
        unknown.add(written);
    }

    /** Among the keys that were unknown until here: which classes there are stands in properties itself. */
    private void sortOfClasses() {
        List<Written> named = new ArrayList<>();
        named.addAll(common.containsKey(ClassKeys.CLASSES) ? List.of(common.get(ClassKeys.CLASSES)) : List.of());
        ofPools.values().stream()
                .filter(of -> of.key().equals(ClassKeys.CLASSES))
                .forEach(of -> named.add(of.written()));
        ClassKeys classes = new ClassKeys(named.stream().map(Written::value).toList());
        unknown.removeIf(written -> sortOfClass(classes, written));
    }

    private boolean sortOfClass(ClassKeys classes, Written written) {
        List<String> words = written.words();
        String key = classes.key(words);
        if (key != null) {
            common.putIfAbsent(key, written);
            return true;
        }
        for (int from = 2;
                from < words.size() && WrittenKeys.relaxed(words.get(0)).equals(POOLS);
                from++) {
            String ofPool = classes.key(words.subList(from, words.size()));
            if (ofPool != null) {
                String pool = String.join(".", words.subList(1, from));
                ofPools.putIfAbsent(WrittenKeys.relaxed(pool) + '/' + ofPool, new OfPool(pool, ofPool, written));
                return true;
            }
        }
        return false;
    }

    private void sortOfBean(Written written) {
        List<String> words = written.words();
        String key = WrittenKeys.relaxed(words.get(words.size() - 1));
        if (words.size() < 3 || !(key.equals(ENABLED) || key.equals(NAME))) {
            problem(written, "no such key; there are " + PREFIX + BEANS + ".<bean>." + ENABLED + " and ." + NAME);
            return;
        }
        String bean = String.join(".", words.subList(1, words.size() - 1));
        ofBeans.putIfAbsent(WrittenKeys.relaxed(bean) + '/' + key, new OfBean(bean, key, written));
    }

    /**
     * Refuses what can be refused before a pool exists: unknown keys and values of the wrong type.
     *
     * @throws RefusedConfiguration naming all problems
     */
    void check() {
        List<String> wrong = new ArrayList<>(problems);
        NOT_HERE.forEach((key, rule) -> {
            Written written = common.get(key);
            if (written != null) {
                wrong.add(line(written, rule));
            }
        });
        List<Written> flags = new ArrayList<>(own.values());
        ofBeans.values().stream().filter(of -> of.key().equals(ENABLED)).forEach(of -> flags.add(of.written()));
        flags.stream()
                .filter(written ->
                        !List.of("true", "false").contains(written.value().strip()))
                .forEach(written -> wrong.add(line(written, "must be true or false")));
        try {
            FlexPoolBuilder builder = FlexPool.lookUp();
            addTo(builder, NamedPool.of(Optional.empty(), Optional.empty(), ""), "");
            builder.framework(FrameworkSettings::checkProperties);
        } catch (IllegalArgumentException refused) {
            wrong.add(String.valueOf(refused.getMessage()));
        }
        if (!wrong.isEmpty()) {
            throw new RefusedConfiguration(String.join(System.lineSeparator(), wrong), List.of(), null);
        }
    }

    /**
     * Refuses properties of an unknown pool or bean if the name is almost that of a known one. Otherwise logs them:
     * they may be meant for a child of this application context, which shares its properties.
     *
     * @param beans the names of all data source beans
     * @param pools the names of all pools
     * @throws RefusedConfiguration naming all refused properties
     */
    void checkNames(Collection<String> beans, Collection<String> pools) {
        List<String> wrong = new ArrayList<>();
        for (OfBean of : ofBeans.values()) {
            if (!among(beans, of.bean())) {
                String line = line(of.written(), "no such data source bean; there are " + String.join(", ", beans));
                refuseOrTell(line, isTypo(of.bean(), beans), wrong);
            }
        }
        for (OfPool of : ofPools.values()) {
            if (!among(pools, of.pool())) {
                String line = line(of.written(), "no such pool; there are " + String.join(", ", pools));
                refuseOrTell(line, isTypo(of.pool(), pools), wrong);
            }
        }
        if (!wrong.isEmpty()) {
            throw new RefusedConfiguration(String.join(System.lineSeparator(), wrong), List.of(), null);
        }
    }

    private static boolean isTypo(String written, Collection<String> names) {
        String relaxed = WrittenKeys.relaxed(written);
        return names.stream().anyMatch(name -> Texts.alike(relaxed, WrittenKeys.relaxed(name)));
    }

    private static void refuseOrTell(String line, boolean refused, List<String> wrong) {
        if (refused) {
            wrong.add(line);
        } else {
            LOG.warn("not used in this application context: {}", line);
        }
    }

    /** Includes data sources held by one of that name: {@code routing.tenant}. */
    private static boolean among(Collection<String> names, String written) {
        for (int end = written.length(); end > 0; end = written.lastIndexOf('.', end - 1)) {
            String holder = written.substring(0, end);
            if (names.stream().anyMatch(name -> meant(holder, name))) {
                return true;
            }
        }
        return false;
    }

    /** Whether a configured name is that of a bean or pool. */
    private static boolean meant(String written, String name) {
        return WrittenKeys.relaxed(written).equals(WrittenKeys.relaxed(name));
    }

    /** Whether flexpool is enabled in this application. */
    boolean enabled() {
        Written written = common.get(ENABLED);
        return written == null || !written.value().strip().equals("false");
    }

    /**
     * Whether a bean is to be wrapped.
     *
     * @return empty if not configured: then it is wrapped if it is a pool
     */
    Optional<Boolean> enabled(String bean) {
        return ofBean(bean, ENABLED).map(written -> written.value().strip().equals("true"));
    }

    /** The configured name of a bean's pool; empty if it has its own name, or the bean's. */
    Optional<String> nameOf(String bean) {
        return ofBean(bean, NAME).map(written -> written.value().strip());
    }

    private Optional<Written> ofBean(String bean, String key) {
        return Optional.ofNullable(ofBeans.get(WrittenKeys.relaxed(bean) + '/' + key))
                .map(OfBean::written);
    }

    /** Whether a key of core is set, for all pools or for this one. */
    boolean given(NamedPool pool, String key) {
        return common.containsKey(key)
                || pool.inProperties().stream()
                        .anyMatch(name -> ofPools.containsKey(WrittenKeys.relaxed(name) + '/' + key));
    }

    /**
     * Passes all properties to a builder, each with its origin. Those of a pool's own name hold before those of its
     * bean's.
     *
     * @param meant what the application calls the pool
     * @param unique its name, which differs if two pools have the same name
     */
    void addTo(FlexPoolBuilder builder, NamedPool meant, String unique) {
        common.forEach((key, written) -> {
            if (!NOT_HERE.containsKey(key)) {
                add(builder, PREFIX + key, written);
            }
        });
        addOfPools(builder, of -> !isMeant(of, meant), null);
        addOfPools(builder, of -> isMeant(of, meant) && !meant(of.pool(), meant.name()), unique);
        addOfPools(builder, of -> meant(of.pool(), meant.name()), unique);
        unknown.forEach(written -> add(builder, written.key(), written));
    }

    private void addOfPools(FlexPoolBuilder builder, Predicate<OfPool> which, @Nullable String unique) {
        ofPools.values().stream().filter(which).forEach(of -> {
            String name = unique == null ? of.pool() : unique;
            add(builder, PREFIX + POOLS + "." + name + "." + of.key(), of.written());
        });
    }

    private static boolean isMeant(OfPool of, NamedPool pool) {
        return pool.inProperties().stream().anyMatch(name -> meant(of.pool(), name));
    }

    /** Core knows one spelling of a key; a refusal also names the application's spelling. */
    private static void add(FlexPoolBuilder builder, String key, Written written) {
        builder.framework(with -> with.properties(Map.of(key, written.value()), written.origin(key)));
    }

    /** The properties that concern a pool, one per line: refusals of numbers do not say where they were written. */
    List<String> linesFor(NamedPool pool) {
        List<String> lines = new ArrayList<>();
        common.values().forEach(written -> lines.add(line(written, null)));
        ofPools.values().stream().filter(of -> isMeant(of, pool)).forEach(of -> lines.add(line(of.written(), null)));
        return lines;
    }

    private void problem(Written written, String rule) {
        problems.add(line(written, rule));
    }

    private static String line(Written written, @Nullable String rule) {
        String value = Texts.isSecret(written.key()) ? "***" : Texts.line(written.value());
        return Texts.line(written.key()) + " = " + value + (rule == null ? "" : ": " + rule) + " (" + written.origin()
                + ")";
    }
}
