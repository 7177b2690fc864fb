// SPDX-License-Identifier: Apache-2.0
package io.flexpool.junit5;

import io.flexpool.diagnostics.OpenLease.OtherWork;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * Fails tests that use their pools in a way that is not allowed: more leases than {@link MaxLeases}, I/O while a lease
 * is held ({@link NoIoWhileHeld}), and call sites whose leases last longer than a baseline file allows. The annotations
 * bring this extension with them. Registered for all tests, or by {@code @ExtendWith}, it applies JUnit's configuration
 * parameters: the constants of this class.
 *
 * <p>A lease belongs to the test of the thread that took it, or to the test that runs alone. If tests run in parallel,
 * leases of other threads belong to no test and are not checked.
 *
 * <p>The JDK's Flight Recorder finds I/O: it records each event of a thread, not samples: {@code Thread.sleep}, and
 * reads and writes of sockets, however short; a wait inside a client that {@link OtherWork} knows, of HTTP, messages,
 * object stores, mail and others, however short; other waits for a lock or another thread from
 * {@value IoKind#WAIT_MILLIS} ms on, because shorter ones depend on the machine. I/O counts for the thread that took
 * the connection. Files, and the I/O of other threads, are not detected.
 */
public final class LeaseRules implements BeforeAllCallback, AfterAllCallback, BeforeEachCallback, AfterEachCallback {
    /** JUnit's configuration parameter for the maximum leases of each test, from 0 on. By default any number. */
    public static final String MAX_PARAMETER = "flexpool.leases.max";

    /** JUnit's configuration parameter, {@code true} to forbid I/O in all tests while they hold a lease. */
    public static final String NO_IO_PARAMETER = "flexpool.leases.no-io";

    /**
     * JUnit's configuration parameter for a file that has, for each call site, the median time of its leases, such as
     * {@code OrderService.place(OrderService.java) = 12ms}. Relative to the working directory, usually the module's
     * directory.
     */
    public static final String BASELINE_PARAMETER = "flexpool.leases.baseline";

    /**
     * JUnit's configuration parameter, {@code true} to write the baseline file at the end of the run, in place of the
     * comparison. Entries of call sites with fewer than {@value LeaseTimes#FEWEST} leases in the run stay.
     */
    public static final String WRITE_PARAMETER = "flexpool.leases.baseline.write";

    /** JUnit's configuration parameter for how many times its baseline a call site's median may be: 1 to 100, by default 3. */
    public static final String FACTOR_PARAMETER = "flexpool.leases.baseline.factor";

    /**
     * JUnit's configuration parameter for the median that is always allowed, for example {@code PT0.2S}, by default
     * {@code PT0.1S}: a lease of a millisecond takes a few on a busy machine.
     */
    public static final String FLOOR_PARAMETER = "flexpool.leases.baseline.floor";

    private static final Namespace NAMESPACE = Namespace.create(LeaseRules.class);

    /** Applies the annotations of the tests and the configuration parameters. */
    public LeaseRules() {
        // All its state is in JUnit's store.
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        RuleParameters parameters = new RuleParameters(context);
        LeaseBaseline baseline = parameters.baseline();
        if (baseline != null) {
            RuleRun.of(context, NAMESPACE).compareWith(baseline);
        }
        ClassScope around = enclosing(context);
        context.getStore(NAMESPACE).put(ClassScope.class, new ClassScope(context, around, parameters));
    }

    private static @Nullable ClassScope enclosing(ExtensionContext context) {
        return context.getParent()
                .map(parent -> parent.getStore(NAMESPACE).get(ClassScope.class, ClassScope.class))
                .orElse(null);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        TestScope scope = TestScope.of(context, new RuleParameters(context), enclosing(context));
        if (scope.applies()) {
            RuleRun.of(context, NAMESPACE).begin(scope);
            context.getStore(NAMESPACE).put(TestScope.class, scope);
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        TestScope scope = context.getStore(NAMESPACE).remove(TestScope.class, TestScope.class);
        if (scope != null) {
            RuleRun run = RuleRun.of(context, NAMESPACE);
            fail(run.end(scope, context.getExecutionException().isEmpty()));
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        ClassScope scope = context.getStore(NAMESPACE).remove(ClassScope.class, ClassScope.class);
        RuleRun run = RuleRun.ofRules(context, NAMESPACE);
        if (scope != null && run != null) {
            fail(run.end(scope));
        }
    }

    private static void fail(Optional<String> message) {
        message.ifPresent(text -> {
            throw new AssertionError(text);
        });
    }
}
