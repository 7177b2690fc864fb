// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.overhead;

import io.flexpool.benchmarks.kit.JavaHome;
import io.flexpool.benchmarks.kit.Steps;
import io.flexpool.benchmarks.overhead.OverheadJvm.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * JVMs one after the other, of several Javas by turns: what disturbs the machine for a while then disturbs all Javas.
 */
final class OverheadSeries {
    private final OverheadJvm.Task task;
    private final List<JavaHome> javas;
    private final int jvms;

    /**
     * Nothing runs yet.
     *
     * @param jvms of each Java
     */
    OverheadSeries(OverheadJvm.Task task, List<JavaHome> javas, int jvms) {
        this.task = task;
        this.javas = javas;
        this.jvms = jvms;
    }

    /**
     * What the JVMs measured.
     *
     * @param planned how many there should have been
     * @param answers one for each that measured all, in their order
     * @param endedEarly why there are fewer; null if there are not
     */
    record Outcome(
            int planned, List<Answer> answers, @Nullable String endedEarly) {}

    int planned() {
        return javas.size() * jvms;
    }

    long steps() {
        return task.steps() * planned();
    }

    /**
     * Runs them all. The first one that fails is the last: what failed once would most likely fail again.
     *
     * @param stop asked several times a second whether to end early
     * @throws IOException if the very first fails; the message has what it said
     */
    Outcome run(Steps progress, BooleanSupplier stop) throws IOException, InterruptedException {
        List<Answer> answers = new ArrayList<>();
        while (answers.size() < planned()) {
            int number = answers.size() + 1;
            JavaHome java = javas.get(answers.size() % javas.size());
            Steps numbered = (steps, doing) -> progress.steps(steps, "JVM " + number + " " + doing);
            try {
                Optional<Answer> answer = OverheadJvm.measure(task, java, numbered, stop);
                if (answer.isEmpty()) {
                    return new Outcome(planned(), answers, "interrupted in JVM " + number);
                }
                answers.add(answer.get());
            } catch (IOException e) {
                if (answers.isEmpty()) {
                    throw e;
                }
                return new Outcome(planned(), answers, "JVM " + number + " failed: " + e.getMessage());
            }
        }
        return new Outcome(planned(), answers, null);
    }
}
