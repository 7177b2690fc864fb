// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Kubernetes manifests: what runs, how often, and what configures it. Nothing that has pods is passed over. Not thread-safe. */
final class Manifests {
    /** What runs nothing that could open a connection. */
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
    /** Of autoscalers: the most instances by namespace, kind and name. */
    private final Map<String, Long> autoscaled = new TreeMap<>();

    private final Map<String, Map<String, String>> configMaps = new TreeMap<>();
    private final Map<String, Map<String, String>> secrets = new TreeMap<>();
    private final Set<String> unknownKinds = new TreeSet<>();

    /** Stands for a value of a Secret that is no Base64, as a template's placeholder. */
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
                    if (workloads.putIfAbsent(workload.key(), workload) != null) {
                        throw new IllegalArgumentException(workload.key() + " is there twice");
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

    /** Kinds that this reader does not know: what they run is unknown. */
    Set<String> unknownKinds() {
        return unknownKinds;
    }

    /** All workloads, in the order of the files, with what an autoscaler may make of them. */
    List<Workload> workloads() {
        List<Workload> all = new ArrayList<>();
        workloads.values().forEach(workload -> {
            long most = 0;
            for (Map.Entry<String, Long> each : autoscaled.entrySet()) {
                most = isSame(each.getKey(), workload.key()) ? Math.max(most, each.getValue()) : most;
            }
            all.add(workload.scaledTo(most));
        });
        return all;
    }

    /** Without a namespace, a manifest is of that in which it is applied, which may be any. */
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

    /** Autoscalers whose target is in no file, as sentences. */
    List<String> idleAutoscalers() {
        return autoscaled.keySet().stream()
                .filter(key -> workloads.keySet().stream().noneMatch(workload -> isSame(key, workload)))
                .map(key -> "An autoscaler's target is in none of the files: " + key + ".")
                .toList();
    }

    /** The configuration of one container. */
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
                    config.problem(prefix + key + " is no Base64 in its Secret");
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
                config.problem(name + " comes from what is in none of the files");
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

    /** Files of ConfigMaps and Secrets that the container mounts and Spring, Quarkus or Micronaut would read. */
    private void mounted(Workload workload, Map<?, ?> container, AppConfig config) {
        Set<String> mounts = new TreeSet<>();
        Yamls.listAt(container, "volumeMounts").forEach(mount -> mounts.add(text(Yamls.at(mount, "name"))));
        for (Object volume : Yamls.listAt(workload.pod(), "volumes")) {
            if (mounts.contains(text(Yamls.at(volume, "name")))) {
                mounted(workload, Yamls.at(volume, "configMap", "name"), configMaps, "ConfigMap", config);
                mounted(workload, Yamls.at(volume, "secret", "secretName"), secrets, "Secret", config);
                for (Object source : Yamls.listAt(Yamls.at(volume, "projected"), "sources")) {
                    mounted(workload, Yamls.at(source, "configMap", "name"), configMaps, "ConfigMap", config);
                    mounted(workload, Yamls.at(source, "secret", "name"), secrets, "Secret", config);
                }
            }
        }
    }

    private static void mounted(
            Workload workload,
            @Nullable Object name,
            Map<String, Map<String, String>> from,
            String word,
            AppConfig config) {
        Map<String, String> files = name == null ? null : in(from, workload, name);
        if (files != null) {
            files.forEach((file, text) -> {
                if (file.matches("(?:application|bootstrap)[\\w.-]*\\.(?:properties|ya?ml)")) {
                    file(config, word + " " + name + ", " + file, file, text);
                }
            });
        }
    }

    private static void file(AppConfig config, String name, String file, String text) {
        try {
            config.file(AppFile.of(name, file, text));
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
                // Templates have placeholders there; what is missing is reported where it is needed.
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
