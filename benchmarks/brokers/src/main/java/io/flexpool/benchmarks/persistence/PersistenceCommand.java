// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.persistence;

import io.flexpool.benchmarks.kit.Interrupt;
import io.flexpool.benchmarks.kit.OptionRules;
import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.kit.Range;
import io.flexpool.benchmarks.messaging.JvmSeries;
import io.flexpool.benchmarks.messaging.JvmSeries.Planned;
import io.flexpool.benchmarks.report.ScenarioOptions;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
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
            converter = WorkloadConverter.class,
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
        String startedAt = OffsetDateTime.now(ZoneId.systemDefault())
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
        long start = System.nanoTime();
        PersistencePlan plan = plan();
        try (Interrupt stop = Interrupt.watch()) {
            JvmSeries jvms = new JvmSeries(FanJvm.class);
            List<Planned> planned = plan.jvms();
            List<FanRun> runs;
            try (Progress progress = new Progress("persistence", planned.size())) {
                runs = jvms.run(planned, FanRun.class, progress, stop::asked);
            }
            boolean complete =
                    runs.size() == plan.stores().size() * plan.workloads().size() * plan.repeats();
            double seconds = (System.nanoTime() - start) / 1e9;
            options.publish(
                    new PersistenceResult(plan, runs, jvms.failures()).result(startedAt, seconds, complete),
                    spec.commandLine().getOut());
            return jvms.failures().isEmpty() ? 0 : 1;
        }
    }

    private PersistencePlan plan() {
        boolean quick = options.quick();
        Set<Shape> chosen = shapes.isEmpty() && own.isEmpty() ? EnumSet.allOf(Shape.class) : shapes;
        List<Workload> workloads =
                new ArrayList<>(chosen.stream().map(Shape::workload).toList());
        workloads.addAll(own);
        Integer each = messages == null && duration == null && quick ? Integer.valueOf(QUICK_MESSAGES) : messages;
        workloads.replaceAll(workload -> workload.limited(each, duration));
        requireDifferentNames(workloads);
        int runs = quick && !spec.commandLine().getParseResult().hasMatchedOption("--repeats") ? 1 : repeats;
        Map<PersistenceStore, String> leftOut = leftOut();
        Set<PersistenceStore> available = EnumSet.copyOf(stores);
        available.removeAll(leftOut.keySet());
        List<String> notices = leftOut.entrySet().stream()
                .map(store -> "NOTICE: " + store.getKey() + " is left out: " + store.getValue() + ".")
                .toList();
        notices.forEach(spec.commandLine().getOut()::println);
        if (available.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "No store is left. " + String.join(" ", notices));
        }
        Map<String, String> words = inWords(chosen, available, each, runs);
        return new PersistencePlan(
                available, workloads, runs, inFlight, options.seed(), quick, words, command(words), notices);
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

    private List<String> files() {
        OptionSpec files = spec.commandLine().getParseResult().matchedOption("--workload");
        return files == null ? List.of() : files.originalStringValues();
    }

    private Map<String, String> inWords(
            Set<Shape> chosen, Set<PersistenceStore> available, @Nullable Integer each, int runs) {
        Map<String, String> words = new LinkedHashMap<>();
        words.put("shapes", chosen.stream().map(Shape::toString).collect(Collectors.joining(",")));
        words.put("workload", String.join(",", files()));
        words.put("stores", available.stream().map(PersistenceStore::toString).collect(Collectors.joining(",")));
        words.put("messages", each == null ? "" : each.toString());
        words.put("duration", duration == null ? "" : duration.toString());
        words.put("repeats", Integer.toString(runs));
        words.put("in-flight", Integer.toString(inFlight));
        words.put("seed", Long.toString(options.seed()));
        words.put("quick", Boolean.toString(options.quick()));
        return words;
    }

    /** How to repeat it. */
    private List<String> command(Map<String, String> words) {
        List<String> command = new ArrayList<>(List.of("persistence"));
        words.forEach((name, value) -> {
            if (name.equals("workload")) {
                files().forEach(file -> command.add("--workload=" + file));
            } else if (!value.isEmpty() && !name.equals("quick")) {
                command.add("--" + name + "=" + value);
            }
        });
        if (options.quick()) {
            command.add("--quick");
        }
        return command;
    }

    /** Those that cannot be used on this machine, and why. */
    private Map<PersistenceStore, String> leftOut() {
        Map<PersistenceStore, String> leftOut = new EnumMap<>(PersistenceStore.class);
        stores.forEach(store -> store.unavailable().ifPresent(why -> leftOut.put(store, why)));
        return leftOut;
    }
}
