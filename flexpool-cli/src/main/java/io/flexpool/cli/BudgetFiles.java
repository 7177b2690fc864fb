// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import io.flexpool.internal.shared.PlainText;
import io.flexpool.internal.shared.Words;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * Reads what applications there are from YAML: a budget of its own form, or Kubernetes manifests. Nothing in a file is
 * executed. Not thread-safe.
 */
final class BudgetFiles {
    private static final Set<String> TOP = Set.of("max", "reserve", "applications");
    private static final Set<String> OF_APPLICATION = Set.of("instances", "surge", "pools");
    private static final Set<String> WORKLOADS = Set.of("Deployment", "StatefulSet", "ReplicaSet");
    private static final int MOST = 1_000_000;
    /** What Kubernetes does without a word. */
    private static final String DEFAULT_SURGE = "25%";

    private final Map<String, Integer> poolsGiven;
    private final Map<String, Workload> workloads = new TreeMap<>();
    private final Map<String, Integer> autoscaled = new TreeMap<>();
    private final List<Budgeted> listed = new ArrayList<>();
    private @Nullable Integer max;
    private @Nullable Integer reserve;

    private record Workload(
            int replicas, @Nullable String surge, @Nullable Integer connections) {}

    /** With the connections of an instance by application, which hold before what a manifest says. */
    BudgetFiles(Map<String, Integer> poolsGiven) {
        this.poolsGiven = poolsGiven;
    }

    @Nullable
    Integer max() {
        return max;
    }

    @Nullable
    Integer reserve() {
        return reserve;
    }

    void read(Path file) throws IOException {
        try (Reader text = Files.newBufferedReader(file)) {
            for (Object document : new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(text)) {
                if (document != null) {
                    document(map(document, "the document"));
                }
            }
        } catch (YAMLException | IllegalArgumentException broken) {
            throw new IOException(file + ": " + PlainText.line(String.valueOf(broken.getMessage()), 500), broken);
        }
    }

    private void document(Map<?, ?> document) {
        if (!document.containsKey("kind")) {
            budget(document);
            return;
        }
        String kind = String.valueOf(document.get("kind"));
        if (kind.equals("List")) {
            list(document.get("items"), "items").forEach(item -> document(map(item, "an item")));
        } else if (WORKLOADS.contains(kind)) {
            workload(kind, document);
        } else if (kind.equals("HorizontalPodAutoscaler")) {
            Map<?, ?> spec = map(document.get("spec"), "spec");
            String target = name(map(spec.get("scaleTargetRef"), "scaleTargetRef"));
            autoscaled.put(target, count("maxReplicas", spec.get("maxReplicas")));
        }
    }

    // ---- a budget of its own form ----

    private void budget(Map<?, ?> document) {
        known(document, TOP, "");
        if (document.containsKey("max")) {
            max = count("max", document.get("max"));
        }
        if (document.containsKey("reserve")) {
            reserve = count("reserve", document.get("reserve"));
        }
        map(document.get("applications"), "applications").forEach((key, value) -> {
            String name = String.valueOf(key);
            Map<?, ?> of = map(value, name);
            known(of, OF_APPLICATION, name + ".");
            int instances = count(name + ".instances", of.get("instances"));
            int surge = of.containsKey("surge") ? surge(String.valueOf(of.get("surge")), instances, name) : 0;
            Integer given = poolsGiven.get(name);
            listed.add(new Budgeted(name, instances, surge, given == null ? pools(name, of.get("pools")) : given));
        });
    }

    /** One number, or one for each pool. */
    private static int pools(String name, @Nullable Object value) {
        if (!(value instanceof List<?> several)) {
            return count(name + ".pools", value);
        }
        int sum = 0;
        for (Object one : several) {
            sum += count(name + ".pools", one);
        }
        return sum;
    }

    private static void known(Map<?, ?> document, Set<String> keys, String before) {
        for (Object key : document.keySet()) {
            String name = String.valueOf(key);
            if (!keys.contains(name)) {
                throw new IllegalArgumentException("unknown key '" + before + name + "', the nearest one is '" + before
                        + Words.nearest(name, keys) + "'");
            }
        }
    }

    // ---- Kubernetes ----

