// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.lint;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads settings and numbers of instances outside applications: from Dockerfiles, Compose files, {@code .env} files,
 * Kubernetes manifests, Kustomizations and Helm values.
 */
final class Outside {
    private static final Pattern DOCKERFILE = Pattern.compile("(?i)(?:.*[.-])?dockerfile(?:[.-].*)?");
    private static final Pattern ENV = Pattern.compile("(?i)^\\s*ENV\\s+(?<rest>\\S.*)$");
    /** {@code ENV NAME some value}. */
    private static final Pattern OLD_ENV = Pattern.compile("(?<name>[A-Za-z_][A-Za-z0-9_]*+)\\s+(?<value>\\S.*)");

    private static final Pattern PAIR = Pattern.compile(
            "(?<![A-Za-z0-9_])(?<name>[A-Za-z_][A-Za-z0-9_]*+)=(?<value>\"(?:[^\"\\\\]|\\\\.)*+\"|'[^']*+'|(?:[^\\s\\\\]|\\\\.)*+)");
    private static final Pattern LIST_NAME =
            Pattern.compile("(?<item>.*(?:env|ENV|Env|Vars|nvironment)\\[\\d+])\\.[nN]ame");
    /** The keys of Cloud Foundry's, App Engine's and CloudFormation's files, and those of the Serverless framework. */
    private static final Pattern PLATFORM = Pattern.compile(
            "applications\\[\\d+]\\.(?:env\\..*|name)|env_variables\\..*|AWSTemplateFormatVersion|provider\\.environment\\..*");

    /** A variable as Spring Boot reads it: as the last part of a key, or as the begin of a value. */
    private static final Pattern VARIABLE = Pattern.compile("[A-Z][A-Z0-9_]*");

    private static final Pattern ASSIGNED = Pattern.compile("(?<name>[A-Z][A-Z0-9_]*+)=(?<value>[\\s\\S]*)");
    /** An option of the JVM, or of the program. */
    private static final Pattern OPTION =
            Pattern.compile("(?<![\\w-])(?:-D|--)(?<name>spring\\.[\\w.-]{1,200}+)=(?<value>[^\\s\"']{1,400}+)");

    /** The number of instances in Compose files; {@code scale} is the older name. */
    private static final Pattern COMPOSE_REPLICAS =
            Pattern.compile("services\\.(?<name>[^.]+)\\.(?:deploy\\.replicas|scale)");

    private static final Pattern REPLICAS_NAME = Pattern.compile("(?<item>replicas\\[\\d+])\\.name");
    /**
     * A workload of Kubernetes or Compose, or a chart.
     *
     * @param name the name of the workload
     * @param instances the maximum number of instances
     * @param at the position of that number
     */
    record Workload(String name, int instances, Setting at) {}

    private final List<Setting> settings = new ArrayList<>();
    private final Map<String, Workload> workloads = new LinkedHashMap<>();
    private final Containers containers = new Containers();

    static boolean isDockerfile(String name) {
        return DOCKERFILE.matcher(name).matches();
    }

    /** One of developers, or a template of one, is none. */
    static boolean isFileOfVariables(String name) {
        return name.endsWith(".env")
                && !Application.isForDevelopment(name.substring(0, name.length() - ".env".length()));
    }

    List<Setting> settings() {
        return settings;
    }

    List<Workload> workloads() {
        return List.copyOf(workloads.values());
    }

    /** The containers of all manifests. */
    Containers containers() {
        return containers;
    }

    /** A line that ends with a backslash goes on; one of comments between is left out. */
    void dockerfile(Path file, String text) {
        String[] lines = text.split("\\R", -1);
        boolean inEnv = false;
        for (int at = 0; at < lines.length; at++) {
            String line = lines[at].stripTrailing();
            if (line.stripLeading().startsWith("#")) {
                continue;
            }
            boolean goesOn = line.endsWith("\\");
            String rest = goesOn ? line.substring(0, line.length() - 1).stripTrailing() : line;
            Matcher env = ENV.matcher(rest);
            if (env.matches()) {
                rest = env.group("rest");
                Matcher old = OLD_ENV.matcher(rest);
                if (old.matches()) {
                    variable(new Setting(file, at + 1, old.group("name"), unquoted(old.group("value"))));
                    rest = "";
                }
            } else {
                options(file, at + 1, rest);
                rest = inEnv ? rest : "";
            }
            for (Matcher pair = PAIR.matcher(rest); pair.find(); ) {
                variable(new Setting(file, at + 1, pair.group("name"), unquoted(pair.group("value"))));
            }
            inEnv = goesOn && (inEnv || env.matches());
        }
    }

