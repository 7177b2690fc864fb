// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import io.flexpool.benchmarks.kit.Range;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The subcommand {@code persistence}. */
@Command(
        name = "persistence",
        description = "What durable delivery costs an embedded ActiveMQ: four shapes of load, or your own, over stores"
                + " from none to PostgreSQL through a pool in flexpool.")
public final class PersistenceCommand extends StoreCommand {
    private static final int QUICK_MESSAGES = 50;

    @Option(
            names = "--shapes",
            description = "Shapes of load that come with this program: ${COMPLETION-CANDIDATES}. Default: all, unless"
                    + " there is a --workload.")
    private Set<Shape> shapes = EnumSet.noneOf(Shape.class);

    @Option(
            names = "--workload",
            converter = WorkloadFile.Converter.class,
            paramLabel = "FILE",
            description =
                    "A load of your own: a properties file with the keys of those that come with this program. Can"
                            + " be given several times.")
    private List<Workload> own = new ArrayList<>();

    @Option(
            names = "--stores",
            description =
                    "Stores: ${COMPLETION-CANDIDATES}. Default: all. The verdicts compare stores with each other.")
    private Set<PersistenceStore> stores = EnumSet.allOf(PersistenceStore.class);

    @Range
    @Option(
            names = "--messages",
            description = "Messages of each publisher, overriding the workload. Default: as the workload says, that"
                    + " is by time with those that come with this program; with --quick 50.")
    private @Nullable Integer messages;

    @Range(max = 3_600)
    @Option(
            names = "--duration",
            paramLabel = "SECONDS",
            description = "Publishers stop after so many seconds, overriding the workload; with --messages too,"
                    + " whichever comes first. Default: as the workload says.")
    private @Nullable Integer duration;

    @Override
    public Integer call() throws Exception {
        Set<Shape> chosen = shapes.isEmpty() && own.isEmpty() ? EnumSet.allOf(Shape.class) : shapes;
        List<Workload> workloads =
                new ArrayList<>(chosen.stream().map(Shape::workload).toList());
        workloads.addAll(own);
        Integer each =
                messages == null && duration == null && options().quick() ? Integer.valueOf(QUICK_MESSAGES) : messages;
        workloads.replaceAll(workload -> workload.limited(each, duration));
        requireDifferentNames(workloads);
        Map<String, List<String>> given = new LinkedHashMap<>();
        given.put("shapes", chosen.isEmpty() ? List.of() : List.of(joined(chosen)));
        given.put("workload", given("--workload"));
        given.put("messages", each == null ? List.of() : List.of(each.toString()));
        given.put("duration", duration == null ? List.of() : List.of(duration.toString()));
        return run(new Fan(), given, stores, workloads);
    }

    private void requireDifferentNames(List<Workload> workloads) {
        Set<String> names = new HashSet<>();
        for (Workload workload : workloads) {
            if (!names.add(workload.name())) {
                throw refused("Invalid value for option '--workload': two workloads have the name '" + workload.name()
                        + "', which must differ");
            }
        }
    }
}
