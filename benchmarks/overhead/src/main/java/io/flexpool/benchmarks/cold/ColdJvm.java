// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.cold;

import io.flexpool.benchmarks.kit.AnsweringJvm;
import io.flexpool.benchmarks.kit.FreshJvm;
import java.io.IOException;
import java.time.Duration;

/** Runs {@link ColdCalls} in its own JVM. */
final class ColdJvm {
    /** Far beyond what a million calls take. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private ColdJvm() {}

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
        FreshJvm jvm = new FreshJvm(ColdCalls.class).arguments(variant, Integer.toString(calls));
        String[] figures = AnsweringJvm.ask(variant, jvm, PATIENCE, () -> false, news -> {})
                .orElseThrow()
                .split(" ", -1);
        return new Calls(Long.parseLong(figures[0]), Long.parseLong(figures[1]), Long.parseLong(figures[2]));
    }
}
