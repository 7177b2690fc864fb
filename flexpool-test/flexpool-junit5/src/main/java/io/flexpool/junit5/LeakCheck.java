// SPDX-License-Identifier: Apache-2.0
package io.flexpool.junit5;

import io.flexpool.FlexPoolDataSource;
import java.lang.reflect.AnnotatedElement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Fails a test that leaks a connection, that is, ends with an open lease that began during the test, and a test in
 * which a thread requests a connection while holding another connection of the same pool. A failure names thread, call
 * site and age.
 *
 * <pre>{@code
 * @ExtendWith(LeakCheck.class)          // all pools of flexpool
 * class OrderTest { … }
 *
 * @RegisterExtension
 * static LeakCheck leaks = LeakCheck.of(dataSource).grace(Duration.ofSeconds(2));
 * }</pre>
 *
 * <p>Checks each test method with its {@code @BeforeEach} and {@code @AfterEach}, and each class with its {@code
 * @BeforeAll} and {@code @AfterAll}; each leak fails only one of them. While tests run, every call site is captured.
 * {@link LeakAllowed} and {@link NestingAllowed} permit intended cases. A test that declares the check also fails if
 * flexpool wraps no pool while it runs, because the check could find no leak.
 *
 * <p>Tests may run in parallel: a connection taken by a test's own thread is attributed to that test. A connection
 * taken by another thread is attributed to the test if it ran alone; otherwise the connection is checked again when the
 * last of the parallel tests ends, and attributed to that test, naming the other tests.
 */
public final class LeakCheck implements BeforeAllCallback, AfterAllCallback, BeforeEachCallback, AfterEachCallback {
    /**
     * How long a connection may take to return after a test: half a second. A server answers its client before its
     * thread closes the connection, and a test's client may be faster. Only tests that leave a lease open wait.
     */
    public static final Duration GRACE = Duration.ofMillis(500);

    /**
     * JUnit's configuration parameter for another grace period, for example {@code PT2S}, unless a check sets its own.
     */
    public static final String GRACE_PARAMETER = "flexpool.leak-check.grace";

    /**
     * JUnit's configuration parameter for checks and rules that are declared at a test, {@code false} to let the test
     * pass although flexpool wraps no pool while it runs; by default {@code true}: such a check finds nothing.
     */
    public static final String REQUIRE_POOL_PARAMETER = "flexpool.leak-check.require-pool";

    private static final Namespace NAMESPACE = Namespace.create(LeakCheck.class);
    private static final Duration LONGEST_GRACE = Duration.ofMinutes(1);

    private final @Nullable List<FlexPoolDataSource> only;
    private final @Nullable Duration grace;

    /**
     * Checks all pools that flexpool wraps, now or later, with the grace period in {@value #GRACE_PARAMETER}, otherwise
     * {@link #GRACE}.
     */
    public LeakCheck() {
        this(null, null);
    }

    private LeakCheck(@Nullable List<FlexPoolDataSource> only, @Nullable Duration grace) {
        this.only = only;
        this.grace = grace;
    }

    /**
     * Checks only these pools.
     *
     * @param dataSources data sources wrapped by flexpool, or wrappers of them
     * @return a check to register
     * @throws IllegalArgumentException if a data source is not wrapped by flexpool, or is disabled; or without data
     * sources
     */
    public static LeakCheck of(DataSource... dataSources) {
        List<FlexPoolDataSource> pools = new ArrayList<>();
        for (DataSource dataSource : dataSources) {
            pools.add(wrapped(Objects.requireNonNull(dataSource, "a data source is null")));
        }
        if (pools.isEmpty()) {
            throw new IllegalArgumentException("no data source is given; for all pools use new LeakCheck()");
        }
        return new LeakCheck(List.copyOf(pools), null);
    }

    private static FlexPoolDataSource wrapped(DataSource dataSource) {
        FlexPoolDataSource pool = null;
        try {
            if (dataSource.isWrapperFor(FlexPoolDataSource.class)) {
                pool = dataSource.unwrap(FlexPoolDataSource.class);
            }
        } catch (SQLException noWrapper) {
            throw new IllegalArgumentException("not wrapped by flexpool: " + dataSource, noWrapper);
        }
        if (pool == null || !pool.enabled()) {
            throw new IllegalArgumentException(
                    (pool == null ? "not wrapped by flexpool: " : "the pool is disabled: ") + dataSource);
        }
        return pool;
    }

    /**
     * Returns the same check with another grace period.
     *
     * @param period how long a connection may take to return after a test; from zero to a minute
     * @return another check, to register instead
     * @throws IllegalArgumentException if the period is out of range
     */
    public LeakCheck grace(Duration period) {
        return new LeakCheck(only, checked("grace", period));
    }

    private static Duration checked(String what, Duration period) {
        if (period.isNegative() || period.compareTo(LONGEST_GRACE) > 0) {
            throw new IllegalArgumentException(what + " = " + period + ": must be from PT0S to " + LONGEST_GRACE);
        }
        return period;
    }

    private Duration graceIn(ExtensionContext context) {
        return grace != null
                ? grace
                : context.getConfigurationParameter(GRACE_PARAMETER)
                        .map(LeakCheck::parsed)
                        .orElse(GRACE);
    }

    private static Duration parsed(String text) {
        try {
            return checked(GRACE_PARAMETER, Duration.parse(text));
        } catch (DateTimeParseException noDuration) {
            throw new IllegalArgumentException(
                    GRACE_PARAMETER + " = " + text + ": must be a duration like PT0.5S", noDuration);
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        begin(context);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        begin(context);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        end(context);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        end(context);
    }

    private void begin(ExtensionContext context) {
        Scope scope = new Scope(context, only, isDeclaredAt(context.getElement()) && needsPool(context));
        TestRun.of(context, NAMESPACE).begin(scope);
        // Stored per check, because a class may have two checks.
        context.getStore(NAMESPACE).put(this, scope);
    }

    /** Whether the annotation or a field declares the check: automatic registration covers tests without a pool. */
    private static boolean isDeclaredAt(Optional<AnnotatedElement> element) {
        boolean extended = AnnotationSupport.findRepeatableAnnotations(element, ExtendWith.class).stream()
                .anyMatch(with -> List.of(with.value()).contains(LeakCheck.class));
        return extended
                || (element.orElse(null) instanceof Class<?> type
                        && !AnnotationSupport.findAnnotatedFields(
                                        type, RegisterExtension.class, field -> field.getType() == LeakCheck.class)
                                .isEmpty());
    }

    /** Whether a check that a test declares fails the test without a pool. */
    static boolean needsPool(ExtensionContext context) {
        return context.getConfigurationParameter(REQUIRE_POOL_PARAMETER)
                .map(Boolean::parseBoolean)
                .orElse(true);
    }

    private void end(ExtensionContext context) {
        Scope scope = context.getStore(NAMESPACE).remove(this, Scope.class);
        if (scope != null) {
            scope.passed |= context.getTestMethod().isPresent()
                    && context.getExecutionException().isEmpty();
            TestRun.of(context, NAMESPACE).end(scope, graceIn(context)).ifPresent(message -> {
                throw new AssertionError(message);
            });
        }
    }
}
