// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.adapter.AcquisitionFailure;
import java.sql.SQLException;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The failures of requests during a fault: an exception that the bare pool would have thrown, with
 * what the driver said, and never that the pool is exhausted while no connect succeeds.
 */
public final class FaultEvidence {
    private static final String NOT_EXHAUSTED = "not exhausted";
    private static final String EXHAUSTED = "exhausted";
    /** Of a pool that has room and reports no refusal. */
    private static final String OPENING = " is still opening";

    private final Class<? extends SQLException> timeoutClass;
    private final boolean driversOwn;
    private final FaultRun control;
    private final Set<Class<?>> thrownByTheBarePool;

    /**
     * Against a control.
     *
     * @param timeoutClass what the pool throws when a connection does not come in time
     * @param driversOwn whether the pool throws on what the driver threw
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

    /** Asserts it of every failure. */
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

    /** Where the pool passes such exceptions on, one may meet the wrapped pool that did not meet the bare one. */
    private boolean madeByTheDriver(Throwable thrown) {
        return driversOwn && thrown.getClass() != timeoutClass && AcquisitionFailure.refusedByDatabase(thrown);
    }

    /**
     * By a pool that has exceptions of its own: if the fault begins while Tomcat validates a new connection, it throws another
     * one than for a failed connect, which in the bare pool's run may not have happened.
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

    /** By its class; where the pool's own is as plain as can be, by an SQLState, which no pool makes up. */
    private boolean saidByTheDriver(Throwable cause) {
        return cause instanceof SQLException sql
                && (timeoutClass == SQLException.class ? sql.getSQLState() != null : !timeoutClass.isInstance(cause));
    }

    /** A pool forgets why it could not connect as soon as it can; flexpool's report does not. */
    private void withoutTheDriversReason(FaultLoad.Failure failure, String report, boolean inTheOutage) {
        Throwable thrown = failure.thrown();
        boolean inItsCause = FaultRun.stateInChain(thrown) != null && control.hasFailureWithoutStateOfItsOwn();
        boolean forgotten = FaultRun.madeByThePool(thrown) && report.contains("SQLState ");
        // A connect that hangs has not failed yet, and then the bare pool cannot say more either.
        boolean unknown =
                control.hasFailureWithoutState() || (control.failures().isEmpty() && FaultRun.madeByThePool(thrown));
        // Nor has one that is still on its way once the database is back, on a machine with other work.
        boolean connecting = !inTheOutage && FaultRun.madeByThePool(thrown);
        // Nor has a request in the pool failed when one at the gate ends by its deadline: Druid 1.2.8 keeps them for
        // twice their timeout.
        boolean sooner = control.failsOnlyAfter(failure.waitedNanos());
        assertThat(inItsCause || forgotten || unknown || connecting || sooner)
                .as("without the driver's reason, which the bare pool has: %s %s; %s", thrown, report, control)
                .isTrue();
    }
}
