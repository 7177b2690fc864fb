// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import static io.flexpool.advisor.Traces.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.advisor.LeaseTrace.Ending;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceFileTest {
    private static final Map<String, String> HEADER = Map.of("pool", "orders", "max", "10");
    private static final long LARGE = 1 << 24;
    private static final LeaseTrace TRACE = Traces.poisson(5, Duration.ofMinutes(5), 100, 4, Traces.exponential(20));

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("orders.fpt");
    }

    private void write(LeaseTrace trace, long mostBytes, boolean anonymous) throws IOException {
        try (TraceWriter writer = new TraceWriter(file, HEADER, mostBytes, anonymous)) {
            add(writer, trace);
        }
    }

    private static void add(TraceWriter writer, LeaseTrace trace) throws IOException {
        for (int at = 0; at < trace.requests(); at++) {
            writer.add(
                    // Any clock: it may be negative.
                    trace.arrival[at] - 77 * SECOND,
                    trace.wait[at],
                    trace.lease[at],
                    trace.ending(at),
                    trace.sites().get(trace.site[at]),
                    at % 7,
                    true);
        }
    }

    private static void assertSame(LeaseTrace read, LeaseTrace written) {
        assertThat(read.arrival).isEqualTo(written.arrival);
        assertThat(read.wait).isEqualTo(written.wait);
        assertThat(read.lease).isEqualTo(written.lease);
        assertThat(read.ending).isEqualTo(written.ending);
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        write(TRACE, LARGE, false);
        TraceFile read = TraceFile.read(file);
        assertThat(read.header()).isEqualTo(HEADER);
        assertSame(read.trace(), TRACE);
        assertThat(read.trace().sites()).containsExactly("shop.Orders.find");
        assertThat(read.damage()).isEmpty();
        assertThat(read.cutOff()).isFalse();
        assertThat(Files.size(file) / TRACE.requests()).as("bytes a request").isLessThan(20);
    }

    @Test
    void anEmptyRecordIsReadToo() throws IOException {
        write(LeaseTrace.builder().build(), LARGE, false);
        assertThat(TraceFile.read(file).trace().requests()).isZero();
    }

    @Test
    void anAnonymousRecordNamesNoCallSite() throws IOException {
        write(TRACE, LARGE, true);
        assertThat(TraceFile.read(file).trace().sites()).containsExactly("");
        assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                .doesNotContain("shop");
    }

    /** As of a program that was killed. */
    @Test
    void aFileThatWasCutOffIsReadUpToItsLastBlock() throws IOException {
        write(TRACE, LARGE, false);
        byte[] all = Files.readAllBytes(file);
        SplittableRandom random = new SplittableRandom(1);
        for (int trial = 0; trial < 50; trial++) {
            int length = random.nextInt(TraceFormat.START_BYTES, all.length);
            Files.write(file, Arrays.copyOf(all, length));
            TraceFile read = TraceFile.read(file);
            assertThat(read.damage()).isEmpty();
            assertThat(read.trace().requests()).isLessThan(TRACE.requests());
            int count = read.trace().requests();
            assertThat(read.trace().lease).isEqualTo(Arrays.copyOf(TRACE.lease, count));
        }
    }

    @Test
    void aDamagedBlockIsNamedAndWhatIsBeforeItIsKept() throws IOException {
        write(TRACE, LARGE, false);
        byte[] all = Files.readAllBytes(file);
        all[all.length / 2] ^= 1;
        Files.write(file, all);
        TraceFile read = TraceFile.read(file);
        assertThat(read.damage())
                .hasValueSatisfying(damage -> assertThat(damage)
                        .startsWith("orders.fpt, block " + (read.blocks() + 1))
                        .contains("check sum"));
        assertThat(read.trace().requests()).isPositive().isLessThan(TRACE.requests());
    }

    /** Whatever happened to a file: it is read, or refused with a reason, and nothing large is allocated. */
    @Test
    void anyByteMayBeWrong() throws IOException {
        write(Traces.poisson(5, Duration.ofSeconds(3), 10, 4, Traces.exponential(20)), LARGE, false);
        byte[] all = Files.readAllBytes(file);
        for (int at = 0; at < all.length; at++) {
            byte[] wrong = all.clone();
            wrong[at] ^= (byte) 0xff;
            Files.write(file, wrong);
            try {
                TraceFile read = TraceFile.read(file);
                assertThat(read.damage().isPresent() || read.cutOff())
                        .as("byte %s", at)
                        .isTrue();
            } catch (IOException refused) {
                assertThat(refused).hasMessageContaining("orders.fpt");
            }
        }
    }

    /** Between two files: the newer one is not there yet, or has not begun. */
    @Test
    void aProgramMayBeKilledWhileItRotates() throws IOException {
        write(TRACE, 200_000, false);
        Files.delete(file);
        TraceFile older = TraceFile.read(file);
        assertThat(older.trace().requests()).isPositive();
        assertThat(older.damage()).isEmpty();
        Files.write(file, new byte[] {'F', 'P', 'T'});
        TraceFile both = TraceFile.read(file);
        assertThat(both.trace().requests()).isEqualTo(older.trace().requests());
        assertThat(both.cutOff()).isTrue();
        Files.delete(TraceWriter.older(file));
        assertThatThrownBy(() -> TraceFile.read(file)).isInstanceOf(IOException.class);
    }

    /** The end of the older file is missing too, though the newer one is whole. */
    @Test
    void anOlderFileThatIsCutOffIsNotWhole() throws IOException {
        write(TRACE, 200_000, false);
        Path older = TraceWriter.older(file);
        byte[] all = Files.readAllBytes(older);
        Files.write(older, Arrays.copyOf(all, all.length - 3));
        assertThat(TraceFile.read(file).cutOff()).isTrue();
    }

    @Test
    void whatWasLostIsCounted() throws IOException {
        try (TraceWriter writer = new TraceWriter(file, HEADER, LARGE, false)) {
            writer.addLost(3);
            writer.flush();
            writer.addLost(0);
            add(writer, TRACE);
            writer.addLost(4);
        }
        TraceFile read = TraceFile.read(file);
        assertThat(read.lost()).isEqualTo(7);
        assertSame(read.trace(), TRACE);
    }

    /** A number may be that of several threads. */
    @Test
    void onlyNestedRequestsHaveAnOuterLease() throws IOException {
        try (TraceWriter writer = new TraceWriter(file, HEADER, LARGE, false)) {
            writer.add(0, 0, 100, Ending.RELEASED, "a", 1, false);
            writer.add(10, 0, 20, Ending.RELEASED, "b", 1, false);
            writer.add(15, 0, 5, Ending.RELEASED, "c", 1, true);
            writer.add(40, 0, 5, Ending.RELEASED, "c", 1, true);
            writer.add(50, 0, 5, Ending.RELEASED, "c", 2, true);
        }
        int none = LeaseTrace.NONE;
        assertThat(TraceFile.read(file).trace().outer).containsExactly(none, none, 1, 0, none);
    }

    /** A file with one block after its header, whose check sum is right. */
    private TraceFile withBlock(byte kind, int length, byte... content) throws IOException {
        write(LeaseTrace.builder().build(), LARGE, false);
        byte[] header = Files.readAllBytes(file);
        ByteBuffer all = ByteBuffer.allocate(
                header.length + TraceFormat.BEFORE_CONTENT + content.length + TraceFormat.AFTER_CONTENT);
        all.put(header).put(kind).putInt(length).put(content);
        CRC32C crc = new CRC32C();
        crc.update(all.slice(header.length, all.position() - header.length));
        Files.write(file, all.putInt((int) crc.getValue()).array());
        return TraceFile.read(file);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1 << 25, Integer.MAX_VALUE})
    void aLengthThatNoWriterWritesIsDamage(int length) throws IOException {
        assertThat(withBlock(TraceFormat.REQUESTS, length, (byte) 0).damage())
                .hasValueSatisfying(
                        damage -> assertThat(damage).contains("invalid block length, " + length + " bytes"));
    }

    @Test
    void aTextThatIsLongerThanItsBlockIsDamage() throws IOException {
        // One call site, of a name with 1,000 bytes that are not there.
        assertThat(withBlock(TraceFormat.REQUESTS, 3, (byte) 1, (byte) 0xe8, (byte) 7)
                        .damage())
                .hasValueSatisfying(damage -> assertThat(damage).contains("a text of 1000 bytes"));
    }

    @Test
    void aBlockOfAnotherKindIsDamage() throws IOException {
        assertThat(withBlock((byte) 'X', 0).damage())
                .hasValueSatisfying(damage -> assertThat(damage).contains("block 2: unknown block kind"));
    }

    @Test
    void anotherFileIsRefused() throws IOException {
        Files.writeString(file, "2026-11-23 10:00:00 INFO started, and a log is no trace");
        assertThatThrownBy(() -> TraceFile.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("orders.fpt: not a file");
    }

    /** Two classes have a call site in common, and its file is full several times. */
    @Test
    void theClassesOfRequestsAreRead() throws IOException {
        Map<String, String> header = Map.of("classes", "interactive,batch");
        int requests = 30_000;
        try (TraceWriter writer = new TraceWriter(file, header, 1 << 18, false)) {
            for (int at = 0; at < requests; at++) {
                writer.inClass(at % 3 == 0 ? "batch" : "interactive")
                        .add(at * SECOND, at, 7, Ending.RELEASED, "shop.Orders.find", 0, false);
            }
        }
        assertThat(Files.readAllBytes(file)[TraceFormat.START_BYTES - 1]).isEqualTo((byte) 2);
        TraceFile read = TraceFile.read(file);
        assertThat(read.damage()).isEmpty();
        assertThat(read.trace().requests()).isBetween(1_000, requests - 1);
        for (int at = 0; at < read.trace().requests(); at++) {
            String wanted = read.trace().waitNanos(at) % 3 == 0 ? "batch" : "interactive";
            assertThat(read.trace().requestClass(at)).isEqualTo(wanted);
        }
        LeaseTrace batch = read.trace().inClass("batch");
        assertThat(batch.requests())
                .isBetween(read.trace().requests() / 3 - 1, read.trace().requests() / 3 + 1);
        assertThat(batch.requestClass(0)).isEqualTo("batch");
        assertThat(batch.waitNanos(1) - batch.waitNanos(0)).isEqualTo(3);
    }

    /** So that it is read by programs from before there were classes, and their files by this one. */
    @Test
    void withoutClassesAFileIsOfTheFirstVersion() throws IOException {
        try (TraceWriter writer = new TraceWriter(file, HEADER, LARGE, false)) {
            writer.inClass("batch").add(3, 2, 1, Ending.RELEASED, "a", 5, true);
        }
        byte[] all = Files.readAllBytes(file);
        assertThat(all[TraceFormat.START_BYTES - 1]).isEqualTo((byte) 1);
        // One new call site of one letter, one request: twice 3, 2, 1, the site's number and the ending, twice 5 and
        // nested.
        assertThat(Arrays.copyOfRange(all, all.length - 13, all.length - 4))
                .containsExactly(1, 1, 'a', 1, 6, 2, 1, 0, 11);
        assertThat(TraceFile.read(file).trace().requestClass(0)).isEmpty();
    }

    @Test
    void aNewerVersionIsRefused() throws IOException {
        write(TRACE, LARGE, false);
        byte[] all = Files.readAllBytes(file);
        all[TraceFormat.START_BYTES - 1] = 3;
        Files.write(file, all);
        assertThatThrownBy(() -> TraceFile.read(file))
                .hasMessageContaining("version 3, this program reads version 1 and 2");
    }

    @Test
    void aLongRecordKeepsItsLastRequestsWithinItsBytes() throws IOException {
        long most = 200_000;
        write(TRACE, most, false);
        assertThat(Files.size(file) + Files.size(TraceWriter.older(file))).isLessThanOrEqualTo(most);
        TraceFile read = TraceFile.read(file);
        assertThat(read.damage()).isEmpty();
        LeaseTrace kept = read.trace();
        assertThat(kept.requests()).isLessThan(TRACE.requests()).isGreaterThan(3_000);
        assertThat(kept.lease)
                .isEqualTo(Arrays.copyOfRange(TRACE.lease, TRACE.requests() - kept.requests(), TRACE.requests()));
    }

    @Test
    void whatWasFlushedIsInTheFile() throws IOException {
        try (TraceWriter writer = new TraceWriter(file, HEADER, LARGE, false)) {
            writer.add(5, 1, 2, Ending.OPEN, "a", 1, true);
            writer.flush();
            writer.add(6, 1, 2, Ending.TIMED_OUT, "a", 1, true);
            assertThat(TraceFile.read(file).trace().requests()).isOne();
        }
        LeaseTrace both = TraceFile.read(file).trace();
        assertThat(both.count(Ending.OPEN)).isOne();
        assertThat(both.count(Ending.TIMED_OUT)).isOne();
    }
}
