// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolEvent.CircuitPhase;
import io.flexpool.event.PoolListener;
import io.flexpool.internal.TestContext;
import io.flexpool.internal.gate.Circuit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CircuitReporterTest {
    private final List<PoolEvent.CircuitChanged> events = new ArrayList<>();
    private final TestContext part = new TestContext(settings -> settings.listeners.add(new PoolListener() {
        @Override
        public void onCircuitChanged(PoolEvent.CircuitChanged event) {
            events.add(event);
        }
    }));
    private final ConnectFailures connects = new ConnectFailures(part.context.recorder());
    private final Circuit circuit = new Circuit(part.context.admission(), new CircuitReporter(part.context, connects));

    @Test
    void eachChangeIsAnEvent() {
        AcquisitionFailure why = new AcquisitionFailure(Kind.CONNECT_FAILED, "08001", "refused");
        connects.add(new FailedAttempt(Attempt.only(0), 1, why, part.context.state(), null, null));
        circuit.trip(part.ticker.nanos(), Duration.ofSeconds(5).toNanos());
        circuit.close();
        assertThat(events)
                .extracting(PoolEvent.CircuitChanged::phase)
                .containsExactly(CircuitPhase.OPEN, CircuitPhase.CLOSED);
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
