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

/**
 * A test method or a class, while it runs. Guarded by the lock of {@link TestRun}, but for what never changes.
 */
final class Scope {
    private final String id;
    private final String title;
    private final @Nullable List<FlexPoolDataSource> only;
    private final boolean mayLeak;
    private final boolean mayNest;
    /** The test's own thread: JUnit calls before and after a test on the one that runs it. */
    private final long threadId = Thread.currentThread().getId();

    /** What was out when it began. */
    final Set<Out.Key> before = new HashSet<>();
    /** What else ran meanwhile, but for its own class and its own methods. */
    final Set<String> beside = new TreeSet<>();
    /** What its threads asked for although they held one. */
    final List<String> nested = new ArrayList<>();

    Scope(ExtensionContext context, @Nullable List<FlexPoolDataSource> only) {
        this.id = context.getUniqueId();
        this.title = context.getRequiredTestClass().getSimpleName()
                + context.getTestMethod()
                        .map(method -> "." + method.getName() + ": " + context.getDisplayName())
                        .orElse("");
        this.only = only;
        this.mayLeak = says(context, LeakAllowed.class);
        this.mayNest = says(context, NestingAllowed.class);
    }

    /** On the method, its class, or a class around that. */
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

    boolean runsOn(long thread) {
        return thread == threadId;
    }

    boolean looksAt(FlexPoolDataSource pool) {
        return only == null || only.contains(pool);
    }

    /** The pools that it was told to look at; empty if at all there are. */
    List<FlexPoolDataSource> told() {
        return only == null ? List.of() : only;
    }

    /** A class and its methods are one: they begin and end around each other. */
    boolean isApartFrom(Scope other) {
        // Each part of an id is in brackets, so none begins like another by chance.
        return !id.startsWith(other.id) && !other.id.startsWith(id);
    }
}
