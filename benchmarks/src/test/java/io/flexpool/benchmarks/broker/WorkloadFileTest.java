// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class WorkloadFileTest {
    @TempDir
    Path folder;

    private Workload read(String text) throws IOException {
        return WorkloadFile.read(Files.writeString(folder.resolve("mine.properties"), text));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    numsesions = 1       | 'numsesions' must be one of ackmode, deliverymode
                    numsesions = 1       | nearest is numsessions
                    numconnections = 0   | numconnections = '0' must be a whole number from 1 to 100
                    numsessions = many   | numsessions = 'many' must be a whole number from 1 to 100
                    numdests = 101       | numdests = '101' must be a whole number from 1 to 100
                    numdests = 2         | numdests = '2' must not be above numconnections times numsessions, 1
                    destname = orders    | destname = 'orders' must be queue://NAME or topic://NAME
                    destname = queue://a b | destname = 'queue://a b' must be
                    istransacted = yes   | istransacted = 'yes' must be true or false
                    istransacted = tru   | nearest is true
                    msgpertxn = 0        | msgpertxn = '0' must be a whole number from 1 to 100
                    deliverymode = fast  | deliverymode = 'fast' must be persistent or non_persistent
                    msgtype = stream     | msgtype = 'stream' must be text or bytes
                    msgsize = 0          | msgsize = '0' must be a whole number from 1 to 10485760
                    durable = true       | durable = 'true' must be false with a queue
                    ackmode = atuo       | ackmode = 'atuo' must be auto or client or dups_ok; the nearest is auto
                    numrptintervals = -1 | numrptintervals = '-1' must be a whole number from 0 to 3600
                    rptintervalsecs = 0  | rptintervalsecs = '0' must be a whole number from 1 to 3600
                    dowarmup = 1         | dowarmup = '1' must be true or false
                    nummessages = 1e6    | nummessages = '1e6' must be a whole number from 0 to 10000000
                    nummessages = 0      | nummessages = '0' must not be 0 with numrptintervals = 0
                    """)
    void whatIsWrongIsRefusedByNameAndFile(String line, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(line))
                .withMessageStartingWith("mine: ")
                .withMessageContaining(message);
    }

    @Test
    void severalMessagesOfATransactionNeedTransactions() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read("istransacted = false\nmsgpertxn = 2"))
                .withMessageContaining("msgpertxn = '2' must be 1 with istransacted = false");
    }

    @Test
    void whatIsGivenIsTaken() throws IOException {
        Workload workload = read("""
                numconnections = 2
                numsessions = 3
                destname = topic://news
                numdests = 4
                istransacted = false
                deliverymode = non_persistent
                msgtype = bytes
                msgsize = 5
                durable = true
                ackmode = client
                numrptintervals = 6
                rptintervalsecs = 7
                dowarmup = false
                nummessages = 8
                """);

        assertThat(workload)
                .isEqualTo(new Workload(
                        "mine",
                        2,
                        3,
                        true,
                        "news",
                        4,
                        false,
                        1,
                        false,
                        Workload.MessageType.BYTES,
                        5,
                        true,
                        Workload.AckMode.CLIENT,
                        6,
                        7,
                        false,
                        8));
    }

    @ParameterizedTest
    @EnumSource(Shape.class)
    void eachShapeComesWithItsWorkload(Shape shape) {
        Workload workload = shape.workload();

        assertThat(workload.name()).isEqualTo(shape.toString());
        assertThat(workload.istransacted()).isTrue();
        assertThat(workload.msgpertxn()).isEqualTo(1);
        assertThat(workload.persistent()).isTrue();
        assertThat(workload.msgsize()).isEqualTo(1024);
        assertThat(workload.durable()).isEqualTo(workload.topic());
        assertThat(workload.nummessages()).isZero();
        assertThat(workload.limitSeconds()).isEqualTo(10);
        String name = (workload.topic() ? "topic-" : "queue-") + workload.numdests() + "-" + workload.consumers();
        assertThat(shape).hasToString(name);
    }

    @Test
    void otherLimitsReplaceThoseOfTheWorkload() throws IOException {
        Workload workload = read("nummessages = 8\nnumrptintervals = 6\nrptintervalsecs = 7");

        assertThat(workload.limited(null, null)).isEqualTo(workload);
        assertThat(workload.limited(5, null).nummessages()).isEqualTo(5);
        assertThat(workload.limited(5, null).limitSeconds()).isZero();
        assertThat(workload.limited(null, 14).nummessages()).isZero();
        assertThat(workload.limited(null, 14).limitSeconds()).isEqualTo(14);
        assertThat(workload.limited(null, 14).rptintervalsecs()).isEqualTo(7);
        assertThat(workload.limited(5, 15).nummessages()).isEqualTo(5);
        assertThat(workload.limited(5, 15).limitSeconds()).isEqualTo(15);
    }

    @Test
    void whatIsMeasuredForLongIsWarmedUpBySeconds() throws IOException {
        Workload large = Fan.warmUp(read("nummessages = 2000"));
        Workload timed = Fan.warmUp(Shape.TOPIC_1_5.workload());
        Workload small = Fan.warmUp(read("nummessages = 1999"));

        assertThat(large.nummessages()).isZero();
        assertThat(large.limitSeconds()).isEqualTo(5);
        assertThat(timed.limitSeconds()).isEqualTo(5);
        assertThat(small.nummessages()).isEqualTo(1999);
        assertThat(small.limitSeconds()).isEqualTo(1);
    }

    @Test
    void aFileNameWithBrokerSyntaxIsRefused() throws IOException {
        Path file = Files.writeString(folder.resolve("a,b.properties"), "");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> WorkloadFile.read(file))
                .withMessage("the file's name 'a,b.properties' must be of letters, digits, '.', '_' and '-'");
    }
}
