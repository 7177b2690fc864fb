// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.cli.MethodTrace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Takes thread dumps of a running JVM with the JDK's {@code jcmd}. This leaves no agent and no recording in the JVM,
 * and threads only if the flight recorder has traced methods.
 *
 * <p>Two alternatives were tried and rejected. Reading MBeans by a running management agent leaves
 * {@code RMI Scheduler(0)} in the JVM. The default events of a flight recording before JDK 25 contain a wait only after
 * its end, and leave the recorder's threads. Of seven staged situations only plain demand had any waits in 5 s (422,
 * which {@code advise --jfr} reads).
 *
 * <p>With leases of a millisecond or longer, a trace has no measurable cost. With leases of microseconds it halves the
 * throughput: an event with its stack takes up to 5 µs of a processor. Cheaper settings lack the leases. The event's
 * threshold applies to the traced method, not to the lease, and would drop the short returns. Tracing only one of both
 * methods gives no lengths. Without stacks, a setting for both events, the call sites are missing.
 * {@code jdk.MethodTiming} alone took as much time. So a trace continues after its first second only if that second had
 * few events: a pool with so many leases is not exhausted.
 */
final class LiveJvm {
    private static final long PATIENCE_SECONDS = 60;
    private static final int TRACES_METHODS = 25;
    /** The length of a trace's first part, which decides whether the trace continues. */
    private static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** The cost of so many events is at most a tenth of a processor. */
    private static final int MOST_A_SECOND = 20_000;

    private static final String RECORDING = "flexpool-doctor";
    /** The largest dump of virtual threads, about 100,000 of them. */
    private static final long MOST_BYTES = 128L << 20;

    private static final ObjectMapper JSON = new ObjectMapper();
    /** Matches the second line only: the first also contains a version. */
    private static final Pattern VERSION = Pattern.compile("(?m)^JDK (?<feature>\\d+)");

    private static final Pattern CAUGHT = Pattern.compile("(?m)^SigCgt:\\s*(?<mask>[0-9a-f]+)$");
    private static final int HEX = 16;
    private static final long SIGQUIT = 1L << 2;

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
            throw new IOException("process " + pid + ": no such process is visible to this user; if it runs in a"
                    + " container, run flexpool there: docker exec or kubectl exec");
        }
        refuseOther();
    }

    /**
     * Refuses other processes: jcmd of older JDKs sends SIGQUIT to any process, which ends one that does not handle it.
     */
    private void refuseOther() throws IOException {
        Path status = Path.of("/proc", String.valueOf(pid), "status");
        if (Files.isReadable(status)) {
            Matcher caught = CAUGHT.matcher(Files.readString(status));
            if (caught.find() && (Long.parseUnsignedLong(caught.group("mask"), HEX) & SIGQUIT) == 0) {
                throw new IOException("process " + pid + " is not a JVM, or was started with -Xrs");
            }
        }
    }

    /** The reason for a refusal: only a JVM's user and root can read the JVM. */
    private String refusal() {
        String owner =
                ProcessHandle.of(pid).flatMap(process -> process.info().user()).orElse("an unknown user");
        String own = System.getProperty("user.name");
        return owner.equals(own)
                ? "process " + pid + " does not answer: it is not a JVM, or its attach mechanism is disabled"
                : "process " + pid + " belongs to " + owner + " and cannot be read by " + own + ": run the program as "
                        + owner;
    }

    /**
     * Takes one dump.
     *
     * @throws IOException if the process does not respond; the message has the reason
     */
    ThreadDump dump() throws IOException, InterruptedException {
        String printed = run("Thread.print", "-l");
        List<ThreadDump> dumps = ThreadDump.ofText(printed);
        if (dumps.isEmpty()) {
            throw new IOException(refusal());
        }
        ThreadDump dump = dumps.get(0);
        return dump.lacksVirtualThreads() ? withVirtualThreads(dump) : dump;
    }

    /**
     * Adds the virtual threads, which only {@code Thread.dump_to_file} contains. That dump alone is not enough: before
     * JDK 25 it lacks the locks of platform threads.
     */
    private ThreadDump withVirtualThreads(ThreadDump printed) throws InterruptedException {
        try (SharedFile file = SharedFile.of(pid, ".json")) {
            run("Thread.dump_to_file", "-overwrite", "-format=json", file.there());
            ThreadDump written = Files.size(file.here()) > MOST_BYTES
                    ? null
                    : ThreadDump.ofJson(JSON.readTree(file.here().toFile()));
            return written == null ? printed : printed.withVirtualThreadsOf(written);
        } catch (IOException unreadable) {
            // The diagnosis then reports that virtual threads are missing.
            return printed;
        }
    }

    /** The failed connects in the JVM's log of exceptions; none without such a log. */
    RefusedConnects refused() throws IOException, InterruptedException {
        return RefusedConnects.of(run("VM.events"));
    }

    /** Whether the JVM can trace methods, as since JDK 25. */
    boolean canTrace() throws IOException, InterruptedException {
        Matcher version = VERSION.matcher(run("VM.version"));
        return version.find() && Integer.parseInt(version.group("feature")) >= TRACES_METHODS;
    }

    /**
     * Traces requests and returns of connections for some time; with many events only for a second. Removes the
     * recording afterwards, also after an interrupt of this program.
     *
     * @param nanos the duration
     * @param kept the file in which to keep the recording; null to remove it
     * @throws IOException if recording fails; the message has the reason
     */
    LeaseTimes trace(long nanos, @Nullable Path kept) throws IOException, InterruptedException {
        try (SharedFile file = SharedFile.of(pid, ".jfr");
                // A settings file, because before JDK 24 either side refuses commands of more than 1,024 characters.
                SharedFile settings = SharedFile.of(pid, ".jfc")) {
            Files.writeString(settings.here(), MethodTrace.settings());
            return trace(nanos, kept, file, settings);
        }
    }

    private LeaseTimes trace(long nanos, @Nullable Path kept, SharedFile file, SharedFile settings)
            throws IOException, InterruptedException {
        Thread ended = new Thread(this::stop, "flexpool-doctor-stop");
        Runtime.getRuntime().addShutdownHook(ended);
        boolean running = true;
        try {
            String started = run("JFR.start", "name=" + RECORDING, "settings=" + settings.there());
            if (!started.contains("Started recording")) {
                throw new IOException("process " + pid + ": the method trace was not started: "
                        + started.lines().skip(1).findFirst().orElse("no answer"));
            }
            pause(Math.min(nanos, FIRST_NANOS));
            run("JFR.dump", "name=" + RECORDING, "filename=" + file.there());
            boolean many = nanos > FIRST_NANOS && MethodTrace.hasMore(file.here(), MOST_A_SECOND);
            if (nanos > FIRST_NANOS && !many) {
                pause(nanos - FIRST_NANOS);
                run("JFR.dump", "name=" + RECORDING, "filename=" + file.there());
            }
            stop();
            running = false;
            if (kept != null) {
                Files.copy(file.here(), kept, StandardCopyOption.REPLACE_EXISTING);
            }
            LeaseTimes times = LeaseTimes.of(MethodTrace.read(file.here()));
            return many ? times.endedBy("more than " + MOST_A_SECOND + " requests and returns in a second") : times;
        } finally {
            if (running) {
                stop();
            }
            Runtime.getRuntime().removeShutdownHook(ended);
        }
    }

    private void stop() {
        try {
            run("JFR.stop", "name=" + RECORDING);
        } catch (IOException gone) {
            // The process has ended, so no recording is left.
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    static void pause(long nanos) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() - end < 0) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            LockSupport.parkNanos(end - System.nanoTime());
        }
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
