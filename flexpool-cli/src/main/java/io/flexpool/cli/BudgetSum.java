// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Computes the instances and connections of a budget's applications. A value that would have to be guessed is a
 * problem; all problems are reported together. For one result.
 */
final class BudgetSum {
    private final BudgetFiles files;
    private final Map<String, Integer> pools;
    private final Map<String, Integer> instances;
    private final Map<String, AppFile> properties;
    private final @Nullable String server;
    private final Set<String> ignored;
    private final List<String> problems = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final TreeSet<String> servers = new TreeSet<>();
    /** The uncounted connections of sidecars in one instance, by workload. */
    private final IdentityHashMap<Workload, Long> besides = new IdentityHashMap<>();

    private long sidecars;

    BudgetSum(
            BudgetFiles files,
            Map<String, Integer> pools,
            Map<String, Integer> instances,
            Map<String, AppFile> properties,
            @Nullable String server,
            Set<String> ignored) {
        this.files = files;
        this.pools = pools;
        this.instances = instances;
        this.properties = properties;
        this.server = server;
        this.ignored = ignored;
    }

    /** All names by which options may name an application. */
    Set<String> names() {
        Set<String> names = new TreeSet<>();
        files.listed().forEach(each -> names.add(each.name()));
        files.manifests().workloads().forEach(each -> {
            names.add(each.name());
            names.add(each.qualified());
        });
        return names;
    }

    /**
     * The applications.
     *
     * @throws IOException if anything is unknown; the message lists all of it
     */
    List<Budgeted> applications() throws IOException {
        List<Budgeted> all = new ArrayList<>();
        files.listed().forEach(each -> listed(each, all));
        Collection<Workload> workloads = files.manifests().workloads();
        workloads.forEach(each -> workload(each, all));
        Set<String> kinds = new TreeSet<>(files.manifests().unknownKinds());
        kinds.removeAll(ignored);
        kinds.forEach(kind -> problems.add("kind " + kind
                + " is not known to this program: if it opens no connection, give --ignore-kind " + kind));
        if (servers.size() > 1 && server == null) {
            problems.add("the applications use " + servers.size() + " database servers (" + String.join(", ", servers)
                    + "): set --server to the server that has --max connections");
        }
        if (all.isEmpty() && problems.isEmpty()) {
            problems.add("no application is in the files");
        }
        if (!problems.isEmpty()) {
            throw new IOException(
                    problems.size() == 1
                            ? problems.get(0)
                            : problems.size() + " unknown figures:" + System.lineSeparator() + "  "
                                    + BudgetCommand.listed(problems));
        }
        notes.addAll(files.manifests().idleAutoscalers());
        if (all.stream().anyMatch(each -> each.terminating() > 0)) {
            notes.add("Terminating pods keep their connections until they end. The sum counts maxUnavailable"
                    + " terminating pods; more exist if pods end more slowly than new pods start.");
        }
        return all;
    }

    /** Notes on the result, as sentences. */
    List<String> notes() {
        return notes;
    }

    private void listed(Budgeted each, List<Budgeted> all) {
        Integer given = pools.get(each.name());
        long connections = given != null ? given : each.connections();
        if (connections < 0) {
            problems.add(each.name() + ".pools: must be given, or --pool " + each.name() + "=N");
            return;
        }
        Integer count = instances.get(each.name());
        all.add(new Budgeted(each.name(), count != null ? count : each.instances(), each.surge(), 0, connections));
    }

    private void workload(Workload each, List<Budgeted> all) {
        Integer given = instances.getOrDefault(each.qualified(), instances.get(each.name()));
        if (given == null && each.instances().isEmpty()) {
            problems.add("the number of instances of '" + each.name() + "' is not in the manifest (" + each.kind()
                    + "): give --instances " + each.name() + "=N");
        }
        long count = given != null ? given : each.instances().orElse(0);
        Long connections;
        try {
            connections = connections(each);
        } catch (IllegalArgumentException malformed) {
            problems.add(each.name() + ": " + malformed.getMessage());
            return;
        }
        if (connections == null) {
            return;
        }
        if (connections < 0) {
            notes.add(each.name() + " uses another database server and is not counted.");
            return;
        }
        Budgeted counted =
                new Budgeted(each.qualified(), count, each.surge(count), each.terminating(count), connections);
        all.add(counted);
        uncounted(each, counted);
    }

