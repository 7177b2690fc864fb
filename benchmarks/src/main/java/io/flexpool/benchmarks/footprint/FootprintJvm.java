// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.footprint;

import io.flexpool.benchmarks.kit.AnsweringJvm;
import io.flexpool.benchmarks.kit.FreshJvm;
import io.flexpool.benchmarks.kit.JavaHome;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * A kind of JVM that {@link FootprintProgram} runs in.
 *
 * @param java which Java
 * @param processors how many processors it is to see
 */
record FootprintJvm(JavaHome java, int processors) {
    /** Far beyond what opening and wrapping a thousand pools takes. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /**
     * Measures one subject and waits for the end.
     *
     * @throws IOException if the JVM cannot be started, or ends without figures; the message has what it said
     */
    Measurement run(Subject subject, Plan plan, String classPath) throws IOException, InterruptedException {
        FreshJvm jvm = new FreshJvm(FootprintProgram.class)
                .java(java)
                .classPath(classPath)
                // The same collector whatever the processors, and room for what is measured.
                .options(List.of("-XX:+UseG1GC", "-Xmx1g", "-XX:ActiveProcessorCount=" + processors))
                .arguments(
                        subject.name(),
                        Integer.toString(plan.pools()),
                        Integer.toString(plan.size()),
                        Integer.toString(plan.restSeconds()),
                        Integer.toString(plan.measureSeconds()));
        Duration patience = PATIENCE.plusSeconds((long) plan.restSeconds() + plan.measureSeconds());
        return AnsweringJvm.ask(subject.toString(), jvm, Measurement.class, patience);
    }
}
