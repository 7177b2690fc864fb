// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.adapter.AcquisitionFailure;
import java.sql.SQLException;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Checks failed requests during a fault: the exception is of a class of the bare pool, has the driver's message, and
 * never reports an exhausted pool while no connect succeeds.
 */
public final class FaultEvidence {
    private static final String NOT_EXHAUSTED = "not exhausted";
    private static final String EXHAUSTED = "exhausted";
    /** The report of a pool that is not full and shows no refusal. */
    private static final String OPENING = " is still opening";

    private final Class<? extends SQLException> timeoutClass;
    private final boolean driversOwn;
    private final FaultRun control;
    private final Set<Class<?>> thrownByTheBarePool;

    /**
     * Creates the checks from a control run.
     *
     * @param timeoutClass the exception class of the pool's acquisition timeout
     * @param driversOwn whether the pool passes on the driver's exceptions
     * @param control the bare pool under the same fault
     */
    public FaultEvidence(Class<? extends SQLException> timeoutClass, boolean driversOwn, FaultRun control) {
        this.timeoutClass = timeoutClass;
        this.driversOwn = driversOwn;
        this.control = control;
        this.thrownByTheBarePool = control.failures().stream()
                .map(failure -> failure.thrown().getClass())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Checks every failure of a run. */
    public void isKeptBy(FaultRun run) {
        assertThat(run.failures()).allSatisfy(failure -> {
            Throwable thrown = failure.thrown();
            assertThat(thrown).isInstanceOf(SQLException.class);
            assertThat(thrown).matches(this::ofAFamiliarClass, "of a class that the bare pool throws");
            String report = FaultRun.report(thrown);
            if (report.contains(NOT_EXHAUSTED) || (report.contains(OPENING) && !report.contains(EXHAUSTED))) {
                blamesTheDatabase(failure, report, run.whileNobodyCouldConnect(failure));
            } else {
                assertThat(report).contains(EXHAUSTED);
                assertThat(run.whileNobodyCouldConnect(failure))
                        .as("called exhausted, although no connect succeeded while it waited: %s", report)
                        .isFalse();
            }
        });
    }

    private boolean ofAFamiliarClass(Throwable thrown) {
        Class<?> type = thrown.getClass();
        return type == timeoutClass
                || thrownByTheBarePool.contains(type)
                || madeByTheDriver(thrown)
                || madeInThePool(thrown);
    }

    /** If the pool passes on such exceptions, the wrapped pool may throw one that the bare pool did not. */
    private boolean madeByTheDriver(Throwable thrown) {
        return driversOwn && thrown.getClass() != timeoutClass && AcquisitionFailure.refusedByDatabase(thrown);
    }

    /**
     * Whether the pool itself created the exception. If the fault begins while Tomcat validates a new connection,
     * Tomcat throws another class than for a failed connect, which may not occur in the control run.
     */
    private boolean madeInThePool(Throwable thrown) {
        StackTraceElement[] trace = thrown.getStackTrace();
        return trace.length > 0 && trace[0].getClassName().startsWith(timeoutClass.getPackageName() + ".");
    }

    private void blamesTheDatabase(FaultLoad.Failure failure, String report, boolean inTheOutage) {
        SQLException thrown = (SQLException) failure.thrown();
        if (thrown.getSQLState() == null) {
            withoutTheDriversReason(failure, report, inTheOutage);
            return;
        }
        assertThat(AcquisitionFailure.refusedByDatabase(thrown))
                .as("%s", thrown)
                .isTrue();
        if (thrown.getClass() == timeoutClass) {
            assertThat(AcquisitionFailure.chain(thrown).stream().skip(1))
                    .as("what the driver said is a cause of %s", thrown)
                    .anyMatch(this::saidByTheDriver);
        }
    }

    /**
     * Whether the driver created a cause: by its class, or, if the pool throws plain SQLExceptions, by an SQLState,
     * which pools do not set.
     */
    private boolean saidByTheDriver(Throwable cause) {
        return cause instanceof SQLException sql
                && (timeoutClass == SQLException.class ? sql.getSQLState() != null : !timeoutClass.isInstance(cause));
    }

    /**
     * Checks a failure whose exception lacks the driver's reason. A pool drops its connect failure at the next
     * successful connect, but flexpool's report keeps it.
     */
    private void withoutTheDriversReason(FaultLoad.Failure failure, String report, boolean inTheOutage) {
        Throwable thrown = failure.thrown();
        boolean inItsCause = FaultRun.stateInChain(thrown) != null && control.hasFailureWithoutStateOfItsOwn();
        boolean forgotten = FaultRun.madeByThePool(thrown) && report.contains("SQLState ");
        // A hanging connect has not failed yet: the bare pool has no reason either.
        boolean unknown =
                control.hasFailureWithoutState() || (control.failures().isEmpty() && FaultRun.madeByThePool(thrown));
        // On a busy machine a connect may still be in progress when the database is back.
        boolean connecting = !inTheOutage && FaultRun.madeByThePool(thrown);
        // A request at the gate may time out before requests inside the pool: Druid 1.2.8 waits for twice the timeout.
        boolean sooner = control.failsOnlyAfter(failure.waitedNanos());
        assertThat(inItsCause || forgotten || unknown || connecting || sooner)
                .as("without the driver's reason, which the bare pool has: %s %s; %s", thrown, report, control)
                .isTrue();
    }
}
