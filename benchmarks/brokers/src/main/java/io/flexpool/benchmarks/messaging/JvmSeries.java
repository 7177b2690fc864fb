// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.messaging;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.benchmarks.kit.AnsweringJvm;
import io.flexpool.benchmarks.kit.Progress;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** One JVM after the other, each with a store and a broker of its own. Not thread-safe. */
public final class JvmSeries {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Class<?> program;
    private final List<Failure> failures = new ArrayList<>();

    /**
     * Nothing has run.
     *
     * @param program that reads one task and answers with an array of runs, both as JSON
     */
    public JvmSeries(Class<?> program) {
        this.program = program;
    }

    /**
     * One JVM that is to run.
     *
     * @param task what the program reads
     * @param store the store's name
     * @param what the rest of its name, for readers
     * @param patience how long it may take at the most
     * @param weight how long it will take beside the others
     */
    public record Planned(Object task, String store, String what, Duration patience, int weight) {}

    /**
     * Runs all. A JVM that fails is noted, and the others run.
     *
     * @param all in their order
     * @param run what the answers consist of
     * @param progress steps by the weight of each JVM
     * @param stop whether to end early
     * @param <R> what the answers consist of
     * @return what was measured; less than planned if it ended early, or if a JVM failed
     * @throws InterruptedException if this thread is interrupted
     */
    public <R> List<R> run(List<Planned> all, Class<R> run, Progress progress, BooleanSupplier stop)
            throws InterruptedException {
        List<R> runs = new ArrayList<>();
        for (Planned next : all) {
            String name = next.store() + " " + next.what();
            try {
                Optional<String> answer = stop.getAsBoolean()
                        ? Optional.empty()
                        : AnsweringJvm.ask(
                                name, program, MAPPER.writeValueAsString(next.task()), next.patience(), stop);
                if (answer.isEmpty()) {
                    break;
                }
                runs.addAll(MAPPER.readerForListOf(run).<List<R>>readValue(answer.get()));
            } catch (IOException e) {
                failures.add(new Failure(next.store(), "FAILED: " + e.getMessage()));
            }
            progress.steps(next.weight(), name);
        }
        return runs;
    }

    /**
     * What became of JVMs that failed.
     *
     * @return one each
     */
    public List<Failure> failures() {
        return List.copyOf(failures);
    }
}
