// SPDX-License-Identifier: Apache-2.0
package io.flexpool.junit5;

import io.flexpool.FlexPoolDataSource;
import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** A running test method or class. Guarded by the lock of {@link TestRun}, except constants. */
final class Scope {
    private final String id;
    private final String title;
    private final @Nullable List<FlexPoolDataSource> only;
    private final boolean mayLeak;
    private final boolean mayNest;
    private final boolean needsPool;
    /** The test's own thread: JUnit calls the extension on the thread that runs the test. */
    private final long threadId = Thread.currentThread().getId();

    /** The leases open at its beginning. */
    final Set<HeldLease.Key> before = new HashSet<>();
    /** The scopes that ran at the same time, except its own class and methods. */
    final Set<String> beside = new TreeSet<>();
    /** The nested acquisitions of its threads. */
    final List<String> nested = new ArrayList<>();
    /** Whether a checked pool was open meanwhile. */
    boolean watched;
    /** Whether a test method passed meanwhile. */
    boolean passed;

    /**
     * Begins on the calling thread.
     *
     * @param only the pools to check; null for all
     * @param needsPool whether the test must fail without a pool
     */
    Scope(ExtensionContext context, @Nullable List<FlexPoolDataSource> only, boolean needsPool) {
        this.id = context.getUniqueId();
        this.title = context.getRequiredTestClass().getSimpleName()
                + context.getTestMethod()
                        .map(method -> "." + method.getName() + ": " + context.getDisplayName())
                        .orElse("");
        this.only = only;
        this.mayLeak = says(context, LeakAllowed.class);
        this.mayNest = says(context, NestingAllowed.class);
        this.needsPool = needsPool && only == null;
    }

    /** Searches the method, its class, and the enclosing classes. */
    private static boolean says(ExtensionContext context, Class<? extends Annotation> annotation) {
        Optional<ExtensionContext> at = Optional.of(context);
        while (at.isPresent()) {
            if (AnnotationSupport.isAnnotated(at.get().getElement(), annotation)) {
                return true;
            }
            at = at.get().getParent();
        }
        return false;
    }

    String title() {
        return title;
    }

    boolean mayLeak() {
        return mayLeak;
    }

    boolean mayNest() {
        return mayNest;
    }

    boolean passedUnwatched() {
        return needsPool && passed && !watched;
    }

    boolean runsOn(long thread) {
        return thread == threadId;
    }

    boolean looksAt(FlexPoolDataSource pool) {
        return only == null || only.contains(pool);
    }

    /** The pools to check as configured; empty for all pools. */
    List<FlexPoolDataSource> chosen() {
        return only == null ? List.of() : only;
    }

    /** A class and its methods are related: one begins and ends within the other. */
    boolean isApartFrom(Scope other) {
        // Each part of an id is in brackets, so no id is the prefix of another by accident.
        return !id.startsWith(other.id) && !other.id.startsWith(id);
    }
}
