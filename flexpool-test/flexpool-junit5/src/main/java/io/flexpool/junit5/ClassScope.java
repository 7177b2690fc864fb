// SPDX-License-Identifier: Apache-2.0
package io.flexpool.junit5;

import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** A test class that runs, for what is judged at its end. Guarded by the lock of {@link RuleRun}, but for what never changes. */
final class ClassScope {
    private final String title;
    private final @Nullable ClassScope around;
    private final boolean needsPool;

    /** What the tests of the outermost class did. */
    final LeaseTimes times;
    /** Whether a pool was open while one of its tests ran. */
    boolean watched;
    /** Whether one of its tests passed. */
    boolean passed;

    ClassScope(ExtensionContext context, @Nullable ClassScope around, RuleParameters parameters) {
        this.title = context.getRequiredTestClass().getSimpleName();
        this.around = around;
        boolean declared = AnnotationSupport.isAnnotated(context.getElement(), MostLeases.class)
                || AnnotationSupport.isAnnotated(context.getElement(), NoIoWhileHeld.class)
                || AnnotationSupport.findRepeatableAnnotations(context.getElement(), ExtendWith.class).stream()
                        .flatMap(with -> Stream.of(with.value()))
                        .anyMatch(LeaseRules.class::equals);
        this.needsPool = declared && LeakCheck.needsPool(context);
        this.times = around == null ? new LeaseTimes() : around.times;
    }

    String title() {
        return title;
    }

    boolean isOutermost() {
        return around == null;
    }

    /** A test of it, or of a class within it, has ended. */
    void tested(boolean itPassed, boolean itWasWatched) {
        passed |= itPassed;
        watched |= itWasWatched;
        if (around != null) {
            around.tested(itPassed, itWasWatched);
        }
    }

    boolean passedUnwatched() {
        return needsPool && passed && !watched;
    }
}
