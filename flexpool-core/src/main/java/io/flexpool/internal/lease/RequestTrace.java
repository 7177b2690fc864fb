// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lease;

import java.lang.StackWalker.StackFrame;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The stack of a request. The call site is searched in it only if the name is read: filling a short stack takes 1 µs, a
 * {@linkplain CallSites#capture search} 3 µs. Both take 5 to 15 µs on a virtual thread that has just been parked, so a
 * request keeps its stack before it waits. It refers to classes, until the lease ends.
 */
final class RequestTrace extends CallSites.CallSite {
    private final CallSites sites;
    private final Throwable stack = new Throwable();
    /** The loader that finds the classes of the stack, which has only their names. */
    private final @Nullable ClassLoader loader = Thread.currentThread().getContextClassLoader();
    /** Two readers may both search it. */
    private volatile boolean searched;

    private @Nullable String found;

    /** Its lease counts for no call site, so it needs no separate figures. */
    private RequestTrace(CallSites sites) {
        super("", 0, sites.others.figures);
        this.sites = sites;
    }

    /**
     * The calling thread's trace; null without memory. Returned as supertype, so that only an alert loads this class.
     */
    static CallSites.@Nullable CallSite here(CallSites sites) {
        try {
            return new RequestTrace(sites);
        } catch (VirtualMachineError outOfMemory) {
            return null;
        }
    }

    @Override
    @Nullable
    String name() {
        if (!searched) {
            try {
                found = CallSites.name(
                        sites.first.apply(Arrays.stream(stack.getStackTrace()).map(Frame::new)));
            } catch (VirtualMachineError outOfMemory) {
                return null;
            }
            searched = true;
        }
        return found;
    }

    private final class Frame implements StackFrame {
        private final StackTraceElement element;

        Frame(StackTraceElement element) {
            this.element = element;
        }

        @Override
        public String getClassName() {
            return element.getClassName();
        }

        @Override
        public String getMethodName() {
            return element.getMethodName();
        }

        /** Null if neither the thread's class loader nor flexpool's finds it. */
        @Override
        public @Nullable Class<?> getDeclaringClass() {
            Class<?> found = loaded(loader);
            return found != null ? found : loaded(RequestTrace.class.getClassLoader());
        }

        private @Nullable Class<?> loaded(@Nullable ClassLoader by) {
            try {
                return Class.forName(element.getClassName(), false, by);
            } catch (ClassNotFoundException | LinkageError | RuntimeException elsewhere) {
                return null;
            }
        }

        @Override
        public int getByteCodeIndex() {
            return -1;
        }

        @Override
        public @Nullable String getFileName() {
            return element.getFileName();
        }

        @Override
        public int getLineNumber() {
            return element.getLineNumber();
        }

        @Override
        public boolean isNativeMethod() {
            return element.isNativeMethod();
        }

        @Override
        public StackTraceElement toStackTraceElement() {
            return element;
        }
    }
}
