// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.benchmarks.broker.ChainJvm.Task;
import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.messaging.AnsweringJvm;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** One JVM after the other, each with a database and a broker of its own. */
final class BrokerBenchmark {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final BrokerPlan plan;
    private final List<String> failures = new ArrayList<>();

    BrokerBenchmark(BrokerPlan plan) {
        this.plan = plan;
    }

    /**
     * Runs all. A JVM that fails is noted, and the others run.
     *
     * @param progress steps once per JVM
     * @param stop whether to end early
     * @return what was measured; less than planned if it ended early, or if a JVM failed
     */
    List<ChainRun> run(Progress progress, BooleanSupplier stop) throws InterruptedException {
        List<ChainRun> runs = new ArrayList<>();
        for (Task task : plan.tasks()) {
            String name = task.store() + " " + PayloadConverter.text(task.payload());
            try {
                Optional<String> answer = stop.getAsBoolean()
                        ? Optional.empty()
                        : AnsweringJvm.ask(name, ChainJvm.class, MAPPER.writeValueAsString(task), stop);
                if (answer.isEmpty()) {
                    break;
                }
                runs.add(MAPPER.readValue(answer.get(), ChainRun.class));
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
