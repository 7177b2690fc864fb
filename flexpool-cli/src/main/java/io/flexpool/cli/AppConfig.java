// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of one container from files, its environment, and options; later sources override earlier ones.
 * Collects unknown parts as sentences. Shows a value only when it refuses a size. For one reading.
 */
final class AppConfig {
    private static final Pattern OPTION = Pattern.compile(
            "(?:^|[\\s'\"=])(?<prefix>-D|--)(?<key>[A-Za-z][\\w.-]*)=(?<value>'[^']*'|\"[^\"]*\"|[^\\s'\"]+)");
    private static final Pattern REFERENCE = Pattern.compile("\\$\\(([A-Za-z_][A-Za-z0-9_.-]*)\\)");
    private static final Pattern KEY = Pattern.compile("[a-z0-9.\\[\\]-]+");
    /** Keys that refer to configuration in other places. */
    private static final Set<String> ELSEWHERE = Set.of(
            "springconfigimport",
            "springconfiglocation",
            "springconfigadditionallocation",
            "springconfigname",
            "springcloudconfiguri",
            "springcloudconsulhost");

    private static final int DEEPEST = 20;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<String, String> environment = new LinkedHashMap<>();
    private final List<AppFile> files = new ArrayList<>();
    private final Set<AppFile> packaged = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<String> folders = new HashSet<>();
    private final List<String> options = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final List<String> absent = new ArrayList<>();

    /** Adds an environment variable. */
    void variable(String name, String value) {
        environment.put(name, value);
    }

    /** Adds an argument of the start command. */
    void argument(String text) {
        options.add(text);
    }

    /** Adds a file beside the application, which overrides the packaged files. */
    void file(AppFile file) {
        files.add(file);
    }

    /** Adds a folder whose files are all given. */
    void folder(String path) {
        folders.add(path.replaceFirst("(?<!/)/+$", ""));
    }

    /** Adds a file packaged in the application. */
    void packaged(AppFile file) {
        files.add(file);
        packaged.add(file);
    }

    /** Whether values come from files, which the environment overrides. */
    boolean hasFiles() {
        return !files.isEmpty();
    }

    /** Adds a problem: an unreadable source that may have a size. */
    void problem(String sentence) {
        problems.add(sentence);
    }

    /** Notes a source that none of the files contains: a problem only if no size is found. */
    void absent(String what) {
        absent.add(what);
    }

    /** The sources that none of the files contains. */
    List<String> absent() {
        return absent;
    }

    /** The problems; complete after {@link #merged}. */
    List<String> problems() {
        return problems;
    }

    /** The effective values by key, with one spelling for each key. */
    Map<String, String> merged() {
        environment.replaceAll((name, value) -> referenced(value));
        Spelled outer = outer();
        Spelled base = new Spelled();
        sorted(file -> file.profile() == null ? 0 : 1)
                .filter(file -> file.profile() == null)
                .flatMap(file -> file.documents().stream())
                .filter(document ->
                        ActiveProfiles.required(document).isEmpty() && ActiveProfiles.isForKubernetes(document))
                .forEach(base::putAll);
        Spelled both = new Spelled();
        both.putAll(base.keys);
        both.putAll(outer.keys);
        ActiveProfiles profiles = ActiveProfiles.of(withoutPlaceholders(outer, both), withoutPlaceholders(base, both));
        Spelled merged = new Spelled();
        sorted(file -> profiles.rank(file.profile()))
                .forEach(file -> file.documents().forEach(document -> add(file, document, profiles, merged)));
        ofQuarkusProfile(merged, profiles);
        merged.putAll(outer.keys);
        merged.keys.replaceAll((key, value) -> PoolSizes.decides(key) ? resolved(key, value, merged, 0) : value);
        merged.keys.values().removeIf(String::isEmpty);
        merged.keys.keySet().stream()
                .filter(key -> ELSEWHERE.contains(PoolSizes.plain(key)) && !isMounted(merged.keys.get(key)))
                .forEach(key -> absent("the target of " + key));
        return merged.keys;
    }

