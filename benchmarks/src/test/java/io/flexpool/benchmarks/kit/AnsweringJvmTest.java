// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AnsweringJvmTest {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /**
     * Answers a number after it has reported the number itself, fails at a word although a thread is left behind, and at a path creates a file that exists
     * until it is stopped.
     */
    static final class Program {
        private Program() {}

        public static void main(String[] args) throws IOException {
            if (args[0].startsWith("/")) {
                Path file = Path.of(args[0]);
                Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(file)));
                Files.createFile(file);
                LockSupport.parkNanos(Duration.ofMinutes(5).toNanos());
            } else if (args[0].equals("silence")) {
                System.out.println("nothing to say");
            } else {
                new Thread(() -> LockSupport.parkNanos(Duration.ofMinutes(5).toNanos())).start();
                AnsweringJvm.news("adding to " + args[0]);
                AnsweringJvm.answer(() -> Integer.toString(Integer.parseInt(args[0]) + 1));
            }
        }

        private static void delete(Path file) {
            try {
                Files.delete(file);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void theAnswerIsWhatTheProgramSays() throws IOException, InterruptedException {
        assertThat(AnsweringJvm.ask("sum", Program.class, "41", PATIENCE, () -> false))
                .contains("42");
    }

    @Test
    void newsComesBeforeTheAnswer() throws IOException, InterruptedException {
        List<String> news = new ArrayList<>();
        FreshJvm jvm = new FreshJvm(Program.class).arguments("41");

        assertThat(AnsweringJvm.ask("sum", jvm, PATIENCE, () -> false, news::add))
                .contains("42");
        assertThat(news).containsExactly("adding to 41");
    }

    @Test
    void aProgramThatFailsOrSaysNothingFailsWithItsName() {
        assertThatIOException()
                .isThrownBy(() -> AnsweringJvm.ask("sum", Program.class, "many", PATIENCE, () -> false))
                .withMessageStartingWith("sum: the JVM ended with 1: ")
                .withMessageContaining("NumberFormatException");
        assertThatIOException()
                .isThrownBy(() -> AnsweringJvm.ask("sum", Program.class, "silence", PATIENCE, () -> false))
                .withMessageStartingWith("sum: the JVM ended with 0: ")
                .withMessageEndingWith("nothing to say");
    }

    @Test
    void aProgramThatIsToStopClearsUp(@TempDir Path folder) throws IOException, InterruptedException {
        Path file = folder.resolve("running").toAbsolutePath();

        assertThat(AnsweringJvm.ask("file", Program.class, file.toString(), PATIENCE, () -> Files.exists(file)))
                .isEmpty();
        assertThat(file).doesNotExist();
    }

    @Test
    void aProgramThatHangsIsEndedAndSaidSo(@TempDir Path folder) {
        Path file = folder.resolve("running").toAbsolutePath();

        assertThatIOException()
                .isThrownBy(() ->
                        AnsweringJvm.ask("file", Program.class, file.toString(), Duration.ofMillis(500), () -> false))
                .withMessageStartingWith("file: the JVM did not answer within 0 s");
    }
}
