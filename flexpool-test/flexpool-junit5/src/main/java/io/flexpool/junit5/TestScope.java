// SPDX-License-Identifier: Apache-2.0
package io.flexpool.junit5;

import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** A running test and the rules that apply to it. Guarded by the lock of {@link RuleRun}, except constants. */
final class TestScope {
    private final String title;
    private final String method;
    private final OptionalInt most;
    private final String mostBy;
    private final boolean timed;
    private final boolean noIo;
    private final boolean needsPool;
    private final @Nullable ClassScope around;
    /** The test's own thread: JUnit calls the extension on the thread that runs the test. */
    private final long threadId = Thread.currentThread().getId();

    /** The leases that it took. */
    final List<TakenLease> taken = new ArrayList<>();
    /** The recording of its threads' I/O; null if not needed. */
    @Nullable
    IoRecording recording;
    /** Whether a pool was open meanwhile. */
    boolean watched;

    private TestScope(ExtensionContext context, RuleParameters parameters, @Nullable ClassScope around) {
        this.method = context.getRequiredTestMethod().getName();
        this.title = context.getRequiredTestClass().getSimpleName() + "." + method + ": " + context.getDisplayName();
        this.around = around;
        Optional<MaxLeases> limit = nearest(context, MaxLeases.class);
        limit.ifPresent(annotated -> {
            if (annotated.value() < 0) {
                throw RuleParameters.refused(
                        "@MaxLeases of " + title, String.valueOf(annotated.value()), "must be 0 or more");
            }
        });
        this.most = limit.map(annotated -> OptionalInt.of(annotated.value())).orElseGet(parameters::most);
        this.mostBy = limit.isPresent() ? "@MaxLeases" : LeaseRules.MAX_PARAMETER;
        this.timed = parameters.hasBaseline();
        this.noIo = nearest(context, IoAllowed.class).isEmpty()
                && (parameters.noIo() || nearest(context, NoIoWhileHeld.class).isPresent());
        this.needsPool = LeakCheck.needsPool(context)
                && (AnnotationSupport.isAnnotated(context.getElement(), MaxLeases.class)
                        || AnnotationSupport.isAnnotated(context.getElement(), NoIoWhileHeld.class));
    }

    static TestScope of(ExtensionContext context, RuleParameters parameters, @Nullable ClassScope around) {
        return new TestScope(context, parameters, around);
    }

    /** The annotation of the method, its class, or the nearest enclosing class with one. */
    private static <A extends Annotation> Optional<A> nearest(ExtensionContext context, Class<A> annotation) {
        Optional<ExtensionContext> at = Optional.of(context);
        while (at.isPresent()) {
            Optional<A> found = AnnotationSupport.findAnnotation(at.get().getElement(), annotation);
            if (found.isPresent()) {
                return found;
            }
            at = at.get().getParent();
        }
        return Optional.empty();
    }

    /** Whether any rule applies. */
    boolean applies() {
        return most.isPresent() || noIo || timed;
    }

    boolean noIo() {
        return noIo;
    }

    String title() {
        return title;
    }

    String method() {
        return method;
    }

    @Nullable
    ClassScope around() {
        return around;
    }

    boolean runsOn(long thread) {
        return thread == threadId;
    }

    /** Whether the test took more leases than allowed. */
    boolean tookTooMany() {
        return most.isPresent() && taken.size() > most.getAsInt();
    }

    /** The limit, and its origin. */
    String limit() {
        return most.orElse(0) + " (" + mostBy + ")";
    }

    boolean passedUnwatched(boolean passed) {
        return needsPool && passed && !watched;
    }
}
