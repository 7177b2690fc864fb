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
 * One application of Spring Boot: its files of settings, what its build names, and what its code does. Immutable.
 *
 * @param folder relative to the directory that is read
 * @param files of all profiles
 * @param build of the module and those around it
 * @param ownPools whether its code makes pools, whose settings then need not be those of the files
 * @param unread whether a file of settings could not be read
 * @param outside settings in manifests and images, by {@link Setting#plain}, which hold before those of the files
 */
record Application(
        Path folder,
        List<SettingsFile> files,
        List<BuildFile> build,
        boolean ownPools,
        boolean unread,
        Map<String, Setting> outside) {
    private static final Pattern INDEX = Pattern.compile("\\[\\d+]$");
    private static final Pattern EXPRESSION = Pattern.compile("[&|!()]");
    private static final Pattern PRODUCTION =
            Pattern.compile("(?i)(?:.*[-_])?(?:prod|production|prd|live|release)(?:[-_].*)?");
    /** Profiles in which nobody minds a small pool. */
    private static final Pattern DEVELOPMENT = Pattern.compile(
            "(?i)(?:.*[-_.])?(?:dev|devel|develop|development|local|localhost|test|tests|testing|it|ci|unit|e2e|h2|hsqldb|demo|sample|example|default)(?:[-_.\\d].*)?");

    /**
     * What holds with one profile.
     *
     * @param profile null for none
     * @param settings by {@link Setting#plain}
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
     * What holds where the application serves: with the profiles of production if there are any; else without a profile, and with
     * each one that is not for development.
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

    /** The profiles that hold with one: what is included always, the profile, its group. */
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

    /** The values of lists that hold with each profile, by what is between the beginning of their key and their index. */
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

    /** Of files beside each other the higher holds. */
    private static int rank(SettingsFile file) {
        String name = String.valueOf(file.file().getFileName());
        return (name.startsWith("bootstrap") ? 0 : 2) + (name.endsWith(".properties") ? 1 : 0);
    }

    /** What manifests and images set, but for Compose, which developers use. */
    List<Setting> deployed() {
        return outside.values().stream()
                .filter(each -> !String.valueOf(each.file().getFileName()).contains("compose"))
                .toList();
    }

    /** Whether a document has an expression of profiles, with which it cannot be said when it holds. */
    boolean hasExpressions() {
        return files.stream()
                .flatMap(file -> file.documents().stream())
                .flatMap(document -> document.profiles().stream())
                .anyMatch(profile -> EXPRESSION.matcher(profile).find());
    }
}
