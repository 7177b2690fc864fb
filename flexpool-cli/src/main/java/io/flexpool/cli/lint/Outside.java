// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.lint;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads settings and numbers of instances outside applications: from Dockerfiles, Compose files, Kubernetes manifests
 * and Helm values.
 */
final class Outside {
    private static final Pattern DOCKERFILE = Pattern.compile("(?i)(?:.*[.-])?dockerfile(?:[.-].*)?");
    private static final Pattern ENV =
            Pattern.compile("(?i)\\s*ENV\\s+(?<name>[A-Za-z_][A-Za-z0-9_]*)(?:=|\\s+)(?<value>.*?)\\s*\\\\?\\s*");
    private static final Pattern LIST_NAME = Pattern.compile("(?<item>.*(?:env|ENV)\\[\\d+])\\.name");
    private static final Pattern COMPOSE_LIST = Pattern.compile("services\\.[^.]+\\.environment\\[\\d+]");
    private static final Pattern COMPOSE_MAP =
            Pattern.compile("services\\.[^.]+\\.environment\\.(?<name>[A-Za-z_][A-Za-z0-9_]*)");

    /** The number of instances in Compose files; {@code scale} is the older name. */
    private static final Pattern COMPOSE_REPLICAS =
            Pattern.compile("services\\.(?<name>[^.]+)\\.(?:deploy\\.replicas|scale)");

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

    static boolean isDockerfile(String name) {
        return DOCKERFILE.matcher(name).matches();
    }

    List<Setting> settings() {
        return settings;
    }

    List<Workload> workloads() {
        return List.copyOf(workloads.values());
    }

    void dockerfile(Path file, String text) {
        String[] lines = text.split("\\R", -1);
        for (int at = 0; at < lines.length; at++) {
            Matcher env = ENV.matcher(lines[at]);
            if (env.matches()) {
                add(new Setting(file, at + 1, env.group("name"), unquoted(env.group("value"))));
            }
        }
    }

    /**
     * Reads manifests, Compose files or Helm values; ignores other YAML.
     *
     * @throws IOException if the text is invalid; the message has the reason, but not the file
     */
    void yaml(Path file, String text) throws IOException {
        for (SettingsFile.Document document : SettingsFile.of(file, text).documents()) {
            Map<String, Setting> keys = new LinkedHashMap<>();
            document.settings().forEach(each -> keys.put(each.key(), each));
            environment(document.settings(), keys);
            instances(file, keys);
        }
    }

    private void environment(List<Setting> all, Map<String, Setting> keys) {
        for (Setting each : all) {
            Matcher item = LIST_NAME.matcher(each.key());
            Matcher named = COMPOSE_MAP.matcher(each.key());
            if (item.matches()) {
                Setting value = keys.get(item.group("item") + ".value");
                // A variable from a Secret or ConfigMap is set to an unknown value.
                add(
                        value == null
                                ? new Setting(each.file(), each.line(), each.value(), "${}")
                                : new Setting(value.file(), value.line(), each.value(), value.value()));
            } else if (named.matches()) {
                add(new Setting(each.file(), each.line(), named.group("name"), each.value()));
            } else if (COMPOSE_LIST.matcher(each.key()).matches()
                    && each.value().contains("=")) {
                int equal = each.value().indexOf('=');
                add(new Setting(
                        each.file(),
                        each.line(),
                        each.value().substring(0, equal),
                        each.value().substring(equal + 1)));
            }
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
        String what = kind == null ? "" : kind.value();
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
