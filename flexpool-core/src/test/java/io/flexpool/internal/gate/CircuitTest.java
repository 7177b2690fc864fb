// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import static io.flexpool.event.PoolEvent.CircuitPhase.CLOSED;
import static io.flexpool.event.PoolEvent.CircuitPhase.HALF_OPEN;
import static io.flexpool.event.PoolEvent.CircuitPhase.OPEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.event.PoolEvent.CircuitPhase;
import io.flexpool.internal.gate.Circuit.Decision;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CircuitTest {
    private final long now = nearTheEnd();

    private final AdmissionState admission = new AdmissionState();
    private final List<CircuitPhase> phases = new ArrayList<>();
    private final Circuit circuit = new Circuit(admission, (changed, phase) -> phases.add(phase));

    @Test
    void aClosedCircuitLetsAllTakeTheDirectPath() {
        assertThat(circuit.admit(now)).isEqualTo(Decision.PASS);
        assertThat(circuit.refuses(now)).isFalse();
        assertThat(admission.direct()).isTrue();
        assertThat(phases).isEmpty();
    }

    @Test
    void anOpenOneRefusesUntilItsTime() {
        circuit.trip(now, 10);
        assertThat(admission.direct()).isFalse();
        assertThat(circuit.openForNanos(now + 4)).isEqualTo(6);
        assertThat(circuit.admit(now + 9)).isEqualTo(Decision.REFUSED);
        assertThat(phases).containsExactly(OPEN);
    }

    @Test
    void afterItsTimeOneMayTry() {
        circuit.trip(now, 10);
        assertThat(circuit.admit(now + 10)).isEqualTo(Decision.PROBE);
        assertThat(circuit.admit(now + 10)).isEqualTo(Decision.REFUSED);
        assertThat(phases).containsExactly(OPEN, HALF_OPEN);
    }

    @Test
    void aProbeThatConnectsClosesIt() {
        circuit.trip(now, 10);
        circuit.admit(now + 10);
        circuit.close();
        circuit.probeEnded(now + 11, false);
        assertThat(circuit.admit(now + 11)).isEqualTo(Decision.PASS);
        assertThat(admission.direct()).isTrue();
        assertThat(phases).containsExactly(OPEN, HALF_OPEN, CLOSED);
    }

    @Test
    void aProbeThatCannotConnectOpensItForAsLongAgain() {
        circuit.trip(now, 10);
        circuit.admit(now + 10);
        circuit.probeEnded(now + 12, true);
        assertThat(circuit.refuses(now + 21)).isTrue();
        assertThat(circuit.admit(now + 22)).isEqualTo(Decision.PROBE);
    }

    @Test
    void aProbeWithoutAResultLeavesTheNextOneItsTry() {
        circuit.trip(now, 10);
        circuit.admit(now + 10);
        circuit.probeEnded(now + 11, false);
        assertThat(circuit.admit(now + 11)).isEqualTo(Decision.PROBE);
    }

    @Test
    void anotherTripExtendsButNeverShortens() {
        circuit.trip(now, 10);
        circuit.trip(now + 1, 2);
        assertThat(circuit.openForNanos(now)).isEqualTo(10);
        circuit.trip(now + 2, 20);
        assertThat(circuit.openForNanos(now)).isEqualTo(22);
        assertThat(phases).containsExactly(OPEN);
    }

    @Test
    void aClosedPoolIsNoMatterOfTheCircuit() {
        admission.close();
        circuit.trip(now, 10);
        circuit.close();
        assertThat(admission.closed()).isTrue();
        assertThat(admission.direct()).isFalse();
    }

    /** Of the clock's numbers, which begin anew then. */
    private static long nearTheEnd() {
        return Long.MAX_VALUE - 3;
    }
}
