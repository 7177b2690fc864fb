// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads workloads, their numbers of instances and their configuration from Kubernetes manifests. Ignores no kind that
 * has pods. Not thread-safe.
 */
final class Manifests {
    /** Kinds without pods, which cannot open connections. */
    private static final Set<String> HARMLESS = Set.of(
            "Namespace",
            "Service",
            "Ingress",
            "IngressClass",
            "ServiceAccount",
            "Role",
            "RoleBinding",
            "ClusterRole",
            "ClusterRoleBinding",
            "PodDisruptionBudget",
            "NetworkPolicy",
            "PersistentVolume",
            "PersistentVolumeClaim",
            "StorageClass",
            "LimitRange",
            "ResourceQuota",
            "PriorityClass",
            "CustomResourceDefinition",
            "Gateway",
            "GatewayClass",
            "HTTPRoute",
            "GRPCRoute",
            "Endpoints",
            "EndpointSlice",
            "ServiceMonitor",
            "PodMonitor",
            "PrometheusRule",
            "VirtualService",
            "DestinationRule",
            "ServiceEntry",
            "Certificate",
            "Issuer",
            "ClusterIssuer",
            "ExternalSecret",
            "SecretStore",
            "ClusterSecretStore",
            "SealedSecret",
            "TriggerAuthentication",
            "ClusterTriggerAuthentication",
            "VerticalPodAutoscaler",
            "MutatingWebhookConfiguration",
            "ValidatingWebhookConfiguration",
            "APIService",
            "Route",
            "ImageStream",
            "Lease",
            "Event");

    private static final Set<String> TO_RENDER = Set.of("Kustomization", "Component");

    private final Map<String, Workload> workloads = new LinkedHashMap<>();
    /** The maximum instances of autoscalers, by namespace, kind and name of the target. */
    private final Map<String, Long> autoscaled = new TreeMap<>();

    private final Map<String, Map<String, String>> configMaps = new TreeMap<>();
    private final Map<String, Map<String, String>> secrets = new TreeMap<>();
    private final Set<String> unknownKinds = new TreeSet<>();

    private static final Pattern APPLICATION_FILE =
            Pattern.compile("(?:application|bootstrap)[\\w.-]*\\.(?:properties|ya?ml)");

    /** The value of a Secret that is no Base64, for example a template's placeholder. */
    private static final String UNREADABLE = "\0";

    /** Adds a document; lists hold further ones. */
    void add(Map<?, ?> document) {
        String kind = text(document.get("kind"));
        String api = text(document.get("apiVersion"));
        if (kind.endsWith("List") && document.get("items") instanceof List<?> items) {
            items.forEach(item -> add(Yamls.map(item, "an item")));
            return;
        }
        String namespace = namespace(document);
        switch (kind) {
            case "ConfigMap" -> configMaps.put(namespace + "/" + name(document), texts(document.get("data")));
            case "Secret" -> secrets.put(namespace + "/" + name(document), secret(document));
            case "HorizontalPodAutoscaler" -> autoscaler(namespace, document, "maxReplicas", null);
            case "ScaledObject" -> autoscaler(namespace, document, "maxReplicaCount", 100L);
            default -> {
                Workload workload = Workload.of(kind, api, namespace, document);
                if (workload != null) {
                    boolean generated = Yamls.at(document, "metadata", "name") == null;
                    // Kubernetes gives each object with a generateName another name.
                    String key = workload.key() + (generated ? "#" + workloads.size() : "");
                    if (workloads.putIfAbsent(key, workload) != null) {
                        throw new IllegalArgumentException(workload.key() + " is defined twice");
                    }
                } else if (TO_RENDER.contains(kind)) {
                    throw new IllegalArgumentException(
                            "kind " + kind + ": render it first, with kubectl kustomize … | flexpool budget - …");
                } else if (!HARMLESS.contains(kind)) {
                    unknownKinds.add(kind);
                }
            }
        }
    }

    private void autoscaler(String namespace, Map<?, ?> document, String key, @Nullable Long byDefault) {
        Map<?, ?> spec = Yamls.map(document.get("spec"), "spec");
        Map<?, ?> target = Yamls.map(spec.get("scaleTargetRef"), "scaleTargetRef");
        String kind = target.get("kind") == null ? "Deployment" : text(target.get("kind"));
        Object most = spec.get(key);
        long count = most == null && byDefault != null ? byDefault : Figures.count(key, most);
        autoscaled.merge(namespace + "/" + kind + "/" + text(target.get("name")), count, Math::max);
    }

    /** Kinds unknown to this reader, so that their workloads are unknown. */
    Set<String> unknownKinds() {
        return unknownKinds;
    }

