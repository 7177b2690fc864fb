// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.benchmarks.kit.FreshJvm.End;
import io.flexpool.benchmarks.kit.FreshJvm.Ended;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FreshJvmTest {
    private static final Duration LONG = Duration.ofMinutes(2);

    private final List<String> reports = new ArrayList<>();

    static final class Talker {
        private Talker() {}

        public static void main(String[] args) throws IOException {
            System.err.println("a log message");
            FreshJvm.report("mark", args[0] + " " + System.getProperty("of.the.test"));
            FreshJvm.report("other", "not for us");
            FreshJvm.report("mark", new String(System.in.readAllBytes(), StandardCharsets.UTF_8));
            System.exit(3);
        }
    }

    static final class Sleeper {
        private Sleeper() {}

        public static void main(String[] args) {
            FreshJvm.report("mark", "I sleep");
            while (true) {
                LockSupport.park();
            }
        }
    }

    @Test
    void onlyMarkedLinesAreHandedOnAndTheRestIsKept() throws Exception {
        Ended ended = new FreshJvm(Talker.class)
                .options(List.of("-Dof.the.test=option"))
                .arguments("argument")
                .input("input")
                .run("mark", LONG, () -> false, reports::add);

        assertThat(reports).containsExactly("argument option", "input");
        assertThat(ended.end()).isEqualTo(End.EXITED);
        assertThat(ended.exitCode()).isEqualTo(3);
        assertThat(ended.said()).contains("a log message").contains("other not for us");
    }

    @Test
    void itRunsOnTheJavaAndTheClassPathThatAreSet(@TempDir Path folder) throws Exception {
        Path launcher = Files.createDirectory(folder.resolve("bin")).resolve("java");
        Files.writeString(launcher, "#!/bin/sh\necho \"mark $*\"\n");
        assertThat(launcher.toFile().setExecutable(true)).isTrue();

        new FreshJvm(Talker.class)
                .java(new JavaHome.Converter().convert(folder.toString()))
                .classPath("a.jar:b.jar")
                .options(List.of("-Xmx1m"))
                .run("mark", LONG, () -> false, reports::add);

        assertThat(reports).containsExactly("-Xmx1m -cp a.jar:b.jar " + Talker.class.getName());
    }

    @Test
    void aSilentProcessIsEnded() throws Exception {
        Ended ended = new FreshJvm(Sleeper.class).run("mark", Duration.ofSeconds(4), () -> false, reports::add);

        assertThat(ended.end()).isEqualTo(End.SILENT);
        assertThat(ended.exitCode()).isNotZero();
    }

    @Test
    void aProcessThatIsToStopIsEnded() throws Exception {
        Ended ended = new FreshJvm(Sleeper.class).run("mark", LONG, () -> !reports.isEmpty(), reports::add);

        assertThat(reports).containsExactly("I sleep");
        assertThat(ended.end()).isEqualTo(End.STOPPED);
    }
}