    /** A file with a variable on each line, as Compose and Kustomize read it. */
    void variables(Path file, String text) {
        containers.define(file.normalize().toString());
        String[] lines = text.split("\\R", -1);
        for (int at = 0; at < lines.length; at++) {
            Matcher pair = ASSIGNED.matcher(lines[at].strip().replaceFirst("^export\\s+", ""));
            if (pair.matches()) {
                add(new Setting(
                        file,
                        at + 1,
                        pair.group("name"),
                        unquoted(pair.group("value").strip())));
            }
        }
    }

    /**
     * Reads manifests, Compose files or Helm values; ignores other YAML.
     *
     * @throws IOException if the text is invalid; the message has the reason, but not the file
     */
    void yaml(Path file, String text) throws IOException {
        int index = 0;
        for (SettingsFile.Document document : SettingsFile.of(file, text).documents()) {
            Map<String, Setting> keys = new LinkedHashMap<>();
            document.settings().forEach(each -> keys.put(each.key(), each));
            environment(file, document.settings(), keys);
            instances(file, keys);
            containers.document(file, index, document.settings(), keys);
            index++;
            if (isMap(keys)) {
                containers.define(kind(keys) + " " + name(keys));
                files(file, text, document.settings(), kind(keys).equals("Secret"));
            }
        }
    }

    private static String kind(Map<String, Setting> keys) {
        Setting kind = keys.get("kind");
        return kind == null ? "" : kind.value();
    }

    private static String name(Map<String, Setting> keys) {
        Setting name = keys.get("metadata.name");
        return name == null ? "" : name.value();
    }

    private static boolean isMap(Map<String, Setting> keys) {
        return kind(keys).equals("ConfigMap") || kind(keys).equals("Secret");
    }

    private void environment(Path file, List<Setting> all, Map<String, Setting> keys) {
        boolean map = isMap(keys);
        boolean values = String.valueOf(file.getFileName()).startsWith("values");
        boolean kustomization = isKustomization(file, keys);
        boolean compose = keys.keySet().stream()
                .anyMatch(key ->
                        key.startsWith("services.") || PLATFORM.matcher(key).matches());
        // Those of other programs, for example of a build server, are not the application's.
        boolean concerns = values || kustomization || compose || keys.containsKey("kind");
        for (Setting each : all) {
            Matcher item = LIST_NAME.matcher(each.key());
            String last = each.key().substring(each.key().lastIndexOf('.') + 1);
            Matcher assigned = ASSIGNED.matcher(each.value());
            boolean inList = each.key().endsWith("]") && (compose || values || kustomization);
            if (item.matches()) {
                Setting value =
                        keys.getOrDefault(item.group("item") + ".value", keys.get(item.group("item") + ".Value"));
                // A variable from a Secret or ConfigMap is set to an unknown value.
                variable(
                        value == null
                                ? new Setting(each.file(), each.line(), each.value(), "${}")
                                : new Setting(value.file(), value.line(), each.value(), value.value()));
            } else if (map) {
                ofMap(each, kind(keys).equals("Secret"));
            } else if ((compose || values) && VARIABLE.matcher(last).matches()) {
                variable(new Setting(each.file(), each.line(), last, each.value()));
            } else if (inList && assigned.matches()) {
                variable(new Setting(each.file(), each.line(), assigned.group("name"), assigned.group("value")));
            } else if (concerns) {
                options(each.file(), each.line(), each.value());
            }
        }
    }

    /** The values of a Secret are encoded, but for those of {@code stringData}. */
    private void ofMap(Setting each, boolean secret) {
        boolean encoded = secret && each.key().startsWith("data.");
        String name = each.key().replaceFirst("^(?:data|stringData)\\.", "");
        if (!name.equals(each.key()) && (VARIABLE.matcher(name).matches() || name.startsWith("spring."))) {
            variable(new Setting(each.file(), each.line(), name, encoded ? "${}" : each.value()));
        }
    }

    private static boolean isKustomization(Path file, Map<String, Setting> keys) {
        return kind(keys).equals("Kustomization")
                || String.valueOf(file.getFileName()).startsWith("kustomization.");
    }

