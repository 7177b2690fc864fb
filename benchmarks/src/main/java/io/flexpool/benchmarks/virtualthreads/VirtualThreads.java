// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.virtualthreads;

import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Virtual threads, if this JVM has them. By reflection, because the program is compiled for Java 17. */
final class VirtualThreads {
    /** The first Java that has them. */
    static final int LEAST = 21;

    private VirtualThreads() {}

    /** Why there are none here; empty if there are. */
    static Optional<String> unavailable() {
        return unavailable(Runtime.version().feature());
    }

    static Optional<String> unavailable(int feature) {
        return feature >= LEAST
                ? Optional.empty()
                : Optional.of("virtual threads need Java " + LEAST + " or newer, and this is Java " + feature
                        + ": run the jar with a newer one, which for all figures is 24 or newer");
    }

    /** Runs each task on a virtual thread of its own. */
    static ExecutorService executor() {
        try {
            return (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(unavailable().orElse("no virtual threads"), e);
        }
    }
}
