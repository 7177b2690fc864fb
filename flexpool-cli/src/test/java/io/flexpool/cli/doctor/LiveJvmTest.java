// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.acme.shop.StagedShop;
import io.flexpool.cli.ProgramRun;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An application in another JVM is read, and stays as it was. */
@Timeout(120)
class LiveJvmTest {
    private static final int TRACES_METHODS = 25;
    private static final int VIRTUAL_THREADS = 21;

    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final List<String> AS_NOBODY =
            List.of("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups");
    /** Of the class path, what the program itself uses. */
    private static final Pattern NEEDED = Pattern.compile(
            "[\\\\/]classes|flexpool-[^\\\\/]*\\.jar|picocli|jackson|snakeyaml|slf4j-api|HdrHistogram|progressbar|jline");

    private final List<Process> started = new ArrayList<>();

    @TempDir
    private Path folder;

    @AfterEach
    void end() throws InterruptedException {
        for (Process each : started) {
            each.descendants().forEach(ProcessHandle::destroyForcibly);
            each.destroyForcibly().waitFor();
        }
    }

    private Process shop(String... before) throws IOException, InterruptedException {
        return shop("sleep", false, before);
    }

    private Process shop(String situation, boolean virtual, String... before) throws IOException, InterruptedException {
        return started(
                List.of(before),
                List.of(
                        JAVA,
                        "-Xmx128m",
                        "-XX:TieredStopAtLevel=1",
                        "-Dshop.virtual=" + virtual,
                        "-cp",
                        System.getProperty("java.class.path"),
                        StagedShop.class.getName(),
                        situation));
    }

    private Process started(List<String> before, List<String> command) throws IOException, InterruptedException {
        Path log = folder.resolve("app.log");
        Process process = new ProcessBuilder(
                        Stream.concat(before.stream(), command.stream()).toList())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        started.add(process);
        while (!Files.readString(log).contains("ready")) {
            assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
            TimeUnit.MILLISECONDS.sleep(50);
        }
        return process;
    }

    private static Set<String> threads(long pid) throws IOException, InterruptedException {
        return new LiveJvm(pid)
                .dump().threads().stream().map(DumpedThread::name).collect(Collectors.toCollection(TreeSet::new));
    }

