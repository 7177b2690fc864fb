// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.benchmarks.broker.Chain.Passed;
import io.flexpool.benchmarks.messaging.EmbeddedBroker;
import io.flexpool.benchmarks.messaging.OpenStore;
import io.flexpool.benchmarks.messaging.Tampered;
import jakarta.jms.ConnectionFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChainTest {
    private static final Duration SOON = Duration.ofMillis(300);

    @TempDir
    Path folder;

    private long left;

    private Passed run(Duration patience, UnaryOperator<ConnectionFactory> change) throws Exception {
        try (OpenStore store = OpenStore.none();
                EmbeddedBroker broker = EmbeddedBroker.start(store, folder)) {
            Passed passed = new Chain(change.apply(broker.connections()), 40, 4, 10, patience).run(16, new Random(1));
            left = broker.awaitNothingLeft();
            return passed;
        }
    }

    @Test
    void everyMessageComesThroughOnce() throws Exception {
        Passed passed = run(Duration.ofMinutes(1), UnaryOperator.identity());

        assertThat(passed.lost()).isZero();
        assertThat(passed.doubled()).isZero();
        assertThat(passed.batchSeconds()).hasSize(10);
        assertThat(left).isZero();
    }

    @Test
    void aMessageThatGetsLostIsCounted() throws Exception {
        Passed passed = run(SOON, connections -> Tampered.losing(connections, 20));

        assertThat(passed.lost()).isEqualTo(1);
        assertThat(passed.doubled()).isZero();
        assertThat(passed.batchSeconds()).hasSize(9);
    }

    @Test
    void aMessageThatComesTwiceIsCounted() throws Exception {
        Passed passed = run(Duration.ofMinutes(1), connections -> Tampered.doubling(connections, 20));

        assertThat(passed.lost()).isZero();
        assertThat(passed.doubled()).isEqualTo(1);
    }

    @Test
    void whereNothingArrivesTheSenderGivesUp() throws Exception {
        Passed passed = run(SOON, connections -> Tampered.losing(connections, 0, 1_000));

        assertThat(passed.lost()).isEqualTo(40);
        assertThat(passed.batchSeconds()).isEmpty();
    }
}
