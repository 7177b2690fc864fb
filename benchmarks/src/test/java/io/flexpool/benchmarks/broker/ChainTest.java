// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.benchmarks.broker.Traffic.Delivered;
import jakarta.jms.ConnectionFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChainTest {
    /** A busy machine may need longer for a message, so the tests with this patience are scenarios. */
    private static final Duration SOON = Duration.ofMillis(300);

    private static final Traffic.Watch NOTHING = new Traffic.Watch() {
        @Override
        public void begins() {}

        @Override
        public void ends() {}

        @Override
        public void closed() {}
    };

    @TempDir
    Path folder;

    private long left;

    private Delivered run(Duration patience, UnaryOperator<ConnectionFactory> change) throws Exception {
        try (OpenStore store = OpenStore.none();
                EmbeddedBroker broker = EmbeddedBroker.start(store, folder)) {
            Delivered passed = new Traffic(
                            change.apply(broker.connections()), Chain.workload(16, 40), true, 4, "", 10, patience)
                    .run("sixteen letters.", NOTHING);
            left = broker.awaitNothingLeft();
            return passed;
        }
    }

    @Test
    void everyMessageComesThroughOnce() throws Exception {
        Delivered passed = run(Duration.ofMinutes(1), UnaryOperator.identity());

        assertThat(passed.lost()).isZero();
        assertThat(passed.doubled()).isZero();
        assertThat(passed.arrivals().batchSeconds()).hasSize(10);
        assertThat(left).isZero();
    }

    @Test
    @Tag("scenario")
    void aMessageThatGetsLostIsCounted() throws Exception {
        Delivered passed = run(SOON, connections -> Tampered.losing(connections, 20));

        assertThat(passed.lost()).isEqualTo(1);
        assertThat(passed.doubled()).isZero();
        assertThat(passed.arrivals().batchSeconds()).hasSize(9);
    }

    @Test
    void aMessageThatComesTwiceIsCounted() throws Exception {
        Delivered passed = run(Duration.ofMinutes(1), connections -> Tampered.doubling(connections, 20));

        assertThat(passed.lost()).isZero();
        assertThat(passed.doubled()).isEqualTo(1);
    }

    @Test
    @Tag("scenario")
    void whereNothingArrivesTheSenderGivesUp() throws Exception {
        Delivered passed = run(SOON, connections -> Tampered.losing(connections, 0, 1_000));

        assertThat(passed.lost()).isEqualTo(40);
        assertThat(passed.arrivals().batchSeconds()).isEmpty();
    }
}
