// SPDX-License-Identifier: Apache-2.0
package io.flexpool.junit5;

import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** A running test class, for the check at its end. Guarded by the lock of {@link RuleRun}, except constants. */
final class ClassScope {
    private final String title;
    private final @Nullable ClassScope around;
    private final boolean needsPool;

    /** The leases of the tests of the outermost class. */
    final LeaseTimes times;
    /** Whether a pool was open while a test of the class ran. */
    boolean watched;
    /** Whether a test of the class passed. */
    boolean passed;

    ClassScope(ExtensionContext context, @Nullable ClassScope around, RuleParameters parameters) {
        this.title = context.getRequiredTestClass().getSimpleName();
        this.around = around;
        boolean declared = AnnotationSupport.isAnnotated(context.getElement(), MaxLeases.class)
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

    /** Records the end of a test of the class, or of a nested class. */
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
