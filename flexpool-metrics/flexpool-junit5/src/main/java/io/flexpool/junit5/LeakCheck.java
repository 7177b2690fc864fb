// SPDX-License-Identifier: Apache-2.0
package io.flexpool.junit5;

import io.flexpool.FlexPoolDataSource;
import java.sql.SQLException;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * Fails a test that leaks a connection: one which is out when the test ends and was not when it began. And one in which a
 * thread asks for a connection while it holds another of the same pool. A failure says thread, call site and age.
 *
 * <pre>{@code
 * @ExtendWith(LeakCheck.class)          // all pools of flexpool
 * class OrderTest { … }
 *
 * @RegisterExtension
 * static LeakCheck leaks = LeakCheck.of(dataSource).grace(Duration.ofSeconds(2));
 * }</pre>
 *
 * <p>Each test method is looked at with its {@code @BeforeEach} and {@code @AfterEach}, and each class with its
 * {@code @BeforeAll} and {@code @AfterAll}; what one test is told of is held against no other. While tests run, every call
 * site is captured. See {@link LeakAllowed} and {@link NestingAllowed} for tests that mean it.
 *
 * <p>Tests may run beside each other: what a test's own thread took is held against that test. What other threads took is
 * held against the test if it was alone; else it is looked at again when the last of those ends that ran beside each
 * other, and is held against that one, naming the others.
 */
public final class LeakCheck implements BeforeAllCallback, AfterAllCallback, BeforeEachCallback, AfterEachCallback {
    /**
     * How long a connection may take to come back after a test: half a second. A server answers its client before its
     * thread closes the connection, and a test's client may be faster. Only a test that waits for a connection waits.
     */
    public static final Duration GRACE = Duration.ofMillis(500);

    /** JUnit's configuration parameter for another grace period, for example {@code PT2S}, where no check is given one. */
    public static final String GRACE_PARAMETER = "flexpool.leak-check.grace";

    private static final Namespace NAMESPACE = Namespace.create(LeakCheck.class);
    private static final Duration LONGEST_GRACE = Duration.ofMinutes(1);

    private final @Nullable List<FlexPoolDataSource> only;
    private final @Nullable Duration grace;

    /**
     * Looks at all pools that flexpool wraps, also at those that are wrapped later, with the grace period that
     * {@value #GRACE_PARAMETER} says, else {@link #GRACE}.
     */
    public LeakCheck() {
        this(null, null);
    }

    private LeakCheck(@Nullable List<FlexPoolDataSource> only, @Nullable Duration grace) {
        this.only = only;
        this.grace = grace;
    }

    /**
     * Looks at these pools and at no other.
     *
     * @param dataSources wrapped by flexpool, or wrappers of such
     * @return a check to register
     * @throws IllegalArgumentException if one is not wrapped by flexpool, or is disabled; or if there is none
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
            throw new IllegalArgumentException(dataSource + ": is not wrapped by flexpool", noWrapper);
        }
        if (pool == null || !pool.enabled()) {
            throw new IllegalArgumentException(
                    dataSource + ": " + (pool == null ? "is not wrapped by flexpool" : "is disabled"));
        }
        return pool;
    }

    /**
     * The same check with another grace period.
     *
     * @param period how long a connection may take to come back after a test; from zero to a minute
     * @return another check, to register instead
     * @throws IllegalArgumentException if it is out of range
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
        Scope scope = new Scope(context, only);
        TestRun.of(context, NAMESPACE).begin(scope);
        // By this very check: a class may have two.
        context.getStore(NAMESPACE).put(this, scope);
    }

    private void end(ExtensionContext context) {
        Scope scope = context.getStore(NAMESPACE).remove(this, Scope.class);
        if (scope != null) {
            TestRun.of(context, NAMESPACE).end(scope, graceIn(context)).ifPresent(message -> {
                throw new AssertionError(message);
            });
        }
    }
}
