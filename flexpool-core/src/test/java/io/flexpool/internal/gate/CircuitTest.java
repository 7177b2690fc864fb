// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import static io.flexpool.pool.PoolEvent.CircuitPhase.CLOSED;
import static io.flexpool.pool.PoolEvent.CircuitPhase.HALF_OPEN;
import static io.flexpool.pool.PoolEvent.CircuitPhase.OPEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.internal.gate.Circuit.Admission;
import io.flexpool.pool.PoolEvent.CircuitPhase;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CircuitTest {
    private static final long NOW = Long.MAX_VALUE - 3;

    private final AdmissionState admission = new AdmissionState();
    private final List<CircuitPhase> phases = new ArrayList<>();
    private final Circuit circuit = new Circuit(admission, (changed, phase) -> phases.add(phase));

    @Test
    void aClosedOneLetsAllPassAndKeepsNobodyFromTheDirectPath() {
        assertThat(circuit.admit(NOW)).isEqualTo(Admission.PASS);
        assertThat(circuit.refuses(NOW)).isFalse();
        assertThat(admission.direct()).isTrue();
        assertThat(phases).isEmpty();
    }

    @Test
    void anOpenOneRefusesUntilItsTimeAndThenLetsOneTry() {
        circuit.trip(NOW, 10);
        assertThat(admission.direct()).isFalse();
        assertThat(circuit.openForNanos(NOW + 4)).isEqualTo(6);
        assertThat(circuit.admit(NOW + 9)).isEqualTo(Admission.REFUSED);
        assertThat(circuit.admit(NOW + 10)).isEqualTo(Admission.PROBE);
        assertThat(circuit.admit(NOW + 10)).isEqualTo(Admission.REFUSED);
        assertThat(phases).containsExactly(OPEN, HALF_OPEN);
    }

    @Test
    void aProbeThatConnectsClosesIt() {
        circuit.trip(NOW, 10);
        circuit.admit(NOW + 10);
        circuit.close();
        circuit.probeEnded(NOW + 11, false);
        assertThat(circuit.admit(NOW + 11)).isEqualTo(Admission.PASS);
        assertThat(admission.direct()).isTrue();
        assertThat(phases).containsExactly(OPEN, HALF_OPEN, CLOSED);
    }

    @Test
    void aProbeThatCannotConnectOpensItForAsLongAgain() {
        circuit.trip(NOW, 10);
        circuit.admit(NOW + 10);
        circuit.probeEnded(NOW + 12, true);
        assertThat(circuit.refuses(NOW + 21)).isTrue();
        assertThat(circuit.admit(NOW + 22)).isEqualTo(Admission.PROBE);
    }

    @Test
    void aProbeThatFoundNothingOutLeavesTheNextOneItsTry() {
        circuit.trip(NOW, 10);
        circuit.admit(NOW + 10);
        circuit.probeEnded(NOW + 11, false);
        assertThat(circuit.admit(NOW + 11)).isEqualTo(Admission.PROBE);
    }

    @Test
    void aLaterTripMakesItLongerAndAnEarlierOneDoesNotMakeItShorter() {
        circuit.trip(NOW, 10);
        circuit.trip(NOW + 1, 2);
        assertThat(circuit.openForNanos(NOW)).isEqualTo(10);
        circuit.trip(NOW + 2, 20);
        assertThat(circuit.openForNanos(NOW)).isEqualTo(22);
        assertThat(phases).containsExactly(OPEN);
    }

    @Test
    void aClosedPoolIsNoMatterOfTheCircuit() {
        admission.close();
        circuit.trip(NOW, 10);
        circuit.close();
        assertThat(admission.closed()).isTrue();
        assertThat(admission.direct()).isFalse();
    }
}
