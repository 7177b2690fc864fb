// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.hikaricp;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolSnapshot.Figure;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The ways in which an adapter is broken on purpose, one thing at a time, each with the test that has to notice. */
enum Sabotage {
    /** Nothing is broken. */
    NONE("", sound -> sound),
    TRIM_DOES_NOTHING("aLowerLimitWaitsForOpenLeases", sound -> new PassingAdapter(sound) {
        @Override
        public void trim(int max) {}
    }),
    RESIZE_DOES_NOTHING("growthOfAStartedPoolServesThreadsThatAlreadyWait", sound -> new PassingAdapter(sound) {
        @Override
        public void resize(int max) {}
    }),
    WAKE_DOES_NOTHING("growthOfAStartedPoolServesThreadsThatAlreadyWait", sound -> new PassingAdapter(sound) {
        @Override
        public void wake(int wanted) {}
    }),
    CLOSE_DOES_NOTHING("aCloseReleasesRequestsInsideThePool", sound -> new PassingAdapter(sound) {
        @Override
        public void close() {}
    }),
    PREPARE_DOES_NOTHING("aStartedPoolIsLoweredToItsBaseAtOnce", sound -> new PassingAdapter(sound) {
        @Override
        public void prepare(int base, int ceiling) {}
    }),
    RESTORE_DOES_NOTHING("aPoolWhoseWrappingFailedIsAsItWas", sound -> new PassingAdapter(sound) {
        @Override
        public void restore() {}
    }),
    DISCARD_DOES_NOTHING("anAbortedConnectionFreesItsPlace", sound -> new PassingAdapter(sound) {
        @Override
        public void discard(Connection connection) {}
    }),
    CONNECT_FAILURE_IS_CALLED_EXHAUSTION(
            "aConnectFailureIsNamedOnAnUnstartedPool", sound -> calling(sound, Kind.CONNECT_FAILED, Kind.EXHAUSTED)),
    EXHAUSTION_IS_CALLED_CONNECT_FAILURE(
            "exhaustionThrowsThePoolsOwnException", sound -> calling(sound, Kind.EXHAUSTED, Kind.CONNECT_FAILED)),
    INTERRUPT_IS_CALLED_OTHER(
            "anInterruptInsideThePoolIsPromptAndNoTimeout", sound -> calling(sound, Kind.INTERRUPTED, Kind.OTHER)),
    TIMEOUT_IS_OF_ANOTHER_CLASS("exhaustionAtTheGateThrowsThePoolsClass", sound -> new PassingAdapter(sound) {
        @Override
        public SQLException timeout(String message, @Nullable SQLException connectFailure) {
            return new SQLTimeoutException(message, connectFailure);
        }
    }),
    SNAPSHOT_IS_ALWAYS_FULL(
            "theSnapshotAgreesWithTheDatabase",
            sound -> reporting(
                    sound,
                    right -> new PoolSnapshot(
                            right.max(), right.minIdle(), right.active(), right.idle(), right.max(), right.pending()))),
    NO_FIGURE_IS_TOLD(
            "theSnapshotAgreesWithTheDatabase", sound -> reporting(sound, right -> PoolSnapshot.NOTHING_KNOWN)),
    A_REPORTED_FIGURE_IS_NOT_DECLARED("whatIsDeclaredIsReportedFromTheFirstUseOn", sound -> new PassingAdapter(sound) {
        @Override
        public Set<Figure> figures() {
            return EnumSet.complementOf(EnumSet.of(Figure.IDLE));
        }
    }),
    A_DECLARED_FIGURE_IS_NOT_REPORTED(
            "whatIsDeclaredIsReportedFromTheFirstUseOn",
            sound -> reporting(
                    sound,
                    right -> new PoolSnapshot(
                            right.max(),
                            PoolSnapshot.UNKNOWN,
                            right.active(),
                            right.idle(),
                            right.total(),
                            right.pending()))),
    MIN_IDLE_IS_ANOTHER(
            "theSnapshotAgreesWithTheDatabase",
            sound -> reporting(
                    sound,
                    right -> new PoolSnapshot(
                            right.max(),
                            right.minIdle() - 1,
                            right.active(),
                            right.idle(),
                            right.total(),
                            right.pending()))),
    A_FIGURE_GETS_LOST("noFigureGetsLostUnderLoad", sound -> new PassingAdapter(sound) {
        @Override
        public PoolSnapshot snapshot() {
            PoolSnapshot right = sound.snapshot();
            int active = right.pending() > 0 ? PoolSnapshot.UNKNOWN : right.active();
            return new PoolSnapshot(right.max(), right.minIdle(), active, right.idle(), right.total(), right.pending());
        }
    }),
    PENDING_IS_NOT_REPORTED(
            "pendingRequestsAreCountedIfDeclared",
            sound -> reporting(
                    sound,
                    right -> new PoolSnapshot(
                            right.max(),
                            right.minIdle(),
                            right.active(),
                            right.idle(),
                            right.total(),
                            PoolSnapshot.UNKNOWN))),
    A_HANGING_CONNECT_IS_CALLED_EXHAUSTION(
            "aHangingConnectDuringLeasesIsNotExhaustion", sound -> new PassingAdapter(sound) {
                @Override
                public AcquisitionFailure classify(Throwable failure, PoolSnapshot snapshot, Duration waited) {
                    return sound.classify(failure, snapshot, Duration.ZERO);
                }
            }),
    CLOSED_IS_CALLED_OTHER("aDirectCloseIsReported", sound -> calling(sound, Kind.CLOSED, Kind.OTHER)),
    MORE_IS_DECLARED_THAN_IS_TRUE("theServiceLoaderFindsOneAdapter", sound -> new PassingAdapter(sound) {
        @Override
        public Set<Capability> capabilities() {
            return EnumSet.allOf(Capability.class);
        }
    }),
    A_CALL_HAS_THE_POOLS_TIMEOUT("aCallHasItsOwnTimeoutIfDeclared", sound -> new PassingAdapter(sound) {
        @Override
        public Connection connection(long timeoutNanos) throws SQLException {
            return sound.connection(100 * timeoutNanos);
        }
    }),
    TRIM_CLOSES_TOO_MUCH("aTrimClosesExactlyTheSurplusIfDeclared", sound -> new PassingAdapter(sound) {
        @Override
        public void trim(int max) {
            sound.resize(max - 1);
            sound.trim(max - 1);
        }
    }),
    FOR_EVER_IS_A_TIMEOUT_TOO("withoutATimeoutAPoolCannotBeBound", sound -> new PassingAdapter(sound) {
        @Override
        public Optional<Duration> acquisitionTimeout() {
            return Optional.of(Duration.ofSeconds(30));
        }
    }),
    EVERY_ACQUISITION_READS_THE_POOL("aDirectAcquisitionMakesNoOtherCall", sound -> new PassingAdapter(sound) {
        @Override
        public boolean started() {
            return false;
        }
    });

    private final String noticedBy;

    @SuppressWarnings("ImmutableEnumChecker") // functions that capture nothing
    private final UnaryOperator<PoolAdapter> broken;

    Sabotage(String noticedBy, UnaryOperator<PoolAdapter> broken) {
        this.noticedBy = noticedBy;
        this.broken = broken;
    }

    /** The contract's test that has to fail. */
    String noticedBy() {
        return noticedBy;
    }

    /** The adapter, with one thing broken. */
    PoolAdapter of(PoolAdapter sound) {
        return broken.apply(sound);
    }

    private static PoolAdapter reporting(PoolAdapter sound, UnaryOperator<PoolSnapshot> wrong) {
        return new PassingAdapter(sound) {
            @Override
            public PoolSnapshot snapshot() {
                return wrong.apply(sound.snapshot());
            }
        };
    }

    private static PoolAdapter calling(PoolAdapter sound, Kind right, Kind wrong) {
        return new PassingAdapter(sound) {
            @Override
            public AcquisitionFailure classify(Throwable failure, PoolSnapshot snapshot, Duration waited) {
                AcquisitionFailure why = sound.classify(failure, snapshot, waited);
                return why.kind() == right ? AcquisitionFailure.of(wrong, failure) : why;
            }
        };
    }
}
