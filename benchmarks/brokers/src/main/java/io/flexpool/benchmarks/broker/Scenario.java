// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.benchmarks.broker.BrokerJvm.Task;
import io.flexpool.benchmarks.kit.AnsweringJvm;
import io.flexpool.benchmarks.kit.Interrupt;
import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.report.ScenarioOptions;
import java.io.IOException;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * What both subcommands do with their options: one JVM after the other, each with a store and a broker of its own, then
 * the result.
 *
 * @param form how messages pass through the broker
 * @param options those that all scenarios have
 * @param spec of the subcommand
 */
record Scenario(Form form, ScenarioOptions options, CommandSpec spec) {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** A value, or with --quick another one where the option was not given. */
    <T> T value(String option, T value, T quick) {
        boolean given = spec.commandLine().getParseResult().hasMatchedOption(option);
        return options.quick() && !given ? quick : value;
    }

    /**
     * Runs it with the stores that are available here; says which are not.
     *
     * @param own the options that only this scenario has
     * @return the exit code
     * @throws ParameterException if no store is left
     */
    int run(
            Map<String, List<String>> own,
            Collection<? extends Store> stores,
            List<Workload> workloads,
            int repeats,
            int inFlight)
            throws IOException, InterruptedException {
        List<String> notices = stores.stream()
                .sorted()
                .flatMap(store -> store.backend().unavailable().stream()
                        .map(why -> "NOTICE: " + store + " is left out: " + why + "."))
                .toList();
        notices.forEach(spec.commandLine().getOut()::println);
        List<? extends Store> available = stores.stream()
                .filter(store -> store.backend().unavailable().isEmpty())
                .sorted()
                .toList();
        if (available.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "No store is left. " + String.join(" ", notices));
        }
        return run(new Plan(
                form,
                own,
                available,
                workloads,
                value("--repeats", repeats, 1),
                inFlight,
                options.seed(),
                options.quick(),
                notices));
    }

    private int run(Plan plan) throws IOException, InterruptedException {
        OffsetDateTime startedAt = OffsetDateTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS);
        long start = System.nanoTime();
        try (Interrupt stop = Interrupt.watch()) {
            Figures figures = measure(plan, stop::asked);
            double seconds = (System.nanoTime() - start) / 1e9;
            options.publish(
                    new Result(plan, figures).result(startedAt.toString(), seconds),
                    spec.commandLine().getOut());
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
                tasks.stream().mapToInt(Scenario::weight).sum())) {
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