    /**
     * Adds notes on uncounted connections: those of overlapping jobs, which no number bounds, and those of sidecars,
     * which usually have none.
     */
    private void uncounted(Workload each, Budgeted counted) {
        if (each.rollout().overlapping() && counted.connections() > 0) {
            notes.add(
                    "Runs of the CronJob " + each.name() + " may overlap (concurrencyPolicy Allow), and one is counted;"
                            + " for two give --instances " + each.name() + "=" + 2 * counted.instances() + ".");
        }
        long beside = besides.getOrDefault(each, 0L);
        if (beside > 0) {
            sidecars += counted.with(counted.connections() + beside).most() - counted.most();
            notes.add(each.name() + ": " + beside
                    + " connections of sidecars are not counted. If the sidecars open them, give --pool " + each.name()
                    + "="
                    + (counted.connections() + beside) + ".");
        }
    }

    /** The number of uncounted connections of sidecars. */
    long sidecars() {
        return sidecars;
    }

    /** The connections of one instance; null, with a problem, if unknown; -1 if they lead to another server. */
    private @Nullable Long connections(Workload each) {
        Integer given = pools.getOrDefault(each.qualified(), pools.get(each.name()));
        if (given != null) {
            return given.longValue();
        }
        AppFile file = properties.getOrDefault(each.qualified(), properties.get(each.name()));
        List<String> own = new ArrayList<>();
        Set<String> used = new TreeSet<>();
        Long together = null;
        for (Map<?, ?> container : each.containers()) {
            Long found = connections(each, container, file, own, used);
            together = found == null ? together : Long.valueOf(found + (together == null ? 0 : together));
        }
        long beside = together == null ? 0 : together;
        for (Map<?, ?> container : each.sidecars()) {
            Long found = connections(each, container, null, own, used);
            beside += found == null ? 0 : found;
            together = larger(together, found);
        }
        for (Map<?, ?> container : each.initContainers()) {
            together = larger(together, connections(each, container, null, own, used));
        }
        if (together != null && beside > together) {
            besides.put(each, beside - together);
        }
        if (together == null && each.containers().isEmpty() && file != null) {
            together = fromFile(each, file, own, used);
        }
        servers.addAll(used);
        own.forEach(problem -> problems.add(each.name() + ": " + problem));
        if (together == null && each.pod() == null) {
            problems.add("the manifest of '" + each.name() + "' (" + each.kind() + ") "
                    + "has no pods or is in none of the files: add it, or give --pool " + each.name() + "=N");
        } else if (together == null && own.isEmpty()) {
            problems.add("the size of the pools of '" + each.name() + "' is not in the files: give --pool "
                    + each.name() + "=N or --properties " + each.name() + "=FILE; N is 0 without pools");
        }
        boolean other = server != null && !used.isEmpty() && used.stream().noneMatch(host -> host.contains(server));
        return other ? Long.valueOf(-1) : together;
    }

    private static @Nullable Long larger(@Nullable Long one, @Nullable Long other) {
        return one == null || (other != null && other > one) ? other : one;
    }

    private @Nullable Long fromFile(Workload each, AppFile file, List<String> own, Set<String> used) {
        AppConfig config = new AppConfig();
        config.packaged(file);
        return sizes(each, config, own, used);
    }

    private @Nullable Long connections(
            Workload each, Map<?, ?> container, @Nullable AppFile file, List<String> own, Set<String> used) {
        AppConfig config = files.manifests().config(each, container);
        if (file != null) {
            config.packaged(file);
        }
        return sizes(each, config, own, used);
    }

    private @Nullable Long sizes(Workload each, AppConfig config, List<String> own, Set<String> used) {
        Map<String, String> merged = config.merged();
        own.addAll(config.problems());
        PoolSizes sizes;
        try {
            sizes = new PoolSizes(merged);
        } catch (IllegalArgumentException noSize) {
            own.add(String.valueOf(noSize.getMessage()));
            return null;
        }
        sizes.notes().forEach(note -> notes.add(each.name() + ": " + note + "."));
        used.addAll(sizes.servers());
        Integer found = sizes.connections();
        // A default is only a guess while an unread source may have a size.
        if ((found == null || sizes.isAssumed()) && !config.absent().isEmpty()) {
            own.add("the manifest has no size, and no file contains " + String.join(", ", config.absent())
                    + ": give --pool " + each.name() + "=N");
        } else if (sizes.isAssumed() && sizes.candidate() != null) {
            own.add("the manifest has no size; " + sizes.candidate() + " may be the size: give --pool " + each.name()
                    + "=N, or --properties " + each.name() + "=FILE, where FILE sets the size");
        }
        if (found != null
                && !sizes.isAssumed()
                && config.hasFiles()
                && !config.absent().isEmpty()) {
            notes.add(each.name() + ": " + String.join(", ", config.absent())
                    + " may set another size, but no file contains it.");
        }
        return found == null ? null : Long.valueOf(found);
    }
}
