// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.messaging;

import io.flexpool.benchmarks.kit.FreshJvm;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;

/** A program in a separate JVM that says one thing, at its end. */
public final class AnsweringJvm {
    private static final String MARK = "answer";
    private static final String FOLDER = "java.io.tmpdir";

    private AnsweringJvm() {}

    /**
     * For the program's {@code main}: answers and ends the JVM, even if threads are left behind. If there is no
     * answer, it says why and ends with 1.
     *
     * @param answer one line
     */
    public static void answer(Callable<String> answer) {
        int exitCode = 1;
        try {
            FreshJvm.report(MARK, answer.call());
            exitCode = 0;
        } catch (Exception | Error e) {
            // For the process that waits for the answer; a log may be turned off.
            e.printStackTrace(new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8));
        }
        System.exit(exitCode);
    }

    /**
     * Runs a program and waits for its answer. It has this JVM's folder for temporary files.
     *
     * @param what is being run, for the message of a failure
     * @param program a class with a {@code main}
     * @param question its only argument
     * @param patience how long it may take
     * @param stop asked several times a second whether to end it
     * @return its answer; empty if it was to stop
     * @throws IOException if it cannot be started, fails or does not answer; the message has what it said
     * @throws InterruptedException if this thread is interrupted; the JVM is ended then
     */
    public static Optional<String> ask(
            String what, Class<?> program, String question, Duration patience, BooleanSupplier stop)
            throws IOException, InterruptedException {
        List<String> reports = new ArrayList<>();
        FreshJvm.Ended ended = new FreshJvm(program)
                .options(List.of("-D" + FOLDER + "=" + System.getProperty(FOLDER)))
                .arguments(question)
                .run(MARK, patience, stop, reports::add);
        if (ended.exitCode() == 0 && reports.size() == 1) {
            return Optional.of(reports.get(0));
        }
        // Ctrl-C reaches both JVMs, and the other one may be the first to end.
        if (ended.end() == FreshJvm.End.STOPPED || stop.getAsBoolean()) {
            return Optional.empty();
        }
        String end = ended.end() == FreshJvm.End.SILENT
                ? "the JVM did not answer within " + patience.toSeconds() + " s"
                : "the JVM ended with " + ended.exitCode();
        throw new IOException(what + ": " + end + ": " + ended.said());
    }
}
