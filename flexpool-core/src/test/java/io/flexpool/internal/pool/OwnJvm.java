// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program in a JVM of its own, with this JVM's Java and class path: for a test that chooses the JVM's options. */
final class OwnJvm {
    private static final long PATIENCE_SECONDS = 300;

    private static final String LOG = "logback.configurationFile";

    private OwnJvm() {}

    /**
     * Runs it to its end.
     *
     * @param program a class with a {@code main}
     * @param options of the JVM
     * @param arguments of the program
     * @return the lines that it wrote
     */
    static List<String> run(Class<?> program, List<String> options, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        String log = System.getProperty(LOG);
        if (log != null) {
            command.add("-D" + LOG + "=" + log);
        }
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        command.addAll(List.of(arguments));
        Path written = Files.createTempFile("own-jvm", ".txt");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(written.toFile())
                    .start();
            try {
                boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
                List<String> lines = Files.readAllLines(written);
                if (!ended || process.exitValue() != 0) {
                    throw new AssertionError(
                            (ended ? "failed: " : "did not end: ") + command + "\n" + String.join("\n", lines));
                }
                return lines;
            } finally {
                process.destroyForcibly();
            }
        } finally {
            Files.delete(written);
        }
    }
}
