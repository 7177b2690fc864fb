// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.cold;

import io.flexpool.benchmarks.kit.ChildJvm;
import java.io.IOException;
import java.util.List;

/** Runs {@link ColdCalls} in a JVM of its own. */
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
        String[] figures = ChildJvm.run(variant, ColdCalls.class, List.of(variant, Integer.toString(calls)))
                .split(" ", -1);
        return new Calls(Long.parseLong(figures[0]), Long.parseLong(figures[1]), Long.parseLong(figures[2]));
    }
}
