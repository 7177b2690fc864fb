// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spi;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.security.AccessControlContext;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.security.ProtectionDomain;
import java.util.concurrent.ThreadFactory;

/**
 * Creates flexpool's threads: daemons that inherit nothing from the creating thread. In a container flexpool may be in
 * a class loader that all applications share; a thread that kept a reference to the application of the first pool would
 * hold that application's class loader as long as any pool is open.
 *
 * <p>Not inherited: inheritable thread locals, the context class loader, and, on JDK 17 to 23, the access control
 * context, which names the protection domain, and so the class loader, of every class on the creator's stack. For the
 * integrations of frameworks, backends and parts, not for applications. Thread-safe.
 */
public final class DaemonThreads {
    /** From JDK 24 on threads keep no access control context. */
    private static final boolean KEEP_CONTEXT = Runtime.version().feature() < 24;

    /** Marks calls of code that is deprecated for removal, which the build otherwise forbids. */
    @Retention(RetentionPolicy.CLASS)
    @Target(ElementType.TYPE)
    @interface OnPurpose {}

    private DaemonThreads() {}

    /**
     * Creates a daemon thread without a context class loader.
     *
     * @param name the thread's name
     * @param work the thread's task
     * @return the thread, not started
     */
    public static Thread create(String name, Runnable work) {
        return KEEP_CONTEXT ? UnderNoDomain.create(name, work) : plain(name, work);
    }

    /**
     * Creates a factory of such threads for an executor.
     *
     * @param name the name of each thread
     * @return the factory
     */
    public static ThreadFactory named(String name) {
        return new Named(name);
    }

    private static final class Named implements ThreadFactory {
        private final String name;

        Named(String name) {
            this.name = name;
        }

        @Override
        public Thread newThread(Runnable work) {
            return create(name, work);
        }
    }

    private static Thread plain(String name, Runnable work) {
        Thread thread = new Thread(null, work, name, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        return thread;
    }

    /**
     * Creates threads under the context of one domain that has neither code nor loader. A separate class, loaded only
     * if needed, because it calls code that is deprecated for removal. Called without a method handle, which would
     * generate classes during the first {@code build()}.
     */
    @OnPurpose
    @SuppressWarnings("removal")
    private static final class UnderNoDomain implements PrivilegedAction<Thread> {
        private static final AccessControlContext NO_DOMAIN =
                new AccessControlContext(new ProtectionDomain[] {new ProtectionDomain(null, null)});

        private final String name;
        private final Runnable work;

        private UnderNoDomain(String name, Runnable work) {
            this.name = name;
            this.work = work;
        }

        static Thread create(String name, Runnable work) {
            return AccessController.doPrivileged(new UnderNoDomain(name, work), NO_DOMAIN);
        }

        @Override
        public Thread run() {
            return plain(name, work);
        }
    }
}
