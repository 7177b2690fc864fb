// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes thread dumps of a running JVM with the JDK's own {@code jcmd}, which leaves nothing behind: no agent, no recording, no
 * thread.
 */
final class LiveJvm {
    private static final long PATIENCE_SECONDS = 60;
    private static final int TRACES_METHODS = 25;
    private static final String RECORDING = "flexpool-doctor";
    private static final Pattern VERSION = Pattern.compile("JDK (?<feature>\\d+)");

    private final long pid;
    private final Path jcmd;

    LiveJvm(long pid) throws IOException {
        this.pid = pid;
        Path home = Path.of(System.getProperty("java.home"));
        Path plain = home.resolve("bin").resolve("jcmd");
        this.jcmd = Files.isExecutable(plain) ? plain : home.resolve("bin").resolve("jcmd.exe");
        if (!Files.isExecutable(jcmd)) {
            throw new IOException("process " + pid + " cannot be read: " + home
                    + " has no jcmd. Start flexpool with the java of a JDK, or give files.");
        }
        if (ProcessHandle.of(pid).isEmpty()) {
            throw new IOException("process " + pid + ": there is none that this user can see");
        }
    }

    /**
     * One dump.
     *
     * @throws IOException with the reason, if the process does not answer
     */
    ThreadDump dump() throws IOException, InterruptedException {
        String printed = run("Thread.print", "-l");
        List<ThreadDump> dumps = ThreadDump.ofText(printed);
        if (dumps.isEmpty()) {
            throw new IOException("process " + pid + " is no JVM, or a JVM of another user");
        }
        return dumps.get(0);
    }

    /** Whether it can trace methods: since JDK 25. */
    boolean canTrace() throws IOException, InterruptedException {
        Matcher version = VERSION.matcher(run("VM.version"));
        return version.find() && Integer.parseInt(version.group("feature")) >= TRACES_METHODS;
    }

    /**
     * Traces requests and returns of connections for some time. The recording is removed afterwards, also if this program is
     * interrupted.
     *
     * @throws IOException with the reason, if it cannot be recorded
     */
    LeaseTimes trace(Waiting waiting) throws IOException, InterruptedException {
        Path file = Files.createTempFile("flexpool-doctor", ".jfr");
        Thread ended = new Thread(this::stop, "flexpool-doctor-stop");
        Runtime.getRuntime().addShutdownHook(ended);
        try {
            String started = run("JFR.start", "name=" + RECORDING, "method-trace=" + LeaseTimes.FILTER);
            if (!started.contains("Started recording")) {
                throw new IOException("process " + pid + ": the method trace was not started: "
                        + started.lines().skip(1).findFirst().orElse("no answer"));
            }
            waiting.await();
            run("JFR.dump", "name=" + RECORDING, "filename=" + file);
            return LeaseTimes.of(file);
        } finally {
            stop();
            Runtime.getRuntime().removeShutdownHook(ended);
            Files.deleteIfExists(file);
        }
    }

    private void stop() {
        try {
            run("JFR.stop", "name=" + RECORDING);
        } catch (IOException gone) {
            // Nothing is left in a process that has ended.
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** What lasts as long as the recording. */
    interface Waiting {
        void await() throws InterruptedException;
    }

    private String run(String... command) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(jcmd.toString(), String.valueOf(pid)));
        all.addAll(List.of(command));
        Path output = Files.createTempFile("flexpool-doctor", ".txt");
        try {
            Process process = new ProcessBuilder(all)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            try {
                if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    throw new IOException("process " + pid + " has not answered for " + PATIENCE_SECONDS + " s");
                }
            } finally {
                process.destroy();
            }
            return new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
        } finally {
            Files.deleteIfExists(output);
        }
    }
}
