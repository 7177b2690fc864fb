// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import io.flexpool.server.ServerViewProvider;
import io.flexpool.spi.PoolPartProvider;
import java.io.IOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

/**
 * Announces PostgreSQL's server view. The runnable jar has that module but does not announce it, so the pools of the other
 * measurements are without a server view.
 */
public final class WithProvider {
    private static final String SERVICE = "META-INF/services/" + ServerViewProvider.class.getName();
    private static final String PART = "META-INF/services/" + PoolPartProvider.class.getName();

    private WithProvider() {}

    /**
     * What builds pools.
     *
     * @param <T> what it returns
     * @param <E> what it throws
     */
    @FunctionalInterface
    public interface Work<T, E extends Exception> {
        /**
         * Runs it.
         *
         * @return its result
         * @throws E if it fails
         */
        T run() throws E;
    }

    /**
     * Announces it to the pools that the calling thread builds meanwhile.
     *
     * @param <T> what the work returns
     * @param <E> what the work throws
     * @param work builds pools
     * @return what the work returns
     * @throws E if the work fails
     */
    public static <T, E extends Exception> T announced(Work<T, E> work) throws E {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(new Announcing(before));
        try {
            return work.run();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Finds the announcement that the jar is without. */
    private static final class Announcing extends ClassLoader {
        Announcing(ClassLoader parent) {
            super(parent);
        }

        @Override
        public Enumeration<URL> getResources(String name) throws IOException {
            if (name.equals(SERVICE)) {
                return Collections.enumeration(Collections.singleton(WithProvider.class.getResource("provider")));
            }
            Enumeration<URL> found = super.getResources(name);
            if (!name.equals(PART)) {
                return found;
            }
            List<URL> all = new ArrayList<>(Collections.list(found));
            all.add(WithProvider.class.getResource("part"));
            return Collections.enumeration(all);
        }
    }
}
