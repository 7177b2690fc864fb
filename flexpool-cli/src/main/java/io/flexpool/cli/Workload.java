// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A Kubernetes object that runs pods. Immutable.
 *
 * @param instances the maximum number of pods, without a rollout; empty if the manifest does not determine it
 * @param rollout the way in which an update replaces the pods
 * @param pod the pod's specification; null without one
 */
record Workload(
        String namespace,
        String kind,
        String name,
        OptionalLong instances,
        Rollout rollout,
        @Nullable Object pod) {
    /** Kubernetes' default of maxSurge and maxUnavailable. */
    private static final String QUARTER = "25%";

    /** KEDA's default. */
    private static final long JOBS_BY_DEFAULT = 100;

    /**
     * A rolling update.
     *
     * @param surge additional pods: a number or a percentage; null for none
     * @param missing missing pods, which end before their successors are ready
     * @param overlapping whether runs may overlap without a limit
     */
    record Rollout(@Nullable String surge, @Nullable String missing, boolean overlapping) {
        static final Rollout NONE = new Rollout(null, null);
        /** All pods of the next revision start before the first of this one ends. */
        static final Rollout BOTH = new Rollout("100%", null);
        /** The pods of the previous run end while those of the next run start. */
        private static final Rollout REPLACED = new Rollout(null, "100%");

        private static final Rollout OVERLAPPING = new Rollout(null, null, true);

        Rollout(@Nullable String surge, @Nullable String missing) {
            this(surge, missing, false);
        }
    }

    /**
     * Reads a workload from a document.
     *
     * @return the workload; null if its kind is not known to run pods
     */
    static @Nullable Workload of(String kind, String api, String namespace, Map<?, ?> document) {
        Object spec = document.get("spec");
        if (spec != null) {
            Yamls.map(spec, kind + ".spec");
        }
        Object pod = Yamls.at(spec, "template", "spec");
        return switch (kind) {
            case "Deployment" ->
                replicated(kind, namespace, document, rolling(Yamls.at(spec, "strategy"), "rollingUpdate"), pod);
            case "DeploymentConfig" ->
                replicated(kind, namespace, document, rolling(Yamls.at(spec, "strategy"), "rollingParams"), pod);
            case "Rollout" -> replicated(kind, namespace, document, argo(Yamls.at(spec, "strategy")), pod);
            case "StatefulSet", "ReplicaSet", "ReplicationController" ->
                replicated(kind, namespace, document, Rollout.NONE, pod);
            case "Pod" -> new Workload(namespace, kind, name(document), OptionalLong.of(1), Rollout.NONE, spec);
            case "Job" -> new Workload(namespace, kind, name(document), parallel(spec, 1), Rollout.NONE, pod);
            case "CronJob" -> {
                Object job = Yamls.at(spec, "jobTemplate", "spec");
                yield new Workload(
                        namespace,
                        kind,
                        name(document),
                        parallel(job, 1),
                        runs(Yamls.at(spec, "concurrencyPolicy")),
                        Yamls.at(job, "template", "spec"));
            }
            case "ScaledJob" -> {
                Object job = Yamls.at(spec, "jobTargetRef");
                Object most = Yamls.at(spec, "maxReplicaCount");
                long jobs = most == null ? JOBS_BY_DEFAULT : Figures.count("maxReplicaCount", most);
                yield new Workload(
                        namespace,
                        kind,
                        name(document),
                        parallel(job, jobs),
                        Rollout.NONE,
                        Yamls.at(job, "template", "spec"));
            }
            case "DaemonSet" -> new Workload(namespace, kind, name(document), OptionalLong.empty(), Rollout.NONE, pod);
            case "Service", "Configuration" ->
                api.startsWith("serving.knative.dev/") ? knative(namespace, document, pod) : null;
            default -> null;
        };
    }

    private static Workload replicated(
            String kind, String namespace, Map<?, ?> document, Rollout rollout, @Nullable Object pod) {
        String name = name(document);
        Object replicas = Yamls.at(document, "spec", "replicas");
        long count = replicas == null ? 1 : Figures.count(name + ".replicas", replicas);
        return new Workload(namespace, kind, name, OptionalLong.of(count), rollout, pod);
    }

    private static OptionalLong parallel(@Nullable Object job, long times) {
        Object parallelism = Yamls.at(job, "parallelism");
        return OptionalLong.of(times * (parallelism == null ? 1 : Figures.count("parallelism", parallelism)));
    }

    private static Rollout rolling(@Nullable Object strategy, String parameters) {
        if ("Recreate".equals(Yamls.at(strategy, "type"))) {
            return Rollout.NONE;
        }
        Object surge = Yamls.at(strategy, parameters, "maxSurge");
        Object missing = Yamls.at(strategy, parameters, "maxUnavailable");
        return new Rollout(
                surge == null ? QUARTER : String.valueOf(surge), missing == null ? QUARTER : String.valueOf(missing));
    }

    /** The rollout of a CronJob, whose runs may overlap by default. */
    private static Rollout runs(@Nullable Object concurrency) {
        if ("Forbid".equals(concurrency)) {
            return Rollout.NONE;
        }
        return "Replace".equals(concurrency) ? Rollout.REPLACED : Rollout.OVERLAPPING;
    }

    /** A workload that is in no file, but is the target of an autoscaler. */
    static Workload absent(String namespace, String kind, String name, long most) {
        Rollout rollout = kind.equals("Deployment") ? rolling(null, "") : Rollout.NONE;
        return new Workload(namespace, kind, name, OptionalLong.of(most), rollout, null);
    }

    private static Rollout argo(@Nullable Object strategy) {
        if (Yamls.at(strategy, "blueGreen") != null) {
            return Rollout.BOTH;
        }
        Object surge = Yamls.at(strategy, "canary", "maxSurge");
        Object missing = Yamls.at(strategy, "canary", "maxUnavailable");
        return new Rollout(
                surge == null ? QUARTER : String.valueOf(surge), missing == null ? QUARTER : String.valueOf(missing));
    }

    private static Workload knative(String namespace, Map<?, ?> document, @Nullable Object pod) {
        Object annotations = Yamls.at(document, "spec", "template", "metadata", "annotations");
        OptionalLong most = OptionalLong.empty();
        for (String key : List.of("autoscaling.knative.dev/max-scale", "autoscaling.knative.dev/maxScale")) {
            Object value = annotations instanceof Map<?, ?> map ? map.get(key) : null;
            if (value != null && Figures.count(key, value) > 0) {
                most = OptionalLong.of(Figures.count(key, value));
            }
        }
        return new Workload(namespace, "Service", name(document), most, Rollout.BOTH, pod);
    }

    private static String name(Map<?, ?> document) {
        Object metadata = Yamls.map(document.get("metadata"), "metadata");
        Object name = Yamls.at(metadata, "name");
        Object given = name == null ? Yamls.at(metadata, "generateName") : name;
        if (given == null) {
            throw new IllegalArgumentException("a manifest of kind " + document.get("kind") + " has no metadata.name");
        }
        if (given instanceof Map<?, ?> || String.valueOf(given).contains("{{")) {
            throw new IllegalArgumentException("metadata.name is a Helm template: " + Yamls.RENDER);
        }
        return Manifests.text(given);
    }

    /** The key by which autoscalers refer to the workload. */
    String key() {
        return namespace + "/" + kind + "/" + name;
    }

    /** The name with its namespace, if it has one. */
    String qualified() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }

    Workload scaledTo(long most) {
        OptionalLong scaled =
                instances.isPresent() || most > 0 ? OptionalLong.of(Math.max(most, instances.orElse(0))) : instances;
        return new Workload(namespace, kind, name, scaled, rollout, pod);
    }

    long surge(long count) {
        String surge = rollout.surge();
        return surge == null ? 0 : Figures.upTo(name + ".maxSurge", surge, count);
    }

    long terminating(long count) {
        String missing = rollout.missing();
        return missing == null ? 0 : Figures.downTo(name + ".maxUnavailable", missing, count);
    }

    /** The containers that run at the same time. */
    List<Map<?, ?>> containers() {
        return containers("containers");
    }

    /** The init containers that run before, one after another. */
    List<Map<?, ?>> initContainers() {
        return containers("initContainers").stream()
                .filter(each -> !isSidecar(each))
                .toList();
    }

    /** The init containers that continue to run beside the containers. */
    List<Map<?, ?>> sidecars() {
        return containers("initContainers").stream().filter(Workload::isSidecar).toList();
    }

    private static boolean isSidecar(Map<?, ?> container) {
        return "Always".equals(container.get("restartPolicy"));
    }

    private List<Map<?, ?>> containers(String list) {
        List<Map<?, ?>> containers = new ArrayList<>();
        Yamls.listAt(pod, list).forEach(each -> containers.add(Yamls.map(each, "a container")));
        return containers;
    }
}
