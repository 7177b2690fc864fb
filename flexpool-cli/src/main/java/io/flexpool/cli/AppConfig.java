// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of one container: files, then its environment, then options, each before the one before. What cannot be
 * known is collected as sentences. Values are shown nowhere but in a refusal of a size. For one reading.
 */
final class AppConfig {
    private static final Pattern OPTION =
            Pattern.compile("(?:^|[\\s'\"=])(?:-D|--)([A-Za-z][\\w.-]*)=('[^']*'|\"[^\"]*\"|[^\\s'\"]+)");
    private static final Pattern REFERENCE = Pattern.compile("\\$\\(([A-Za-z_][A-Za-z0-9_.-]*)\\)");
    /** Spring's: {@code prod & !eu}. */
    private static final Pattern EXPRESSION = Pattern.compile("[&|!()]");
    /** Keys that name configuration elsewhere. */
    private static final Set<String> ELSEWHERE = Set.of(
            "springconfigimport",
            "springconfiglocation",
            "springconfigadditionallocation",
            "springcloudconfiguri",
            "springcloudconsulhost");

    private static final int DEEPEST = 20;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<String, String> environment = new LinkedHashMap<>();
    private final List<AppFile> files = new ArrayList<>();
    private final List<String> options = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final List<String> absent = new ArrayList<>();

    /** A variable of the environment. */
    void variable(String name, String value) {
        environment.put(name, value);
    }

    /** What the program is started with. */
    void argument(String text) {
        options.add(text);
    }

    /** A file of the application. */
    void file(AppFile file) {
        files.add(file);
    }

    /** Whether values come from files, before which those of the environment hold. */
    boolean hasFiles() {
        return !files.isEmpty();
    }

    /** Something that may have a size and cannot be read. */
    void problem(String sentence) {
        problems.add(sentence);
    }

    /** Something that is in none of the files: a problem only if no size is found. */
    void absent(String what) {
        absent.add(what);
    }

    /** What is in none of the files. */
    List<String> absent() {
        return absent;
    }

    /** What is not known; complete after {@link #merged}. */
    List<String> problems() {
        return problems;
    }

    /** Keys and values, one for each key whatever its spelling. */
    Map<String, String> merged() {
        Map<String, String> merged = new LinkedHashMap<>();
        Map<String, String> spelled = new HashMap<>();
        environment.replaceAll((name, value) -> referenced(value));
        Set<String> profiles = profiles();
        for (AppFile file : files) {
            for (AppFile.Document document : file.documents()) {
                add(file, document, profiles, merged, spelled);
            }
        }
        environment.forEach((name, value) -> put(merged, spelled, name, value));
        for (Map.Entry<String, String> variable : environment.entrySet()) {
            if (isOptions(variable.getKey())) {
                options(variable.getValue(), merged, spelled);
            }
        }
        String json = environment.get("SPRING_APPLICATION_JSON");
        if (json != null) {
            json(json, merged, spelled);
        }
        options.forEach(text -> options(referenced(text), merged, spelled));
        merged.replaceAll((key, value) -> PoolSizes.decides(key) ? resolved(key, value, merged, spelled, 0) : value);
        merged.values().removeIf(String::isEmpty);
        merged.keySet().stream()
                .filter(key -> ELSEWHERE.contains(PoolSizes.plain(key)))
                .forEach(key -> absent("what " + key + " names"));
        return merged;
    }

    private void add(
            AppFile file,
            AppFile.Document document,
            Set<String> profiles,
            Map<String, String> merged,
            Map<String, String> spelled) {
        String profile = document.profile();
        if (profile != null && EXPRESSION.matcher(profile).find()) {
            if (document.keys().keySet().stream().anyMatch(PoolSizes::decides)) {
                problems.add(file.name() + " has a size for the profiles '" + profile
                        + "', and expressions are not evaluated: give --pool");
            }
            return;
        }
        if (profile == null
                || Arrays.stream(profile.split(",", -1)).anyMatch(each -> profiles.contains(each.strip()))) {
            document.keys().forEach((key, value) -> put(merged, spelled, key, value));
        } else if (document.keys().keySet().stream().anyMatch(PoolSizes::decides) && profiles.isEmpty()) {
            problems.add(file.name() + " has a size for the profile '" + profile
                    + "', and which profiles are active is unknown: set SPRING_PROFILES_ACTIVE in the manifest");
        }
    }

    private Set<String> profiles() {
        Set<String> active = new LinkedHashSet<>();
        String given = environment.get("SPRING_PROFILES_ACTIVE");
        for (AppFile file : files) {
            for (AppFile.Document document : file.documents()) {
                if (given == null && document.profile() == null) {
                    given = document.keys().get("spring.profiles.active");
                }
            }
        }
        for (String profile : given == null ? new String[0] : given.split(",", -1)) {
            active.add(profile.strip());
        }
        return active;
    }

    private static void put(Map<String, String> merged, Map<String, String> spelled, String key, String value) {
        String before = spelled.put(PoolSizes.plain(key), key);
        if (before != null) {
            merged.remove(before);
        }
        merged.put(key, value);
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

    private static void options(String text, Map<String, String> merged, Map<String, String> spelled) {
        Matcher option = OPTION.matcher(text);
        while (option.find()) {
            String value = option.group(2);
            boolean quoted = value.startsWith("'") || value.startsWith("\"");
            put(merged, spelled, option.group(1), quoted ? value.substring(1, value.length() - 1) : value);
        }
    }

    private void json(String text, Map<String, String> merged, Map<String, String> spelled) {
        try {
            flatten("", JSON.readTree(text), merged, spelled);
        } catch (JsonProcessingException broken) {
            problems.add("SPRING_APPLICATION_JSON is no JSON");
        }
    }

    private static void flatten(String before, JsonNode node, Map<String, String> merged, Map<String, String> spelled) {
        if (node.isObject()) {
            node.properties()
                    .forEach(field -> flatten(
                            before.isEmpty() ? field.getKey() : before + "." + field.getKey(),
                            field.getValue(),
                            merged,
                            spelled));
        } else if (node.isValueNode()) {
            put(merged, spelled, before, node.asText());
        }
    }

    /** Kubernetes' references to variables of the same container: {@code $(NAME)}. */
    private String referenced(String value) {
        return REFERENCE
                .matcher(value)
                .replaceAll(found -> Matcher.quoteReplacement(environment.getOrDefault(found.group(1), found.group())));
    }

    /** Spring's placeholders: {@code ${NAME:default}}, with others inside. Empty, and a problem, if a name has no value. */
    private String resolved(
            String key, String value, Map<String, String> merged, Map<String, String> spelled, int depth) {
        int begin = value.indexOf("${");
        int end = begin < 0 ? -1 : closing(value, begin);
        if (end < 0) {
            return value.strip();
        }
        String inside = value.substring(begin + 2, end);
        int colon = inside.indexOf(':');
        String name = (colon < 0 ? inside : inside.substring(0, colon)).strip();
        String found = valueOf(name, merged, spelled);
        if (found == null && colon >= 0) {
            found = inside.substring(colon + 1);
        }
        if (found == null || depth > DEEPEST) {
            problems.add(key + " = ${" + name + "}: has no value in these files");
            return "";
        }
        return resolved(key, value.substring(0, begin) + found + value.substring(end + 1), merged, spelled, depth + 1);
    }

    private @Nullable String valueOf(String name, Map<String, String> merged, Map<String, String> spelled) {
        String key = spelled.get(PoolSizes.plain(name));
        return key == null ? environment.get(name) : merged.get(key);
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
