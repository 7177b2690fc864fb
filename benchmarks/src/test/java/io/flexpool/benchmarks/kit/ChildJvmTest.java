// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildJvmTest {
    /** Says its arguments, or nothing, or stays until it is told to end. */
    static final class Child {
        private Child() {}

        public static void main(String[] args) throws IOException {
            switch (args[0]) {
                case "answer" -> ChildJvm.answer(args[1]);
                case "stay" -> {
                    Path file = Path.of(args[1]);
                    Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(file)));
                    Files.createFile(file);
                    LockSupport.parkNanos(Duration.ofMinutes(5).toNanos());
                }
                default -> {
                    System.out.println("nothing to say");
                    System.exit(Integer.parseInt(args[1]));
                }
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
    void theAnswerIsWhatTheJvmSays() throws IOException, InterruptedException {
        assertThat(ChildJvm.run("child", Child.class, List.of("answer", "4 2"))).isEqualTo("4 2");
    }

    @Test
    void aJvmWithoutAnAnswerFailsWithWhatItSaid() {
        assertThatIOException()
                .isThrownBy(() -> ChildJvm.run("child", Child.class, List.of("fail", "3")))
                .withMessage("child: the JVM ended with 3: nothing to say\n");
        assertThatIOException()
                .isThrownBy(() -> ChildJvm.run("child", Child.class, List.of("fail", "0")))
                .withMessageStartingWith("child: the JVM ended with 0: ");
    }

    @Test
    void aJvmThatIsStoppedClearsUpAndHasNoAnswer(@TempDir Path folder) throws IOException, InterruptedException {
        Path file = folder.resolve("running");

        assertThat(ChildJvm.run("child", Child.class, List.of("stay", file.toString()), () -> Files.exists(file)))
                .isEmpty();
        assertThat(file).doesNotExist();
    }
}
