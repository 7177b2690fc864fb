// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.benchmarks.broker.Traffic.Delivered;
import jakarta.jms.ConnectionFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FanTest {
    private static final String QUEUE = "destname=queue://fan\nnumsessions=3\nnummessages=50\n";

    @TempDir
    Path folder;

    private long left;

    private Delivered run(String workload) throws Exception {
        return run(workload, Duration.ofMinutes(1), UnaryOperator.identity());
    }

    private Delivered run(String workload, Duration patience, UnaryOperator<ConnectionFactory> change)
            throws Exception {
        Workload read = WorkloadFile.read(Files.writeString(folder.resolve("fan.properties"), workload));
        try (OpenStore store = OpenStore.none();
                EmbeddedBroker broker = EmbeddedBroker.start(store, folder)) {
            Looks looks = new Looks(broker);
            Delivered delivered = new Traffic(change.apply(broker.connections()), read, false, 0, "test.", 10, patience)
                    .run("text", looks);
            left = looks.left;
            return delivered;
        }
    }

    private static final class Looks implements Traffic.Watch {
        private final EmbeddedBroker broker;
        private final List<String> seen = new ArrayList<>();
        private long left = -1;

        Looks(EmbeddedBroker broker) {
            this.broker = broker;
        }

        @Override
        public void begins() {
            seen.add("begins");
        }

        @Override
        public void ends() {
            seen.add("ends");
        }

        @Override
        public void closed() throws Exception {
            assertThat(seen).containsExactly("begins", "ends");
            left = broker.awaitNothingLeft();
        }
    }

    @Test
    void theConsumersOfAQueueShareItsMessages() throws Exception {
        Delivered delivered = run(QUEUE);

        assertThat(delivered.sent()).isEqualTo(50);
        assertThat(delivered.expected()).isEqualTo(50);
        assertThat(delivered.lost()).isZero();
        assertThat(delivered.doubled()).isZero();
        assertThat(left).isZero();
    }

    @Test
    void eachSubscriberOfATopicGetsAllOfIt() throws Exception {
        Delivered delivered =
                run("destname=topic://fan\nnumconnections=2\nnumsessions=2\nnumdests=2\nnummessages=50\n");

        assertThat(delivered.sent()).isEqualTo(100);
        assertThat(delivered.expected()).isEqualTo(200);
        assertThat(delivered.lost()).isZero();
        assertThat(left).isZero();
    }

    @Test
    void aTransactionThatIsNotFullIsCommittedAtTheEnd() throws Exception {
        Delivered delivered = run("msgpertxn=7\nnummessages=50\nmsgtype=bytes\n");

        assertThat(delivered.expected()).isEqualTo(50);
        assertThat(delivered.lost()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "client", "dups_ok"})
    void eachAcknowledgementWorksWithoutTransactions(String mode) throws Exception {
        Delivered delivered = run(QUEUE + "istransacted=false\nackmode=" + mode + "\n");

        assertThat(delivered.lost()).isZero();
        assertThat(delivered.doubled()).isZero();
        assertThat(left).isZero();
    }

    @Test
    void aMessageThatGetsLostIsLostAtEachSubscriber() throws Exception {
        Delivered delivered = run(
                "destname=topic://fan\nnumconnections=2\nnummessages=50\n",
                Duration.ofMillis(300),
                connections -> Tampered.losing(connections, 20));

        assertThat(delivered.expected()).isEqualTo(100);
        assertThat(delivered.lost()).isEqualTo(2);
        assertThat(delivered.doubled()).isZero();
    }

    @Test
    void aMessageThatComesTwiceIsDoubledAtEachSubscriber() throws Exception {
        Delivered delivered = run(
                "destname=topic://fan\nnumconnections=2\nnummessages=50\n",
                Duration.ofMinutes(1),
                connections -> Tampered.doubling(connections, 20));

        assertThat(delivered.lost()).isZero();
        assertThat(delivered.doubled()).isEqualTo(2);
    }

    @Test
    void whereNothingArrivesPublishersGiveUp() throws Exception {
        Delivered delivered =
                run("nummessages=50\n", Duration.ofMillis(300), connections -> Tampered.losing(connections, 0, 50));

        assertThat(delivered.sent()).isEqualTo(10);
        assertThat(delivered.lost()).isEqualTo(10);
    }

    @Test
    void timeEndsARunWithoutANumberOfMessages() throws Exception {
        Delivered delivered = run("nummessages=0\nnumrptintervals=1\nrptintervalsecs=1\n");

        assertThat(delivered.sent()).isPositive();
        assertThat(delivered.lost()).isZero();
        assertThat(delivered.arrivals().seconds()).isGreaterThan(0.5);
    }
}
