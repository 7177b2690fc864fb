// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.messaging;

import io.flexpool.benchmarks.kit.FreshJvm;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** A program in a JVM of its own that says one thing, at its end. */
public final class AnsweringJvm {
    private static final String MARK = "answer";
    /** The program itself notices when nothing moves; a slow store may take hours. */
    private static final Duration PATIENCE = Duration.ofHours(12);

    private AnsweringJvm() {}

    /**
     * For the program.
     *
     * @param answer one line
     */
    public static void answer(String answer) {
        FreshJvm.tell(MARK, answer);
    }

    /**
     * Runs a program and waits for its answer.
     *
     * @param what is being run, for the message of a failure
     * @param program a class with a {@code main}
     * @param question its only argument
     * @param stop asked several times a second whether to end it
     * @return its answer; empty if it was to stop
     * @throws IOException if it cannot be started, fails or does not answer; the message has what it said
     * @throws InterruptedException if this thread is interrupted; the JVM is ended then
     */
    public static Optional<String> ask(String what, Class<?> program, String question, BooleanSupplier stop)
            throws IOException, InterruptedException {
        List<String> told = new ArrayList<>();
        FreshJvm.Ended ended = new FreshJvm(program).arguments(question).run(MARK, PATIENCE, stop, told::add);
        if (ended.exitCode() == 0 && told.size() == 1) {
            return Optional.of(told.get(0));
        }
        // Ctrl-C reaches both JVMs, and the other one may be the first to end.
        if (ended.end() == FreshJvm.End.STOPPED || stop.getAsBoolean()) {
            return Optional.empty();
        }
        throw new IOException(what + ": the JVM ended with " + ended.exitCode() + ": " + ended.said());
    }
}
