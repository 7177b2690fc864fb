// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.lint;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The artifacts named in a pom.xml or Gradle script. Nothing is resolved or executed, so artifacts of a parent or
 * plugin are unknown. Immutable.
 *
 * @param accessors the accessors of version catalogs, for example {@code libs.spring.boot}
 */
record BuildFile(Set<String> artifacts, Set<String> accessors) {
    private static final Pattern MAVEN = Pattern.compile("<artifactId>\\s*([\\w.-]+)\\s*</artifactId>");
    /** Gradle's notations: {@code 'group:artifact'}, {@code "group:artifact:version"}, {@code name: 'artifact'}. */
    private static final Pattern GRADLE =
            Pattern.compile("(?:['\"][\\w.-]+:|\\bname\\s*[:=]\\s*['\"])([\\w.-]+)(?::[^'\"]*)?['\"]");

    private static final Pattern ACCESSOR = Pattern.compile("\\b[a-z][\\w.]*+");
    private static final Pattern CATALOG = Pattern.compile("(?<name>[a-z]\\w*)\\.versions\\.toml");
    /**
     * A catalog's entries: {@code alias = "group:artifact:version"}, {@code alias = { module = "group:artifact" }},
     * {@code { name = "artifact" }}.
     */
    private static final Pattern ENTRY = Pattern.compile(
            "(?m)^[ \\t]*+(?<alias>[\\w.-]+)\\s*=\\s*(?:\"[\\w.-]+:|\\{[^}\\n]*?(?:module\\s*=\\s*\"[\\w.-]+:|name\\s*=\\s*\"))(?<artifact>[\\w.-]+)");

    private static final Pattern BUNDLE =
            Pattern.compile("(?m)^[ \\t]*+(?<alias>[\\w.-]+)\\s*=\\s*\\[(?<parts>[^\\]]{0,2000}+)]");

    static boolean isOne(String name) {
        return name.equals("pom.xml") || name.equals("build.gradle") || name.equals("build.gradle.kts");
    }

    static boolean isCatalog(String name) {
        return CATALOG.matcher(name).matches();
    }

    static BuildFile of(String name, String text) {
        boolean maven = name.endsWith(".xml");
        String code =
                maven ? without(without(text, "<!--", "-->"), "<exclusions>", "</exclusions>") : uncommented(text);
        Set<String> artifacts = new LinkedHashSet<>();
        Matcher found = (maven ? MAVEN : GRADLE).matcher(code);
        while (found.find()) {
            artifacts.add(found.group(1));
        }
        Set<String> accessors = new TreeSet<>();
        Matcher accessor = ACCESSOR.matcher(maven ? "" : code);
        while (accessor.find()) {
            accessors.add(accessor.group().toLowerCase(Locale.ROOT));
        }
        return new BuildFile(Set.copyOf(artifacts), Set.copyOf(accessors));
    }

    private static String without(String text, String begin, String end) {
        StringBuilder rest = new StringBuilder(text.length());
        int at = 0;
        int from = text.indexOf(begin);
        while (from >= 0) {
            rest.append(text, at, from);
            int to = text.indexOf(end, from);
            at = to < 0 ? text.length() : to + end.length();
            from = text.indexOf(begin, at);
        }
        return rest.append(text, at, text.length()).toString();
    }

    /** Removes a script's comments. Comment characters within a string, for example in a URL, begin no comment. */
    private static String uncommented(String text) {
        StringBuilder code = new StringBuilder(text.length());
        char quote = 0;
        for (int at = 0; at < text.length(); at++) {
            char each = text.charAt(at);
            if (quote == 0 && (text.startsWith("//", at) || text.startsWith("/*", at))) {
                int end = each == text.charAt(at + 1) ? text.indexOf('\n', at) : text.indexOf("*/", at + 2);
                if (end < 0) {
                    break;
                }
                at = each == text.charAt(at + 1) ? end : end + 1;
                code.append('\n');
                continue;
            }
            boolean escaped = quote != 0 && each == '\\' && at + 1 < text.length();
            if (quote == 0 && (each == '"' || each == '\'')) {
                quote = each;
            } else if (each == quote || each == '\n') {
                quote = 0;
            }
            code.append(each);
            if (escaped) {
                at++;
                code.append(text.charAt(at));
            }
        }
        return code.toString();
    }

    /**
     * Reads a version catalog.
     *
     * @return the artifacts by accessor; a bundle's artifacts are separated by commas
     */
    static Map<String, String> catalog(String name, String text) {
        Matcher named = CATALOG.matcher(name);
        String prefix = named.matches() ? named.group("name") : "libs";
        String code = text.replaceAll("(?m)^[ \\t]*+#.*$", "");
        Map<String, String> artifacts = new TreeMap<>();
        Matcher entry = ENTRY.matcher(code);
        while (entry.find()) {
            artifacts.put(accessor(prefix, entry.group("alias")), entry.group("artifact"));
        }
        Matcher bundle = BUNDLE.matcher(code);
        while (bundle.find()) {
            Set<String> parts = new TreeSet<>();
            for (String part : bundle.group("parts").split("[\\s,\"']+", -1)) {
                parts.add(artifacts.getOrDefault(accessor(prefix, part), ""));
            }
            artifacts.put(accessor(prefix + ".bundles", bundle.group("alias")), String.join(",", parts));
        }
        return artifacts;
    }

    private static String accessor(String prefix, String alias) {
        return (prefix + "." + alias.replaceAll("[-_.]", ".")).toLowerCase(Locale.ROOT);
    }

    /** A copy with the artifacts of its accessors. */
    BuildFile with(Map<String, String> catalog) {
        Set<String> all = new TreeSet<>(artifacts);
        for (String accessor : accessors) {
            String found = catalog.get(accessor.replaceFirst("\\.get$", ""));
            if (found != null) {
                all.addAll(Arrays.asList(found.split(",", -1)));
            }
        }
        return new BuildFile(Set.copyOf(all), accessors);
    }

    boolean has(String part) {
        return artifacts.stream().anyMatch(each -> each.contains(part));
    }
}
