// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.shared;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.security.PrivilegedAction;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/**
 * Makes flexpool's own threads: daemons that keep nothing of the thread that happens to create them. In a container
 * flexpool may sit in a class loader that all applications share; a thread that remembered the application whose pool
 * came first would hold that application's class loader for as long as any pool is open.
 *
 * <p>Not inherited: inheritable thread locals, the context class loader, and, on JDK 17 to 23, the access control context,
 * which names the protection domain, and so the class loader, of every class on the creator's stack. Thread-safe.
 */
public final class DaemonThreads {
    /** Runs an action under a context of no application; null where threads keep no such context, from JDK 24 on. */
    private static final @Nullable MethodHandle UNDER_NO_DOMAIN = underNoDomain();

    private DaemonThreads() {}

    /**
     * Makes a thread.
     *
     * @param name the thread's name
     * @param work what it runs
     * @return a daemon thread without a context class loader, not started
     */
    public static Thread create(String name, Runnable work) {
        PrivilegedAction<Thread> plain = () -> {
            Thread thread = new Thread(null, work, name, 0, false);
            thread.setDaemon(true);
            thread.setContextClassLoader(null);
            return thread;
        };
        MethodHandle guarded = UNDER_NO_DOMAIN;
        if (guarded == null) {
            return plain.run();
        }
        try {
            return (Thread) guarded.invoke(plain);
        } catch (RuntimeException | Error thrown) {
            throw thrown;
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * {@code AccessController.doPrivileged} with the context of one domain that has neither code nor loader. Found by name:
     * the class is deprecated for removal, and a JDK without it has nothing to be kept off.
     */
    private static @Nullable MethodHandle underNoDomain() {
        if (Runtime.version().feature() >= 24) {
            return null;
        }
        try {
            Class<?> context = Class.forName("java.security.AccessControlContext");
            ProtectionDomain[] none = {new ProtectionDomain(null, null)};
            Object noDomain = context.getConstructor(ProtectionDomain[].class).newInstance((Object) none);
            return MethodHandles.insertArguments(
                    MethodHandles.lookup()
                            .findStatic(
                                    Class.forName("java.security.AccessController"),
                                    "doPrivileged",
                                    MethodType.methodType(Object.class, PrivilegedAction.class, context)),
                    1,
                    noDomain);
        } catch (ReflectiveOperationException | LinkageError absent) {
            return null;
        }
    }
}
