// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.benchmarks.broker.BrokerJvm.Task;
import io.flexpool.benchmarks.kit.AnsweringJvm;
import io.flexpool.benchmarks.kit.Interrupt;
import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.kit.Range;
import io.flexpool.benchmarks.kit.Subcommand;
import io.flexpool.benchmarks.report.ScenarioOptions;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/**
 * What both subcommands have and do: one JVM after the other, each with a store and a broker of its own, then the result.
 */
abstract class StoreCommand extends Subcommand {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int REPEATS = 3;

    @Range(max = 100)
    @Option(
            names = "--repeats",
            description = "Runs of each store and load, each in its own JVM; with --quick all shapes of load share one."
                    + " Default: 3; with --quick 1.")
    private @Nullable Integer repeats;

    @Range(max = 10_000)
    @Option(
            names = "--in-flight",
            defaultValue = "100",
            description = "Messages of a publisher that may be on their way to each receiver.")
    private int inFlight;

    @Mixin
    private ScenarioOptions options = new ScenarioOptions();

    ScenarioOptions options() {
        return options;
    }

    /**
     * Runs it with the stores that are available here; says which are not.
     *
     * @param form how messages pass through the broker
     * @param own the options that only this scenario has
     * @return the exit code
     * @throws ParameterException if no store is left
     */
    int run(Form form, Map<String, List<String>> own, Collection<? extends Store> stores, List<Workload> workloads)
            throws IOException, InterruptedException {
        List<String> notices = stores.stream()
                .sorted()
                .flatMap(store -> store.backend().unavailable().stream()
                        .map(why -> "NOTICE: " + store + " is left out: " + why + "."))
                .toList();
        notices.forEach(out()::println);
        List<? extends Store> available = stores.stream()
                .filter(store -> store.backend().unavailable().isEmpty())
                .sorted()
                .toList();
        if (available.isEmpty()) {
            throw refused("No store is left. " + String.join(" ", notices));
        }
        Plan plan = new Plan(
                form,
                own,
                available,
                workloads,
                options.value(repeats, REPEATS, 1),
                inFlight,
                options.seed(),
                options.quick(),
                notices);
        Instant started = Instant.now();
        try (Interrupt stop = Interrupt.watch()) {
            Figures figures = measure(plan, stop::asked);
            options.publish(new Result(plan, figures).result(started), out());
            return figures.failures().isEmpty() ? 0 : 1;
        }
    }

    /** A JVM that fails is noted, and the others run. There is less than planned if it is to stop early. */
    private static Figures measure(Plan plan, BooleanSupplier stop) throws IOException, InterruptedException {
        List<Run> runs = new ArrayList<>();
        List<Failure> failures = new ArrayList<>();
        List<Task> tasks = plan.tasks();
        try (Progress progress = new Progress(
                plan.form().scenario(),
                tasks.stream().mapToInt(StoreCommand::weight).sum())) {
            for (Task task : tasks) {
                String name = task.store() + " "
                        + task.workloads().stream().map(Workload::name).collect(Collectors.joining(","));
                String question = MAPPER.writeValueAsString(task);
                try {
                    Optional<String> answer = stop.getAsBoolean()
                            ? Optional.empty()
                            : AnsweringJvm.ask(name, BrokerJvm.class, question, Plan.patience(task), stop);
                    if (answer.isEmpty()) {
                        break;
                    }
                    runs.addAll(MAPPER.readerForListOf(Run.class).<List<Run>>readValue(answer.get()));
                } catch (IOException e) {
                    failures.add(new Failure(task.store(), "FAILED: " + e.getMessage()));
                }
                progress.steps(weight(task), name);
            }
        }
        return new Figures(runs, failures);
    }

    /** How long a JVM takes beside the others: a chain ends by the number of its messages, others by time. */
    private static int weight(Task task) {
        return task.chained() ? task.backend().weight() : 1;
    }
}
