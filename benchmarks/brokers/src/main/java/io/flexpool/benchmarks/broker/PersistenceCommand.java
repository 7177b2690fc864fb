// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import io.flexpool.benchmarks.kit.OptionRules;
import io.flexpool.benchmarks.kit.Range;
import io.flexpool.benchmarks.report.ScenarioOptions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The subcommand {@code persistence}. */
@Command(
        modelTransformer = OptionRules.class,
        name = "persistence",
        description = "What durable delivery costs an embedded ActiveMQ: four shapes of load, or your own, over stores"
                + " from none to PostgreSQL through a pool in flexpool.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
@SuppressWarnings("NullAway.Init") // the command line parser fills the fields
public final class PersistenceCommand implements Callable<Integer> {
    private static final int QUICK_MESSAGES = 50;

    @Option(
            names = "--shapes",
            split = ",",
            paramLabel = "SHAPE",
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
            split = ",",
            paramLabel = "STORE",
            description =
                    "Stores: ${COMPLETION-CANDIDATES}. Default: all. The verdicts compare stores with each" + " other.")
    private Set<PersistenceStore> stores = EnumSet.allOf(PersistenceStore.class);

    @Range
    @Option(
            names = "--messages",
            paramLabel = "N",
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

    @Range(max = 100)
    @Option(
            names = "--repeats",
            defaultValue = "3",
            paramLabel = "N",
            description = "Runs of each workload on each store, each in its own JVM; with --quick one JVM runs all"
                    + " workloads. Default: ${DEFAULT-VALUE}; with --quick 1.")
    private int repeats;

    @Range(max = 10_000)
    @Option(
            names = "--in-flight",
            defaultValue = "100",
            paramLabel = "N",
            description = "Messages of a publisher that may be on their way to each subscriber. Default:"
                    + " ${DEFAULT-VALUE}.")
    private int inFlight;

    @Mixin
    private ScenarioOptions options = new ScenarioOptions();

    @Spec
    private CommandSpec spec;

    /** Made by the command line parser. */
    public PersistenceCommand() {}

    @Override
    public Integer call() throws Exception {
        Set<Shape> chosen = shapes.isEmpty() && own.isEmpty() ? EnumSet.allOf(Shape.class) : shapes;
        List<Workload> workloads =
                new ArrayList<>(chosen.stream().map(Shape::workload).toList());
        workloads.addAll(own);
        Integer each =
                messages == null && duration == null && options.quick() ? Integer.valueOf(QUICK_MESSAGES) : messages;
        workloads.replaceAll(workload -> workload.limited(each, duration));
        requireDifferentNames(workloads);
        OptionSpec files = spec.commandLine().getParseResult().matchedOption("--workload");
        Map<String, List<String>> given = new LinkedHashMap<>();
        given.put(
                "shapes",
                chosen.isEmpty()
                        ? List.of()
                        : List.of(chosen.stream().map(Shape::toString).collect(Collectors.joining(","))));
        given.put("workload", files == null ? List.of() : files.originalStringValues());
        given.put("messages", each == null ? List.of() : List.of(each.toString()));
        given.put("duration", duration == null ? List.of() : List.of(duration.toString()));
        return new Scenario(new Fan(), options, spec).run(given, stores, workloads, repeats, inFlight);
    }

    private void requireDifferentNames(List<Workload> workloads) {
        Set<String> names = new HashSet<>();
        for (Workload workload : workloads) {
            if (!names.add(workload.name())) {
                throw new ParameterException(
                        spec.commandLine(),
                        "Invalid value for option '--workload': two workloads have the name '" + workload.name()
                                + "', which must differ");
            }
        }
    }
}