    private void workload(String kind, Map<?, ?> document) {
        String name = name(map(document.get("metadata"), "metadata"));
        Map<?, ?> spec = map(document.get("spec"), "spec");
        int replicas = spec.containsKey("replicas") ? count(name + ".replicas", spec.get("replicas")) : 1;
        workloads.put(
                name, new Workload(replicas, kind.equals("Deployment") ? surgeOf(spec) : null, connections(spec)));
    }

    private static @Nullable String surgeOf(Map<?, ?> spec) {
        if (!(spec.get("strategy") instanceof Map<?, ?> strategy)) {
            return DEFAULT_SURGE;
        }
        if ("Recreate".equals(strategy.get("type"))) {
            return null;
        }
        return strategy.get("rollingUpdate") instanceof Map<?, ?> update && update.containsKey("maxSurge")
                ? String.valueOf(update.get("maxSurge"))
                : DEFAULT_SURGE;
    }

    /** What the containers' environment says of pools; null if nothing. */
    private static @Nullable Integer connections(Map<?, ?> spec) {
        Properties properties = new Properties();
        if (spec.get("template") instanceof Map<?, ?> template
                && template.get("spec") instanceof Map<?, ?> pod
                && pod.get("containers") instanceof List<?> containers) {
            for (Object container : containers) {
                Object environment = map(container, "a container").get("env");
                for (Object each : environment instanceof List<?> given ? given : List.of()) {
                    Map<?, ?> variable = map(each, "env");
                    if (variable.get("value") != null) {
                        properties.setProperty(
                                String.valueOf(variable.get("name")), String.valueOf(variable.get("value")));
                    }
                }
            }
        }
        return connections(properties);
    }

    /** What an application's properties, or its environment, say of its pools; null if nothing. */
    static @Nullable Integer connections(Properties properties) {
        Integer ceiling = null;
        Integer pool = null;
        for (String key : properties.stringPropertyNames()) {
            String plain = key.toLowerCase(Locale.ROOT).replaceAll("[._-]", "");
            if (plain.equals("flexpoolceiling")) {
                ceiling = count(key, properties.getProperty(key));
            } else if (plain.equals("springdatasourcehikarimaximumpoolsize")) {
                pool = count(key, properties.getProperty(key));
            }
        }
        return ceiling == null ? pool : ceiling;
    }

    /** All applications, in the order of their names where manifests list them. */
    List<Budgeted> applications() {
        List<Budgeted> all = new ArrayList<>(listed);
        workloads.forEach((name, workload) -> {
            Integer connections = poolsGiven.getOrDefault(name, workload.connections());
            if (connections == null) {
                throw new IllegalArgumentException(
                        "the size of the pools of '" + name + "' is not in its environment: give" + " --pool " + name
                                + "=N or --properties " + name + "=FILE; 0 if it has none");
            }
            int instances = Math.max(workload.replicas(), autoscaled.getOrDefault(name, 0));
            String surge = workload.surge();
            all.add(new Budgeted(name, instances, surge == null ? 0 : surge(surge, instances, name), connections));
        });
        return all;
    }

    // ---- values ----

    /** A number, or a percentage, rounded up. */
    private static int surge(String written, int instances, String name) {
        if (!written.endsWith("%")) {
            return count(name + ".surge", written);
        }
        int percent = count(name + ".surge", written.substring(0, written.length() - 1));
        return (int) ((long) instances * percent + 99) / 100;
    }

    private static int count(String key, @Nullable Object value) {
        try {
            int number = Integer.parseInt(String.valueOf(value).strip());
            if (number >= 0 && number <= MOST) {
                return number;
            }
        } catch (NumberFormatException noNumber) {
            throw new IllegalArgumentException(key + " = " + value + ": must be a whole number", noNumber);
        }
        throw new IllegalArgumentException(key + " = " + value + ": must be from 0 to " + MOST);
    }

    private static String name(Map<?, ?> of) {
        return String.valueOf(of.get("name"));
    }

    private static Map<?, ?> map(@Nullable Object value, String what) {
        if (value instanceof Map<?, ?> map) {
            return map;
        }
        throw new IllegalArgumentException(what + " = " + value + ": must have keys");
    }

    private static List<?> list(@Nullable Object value, String what) {
        if (value instanceof List<?> list) {
            return list;
        }
        throw new IllegalArgumentException(what + " = " + value + ": must be a list");
    }
}