    /** Whether all folders of a location are given. */
    private boolean isMounted(@Nullable String locations) {
        return Arrays.stream(String.valueOf(locations).split("[,;]", -1))
                .map(each -> each.strip()
                        .replaceFirst("^(?:optional:)?(?:file:(?://)?)?", "")
                        .replaceFirst("(?<!/)/+$", ""))
                .allMatch(folders::contains);
    }

    /** The values outside the files: environment, overridden by JVM options, these by JSON, this by program options. */
    private Spelled outer() {
        Spelled outer = new Spelled();
        environment.forEach(outer::put);
        List<String> all = new ArrayList<>();
        environment.forEach((name, value) -> {
            if (isOptions(name)) {
                all.add(value);
            }
        });
        options.forEach(text -> all.add(referenced(text)));
        all.forEach(text -> options(text, "-D", outer));
        String json = environment.get("SPRING_APPLICATION_JSON");
        if (json != null) {
            json(json, outer);
        }
        all.forEach(text -> options(text, "--", outer));
        return outer;
    }

    /**
     * The files by ascending precedence: packaged files first, then in the given order, those of one place by profile
     * and form.
     */
    private Stream<AppFile> sorted(ToIntFunction<AppFile> byProfile) {
        Comparator<AppFile> order = Comparator.comparing(file -> !packaged.contains(file));
        return files.stream().sorted(order.thenComparingInt(byProfile).thenComparingInt(AppFile::rank));
    }

    private Map<String, String> withoutPlaceholders(Spelled of, Spelled all) {
        Map<String, String> resolved = new LinkedHashMap<>();
        of.keys.forEach((key, value) -> {
            boolean profile = PoolSizes.plain(key).startsWith("springprofiles");
            resolved.put(key, profile ? resolved(key, value, all, 0) : value);
        });
        return resolved;
    }

    private void add(AppFile file, Map<String, String> document, ActiveProfiles profiles, Spelled merged) {
        List<String> required = new ArrayList<>(ActiveProfiles.required(document));
        boolean decides = document.keySet().stream().anyMatch(PoolSizes::decides);
        boolean expression = required.stream().anyMatch(ActiveProfiles::isExpression);
        String own = file.profile();
        if (!ActiveProfiles.isForKubernetes(document) || (own != null && profiles.known() && !profiles.contains(own))) {
            return;
        }
        if (expression) {
            if (decides) {
                problems.add(file.name() + " has a size for the profiles '" + String.join(", ", required)
                        + "', but flexpool does not evaluate profile expressions: give --pool");
            }
            return;
        }
        boolean active = (own == null || profiles.contains(own))
                && (required.isEmpty() || required.stream().anyMatch(profiles::contains));
        if (active) {
            merged.putAll(document);
        } else if (decides && !profiles.known()) {
            required.add(0, own == null ? "" : own);
            problems.add(file.name() + " has a size for the profile '"
                    + required.stream().filter(each -> !each.isEmpty()).collect(Collectors.joining(", "))
                    + "', but the active profiles are unknown: set SPRING_PROFILES_ACTIVE in the manifest");
        }
    }

    /** Applies Quarkus' keys for one profile, for example {@code %prod.quarkus.datasource.jdbc.max-size}. */
    private static void ofQuarkusProfile(Spelled merged, ActiveProfiles profiles) {
        Map<String, String> own = new LinkedHashMap<>();
        merged.keys.forEach((key, value) -> {
            int dot = key.indexOf('.');
            if (key.startsWith("%") && dot > 0) {
                own.put(
                        key,
                        Arrays.stream(key.substring(1, dot).split(",", -1)).anyMatch(profiles::contains) ? value : "");
            }
        });
        own.forEach((key, value) -> {
            merged.keys.remove(key);
            if (!value.isEmpty()) {
                merged.put(key.substring(key.indexOf('.') + 1), value);
            }
        });
    }

    /** A map with one spelling for each key: the last one used. */
    private static final class Spelled {
        private final Map<String, String> keys = new LinkedHashMap<>();
        private final Map<String, String> byPlain = new HashMap<>();

        void put(String key, String value) {
            String before = byPlain.put(PoolSizes.plain(key), key);
            if (before != null) {
                keys.remove(before);
            }
            keys.put(key, value);
        }