    /** No recording before JDK 25, and never a management agent. From 25 on the threads of the flight recorder remain. */
    @Test
    void noThreadIsLeftInTheJvm() throws Exception {
        long pid = shop().pid();
        Set<String> before = threads(pid);
        ProgramRun run = ProgramRun.of("doctor", String.valueOf(pid), "--seconds", "1");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).startsWith("HikariCP: 28 requests wait: connections held without a running statement\n");
        Set<String> after = threads(pid);
        if (Runtime.version().feature() >= TRACES_METHODS) {
            after.removeIf(name -> name.startsWith("JFR "));
        }
        assertThat(before).containsAll(after);
    }

    /** Thread.print leaves them out, and the answer was unknown. */
    @Test
    void requestsOfVirtualThreadsAreSeen() throws Exception {
        assumeTrue(Runtime.version().feature() >= VIRTUAL_THREADS, "virtual threads need JDK 21");
        Set<Path> before = temporaryFiles();
        long pid = shop("sleep", true).pid();
        ProgramRun run = ProgramRun.of("doctor", String.valueOf(pid), "--seconds", "1");
        assertThat(run.out()).startsWith("HikariCP: 28 requests wait: connections held without a running statement\n");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(temporaryFiles()).isEqualTo(before);
    }

    /** No log is read. */
    @Test
    void aDatabaseThatRefusesIsNamed() throws Exception {
        ProgramRun run =
                ProgramRun.of("doctor", String.valueOf(shop("down", false).pid()), "--seconds", "1");
        assertThat(run.out()).contains("connecting to the database fails\n").contains(" of the pool failed");
        assertThat(run.code()).as(run.err()).isZero();
    }

    private static Set<Path> temporaryFiles() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(file -> file.getFileName().toString().startsWith("flexpool-doctor"))
                    .collect(Collectors.toSet());
        }
    }

    private static void assumeRootWith(String program) {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root starts processes of other users");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin", program)), () -> "this machine has no " + program);
    }

    /** A JVM of the user nobody. */
    private Process other() throws IOException, InterruptedException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path source = Files.writeString(folder.resolve("Other.java"), """
            public class Other {
                public static void main(String[] args) throws Exception {
                    System.out.println("ready");
                    Thread.sleep(600_000);
                }
            }
            """);
        return started(AS_NOBODY, List.of(JAVA, "-Xmx64m", "-XX:TieredStopAtLevel=1", source.toString()));
    }

    @Test
    void rootReadsAJvmOfAnotherUser() throws Exception {
        assumeRootWith("setpriv");
        ProgramRun run = ProgramRun.of("doctor", String.valueOf(other().pid()), "--seconds", "1");
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("no request waits for a connection in this evidence");
        assertThat(run.code()).isZero();
    }

    /** What can be read of this program's class path by root alone is copied. */
    @Test
    void theRefusalOfAnotherUsersJvmNamesWhoMayReadIt() throws Exception {
        assumeRootWith("setpriv");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path copied = Files.createDirectory(folder.resolve("copied"));
        List<String> classPath = new ArrayList<>();
        for (String each : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (NEEDED.matcher(each).find() && Files.exists(Path.of(each))) {
                Path copy = copied.resolve(String.valueOf(classPath.size()));
                try (Stream<Path> files = Files.walk(Path.of(each))) {
                    for (Path file : files.toList()) {
                        Files.copy(
                                file,
                                copy.resolve(Path.of(each).relativize(file).toString()));
                    }
                }
                classPath.add(copy.toString());
            }
        }
        Path output = folder.resolve("refusal.txt");
        long own = ProcessHandle.current().pid();
        List<String> command = new ArrayList<>(AS_NOBODY);
        command.addAll(List.of(
                JAVA,
                "-cp",
                String.join(File.pathSeparator, classPath),
                "io.flexpool.cli.FlexpoolCli",
                "doctor",
                String.valueOf(own)));
        int code = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start()
                .waitFor();
        assertThat(output)
                .hasContent("flexpool: process " + own
                        + " belongs to root and cannot be read by nobody: run the program as root");
        assertThat(code).isEqualTo(1);
    }

    /** As in a container: with numbers and temporary files of its own. */
    @Test
    void aJvmInAnotherPidNamespaceIsRead() throws Exception {
        assumeRootWith("unshare");
        List<String> namespace = List.of("unshare", "--pid", "--fork", "--mount-proc", "--kill-child");
        int allowed = new ProcessBuilder(
                        Stream.concat(namespace.stream(), Stream.of("true")).toList())
                .start()
                .waitFor();
        assumeTrue(allowed == 0, "this machine allows no PID namespaces");
        Process outer = shop(Stream.concat(
                        namespace.stream(), Stream.of("sh", "-c", "mount -t tmpfs tmpfs /tmp && exec \"$@\"", "sh"))
                .toArray(String[]::new));
        ProcessHandle inner = outer.children().findFirst().orElseThrow();
        ProgramRun run = ProgramRun.of("doctor", String.valueOf(inner.pid()), "--seconds", "1");
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .startsWith("HikariCP: 28 requests wait: connections held without a running statement\n")
                .contains("4 x StagedShop.pack(StagedShop.java:");
        try (Stream<Path> left = Files.list(Path.of("/proc", String.valueOf(inner.pid()), "root", "tmp"))) {
            assertThat(left.map(file -> file.getFileName().toString()))
                    .noneMatch(name -> name.startsWith("flexpool-doctor"));
        }
    }

    /** The signal by which jcmd wakes a JVM ends another process. */
    @Test
    void aProcessThatIsNoJvmIsNotTouched() throws Exception {
        Process other = new ProcessBuilder("sleep", "600").start();
        started.add(other);
        ProgramRun run = ProgramRun.of("doctor", String.valueOf(other.pid()));
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains("process " + other.pid() + " is not a JVM");
        assertThat(other.waitFor(1, TimeUnit.SECONDS)).isFalse();
    }
}
