// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolEvent.CircuitPhase;
import io.flexpool.event.PoolListener;
import io.flexpool.internal.context.StateReader;
import io.flexpool.internal.failure.FailedAttempt.Attempt;
import io.flexpool.internal.gate.Circuit;
import io.flexpool.internal.pool.TestContext;
import io.flexpool.internal.record.SlotRecords;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConnectFailuresTest {
    private final List<PoolEvent.CircuitChanged> events = new ArrayList<>();
    private final TestContext part = new TestContext(settings -> settings.listeners.add(new PoolListener() {
        @Override
        public void onEvent(PoolEvent event) {
            if (event instanceof PoolEvent.CircuitChanged changed) {
                events.add(changed);
            }
        }
    }));
    private final ConnectFailures connects = new ConnectFailures(part.context);
    private final Circuit circuit = new Circuit(part.context.admissionState(), connects);

    private static FailedAttempt failed(long nanos) {
        PoolState state = new StateReader.State(-1, -1, -1, 0, 0, 0, 0, Duration.ZERO, PoolSnapshot.NOTHING_KNOWN);
        AcquisitionFailure why = new AcquisitionFailure(Kind.CONNECT_FAILED, "08001", "refused");
        return new FailedAttempt(Attempt.only(0), nanos, why, state, null, null);
    }

    @Test
    void anAcquisitionBetweenStartsTheCountAgain() {
        assertThat(connects.inARow()).isZero();
        connects.add(failed(1));
        connects.add(failed(2));
        assertThat(connects.inARow()).isEqualTo(2);
        part.context.recorder().add(new SlotRecords()).acquired(1);
        assertThat(connects.inARow()).isZero();
        connects.add(failed(3));
        assertThat(connects.inARow()).isOne();
    }

    @Test
    void theLastOneCountsFromItsTime() {
        assertThat(connects.since(0)).isNull();
        FailedAttempt last = failed(5);
        connects.add(last);
        assertThat(connects.since(5)).isSameAs(last);
        assertThat(connects.since(6)).isNull();
        assertThat(connects.last()).isSameAs(last);
    }

    @Test
    void inWords() {
        assertThat(connects.lastInWords()).isEmpty();
        connects.add(failed(5));
        assertThat(connects.lastInWords()).isEqualTo("SQLState 08001, refused");
    }

    @Test
    void eachChangeIsAnEvent() {
        connects.add(failed(1));
        circuit.trip(part.ticker.nanos(), Duration.ofSeconds(5).toNanos());
        circuit.close();
        assertThat(events)
                .extracting(PoolEvent.CircuitChanged::phase)
                .containsExactly(CircuitPhase.OPEN, CircuitPhase.CLOSED);
        assertThat(connects.circuit()).isSameAs(events.get(1));
        assertThat(events.get(0).describe()).contains("5000 ms after 1 connect failures", "SQLState 08001, refused");
    }

    @Test
    void ifThePoolCannotBeReadItIsReportedAllTheSame() {
        part.fake.onSnapshot = () -> {
            throw new IllegalStateException("broken");
        };
        circuit.trip(part.ticker.nanos(), 1);
        assertThat(events).hasSize(1);
    }
}
