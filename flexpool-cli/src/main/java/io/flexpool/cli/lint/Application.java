// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.lint;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One Spring Boot application: its settings, the artifacts of its build, and facts on its code. Immutable.
 *
 * @param folder its folder, relative to the read directory
 * @param files the settings files of all profiles
 * @param build the build file, merged with those of the surrounding modules
 * @param ownPools whether its code creates pools, so that the files need not have their settings
 * @param unread whether a settings file could not be read
 * @param outside the settings in manifests and images, by {@link Setting#plain}, which override the files
 * @param deployed all settings in manifests and images, except files that developers use
 */
record Application(
        Path folder,
        List<SettingsFile> files,
        List<BuildFile> build,
        boolean ownPools,
        boolean unread,
        Map<String, Setting> outside,
        List<Setting> deployed) {
    private static final Pattern INDEX = Pattern.compile("\\[\\d+]$");
    private static final Pattern EXPRESSION = Pattern.compile("[&|!()]");
    private static final Pattern PRODUCTION =
            Pattern.compile("(?i)(?:.*[-_])?(?:prod|production|prd|live|release)(?:[-_].*)?");
    /** Profiles for development and tests, in which a small pool is acceptable. */
    private static final Pattern DEVELOPMENT = Pattern.compile(
            "(?i)(?:.*[-_.])?(?:dev|devel|develop|development|local|localhost|test|tests|testing|it|ci|unit|e2e|h2|hsqldb|demo|sample|example|default)(?:[-_.\\d].*)?");

    /**
     * The effective settings with one profile.
     *
     * @param profile the profile; null for none
     * @param settings the settings, by {@link Setting#plain}
     */
    record View(@Nullable String profile, Map<String, Setting> settings) {
        @Nullable
        Setting at(String plain) {
            return settings.get(plain);
        }
    }

    boolean names(String artifact) {
        return build.stream().anyMatch(each -> each.has(artifact));
    }

    static boolean isForDevelopment(@Nullable String profile) {
        return profile != null && DEVELOPMENT.matcher(profile).matches();
    }

    /**
     * The views in which the application may run: with each production profile if any exists; otherwise without a
     * profile, and with each profile that is not for development.
     */
    List<View> views() {
        Set<String> all = new LinkedHashSet<>();
        for (SettingsFile file : files) {
            if (file.profile() != null) {
                all.add(file.profile());
            }
            file.documents().forEach(document -> all.addAll(document.profiles()));
        }
        all.addAll(groups().keySet());
        all.removeIf(each -> isForDevelopment(each) || EXPRESSION.matcher(each).find());
        List<View> views = new ArrayList<>();
        for (String profile : all) {
            if (PRODUCTION.matcher(profile).matches()) {
                views.add(view(profile));
            }
        }
        if (views.isEmpty()) {
            views.add(view(null));
            for (String profile : all) {
                views.add(view(profile));
            }
        }
        return views;
    }

    private View view(@Nullable String profile) {
        Map<String, Setting> merged = new LinkedHashMap<>();
        List<String> active = active(profile);
        List<SettingsFile> ordered = new ArrayList<>(files);
        ordered.sort(Comparator.<SettingsFile>comparingInt(
                        file -> file.profile() == null ? -1 : active.indexOf(file.profile()))
                .thenComparingInt(Application::rank));
        for (SettingsFile file : ordered) {
            if (file.profile() == null || active.contains(file.profile())) {
                for (SettingsFile.Document document : file.documents()) {
                    boolean applies = document.profiles().isEmpty()
                            || document.profiles().stream().anyMatch(active::contains);
                    for (Setting each : applies ? document.settings() : List.<Setting>of()) {
                        merged.put(each.plain(), each);
                    }
                }
            }
        }
        merged.putAll(outside);
        return new View(profile, merged);
    }

    /** The active profiles with one profile: the always included ones, the profile, and its group. */
    private List<String> active(@Nullable String profile) {
        Set<String> active =
                new LinkedHashSet<>(always("spring.profiles.include").getOrDefault("", Set.of()));
        if (profile != null) {
            active.add(profile);
            active.addAll(groups().getOrDefault(profile, Set.of()));
        }
        return List.copyOf(active);
    }

    private Map<String, Set<String>> groups() {
        return always("spring.profiles.group.");
    }

    /** The list values valid with every profile, by the part of the key between its beginning and the index. */
    private Map<String, Set<String>> always(String begin) {
        Map<String, Set<String>> values = new LinkedHashMap<>();
        for (SettingsFile file : files) {
            for (SettingsFile.Document document :
                    file.profile() == null ? file.documents() : List.<SettingsFile.Document>of()) {
                for (Setting each : document.profiles().isEmpty() ? document.settings() : List.<Setting>of()) {
                    if (each.key().startsWith(begin)) {
                        String name = INDEX.matcher(each.key().substring(begin.length()))
                                .replaceFirst("");
                        Set<String> of = values.computeIfAbsent(name, unknown -> new LinkedHashSet<>());
                        for (String value : each.value().split(",", -1)) {
                            of.add(value.strip());
                        }
                    }
                }
            }
        }
        return values;
    }

    /** The precedence of files in one folder; the higher overrides. */
    private static int rank(SettingsFile file) {
        String name = String.valueOf(file.file().getFileName());
        return (name.startsWith("bootstrap") ? 0 : 2) + (name.endsWith(".properties") ? 1 : 0);
    }

    /** Whether a document has a profile expression, which this program does not evaluate. */
    boolean hasExpressions() {
        return files.stream()
                .flatMap(file -> file.documents().stream())
                .flatMap(document -> document.profiles().stream())
                .anyMatch(profile -> EXPRESSION.matcher(profile).find());
    }
}
