// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.RetryAcquisition;
import io.flexpool.internal.gate.Circuit;
import io.flexpool.pool.AcquisitionOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class RequestAttemptsTest {
    private final SlowParts of = new SlowParts(settings -> {
        settings.set(CoreKey.BASE, 1);
        settings.strategies.add(RetryAcquisition.times(3, Duration.ZERO, Duration.ofSeconds(5)));
    });
    private final SQLException own = new SQLException("full");

    private long failed(AcquisitionOutcome outcome) {
        return of.part.context.recorder().failed(outcome);
    }

    @AfterEach
    void noPermitIsLeft() {
        assertThat(of.part.gate().usedCount()).isZero();
        assertThat(of.part.gate().waitingCount()).isZero();
    }

    @Test
    void aRetryThatSucceedsIsOneAcquisition() throws SQLException {
        Connection connection = of.request().acquireAfter(own);
        assertThat(of.part.fake.calls).hasValue(1);
        assertThat(of.part.context.recorder().acquired()).isOne();
        connection.close();
    }

    @Test
    void afterTheLastAttemptThePoolsOwnExceptionIsThrown() {
        of.part.fake.answer = () -> {
            throw own;
        };
        assertThat(catchThrowable(() -> of.request().acquire())).isSameAs(own);
        assertThat(of.part.fake.calls).hasValue(3);
        assertThat(failed(AcquisitionOutcome.TIMEOUT)).isOne();
        assertThat(own.getSuppressed()).hasSize(1);
    }

    @Test
    void anErrorIsNotRetried() {
        Error error = new StackOverflowError("deep");
        assertThat(catchThrowable(() -> of.request().acquireAfter(error))).isSameAs(error);
        assertThat(of.part.fake.calls).hasValue(0);
    }

    @Test
    void anOpenCircuitDoesNotCallThePool() {
        of.circuit.trip(of.now(), Duration.ofSeconds(1).toNanos());
        assertThat(catchThrowable(() -> of.request().acquire()))
                .hasMessageContaining("the circuit is open for another 1000 ms");
        assertThat(of.part.fake.calls).hasValue(0);
        assertThat(failed(AcquisitionOutcome.REJECTED)).isOne();
    }

    @Test
    void aProbeClosesTheCircuit() throws SQLException {
        of.circuit.trip(of.now(), 1);
        of.part.ticker.advance(Duration.ofMillis(1));
        of.request().acquire().close();
        assertThat(of.circuit.refuses(of.now())).isFalse();
        assertThat(of.circuit.admit(of.now())).isEqualTo(Circuit.Decision.PASS);
    }

    @Test
    void aClosedPoolIsNotCalled() {
        of.part.context.admissionState().close();
        assertThat(catchThrowable(() -> of.request().acquire()))
                .hasMessage("part: the pool is closed")
                .hasNoSuppressedExceptions();
        assertThat(of.part.fake.calls).hasValue(0);
        assertThat(failed(AcquisitionOutcome.REJECTED)).isOne();
    }

    @Test
    void anInterruptThatThePoolSwallowedIsRestored() {
        of.part.fake.kind = Kind.INTERRUPTED;
        assertThat(catchThrowable(() -> of.request().acquireAfter(own))).isSameAs(own);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(failed(AcquisitionOutcome.INTERRUPTED)).isOne();
    }

    @Test
    void anInterruptAtTheGateKeepsTheFlag() {
        of.part.lease(1);
        Thread.currentThread().interrupt();
        Throwable thrown = catchThrowable(() -> of.request().acquire());
        assertThat(Thread.interrupted()).isTrue();
        assertThat(thrown).hasMessageContaining("interrupted while waiting").hasNoSuppressedExceptions();
        of.part.gate().exit(of.now());
    }
}