    /** All workloads, in the order of the files, with the maximum instances of their autoscalers. */
    List<Workload> workloads() {
        List<Workload> all = new ArrayList<>();
        workloads.values().forEach(workload -> {
            long most = 0;
            for (Map.Entry<String, Long> each : autoscaled.entrySet()) {
                most = isSame(each.getKey(), workload.key()) ? Math.max(most, each.getValue()) : most;
            }
            all.add(workload.scaledTo(most));
        });
        withoutTarget().filter(key -> !isElsewhere(key)).map(this::absent).forEach(all::add);
        return all;
    }

    /** Whether two keys may name the same workload. A manifest without a namespace may be applied in any. */
    private static boolean isSame(String key, String other) {
        int slash = key.indexOf('/');
        int others = other.indexOf('/');
        return key.equals(other)
                || ((slash == 0 || others == 0) && key.substring(slash).equals(other.substring(others)));
    }

    private static @Nullable Map<String, String> in(
            Map<String, Map<String, String>> from, Workload workload, Object name) {
        String key = workload.namespace() + "/" + name;
        Map<String, String> found = from.get(key);
        for (Map.Entry<String, Map<String, String>> each : from.entrySet()) {
            if (found == null && isSame(each.getKey(), key)) {
                found = each.getValue();
            }
        }
        return found;
    }

    /** Sentences on autoscalers whose target is missing, although another namespace has a workload of that name. */
    List<String> idleAutoscalers() {
        return withoutTarget()
                .filter(this::isElsewhere)
                .map(key -> "No file contains the target of an autoscaler: " + key + ".")
                .toList();
    }

    private Stream<String> withoutTarget() {
        return autoscaled.keySet().stream()
                .filter(key -> workloads.keySet().stream().noneMatch(workload -> isSame(key, workload)));
    }

    /** Whether another namespace has a workload of the same kind and name, usually of another environment. */
    private boolean isElsewhere(String key) {
        String target = key.substring(key.indexOf('/'));
        return workloads.keySet().stream().anyMatch(each -> each.endsWith(target));
    }

    private Workload absent(String key) {
        String[] parts = key.split("/", 3);
        return Workload.absent(parts[0], parts[1], parts[2], Objects.requireNonNull(autoscaled.get(key)));
    }

    /** Collects the configuration of one container. */
    AppConfig config(Workload workload, Map<?, ?> container) {
        AppConfig config = new AppConfig();
        mounted(workload, container, config);
        for (Object source : Yamls.listAt(container, "envFrom")) {
            String prefix = Yamls.at(source, "prefix") == null ? "" : text(Yamls.at(source, "prefix"));
            referred(workload, source, "configMapRef", configMaps, config, "ConfigMap")
                    .forEach((key, value) -> config.variable(prefix + key, value));
            referred(workload, source, "secretRef", secrets, config, "Secret").forEach((key, value) -> {
                if (!value.equals(UNREADABLE)) {
                    config.variable(prefix + key, value);
                } else if (PoolSizes.decides(prefix + key)) {
                    config.problem(prefix + key + " is not valid Base64 in its Secret");
                }
            });
        }
        for (Object each : Yamls.listAt(container, "env")) {
            Map<?, ?> variable = Yamls.map(each, "env");
            String name = text(variable.get("name"));
            String value = variable.get("value") != null ? text(variable.get("value")) : valueFrom(workload, variable);
            if (value != null) {
                config.variable(name, value);
            } else if (PoolSizes.decides(name)) {
                config.problem(name + " comes from a source that no file contains");
            }
        }
        for (String list : List.of("command", "args")) {
            Yamls.listAt(container, list).forEach(word -> config.argument(text(word)));
        }
        return config;
    }

    private Map<String, String> referred(
            Workload workload,
            @Nullable Object source,
            String kind,
            Map<String, Map<String, String>> from,
            AppConfig config,
            String word) {
        Object name = Yamls.at(source, kind, "name");
        if (name == null) {
            return Map.of();
        }
        Map<String, String> found = in(from, workload, name);
        if (found == null && !Boolean.TRUE.equals(Yamls.at(source, kind, "optional"))) {
            config.absent(word + " " + name);
        }
        return found == null ? Map.of() : found;
    }

    private @Nullable String valueFrom(Workload workload, Map<?, ?> variable) {
        Object map = Yamls.at(variable, "valueFrom", "configMapKeyRef", "name");
        Object secret = Yamls.at(variable, "valueFrom", "secretKeyRef", "name");
        Map<String, String> of =
                map != null ? in(configMaps, workload, map) : secret == null ? null : in(secrets, workload, secret);
        String key = map != null ? "configMapKeyRef" : "secretKeyRef";
        String value = of == null ? null : of.get(text(Yamls.at(variable, "valueFrom", key, "key")));
        return UNREADABLE.equals(value) ? null : value;
    }

