// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Runs a main class in a JVM of its own, with this JVM's Java and class path and no other options. What the JVM found
 * out is one line that it prints by {@link #answer}; all else that it prints counts only when it fails.
 */
public final class ChildJvm {
    private static final String MARK = "child-jvm-answer ";
    private static final long LOOK_MILLIS = 200;
    /** What a JVM that is asked to end needs to stop what it has started. */
    private static final long END_SECONDS = 30;

    private ChildJvm() {}

    /**
     * Called in the new JVM, once, with what it found out.
     *
     * @param answer one line
     */
    public static void answer(String answer) {
        System.out.println(MARK + answer);
    }

    /**
     * Runs a main class and waits for its end.
     *
     * @param what is being run, for the message of a failure
     * @param main the class with the main method
     * @param arguments of the main method
     * @return what it answered
     * @throws IOException if the JVM cannot be started, or ends without an answer; the message has what it said
     * @throws InterruptedException if the thread is interrupted; the JVM is ended then
     */
    public static String run(String what, Class<?> main, List<String> arguments)
            throws IOException, InterruptedException {
        return run(what, main, arguments, () -> false).orElseThrow();
    }

    /**
     * Runs a main class and waits for its end, or ends it when that is asked for.
     *
     * @param what is being run, for the message of a failure
     * @param main the class with the main method
     * @param arguments of the main method
     * @param stop whether the JVM shall be ended; asked several times a second
     * @return what it answered; empty if it was ended early
     * @throws IOException if the JVM cannot be started, or ends without an answer; the message has what it said
     * @throws InterruptedException if the thread is interrupted; the JVM is ended then
     */
    public static Optional<String> run(String what, Class<?> main, List<String> arguments, BooleanSupplier stop)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            // By another thread: who reads from a process can do nothing else.
            CompletableFuture<String> output = CompletableFuture.supplyAsync(() -> output(process));
            while (!process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                if (stop.getAsBoolean()) {
                    return Optional.empty();
                }
            }
            // Ctrl-C reaches both JVMs, this one's question may come second.
            return process.exitValue() != 0 && stop.getAsBoolean()
                    ? Optional.empty()
                    : Optional.of(answer(what, process.exitValue(), output.join()));
        } finally {
            end(process);
        }
    }

    private static String answer(String what, int exit, String said) throws IOException {
        return said.lines()
                .filter(line -> exit == 0 && line.startsWith(MARK))
                .map(line -> line.substring(MARK.length()))
                .findFirst()
                .orElseThrow(() -> new IOException(what + ": the JVM ended with " + exit + ": " + said));
    }

    private static String output(Process process) {
        try {
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Asks first: its shutdown hooks stop the servers that it has started. */
    private static void end(Process process) throws InterruptedException {
        process.destroy();
        if (process.isAlive() && !process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }
}
