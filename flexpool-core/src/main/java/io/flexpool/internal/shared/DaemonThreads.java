// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.shared;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.security.PrivilegedAction;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/**
 * Creates flexpool's threads: daemons that inherit nothing from the creating thread. In a container flexpool may be in
 * a class loader that all applications share; a thread that kept a reference to the application of the first pool would
 * hold that application's class loader as long as any pool is open.
 *
 * <p>Not inherited: inheritable thread locals, the context class loader, and, on JDK 17 to 23, the access control
 * context, which names the protection domain, and so the class loader, of every class on the creator's stack.
 * Thread-safe.
 */
public final class DaemonThreads {
    /** Runs an action under a context of no application; null from JDK 24 on, where threads keep no such context. */
    private static final @Nullable MethodHandle UNDER_NO_DOMAIN = underNoDomain();

    private DaemonThreads() {}

    /** Creates a daemon thread without a context class loader, not started. */
    public static Thread create(String name, Runnable work) {
        PrivilegedAction<Thread> plain = () -> {
            Thread thread = new Thread(null, work, name, 0, false);
            thread.setDaemon(true);
            thread.setContextClassLoader(null);
            return thread;
        };
        MethodHandle guarded = UNDER_NO_DOMAIN;
        try {
            return guarded == null ? plain.run() : (Thread) guarded.invoke(plain);
        } catch (RuntimeException | Error thrown) {
            throw thrown;
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * {@code AccessController.doPrivileged} with the context of one domain that has neither code nor loader. Found by
     * name: the class is deprecated for removal, and a JDK without it needs no protection.
     */
    private static @Nullable MethodHandle underNoDomain() {
        if (Runtime.version().feature() >= 24) {
            return null;
        }
        try {
            Class<?> context = Class.forName("java.security.AccessControlContext");
            ProtectionDomain[] none = {new ProtectionDomain(null, null)};
            Object noDomain = context.getConstructor(ProtectionDomain[].class).newInstance((Object) none);
            Class<?> controller = Class.forName("java.security.AccessController");
            MethodType type = MethodType.methodType(Object.class, PrivilegedAction.class, context);
            MethodHandle run = MethodHandles.lookup().findStatic(controller, "doPrivileged", type);
            return MethodHandles.insertArguments(run, 1, noDomain);
        } catch (ReflectiveOperationException | LinkageError absent) {
            return null;
        }
    }
}
