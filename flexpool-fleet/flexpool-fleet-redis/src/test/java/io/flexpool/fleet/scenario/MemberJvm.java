// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.scenario;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** A JVM of members, and what can happen to it. It ends with this JVM, however that ends. */
final class MemberJvm {
    private static final int KEPT_LINES = 30;
    private static final long END_SECONDS = 30;

    private final Process process;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<String> lines = new ArrayDeque<>();

    /**
     * Starts one.
     *
     * @param reports gets what it reports, without the mark, on a thread of its own
     */
    MemberJvm(MemberSetup setup, Consumer<String> reports) throws IOException {
        this.process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        MemberProgram.class.getName())
                .redirectErrorStream(true)
                .start();
        OutputStream input = process.getOutputStream();
        input.write((setup.line() + "\n").getBytes(StandardCharsets.UTF_8));
        input.flush();
        Thread reader = new Thread(() -> read(reports), "member-reader");
        reader.setDaemon(true);
        reader.start();
    }

    private void read(Consumer<String> reports) {
        String mark = MemberProgram.MARK + " ";
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.startsWith(mark)) {
                    reports.accept(line.substring(mark.length()));
                } else if (!line.isBlank()) {
                    keep(line);
                }
            }
        } catch (IOException ended) {
            keep("it was ended while it wrote");
        }
    }

    private void keep(String line) {
        lock.lock();
        try {
            lines.addLast(line);
            if (lines.size() > KEPT_LINES) {
                lines.removeFirst();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether it ended before it was asked to; then {@link #said()} may say why. */
    boolean ended() {
        return !process.isAlive();
    }

    /** The last lines that it wrote for people. */
    String said() {
        lock.lock();
        try {
            return String.join("\n", lines);
        } finally {
            lock.unlock();
        }
    }

    /** SIGKILL. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /**
     * SIGSTOP, and later SIGCONT. By a shell, which does the second also if this JVM is gone by then.
     *
     * @param seconds between them
     */
    void stopFor(int seconds) throws IOException {
        long pid = process.pid();
        new ProcessBuilder("sh", "-c", "kill -STOP " + pid + "; sleep " + seconds + "; kill -CONT " + pid)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Lets it close its pools and end. */
    void close() throws IOException, InterruptedException {
        process.getOutputStream().close();
        if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
            throw new IOException("A JVM does not end: " + List.of(said()));
        }
    }
}