    /** Adds the mounted files of ConfigMaps and Secrets that Spring, Quarkus or Micronaut would read. */
    private void mounted(Workload workload, Map<?, ?> container, AppConfig config) {
        for (Object mount : Yamls.listAt(container, "volumeMounts")) {
            String name = text(Yamls.at(mount, "name"));
            Object volume = Yamls.listAt(workload.pod(), "volumes").stream()
                    .filter(each -> name.equals(text(Yamls.at(each, "name"))))
                    .findFirst()
                    .orElse(null);
            List<?> sources = Yamls.listAt(Yamls.at(volume, "projected"), "sources");
            if (Yamls.at(volume, "configMap") != null || Yamls.at(volume, "secret") != null) {
                mounted(workload, volume, "secretName", mount, config);
            } else if (!sources.isEmpty()) {
                sources.forEach(source -> mounted(workload, source, "name", mount, config));
            } else if (Yamls.at(volume, "csi") != null
                    || text(Yamls.at(mount, "mountPath")).contains("config")) {
                config.absent("the content of the volume " + name);
            }
        }
    }

    private void mounted(
            Workload workload, @Nullable Object source, String secretName, @Nullable Object mount, AppConfig config) {
        boolean secret = Yamls.at(source, "secret") != null;
        Object of = Yamls.at(source, secret ? "secret" : "configMap");
        Object name = Yamls.at(of, secret ? secretName : "name");
        if (name == null) {
            return;
        }
        String word = (secret ? "Secret " : "ConfigMap ") + name;
        Map<String, String> files = in(secret ? secrets : configMaps, workload, name);
        if (files != null) {
            paths(of, files).forEach((path, text) -> file(config, word, fileName(path, mount), text));
            if (Yamls.at(mount, "subPath") == null) {
                config.folder(text(Yamls.at(mount, "mountPath")));
            }
        } else if (!Boolean.TRUE.equals(Yamls.at(of, "optional"))) {
            config.absent(word);
        }
    }

    /** The files by their paths in the volume: all keys, or the selected ones. */
    private static Map<String, String> paths(@Nullable Object of, Map<String, String> files) {
        List<?> items = Yamls.listAt(of, "items");
        if (items.isEmpty()) {
            return files;
        }
        Map<String, String> paths = new LinkedHashMap<>();
        for (Object item : items) {
            String text = files.get(text(Yamls.at(item, "key")));
            if (text != null) {
                paths.put(text(Yamls.at(item, "path")), text);
            }
        }
        return paths;
    }

    /** The name of a file in the container; empty if the mount excludes it. */
    private static String fileName(String path, @Nullable Object mount) {
        Object part = Yamls.at(mount, "subPath");
        String file = path;
        if (part != null) {
            file = path.equals(text(part)) ? text(Yamls.at(mount, "mountPath")) : "";
        }
        return file.substring(file.lastIndexOf('/') + 1);
    }

    private static void file(AppConfig config, String source, String file, String text) {
        if (!APPLICATION_FILE.matcher(file).matches()) {
            return;
        }
        try {
            config.file(AppFile.of(source + ", " + file, file, text));
        } catch (java.io.IOException broken) {
            config.problem(String.valueOf(broken.getMessage()));
        }
    }

    private static Map<String, String> texts(@Nullable Object data) {
        Map<String, String> texts = new LinkedHashMap<>();
        if (data instanceof Map<?, ?> map) {
            map.forEach((key, value) -> texts.put(text(key), value == null ? "" : text(value)));
        }
        return texts;
    }

    private static Map<String, String> secret(Map<?, ?> document) {
        Map<String, String> texts = new LinkedHashMap<>();
        texts(document.get("data")).forEach((key, encoded) -> {
            try {
                texts.put(
                        key,
                        new String(Base64.getDecoder().decode(encoded.replaceAll("\\s", "")), StandardCharsets.UTF_8));
            } catch (IllegalArgumentException noBase64) {
                // Templates have placeholders here; a missing value is reported where it is needed.
                texts.put(key, UNREADABLE);
            }
        });
        texts.putAll(texts(document.get("stringData")));
        return texts;
    }

    private static String name(Map<?, ?> document) {
        return text(Yamls.at(document, "metadata", "name"));
    }

    private static String namespace(Map<?, ?> document) {
        Object namespace = Yamls.at(document, "metadata", "namespace");
        return namespace == null ? "" : text(namespace);
    }

    static String text(@Nullable Object value) {
        return String.valueOf(value);
    }
}
