// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

/** Builds a pool and calls it once. A program, for {@link FirstBuildTest} has its JVM log the classes that are loaded for that. */
final class FirstBuild {
    private FirstBuild() {}

    /** Argument: the limit of the pool; 0 if it is only watched. */
    public static void main(String[] arguments) throws Exception {
        int base = Integer.parseInt(arguments[0]);
        SteadyPool.of("first", base).getConnection().close();
        System.exit(0);
    }
}
