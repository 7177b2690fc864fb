// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The active profiles of an application, in Spring Boot's order of precedence: included profiles first, each followed
 * by the profiles of its group. Immutable.
 *
 * @param names the names, in that order
 * @param known whether the configuration names the profiles; otherwise an unread source may set them
 */
record ActiveProfiles(List<String> names, boolean known) {
    private static final String ACTIVE = "springprofilesactive";
    private static final String INCLUDE = "springprofilesinclude";
    private static final String ON_PROFILE = "springconfigactivateonprofile";
    private static final String ON_PROFILE_BEFORE_24 = "springprofiles";
    private static final String ON_CLOUD = "springconfigactivateoncloudplatform";
    private static final Pattern GROUP = Pattern.compile("(?i)spring\\.profiles\\.group\\.(.+?)(?:\\[\\d+])?");
    /** The operators of Spring's profile expressions: {@code prod & !eu}. */
    private static final Pattern EXPRESSION = Pattern.compile("[&|!()]");

    /**
     * Determines the active profiles.
     *
     * @param outer the values of the environment and the options, without placeholders
     * @param base the values of the files for all profiles, without placeholders
     */
    static ActiveProfiles of(Map<String, String> outer, Map<String, String> base) {
        List<String> active = values(outer, ACTIVE);
        for (String other : List.of("micronautenvironments", "quarkusprofile")) {
            active = active.isEmpty() ? values(outer, other) : active;
        }
        active = active.isEmpty() ? values(base, ACTIVE) : active;
        boolean quarkus = base.keySet().stream().anyMatch(key -> key.startsWith("quarkus.") || key.startsWith("%"));
        if (active.isEmpty() && quarkus) {
            active = List.of("prod");
        }
        Deque<String> left = new ArrayDeque<>(values(base, INCLUDE));
        left.addAll(values(outer, INCLUDE));
        left.addAll(active);
        LinkedHashSet<String> all = new LinkedHashSet<>();
        while (!left.isEmpty()) {
            String profile = left.pop();
            if (all.add(profile)) {
                List<String> group = new ArrayList<>(group(profile, base));
                group.addAll(group(profile, outer));
                Collections.reverse(group);
                group.forEach(left::push);
            }
        }
        return new ActiveProfiles(List.copyOf(all), !active.isEmpty());
    }

    private static List<String> group(String profile, Map<String, String> keys) {
        Map<String, String> members = new TreeMap<>();
        keys.forEach((key, value) -> {
            Matcher group = GROUP.matcher(key);
            if (group.matches() && group.group(1).equals(profile)) {
                members.put(key, value);
            }
        });
        return members.values().stream().flatMap(each -> split(each).stream()).toList();
    }

    /** The profiles to which a document applies; empty for all. */
    static List<String> required(Map<String, String> document) {
        List<String> profiles = values(document, ON_PROFILE);
        return profiles.isEmpty() ? values(document, ON_PROFILE_BEFORE_24) : profiles;
    }

    /** Whether a document applies only in Kubernetes. */
    static boolean isForKubernetes(Map<String, String> document) {
        return values(document, ON_CLOUD).stream()
                .allMatch(cloud -> cloud.toLowerCase(Locale.ROOT).equals("kubernetes"));
    }

    static boolean isExpression(String profile) {
        return EXPRESSION.matcher(profile).find();
    }

    boolean contains(String profile) {
        return names.contains(profile);
    }

    /** The index of a profile, from 0; -1 for a file of all profiles. */
    int rank(@Nullable String profile) {
        return profile == null ? -1 : names.indexOf(profile);
    }

    /** Reads a value with commas, or a list. */
    private static List<String> values(Map<String, String> keys, String plain) {
        TreeMap<Integer, String> elements = new TreeMap<>();
        keys.forEach((key, value) -> {
            String each = PoolSizes.plain(key);
            if (each.equals(plain)) {
                elements.put(-1, value);
            } else if (each.startsWith(plain) && each.length() - plain.length() <= 3) {
                String index = each.substring(plain.length());
                if (IntStream.range(0, index.length())
                        .allMatch(at -> index.charAt(at) >= '0' && index.charAt(at) <= '9')) {
                    elements.put(Integer.parseInt(index), value);
                }
            }
        });
        return elements.values().stream().flatMap(each -> split(each).stream()).toList();
    }

    private static List<String> split(String value) {
        return Arrays.stream(value.split(",", -1))
                .map(String::strip)
                .filter(each -> !each.isEmpty())
                .toList();
    }
}
