// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.FlexPool;
import java.lang.reflect.Field;
import java.util.concurrent.locks.ReentrantLock;

/** Builds a pool and calls it once. A program, for {@link FirstBuildTest} has its JVM log the classes that are loaded for that. */
final class FirstBuild {
    private FirstBuild() {}

    /** Argument: the limit of the pool; 0 if it is only watched. */
    public static void main(String[] arguments) throws Exception {
        int base = Integer.parseInt(arguments[0]);
        // The first class that is counted.
        Class.forName(FlexPool.class.getName());
        // On a busy machine a tick could come before the end, and what it loads would be counted.
        Field lock = Housekeeper.class.getDeclaredField("lock");
        lock.setAccessible(true);
        ((ReentrantLock) lock.get(Housekeeper.SHARED)).lock();
        SteadyPool.of("first", base).getConnection().close();
        System.exit(0);
    }
}
