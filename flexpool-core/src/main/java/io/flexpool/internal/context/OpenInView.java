// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.context;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Whether a connection is still held because Spring keeps the persistence context open until the view is rendered ("open session
 * in view"): Hibernate then gives the connection of a transaction back at the end of the request, not of the transaction.
 *
 * <p>Spring's filters for it are on the stack of a request. Its interceptor, which Spring Boot adds by default, is not: it opens
 * the context, returns, and closes it later. So an application's integration says that there is one, and a request that is being
 * dispatched outside of a transaction counts as held by it. Programmatic transactions without Spring's template are not on a
 * stack either, and look like none. Thread-safe.
 */
public final class OpenInView {
    private static final String KEY = "spring.jpa.open-in-view=false";
    private static final String DISPATCHER = "org.springframework.web.servlet.DispatcherServlet";
    private static final String TRANSACTION = "org.springframework.transaction.interceptor.TransactionAspectSupport";
    private static final String TEMPLATE = "org.springframework.transaction.support.TransactionTemplate";
    /** Of JPA and of each Hibernate, in packages of their own. */
    private static final String FILTERS = "org.springframework.orm.";

    private static final AtomicInteger INTERCEPTED = new AtomicInteger();

    private OpenInView() {}

    /** An application with the interceptor has started. Ends it, once. */
    public static Runnable begin() {
        INTERCEPTED.getAndIncrement();
        AtomicBoolean ended = new AtomicBoolean();
        return () -> {
            if (ended.compareAndSet(false, true)) {
                INTERCEPTED.getAndDecrement();
            }
        };
    }

    /**
     * What would give the connection of a thread with this stack back at the end of its transaction; null if it is not held by
     * an open view.
     */
    public static @Nullable String endedBy(StackTraceElement[] stack) {
        boolean intercepted = INTERCEPTED.get() > 0;
        for (StackTraceElement frame : stack) {
            String type = frame.getClassName();
            if (type.equals(TRANSACTION) || type.equals(TEMPLATE)) {
                return null;
            }
            if (intercepted && type.equals(DISPATCHER)) {
                return KEY;
            }
            if (type.startsWith(FILTERS) && type.endsWith("InViewFilter")) {
                return "an application without " + type.substring(type.lastIndexOf('.') + 1);
            }
        }
        return null;
    }
}
