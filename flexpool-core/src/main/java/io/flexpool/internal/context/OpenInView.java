// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.context;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Whether a connection is still held because Spring keeps the persistence context open until the view is rendered
 * ("open session in view"): Hibernate then returns a transaction's connection only at the end of the request.
 *
 * <p>Spring's filters for this are on the stack of a request. Its interceptor, which Spring Boot adds by default, is
 * not: it opens the context, returns, and closes it later. So an application's integration registers it, and a
 * connection held by a request outside a transaction counts as held by it. Programmatic transactions without Spring's
 * template are not on the stack either, and are not detected. Thread-safe.
 */
public final class OpenInView {
    private static final String KEY = "spring.jpa.open-in-view=false";
    private static final String DISPATCHER = "org.springframework.web.servlet.DispatcherServlet";
    private static final String TRANSACTION = "org.springframework.transaction.interceptor.TransactionAspectSupport";
    private static final String TEMPLATE = "org.springframework.transaction.support.TransactionTemplate";
    /** The filters of JPA and of each Hibernate version, in separate packages. */
    private static final String FILTERS = "org.springframework.orm.";

    private static final AtomicInteger INTERCEPTED = new AtomicInteger();

    private OpenInView() {}

    /** Notes that an application with the interceptor has started; the result, run once, notes its end. */
    public static Runnable begin() {
        INTERCEPTED.getAndIncrement();
        AtomicBoolean ended = new AtomicBoolean();
        return () -> {
            if (ended.compareAndSet(false, true)) {
                INTERCEPTED.getAndDecrement();
            }
        };
    }

    /** The setting that returns this stack's connection at the end of its transaction; null without open view. */
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
