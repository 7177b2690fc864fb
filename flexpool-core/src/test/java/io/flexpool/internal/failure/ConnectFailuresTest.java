// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.internal.context.StateReader;
import io.flexpool.internal.record.Recorder;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ConnectFailuresTest {
    private final Recorder recorder = new Recorder();
    private final ConnectFailures connects = new ConnectFailures(recorder);

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
        recorder.direct().record(1, 1);
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
}