        void putAll(Map<String, String> all) {
            all.forEach(this::put);
        }

        @Nullable
        String get(String name) {
            String key = byPlain.get(PoolSizes.plain(name));
            return key == null ? null : keys.get(key);
        }
    }

    private static boolean isOptions(String variable) {
        String name = variable.toUpperCase(Locale.ROOT);
        return name.contains("JAVA_OPT")
                || name.contains("JVM_OPT")
                || name.equals("JAVA_TOOL_OPTIONS")
                || name.equals("JDK_JAVA_OPTIONS")
                || name.equals("_JAVA_OPTIONS")
                || name.equals("CATALINA_OPTS");
    }

    private static void options(String text, String prefix, Spelled into) {
        Matcher option = OPTION.matcher(text);
        while (option.find()) {
            String value = option.group("value");
            boolean quoted = value.startsWith("'") || value.startsWith("\"");
            if (option.group("prefix").equals(prefix)) {
                into.put(option.group("key"), quoted ? value.substring(1, value.length() - 1) : value);
            }
        }
    }

    private void json(String text, Spelled into) {
        try {
            flatten("", JSON.readTree(text), into);
        } catch (JsonProcessingException broken) {
            problems.add("SPRING_APPLICATION_JSON is not valid JSON");
        }
    }

    private static void flatten(String before, JsonNode node, Spelled into) {
        if (node.isObject()) {
            node.properties()
                    .forEach(field -> flatten(
                            before.isEmpty() ? field.getKey() : before + "." + field.getKey(), field.getValue(), into));
        } else if (node.isValueNode()) {
            into.put(before, node.asText());
        }
    }

    /** Resolves Kubernetes' references {@code $(NAME)} to variables of the same container. */
    private String referenced(String value) {
        return REFERENCE
                .matcher(value)
                .replaceAll(found -> Matcher.quoteReplacement(environment.getOrDefault(found.group(1), found.group())));
    }

    /**
     * Resolves Spring's placeholders {@code ${NAME:default}}, also nested. A name without a value becomes empty, and a
     * problem.
     */
    private String resolved(String key, String value, Spelled all, int depth) {
        int begin = value.indexOf("${");
        int end = begin < 0 ? -1 : closing(value, begin);
        if (end < 0) {
            return value.strip();
        }
        String inside = value.substring(begin + 2, end);
        int colon = colon(inside);
        String name = (colon < 0 ? inside : inside.substring(0, colon)).strip();
        if (depth < DEEPEST) {
            name = resolved(key, name, all, depth + 1);
        }
        String found = valueOf(name, all);
        if (found == null && colon >= 0) {
            found = inside.substring(colon + 1);
        }
        if (found == null || depth > DEEPEST) {
            problems.add(key + " = ${" + name + "}: has no value in these files");
            return "";
        }
        return resolved(key, value.substring(0, begin) + found + value.substring(end + 1), all, depth + 1);
    }

    /**
     * The value of a placeholder's name, as in Spring Boot: a name in capitals is a variable, other names are keys in
     * any spelling.
     */
    private @Nullable String valueOf(String name, Spelled all) {
        String variable = name.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
        for (Map<String, String> exact : List.of(all.keys, environment)) {
            if (exact.containsKey(name)) {
                return exact.get(name);
            }
        }
        return environment.containsKey(variable) || !KEY.matcher(name).matches()
                ? environment.get(variable)
                : all.get(name);
    }

    /** The index of the colon before the default, outside nested placeholders; -1 without a default. */
    private static int colon(String inside) {
        int open = 0;
        for (int at = 0; at < inside.length(); at++) {
            char each = inside.charAt(at);
            if (inside.startsWith("${", at)) {
                open++;
            } else if (each == '}') {
                open--;
            } else if (each == ':' && open == 0) {
                return at;
            }
        }
        return -1;
    }

    private static int closing(String value, int begin) {
        int open = 0;
        for (int at = begin; at < value.length(); at++) {
            if (value.startsWith("${", at)) {
                open++;
            } else if (value.charAt(at) == '}' && --open == 0) {
                return at;
            }
        }
        return -1;
    }
}
