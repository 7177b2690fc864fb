// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.benchmarks.messaging.EmbeddedBroker;
import io.flexpool.benchmarks.messaging.OpenStore;
import io.flexpool.benchmarks.persistence.Fan.Delivered;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FanTest {
    private static final String QUEUE = "destname=queue://fan\nnumsessions=3\nnummessages=50\n";

    @TempDir
    Path folder;

    private Delivered run(String workload) throws Exception {
        Workload read = WorkloadFile.read(Files.writeString(folder.resolve("fan.properties"), workload));
        try (OpenStore store = OpenStore.none();
                EmbeddedBroker broker = EmbeddedBroker.start(store, folder)) {
            Delivered delivered = new Fan(broker.connections(), read, "test.", 10).run("text");
            // Received, but not acknowledged for good?
            assertThat(read.topic() ? 0 : broker.pending("test." + read.destname()))
                    .isZero();
            return delivered;
        }
    }

    @Test
    void theConsumersOfAQueueShareItsMessages() throws Exception {
        Delivered delivered = run(QUEUE);

        assertThat(delivered.sent()).isEqualTo(50);
        assertThat(delivered.expected()).isEqualTo(50);
        assertThat(delivered.lost()).isZero();
        assertThat(delivered.doubled()).isZero();
        assertThat(delivered.arrivals().count()).isEqualTo(50);
    }

    @Test
    void eachSubscriberOfATopicGetsAllOfIt() throws Exception {
        Delivered delivered =
                run("destname=topic://fan\nnumconnections=2\nnumsessions=2\nnumdests=2\nnummessages=50\n");

        assertThat(delivered.sent()).isEqualTo(100);
        assertThat(delivered.expected()).isEqualTo(200);
        assertThat(delivered.lost()).isZero();
        assertThat(delivered.arrivals().count()).isEqualTo(200);
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
    }

    @Test
    void timeEndsARunWithoutANumberOfMessages() throws Exception {
        Delivered delivered = run("nummessages=0\nnumrptintervals=1\nrptintervalsecs=1\n");

        assertThat(delivered.sent()).isPositive();
        assertThat(delivered.lost()).isZero();
        assertThat(delivered.arrivals().seconds()).isGreaterThan(0.5);
    }
}
