// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.FlexPoolDataSource;

/** Acquires and closes until the second compiler has compiled that. A program, for {@link InliningTest} chooses its JVM's options. */
final class InlinedCycles {
    private static final int CYCLES = 300_000;

    private InlinedCycles() {}

    /** Argument: the kind of the pool. */
    public static void main(String[] arguments) throws Exception {
        FlexPoolDataSource pool = switch (arguments[0]) {
            case "watched" -> SteadyPool.of("watched", 0);
            case "bound" -> SteadyPool.of("bound", 4);
            case "classed" -> SteadyPool.of("classed", 4, "interactive, batch");
            default -> throw new IllegalArgumentException(arguments[0]);
        };
        for (int cycle = 0; cycle < CYCLES; cycle++) {
            pool.getConnection().close();
        }
        // The compiler's threads write too.
        System.exit(0);
    }
}
