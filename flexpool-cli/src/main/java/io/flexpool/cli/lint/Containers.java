// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.lint;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The containers of manifests, and the Secrets, ConfigMaps and files that set their variables. Only the application's
 * container can have the settings of its pool. Not thread-safe.
 */
final class Containers {
    private static final Pattern VARIABLE = Pattern.compile(
            "(?<container>.*?)(?:env|ENV|[a-z]{0,20}Env|[a-z]{0,20}Vars)(?:\\[\\d+]\\.name|\\.(?<name>[A-Za-z_][A-Za-z0-9_]*))");
    private static final Pattern REFERENCE =
            Pattern.compile("(?<item>(?<container>.*?)(?:envFrom|envVarsFrom)\\[\\d+]\\.)"
                    + "(?<ref>(?<kind>configMap|secret)Ref)\\.name");
    private static final Pattern PART =
            Pattern.compile("(?<container>.*?)(?<part>image|name|(?:args|command)(?:\\[\\d+])?)");
    /** A generator's files, which set what is not known here. */
    private static final Pattern GENERATED =
            Pattern.compile("(?<item>(?<kind>configMap|secret)Generator\\[\\d+]\\.)(?:envs|files|env)(?:\\[\\d+])?");

    private static final Pattern GENERATOR_NAME = Pattern.compile("(?<kind>configMap|secret)Generator\\[\\d+]\\.name");
    private static final Pattern OPTION = Pattern.compile("(?:-D|--)spring\\.");
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{(?<name>[A-Za-z_][\\w.-]{0,200}+)");
    /** The begins of variables by which Spring Boot or its JVM can receive a setting of the pool. */
    private static final List<String> BEGINS = List.of(
            "SPRING_DATASOURCE_",
            "SPRING_JPA_",
            "SPRING_APPLICATION_JSON",
            "SPRING_CONFIG_",
            "SPRING_CLOUD_",
            "SPRING_PROFILES_",
            "JAVA_",
            "JDK_",
            "JVM_",
            "CATALINA_",
            "_JAVA_");

    /** Images of other programs that are often deployed beside an application. */
    private static final Pattern OTHER_PROGRAM = Pattern.compile(
            "(?i)(?:.*/)?(?:postgres(?:ql)?|postgis|mysql|mariadb|mongo(?:db)?|redis|valkey|memcached|rabbitmq|c?p?-?kafka|zookeeper|elasticsearch|opensearch|kibana|grafana|prometheus|alertmanager|loki|jaeger|keycloak|vault|minio|nginx|httpd|traefik|envoy|haproxy|pgbouncer|pgadmin4?|phpmyadmin|adminer|busybox)(?:[:@].*)?");

    private static final class Container {
        private final Set<String> variables = new HashSet<>();
        private final Set<String> names = new TreeSet<>();
        private String image = "";
        private boolean hasOptions;
        /** Whether it runs once: a migration often has the application's variables. */
        private boolean isOnce;

        /** Whether it sets a variable of Spring Boot, or one that the settings name. */
        boolean runs(Set<String> used) {
            return hasOptions
                    || variables.stream()
                            .anyMatch(name -> name.startsWith("SPRING_") || (!isOnce && used.contains(name)));
        }
    }

    /** A source of variables: {@code Secret shop}, or the path of a file, and the place that names it. */
    private record Reference(String source, String place, Container of) {}

    private final Map<String, Container> containers = new LinkedHashMap<>();
    private final List<Reference> references = new ArrayList<>();
    /** The maps of generators with their files, and the places of these. */
    private final Map<String, Map<String, String>> generated = new TreeMap<>();

    private final Set<String> defined = new TreeSet<>();

    /** Notes a source of variables that was read. */
    void define(String source) {
        defined.add(source);
    }

    /** The variables named by placeholders in a value, as the environment spells them. */
    static Set<String> used(String value) {
        Set<String> used = new TreeSet<>();
        for (Matcher each = PLACEHOLDER.matcher(value); each.find(); ) {
            used.add(spelled(each.group("name")));
        }
        return used;
    }

    private static String spelled(String name) {
        return name.replaceAll("[.-]", "_").toUpperCase(Locale.ROOT);
    }

    /** Reads one document. */
    void document(Path file, int index, List<Setting> settings, Map<String, Setting> keys) {
        Setting workload = keys.get("metadata.name");
        boolean isJob = Values.is(keys.get("kind"), "Job") || Values.is(keys.get("kind"), "CronJob");
        for (Setting each : settings) {
            Matcher variable = VARIABLE.matcher(each.key());
            Matcher part = PART.matcher(each.key());
            Matcher reference = REFERENCE.matcher(each.key());
            Matcher generator = GENERATOR_NAME.matcher(each.key());
            Matcher files = GENERATED.matcher(each.key());
            String place = file + ":" + each.line();
            if (reference.matches()) {
                String ref = reference.group("item") + reference.group("ref");
                boolean optional = Values.is(keys.get(ref + ".optional"), "true");
                Setting prefix = keys.get(reference.group("item") + "prefix");
                if (!optional && (prefix == null || canSetPool(prefix.value()))) {
                    Container of = container(file, index, reference.group("container"), workload, isJob);
                    references.add(new Reference(kind(reference) + each.value(), place, of));
                }
            } else if (variable.matches()) {
                String name = variable.group("name");
                container(file, index, variable.group("container"), workload, isJob)
                        .variables
                        .add(spelled(name == null ? each.value() : name));
            } else if (generator.matches()) {
                define(kind(generator) + each.value());
            } else if (files.matches()) {
                // Some are given as name=path.
                String path = each.value().substring(each.value().indexOf('=') + 1);
                Path folder = file.getParent() == null ? Path.of("") : file.getParent();
                Setting name = keys.get(files.group("item") + "name");
                generated
                        .computeIfAbsent(kind(files) + (name == null ? "" : name.value()), map -> new TreeMap<>())
                        .put(folder.resolve(path).normalize().toString(), place);
            } else if (part.matches()) {
                part(
                        container(file, index, part.group("container"), workload, isJob),
                        part.group("part"),
                        each.value());
            }
        }
    }

    private static void part(Container of, String part, String value) {
        switch (part) {
            case "image" -> of.image = value;
            case "name" -> of.names.add(value);
            default -> of.hasOptions |= OPTION.matcher(value).find();
        }
    }

    private Container container(Path file, int index, String key, @Nullable Setting workload, boolean isJob) {
        Container one = containers.computeIfAbsent(file + " " + index + " " + key, unknown -> new Container());
        one.isOnce = isJob || key.contains("initContainers[");
        if (workload != null) {
            one.names.add(workload.value());
        }
        return one;
    }

    private static String kind(Matcher named) {
        return named.group("kind").equals("secret") ? "Secret " : "ConfigMap ";
    }

    /** Whether a variable with this prefix can be one of Spring Boot's. */
    private static boolean canSetPool(String prefix) {
        String begin = spelled(prefix);
        return BEGINS.stream().anyMatch(each -> each.startsWith(begin) || begin.startsWith(each));
    }

    /**
     * Where the application's variables come from if no file has them, one sentence each.
     *
     * @param used the variables that the settings name
     * @param applications the names of the applications
     */
    List<String> absent(Set<String> used, Set<String> applications) {
        Set<String> names = new TreeSet<>(applications);
        containers.values().stream().filter(each -> each.runs(used)).forEach(each -> names.addAll(each.names));
        boolean known = references.stream().anyMatch(each -> isApplication(each.of(), used, names))
                || containers.values().stream().anyMatch(each -> each.runs(used));
        Map<String, String> absent = new TreeMap<>();
        Set<String> ofOthers = new TreeSet<>();
        for (Reference each : references) {
            boolean counts = known
                    ? isApplication(each.of(), used, names)
                    : !OTHER_PROGRAM.matcher(each.of().image).matches();
            if (!counts) {
                ofOthers.add(each.source());
            } else if (defined.contains(each.source())) {
                absent.putAll(generated.getOrDefault(each.source(), Map.of()));
            } else {
                absent.put(each.source(), each.place());
            }
        }
        generated.forEach((map, files) -> {
            if (!ofOthers.contains(map)) {
                absent.putAll(files);
            }
        });
        List<String> sentences = new ArrayList<>();
        absent.forEach((source, place) -> {
            if (!defined.contains(source)) {
                sentences.add("the variables of " + place + ": " + source + " is in no file that was read");
            }
        });
        return sentences;
    }

    private static boolean isApplication(Container one, Set<String> used, Set<String> names) {
        return one.runs(used) || one.names.stream().anyMatch(names::contains);
    }
}
