// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.diagnostics.Decision.RefusedGrowth.Reason;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.GrowOnWait;
import io.flexpool.internal.failure.FailedAttempt.Attempt;
import io.flexpool.internal.pool.TestContext;
import io.flexpool.internal.record.StatisticsHistory;
import io.flexpool.internal.resize.DecisionLog;
import io.flexpool.internal.resize.Limiter;
import io.flexpool.internal.resize.Resizer.Growth;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

class FailureHandlerTest {
    private final List<PoolEvent> events = new ArrayList<>();
    private final TestContext part = new TestContext(settings -> {
        settings.set(CoreKey.BASE, 2);
        settings.strategies.add(GrowOnWait.upTo(5));
        settings.listeners.add(new PoolListener() {
            @Override
            public void onEvent(PoolEvent event) {
                if (event instanceof PoolEvent.ConnectFailed) {
                    throw new StackOverflowError("listener");
                }
            }
        });
        settings.listeners.add(new PoolListener() {
            @Override
            public void onEvent(PoolEvent event) {
                if (event instanceof PoolEvent.ConnectFailed failed) {
                    events.add(failed);
                } else if (event instanceof PoolEvent.AcquisitionTimedOut timedOut) {
                    events.add(timedOut);
                } else if (event instanceof PoolEvent.AcquisitionRejected rejected) {
                    events.add(rejected);
                }
            }
        });
    });
    private final Limiter limiter = Objects.requireNonNull(Limiter.of(part.context));
    private final FailureHandler failures = new FailureHandler(
            part.context,
            limiter,
            new Explainer(
                    part.context,
                    now -> List.of(),
                    new StatisticsHistory(part.context.recorder(), () -> 0, part.context.nanos(), Long.MAX_VALUE),
                    new DecisionLog(part.context.name(), part.context.listeners())));
    private final Attempt attempt = Attempt.only(part.ticker.nanos());

    private FailedAttempt inPool(Kind kind, SQLException own) {
        part.fake.kind = kind;
        return failures.inPool(own, attempt);
    }

    @Test
    void aConnectFailureIsRememberedReportedAndStopsGrowth() {
        part.lease(2);
        part.gate().join(part.ticker.nanos());
        FailedAttempt failed = inPool(Kind.CONNECT_FAILED, new SQLException("refused", "08001"));
        assertThat(failures.connects().inARow()).isOne();
        assertThat(failures.connects().last()).isNotNull();
        assertThat(events)
                .singleElement()
                .extracting(event -> ((PoolEvent.ConnectFailed) event).explanation())
                .isSameAs(failed.explanation())
                .isNotNull();
        assertThat(limiter.grow(1)).isEqualTo(Growth.refused(Reason.OUTAGE));
        assertThat(part.context.listeners().errors()).as("the listener before").isOne();
    }

    @Test
    void thePoolsOwnExceptionCarriesOneReport() {
        SQLException own = new SQLException("full");
        FailedAttempt failed = inPool(Kind.EXHAUSTED, own);
        failures.gaveUp(failed, own);
        failures.gaveUp(failed, own);
        assertThat(own.getSuppressed())
                .singleElement()
                .satisfies(report -> assertThat(report).hasMessageStartingWith("part: no connection after"));
        assertThat(events).hasSize(2);
    }

    @Test
    void anExceptionOfThePoolsClassIsTheReport() {
        FailedAttempt failed = failures.explained(failures.atGate(attempt));
        SQLException made = failures.exception(failed);
        failures.gaveUp(failed, null);
        assertThat((Throwable) made).isExactlyInstanceOf(SQLTransientConnectionException.class);
        assertThat((Throwable) made).hasMessage(failed.report()).hasNoSuppressedExceptions();
        assertThat(events).singleElement().extracting(event -> event.describe()).isEqualTo(failed.report());
    }

    /** The driver's exception, with the SQLState that only the adapter knows. */
    @Test
    void inAnOutageTheCauseIsTheDriversException() {
        part.fake.known = new SQLException("refused", "08001");
        SQLException own = new SQLException("none in time");
        inPool(Kind.CONNECT_FAILED, own);
        part.fake.total = 0;
        SQLException made = failures.exception(failures.explained(failures.atGate(attempt)));
        assertThat(made.getCause())
                .hasCause(own)
                .isInstanceOfSatisfying(
                        SQLException.class,
                        cause -> assertThat(cause.getSQLState()).isEqualTo("08001"));
    }

    @Test
    void theCircuitsRefusalNamesTheLastConnectFailure() {
        SQLException refused = new SQLException("refused", "08006");
        inPool(Kind.CONNECT_FAILED, refused);
        AcquisitionFailure why = new AcquisitionFailure(Kind.REJECTED, FailureHandler.UNREACHABLE, "open");
        FailedAttempt failed = failures.explained(failures.turnedAway(why, attempt));
        assertThat(failures.exception(failed).getCause())
                .hasMessageContaining("SQLState 08006, SQLException: refused")
                .hasCause(refused);
        failures.gaveUp(failed, null);
        assertThat(events).last().isInstanceOf(PoolEvent.AcquisitionRejected.class);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void eachKindIsCountedUnderItsOutcome(Kind kind) {
        failures.count(kind, part.ticker.nanos(), 3);
        assertThat(part.context.recorder().failed(kind.outcome())).isOne();
    }

    @Test
    void aLogThatThrowsChangesNothing() {
        Logger logger = (Logger) LoggerFactory.getLogger("io.flexpool");
        UnsynchronizedAppenderBase<ILoggingEvent> broken = new UnsynchronizedAppenderBase<>() {
            @Override
            public void doAppend(ILoggingEvent event) {
                throw new StackOverflowError("appender");
            }

            @Override
            protected void append(ILoggingEvent event) {
                throw new AssertionError("never reached");
            }
        };
        broken.start();
        logger.addAppender(broken);
        SQLException own = new SQLException("full");
        try {
            part.ticker.advance(Duration.ofSeconds(1));
            failures.gaveUp(inPool(Kind.EXHAUSTED, own), own);
        } finally {
            logger.detachAppender(broken);
        }
        assertThat(own.getSuppressed()).hasSize(1);
        assertThat(events).hasSize(1);
    }
}