    /** A file of settings in a map, for production or for all. */
    private void files(Path file, String text, List<Setting> all, boolean secret) throws IOException {
        String[] lines = text.split("\\R", -1);
        for (Setting each : all) {
            String name = each.key().replaceFirst("^(?:data|stringData)\\.", "");
            if (name.equals(each.key()) || !SettingsFile.isOne(name)) {
                continue;
            }
            boolean literal = lines[each.line() - 1].matches(".*\\|[+-]?\\s*");
            String value = secret && each.key().startsWith("data.") ? decoded(each.value()) : each.value();
            SettingsFile inner = SettingsFile.of(Path.of(name), value);
            for (SettingsFile.Document document : inner.documents()) {
                Set<String> profiles = new LinkedHashSet<>(document.profiles());
                if (inner.profile() != null) {
                    profiles.add(inner.profile());
                }
                if (profiles.isEmpty() || !profiles.stream().allMatch(Application::isForDevelopment)) {
                    for (Setting of : document.settings()) {
                        add(new Setting(file, literal ? each.line() + of.line() : each.line(), of.key(), of.value()));
                    }
                }
            }
        }
    }

    /** Text of a Secret's {@code data}; empty if it is not in Base64. */
    private static String decoded(String value) {
        try {
            return new String(Base64.getMimeDecoder().decode(value), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException noBase64) {
            return "";
        }
    }

    /** A file of another program; it is read only if it names variables of Spring Boot or options of the JVM. */
    boolean script(Path file, String text) {
        int before = settings.size();
        Scripts.settings(file, text).forEach(this::add);
        options(file, text);
        return settings.size() > before;
    }

    private void options(Path file, String text) {
        int line = 1;
        int counted = 0;
        for (Matcher option = OPTION.matcher(text); option.find(); ) {
            for (; counted < option.start(); counted++) {
                line += text.charAt(counted) == '\n' ? 1 : 0;
            }
            String value = option.group("value");
            add(new Setting(file, line, option.group("name"), value.contains("$") ? "${}" : value));
        }
    }

    /** A variable of the environment; the JVM and the program read options from some. */
    private void variable(Setting setting) {
        add(setting);
        options(setting.file(), setting.line(), setting.value());
    }

    private void options(Path file, int line, String text) {
        for (Matcher option = OPTION.matcher(text); option.find(); ) {
            add(new Setting(file, line, option.group("name"), option.group("value")));
        }
    }

    private void add(Setting setting) {
        String plain = setting.plain();
        if (plain.startsWith("spring") || plain.contains("datasource") || plain.contains("hikari")) {
            settings.add(setting);
        }
    }

    private void instances(Path file, Map<String, Setting> keys) {
        Setting kind = keys.get("kind");
        String what = kind(keys);
        if (what.equals("Deployment") || what.equals("StatefulSet") || what.equals("Rollout")) {
            Setting name = keys.get("metadata.name");
            Setting replicas = keys.get("spec.replicas");
            workload(
                    name,
                    replicas == null ? kind : replicas,
                    replicas == null ? 1 : Values.count(replicas).orElse(-1));
        } else if (what.equals("HorizontalPodAutoscaler")) {
            Setting max = keys.get("spec.maxReplicas");
            workload(
                    keys.get("spec.scaleTargetRef.name"), max, Values.count(max).orElse(-1));
        } else if (isKustomization(file, keys)) {
            keys.forEach((key, name) -> {
                Matcher item = REPLICAS_NAME.matcher(key);
                if (item.matches()) {
                    Setting count = keys.get(item.group("item") + ".count");
                    workload(name, count, Values.count(count).orElse(-1));
                }
            });
        } else if (kind == null && keys.containsKey("replicaCount")) {
            Setting replicas = keys.get("replicaCount");
            boolean scales = Values.is(keys.get("autoscaling.enabled"), "true");
            Setting max = scales ? keys.get("autoscaling.maxReplicas") : null;
            Setting at = max == null ? replicas : max;
            Path chart = file.getParent();
            String name = chart == null || chart.getFileName() == null
                    ? "chart"
                    : chart.getFileName().toString();
            workload(new Setting(file, 1, "name", name), at, Values.count(at).orElse(-1));
        } else if (kind == null) {
            keys.forEach((key, replicas) -> {
                Matcher service = COMPOSE_REPLICAS.matcher(key);
                if (service.matches()) {
                    Setting name = new Setting(file, replicas.line(), "name", service.group("name"));
                    workload(name, replicas, Values.count(replicas).orElse(-1));
                }
            });
        }
    }

    private void workload(@Nullable Setting name, @Nullable Setting at, int instances) {
        if (name != null && at != null && instances >= 0) {
            Workload one = new Workload(name.value(), instances, at);
            workloads.merge(
                    one.name(), one, (first, second) -> first.instances() >= second.instances() ? first : second);
        }
    }

    private static String unquoted(String value) {
        return value.length() > 1 && (value.startsWith("\"") || value.startsWith("'"))
                ? value.substring(1, value.length() - 1)
                : value;
    }
}
