// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.persistence;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.messaging.AnsweringJvm;
import io.flexpool.benchmarks.persistence.FanJvm.Task;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** One JVM after the other, each with a store and a broker of its own. */
final class PersistenceBenchmark {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final PersistencePlan plan;
    private final List<String> failures = new ArrayList<>();

    PersistenceBenchmark(PersistencePlan plan) {
        this.plan = plan;
    }

    /**
     * Runs all. A JVM that fails is noted, and the others run.
     *
     * @param progress steps once per JVM
     * @param stop whether to end early
     * @return what was measured; less than planned if it ended early, or if a JVM failed
     */
    List<FanRun> run(Progress progress, BooleanSupplier stop) throws InterruptedException {
        List<FanRun> runs = new ArrayList<>();
        for (Task task : plan.tasks()) {
            String name = task.store() + " "
                    + task.workloads().stream().map(Workload::name).collect(Collectors.joining(","));
            try {
                Optional<String> answer = stop.getAsBoolean()
                        ? Optional.empty()
                        : AnsweringJvm.ask(name, FanJvm.class, MAPPER.writeValueAsString(task), stop);
                if (answer.isEmpty()) {
                    break;
                }
                runs.addAll(MAPPER.readValue(answer.get(), new TypeReference<List<FanRun>>() {}));
            } catch (IOException e) {
                failures.add("FAILED: " + e.getMessage());
            }
            progress.step(name);
        }
        return runs;
    }

    /** What became of JVMs that failed, one sentence each. */
    List<String> failures() {
        return List.copyOf(failures);
    }
}
