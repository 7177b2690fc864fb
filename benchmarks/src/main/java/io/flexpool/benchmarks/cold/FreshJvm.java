// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.cold;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Runs {@link ColdCalls} in a JVM of its own, with this JVM's Java and class path and no other options. */
final class FreshJvm {
    private FreshJvm() {}

    /**
     * What one JVM measured.
     *
     * @param medianNs half of the calls took no longer
     * @param p99Ns 99 of 100 calls took no longer
     * @param sumNs all calls together
     */
    record Calls(long medianNs, long p99Ns, long sumNs) {}

    /**
     * Runs one variant's first calls and waits for the end.
     *
     * @throws IOException if the JVM cannot be started, or ends without figures; the message has what it said
     */
    static Calls run(String variant, int calls) throws IOException, InterruptedException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                ColdCalls.class.getName(),
                variant,
                Integer.toString(calls));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int exit = process.waitFor();
            return said.lines()
                    .filter(line -> exit == 0 && line.startsWith(ColdCalls.MARK))
                    .map(FreshJvm::calls)
                    .findFirst()
                    .orElseThrow(() -> new IOException(variant + ": the JVM ended with " + exit + ": " + said));
        } finally {
            process.destroy();
        }
    }

    private static Calls calls(String line) {
        String[] figures = line.split(" ", -1);
        return new Calls(Long.parseLong(figures[1]), Long.parseLong(figures[2]), Long.parseLong(figures[3]));
    }
}
