// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A program in a separate JVM, with this JVM's Java and class path unless others are set. It writes its reports on
 * lines that begin with a mark, see {@link #report}; other output is only kept for the case that it fails.
 */
public final class FreshJvm {
    private static final int KEPT_LINES = 30;
    private static final long LOOK_MS = 100;
    private static final long END_SECONDS = 20;

    private final Class<?> program;
    private final List<String> options = new ArrayList<>();
    private final List<String> arguments = new ArrayList<>();
    private JavaHome java = JavaHome.own();
    private String classPath = System.getProperty("java.class.path");
    private String input = "";

    /**
     * Nothing runs yet.
     *
     * @param program a class with a {@code main}
     */
    public FreshJvm(Class<?> program) {
        this.program = program;
    }

    /** How a JVM ended. */
    public enum End {
        /** By itself. */
        EXITED,
        /** It reported nothing for too long, and was ended. */
        SILENT,
        /** It was to stop, and was ended. */
        STOPPED
    }

    /**
     * What is left of a JVM.
     *
     * @param end how it ended
     * @param exitCode its own, or that of having been ended
     * @param said the last lines that it wrote without the mark
     */
    public record Ended(End end, int exitCode, String said) {}

    /** A line, or the end of what the JVM writes. */
    private record Line(Optional<String> text) {}

    /**
     * Sets the Java that runs the program, instead of this JVM's.
     *
     * @param home its installation
     * @return this
     */
    public FreshJvm java(JavaHome home) {
        java = home;
        return this;
    }

    /**
     * Sets where classes are looked for, instead of on this JVM's class path.
     *
     * @param entries as on the command line
     * @return this
     */
    public FreshJvm classPath(String entries) {
        classPath = entries;
        return this;
    }

    /**
     * Sets options of the JVM.
     *
     * @param more as on the command line
     * @return this
     */
    public FreshJvm options(List<String> more) {
        options.addAll(more);
        return this;
    }

    /**
     * Sets the program's arguments, which others can read in the list of processes.
     *
     * @param more as its {@code main} gets them
     * @return this
     */
    public FreshJvm arguments(String... more) {
        arguments.addAll(List.of(more));
        return this;
    }

    /**
     * Sets what the program reads on its standard input; a password goes this way.
     *
     * @param text all of it
     * @return this
     */
    public FreshJvm input(String text) {
        input = text;
        return this;
    }

    /**
     * Writes a line for the JVM that waits. For the program; in one piece, so that no log message comes between.
     *
     * @param mark what the line begins with
     * @param text the rest of it
     */
    public static void report(String mark, String text) {
        // An answer to the program that waits, and no log.
        PrintStream answer = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        answer.print("\n" + mark + " " + text + "\n");
        answer.flush();
    }

    /**
     * Runs the program and waits for its end.
     *
     * @param mark what the lines begin with that are handed on
     * @param patience how long it may report nothing
     * @param stop asked ten times a second whether to end it
     * @param reports receives each line that begins with the mark, without the mark, at once
     * @return how it ended
     * @throws IOException if it cannot be started
     * @throws InterruptedException if this thread is interrupted; the JVM is ended then
     */
    public Ended run(String mark, Duration patience, BooleanSupplier stop, Consumer<String> reports)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(java.launcher().toString());
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, program.getName()));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            BlockingQueue<Line> lines = read(process);
            write(process);
            return follow(process, lines, new Listening(mark + " ", patience, stop, reports));
        } finally {
            end(process);
        }
    }

    private record Listening(String mark, Duration patience, BooleanSupplier stop, Consumer<String> reports) {}

    private static Ended follow(Process process, BlockingQueue<Line> lines, Listening listening)
            throws InterruptedException {
        Deque<String> said = new ArrayDeque<>();
        long heardAt = System.nanoTime();
        while (true) {
            Line line = lines.poll(LOOK_MS, TimeUnit.MILLISECONDS);
            if (line != null && line.text().isEmpty()) {
                return ended(End.EXITED, process, said);
            }
            if (line != null && line.text().get().startsWith(listening.mark())) {
                listening
                        .reports()
                        .accept(line.text().get().substring(listening.mark().length()));
                heardAt = System.nanoTime();
            } else if (line != null) {
                keep(said, line.text().get());
            }
            if (listening.stop().getAsBoolean()) {
                return ended(End.STOPPED, process, said);
            }
            if (System.nanoTime() - heardAt > listening.patience().toNanos()) {
                return ended(End.SILENT, process, said);
            }
        }
    }

    /** Asks first: its shutdown hooks stop what it has started and delete what it has written. */
    private static void end(Process process) throws InterruptedException {
        process.destroy();
        if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }

    private static void keep(Deque<String> said, String line) {
        if (!line.isBlank()) {
            said.addLast(line);
        }
        if (said.size() > KEPT_LINES) {
            said.removeFirst();
        }
    }

    private static Ended ended(End end, Process process, Deque<String> said) throws InterruptedException {
        if (end != End.EXITED) {
            end(process);
        }
        return new Ended(end, process.waitFor(), String.join("\n", said));
    }

    private void write(Process process) throws IOException {
        try (OutputStream out = process.getOutputStream()) {
            out.write(input.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            if (process.isAlive()) {
                throw e;
            }
            // It ended without reading; its output shows why.
        }
    }

    private static BlockingQueue<Line> read(Process process) {
        BlockingQueue<Line> lines = new LinkedBlockingQueue<>();
        Thread reader = new Thread(() -> read(process, lines), "fresh-jvm-reader");
        reader.setDaemon(true);
        reader.start();
        return lines;
    }

    private static void read(Process process, BlockingQueue<Line> lines) {
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            in.lines().map(text -> new Line(Optional.of(text))).forEach(lines::add);
        } catch (IOException | UncheckedIOException e) {
            // It was ended while it wrote; that is reported elsewhere.
        }
        lines.add(new Line(Optional.empty()));
    }
}
