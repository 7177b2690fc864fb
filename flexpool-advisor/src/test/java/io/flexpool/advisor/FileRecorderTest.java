// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assumptions.assumeThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolBuilder;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.advisor.Block.Request;
import io.flexpool.advisor.LeaseTrace.Ending;
import io.flexpool.monitoring.PartView;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.spi.LeaseSink;
import io.flexpool.spi.LeaseSink.LeaseBlock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.h2.jdbcx.JdbcConnectionPool;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

@Timeout(300)
class FileRecorderTest {
    private static final long MOST = 1 << 20;

    @TempDir
    private Path folder;

    private final Logger logger = (Logger) LoggerFactory.getLogger("io.flexpool");
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private @Nullable Level level;

    @BeforeEach
    void listen() {
        lines.start();
        level = logger.getLevel();
        logger.setLevel(Level.INFO);
        logger.addAppender(lines);
    }

    @AfterEach
    void listenNoMore() {
        logger.detachAppender(lines);
        logger.setLevel(level);
    }

    private List<String> said(String words) {
        return List.copyOf(lines.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.contains(words))
                .toList();
    }

    private LeaseSink recorder(Path directory, String pool, boolean anonymous) {
        return new FileRecorder(new RecordRequest(pool, directory, MOST, anonymous, Map.of("max", "7")), 1_000_000);
    }

    private void record(String pool, LeaseBlock... blocks) {
        LeaseSink recorder = recorder(folder, pool, false);
        Stream.of(blocks).forEach(recorder::take);
        recorder.close();
    }

    private TraceFile read(String name) throws IOException {
        return TraceFile.read(folder.resolve(name));
    }

    @Test
    void whatRequestsDidIsInTheFile() throws IOException {
        record(
                "orders",
                new Block(
                        List.of(
                                Request.served(1_000, 10, 500),
                                Request.failed(1_200, 300, AcquisitionOutcome.TIMEOUT),
                                Request.failed(1_300, 0, AcquisitionOutcome.REJECTED),
                                Request.failed(1_400, 9, AcquisitionOutcome.CONNECT_FAILURE),
                                Request.failed(1_500, 9, AcquisitionOutcome.INTERRUPTED)),
                        3),
                Block.of(new Request(1_100, 0, 50, AcquisitionOutcome.OK, "shop.Carts.add", 5, false)),
                new Block(List.of(new Request(1_110, 0, 10, AcquisitionOutcome.OK, "shop.Carts.add", 5, true)), 2));
        TraceFile read = read("orders.fpt");
        LeaseTrace trace = read.trace();
        assertThat(trace.arrival).containsExactly(0, 100, 110, 200, 300);
        assertThat(trace.wait).containsExactly(10, 0, 0, 300, 0);
        assertThat(trace.lease).containsExactly(500, 50, 10, 0, 0);
        assertThat(trace.count(Ending.TIMED_OUT)).isEqualTo(2);
        assertThat(trace.sites()).containsExactly("shop.Orders.find", "", "shop.Carts.add");
        assertThat(trace.outer).containsExactly(-1, -1, 1, -1, -1);
        assertThat(read.lost()).isEqualTo(5);
        assertThat(read.header())
                .containsEntry("pool", "orders")
                .containsEntry("max", "7")
                .containsKeys("began", "java");
        assertThat(said("orders: flexpool records the requests of this pool in"))
                .singleElement()
                .asString()
                .endsWith("orders.fpt");
    }

    /** A leak is there, but does not make the record as long as itself. */
    @Test
    void whatHasNotEndedIsInTheFileAsOpen() throws IOException {
        LeaseSink recorder = recorder(folder, "orders", false);
        recorder.take(Block.of(Request.served(5_000, 10, 500), Request.served(9_000, 0, 1)));
        recorder.takeOpen(
                List.of(
                        new Open(Duration.ofHours(2), 7, "shop.Export.run"),
                        new Open(Duration.ofNanos(3_000), 7, null)),
                10_000);
        recorder.close();
        LeaseTrace trace = read("orders.fpt").trace();
        assertThat(trace.arrival).containsExactly(0, 0, 2_000, 4_000);
        assertThat(trace.lease)
                .containsExactlyInAnyOrder(500, Duration.ofHours(2).toNanos(), 3_000, 1);
        assertThat(trace.count(Ending.OPEN)).isEqualTo(2);
        assertThat(trace.ending(2)).isEqualTo(Ending.OPEN);
        assertThat(trace.sites()).containsExactlyInAnyOrder("shop.Orders.find", "shop.Export.run", "");
    }

    @Test
    void anAnonymousRecordNamesNoCallSite() throws IOException {
        LeaseSink recorder = recorder(folder, "orders", true);
        recorder.take(Block.of(Request.served(0, 0, 1)));
        recorder.takeOpen(List.of(new Open(Duration.ofSeconds(1), 7, "shop.Export.run")), 10);
        recorder.close();
        assertThat(read("orders.fpt").trace().sites()).containsExactly("");
    }

    @Test
    void twoPoolsNeverWriteOneFile() throws IOException {
        LeaseSink one = recorder(folder, "a/b", false);
        LeaseSink other = recorder(folder, "a:b", false);
        one.take(Block.of(Request.served(0, 0, 1)));
        awaitSaid("a/b: flexpool records");
        other.take(Block.of(Request.served(0, 0, 1), Request.served(1, 0, 1)));
        awaitSaid("a:b: flexpool records");
        one.close();
        other.close();
        assertThat(read("a_b.fpt").header()).containsEntry("pool", "a/b");
        assertThat(read("a_b.fpt").trace().requests()).isOne();
        assertThat(read("a_b-2.fpt").header()).containsEntry("pool", "a:b");
        assertThat(read("a_b-2.fpt").trace().requests()).isEqualTo(2);
        // The first name is free again.
        record("a b", Block.of());
        assertThat(read("a_b.fpt").header()).containsEntry("pool", "a b");
    }

    private void awaitSaid(String words) {
        while (said(words).isEmpty()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void theRunBeforeIsKept() throws IOException {
        Request[] many = Collections.nCopies(150_000, Request.served(5, 1, 7)).toArray(Request[]::new);
        record("orders", Block.of(many), Block.of(Request.served(0, 0, 1)));
        int before = read("orders.fpt").trace().requests();
        assertThat(folder.resolve("orders.fpt.1")).exists();
        record("orders", Block.of(Request.served(0, 0, 1), Request.served(0, 0, 1)));
        assertThat(read("orders.fpt").trace().requests()).isEqualTo(2);
        assertThat(read("orders.before.fpt").trace().requests()).isEqualTo(before);
        record("orders", Block.of());
        assertThat(read("orders.before.fpt").trace().requests()).isEqualTo(2);
    }

    @Test
    void aLongRecordStaysWithinItsBytes() throws IOException {
        Request[] many = Collections.nCopies(100_000, Request.served(5, 1, 7)).toArray(Request[]::new);
        LeaseSink recorder = new FileRecorder(new RecordRequest("orders", folder, 65_536, false, Map.of()), 1_000_000);
        recorder.take(Block.of(many));
        recorder.close();
        try (Stream<Path> files = Files.list(folder)) {
            long bytes = files.mapToLong(file -> file.toFile().length()).sum();
            assertThat(bytes).isBetween(20_000L, 65_536L);
        }
    }

    /** What the disk cannot keep up with is lost, counted, and no memory is taken for it. */
    @Test
    void whatDoesNotFitIsCounted() throws IOException {
        Request[] many = Collections.nCopies(50_000, Request.served(5, 1, 7)).toArray(Request[]::new);
        Pending pending = new Pending();
        for (int block = 0; block < 6; block++) {
            pending.add(Block.of(many));
        }
        assertThat(pending.size()).isEqualTo(Pending.MOST);
        try (TraceWriter file = new TraceWriter(folder.resolve("a.fpt"), Map.of(), 1 << 24, false)) {
            pending.writeTo(file);
            assertThat(pending.size()).isZero();
            pending.add(Block.of(Request.served(1, 2, 3)));
            pending.writeTo(file);
        }
        TraceFile read = read("a.fpt");
        assertThat(read.lost()).isEqualTo(300_000 - Pending.MOST);
        assertThat(read.trace().requests()).isEqualTo(Pending.MOST + 1);
    }

    /** The names of the call sites that were lost are written again. */
    @Test
    void whatMemoryDidNotSufficeForIsCountedAndTheRestIsReadable() throws IOException {
        try (TraceWriter file = new TraceWriter(folder.resolve("a.fpt"), Map.of(), 1 << 24, false)) {
            file.add(0, 0, 1, Ending.RELEASED, "shop.Orders.find", 7, false);
            file.flush();
            file.add(1, 0, 1, Ending.RELEASED, "shop.Orders.find", 7, false);
            file.add(2, 0, 1, Ending.RELEASED, "shop.Carts.add", 7, false);
            file.discard();
            file.add(3, 0, 1, Ending.RELEASED, "shop.Carts.add", 7, false);
            file.add(4, 0, 1, Ending.RELEASED, "shop.Orders.find", 7, false);
        }
        TraceFile read = read("a.fpt");
        assertThat(read.lost()).isEqualTo(2);
        LeaseTrace trace = read.trace();
        assertThat(trace.arrival).containsExactly(0, 3, 4);
        assertThat(List.of(
                        trace.sites().get(trace.site[0]),
                        trace.sites().get(trace.site[1]),
                        trace.sites().get(trace.site[2])))
                .containsExactly("shop.Orders.find", "shop.Carts.add", "shop.Orders.find");
    }

    @Test
    void aDirectoryThatCannotBeMadeEndsTheRecordingWithOneLine() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "no directory");
        LeaseSink recorder = recorder(file.resolve("below"), "orders", false);
        recorder.take(Block.of(Request.served(0, 0, 1)));
        awaitSaid("orders: the recording ends: ");
        assertThat(recorder.trouble()).startsWith("the recording has ended: java.nio.file.");
        recorder.take(Block.of(Request.served(0, 0, 1)));
        recorder.close();
        assertThat(said("orders")).hasSize(1);
    }

    /** In the middle: where the full file should go there is a directory now. */
    @Test
    void aFileThatCannotBeWrittenAnyMoreEndsTheRecordingWithOneLine() throws IOException {
        Request[] many = Collections.nCopies(50_000, Request.served(5, 1, 7)).toArray(Request[]::new);
        LeaseSink recorder = new FileRecorder(new RecordRequest("orders", folder, 65_536, false, Map.of()), 1_000_000);
        recorder.take(Block.of(Request.served(0, 0, 1)));
        awaitSaid("orders: flexpool records");
        Files.createDirectories(folder.resolve("orders.fpt.1").resolve("in-the-way"));
        recorder.take(Block.of(many));
        awaitSaid("orders: the recording ends: ");
        recorder.take(Block.of(many));
        recorder.close();
        assertThat(said("orders: the recording ends")).hasSize(1);
        Files.delete(folder.resolve("orders.fpt.1").resolve("in-the-way"));
        Files.delete(folder.resolve("orders.fpt.1"));
        assertThat(read("orders.fpt").trace().requests()).isPositive();
    }

    /** A whole pool: what the application does is recorded, also when nothing else reads it. */
    @Test
    void aPoolRecordsItself() throws Exception {
        Map<String, String> properties = Map.of("flexpool.record", folder.toString());
        JdbcConnectionPool database = JdbcConnectionPool.create("jdbc:h2:mem:recorded", "sa", "");
        Connection leaked;
        try (FlexPoolDataSource pool =
                FlexPool.wrap(database).properties(properties).name("orders").build()) {
            for (int request = 0; request < 25; request++) {
                try (Connection connection = pool.getConnection()) {
                    assertThat(connection.isClosed()).isFalse();
                }
            }
            leaked = pool.getConnection();
        }
        leaked.close();
        LeaseTrace trace = read("orders.fpt").trace();
        assertThat(trace.requests()).isEqualTo(26);
        assertThat(trace.count(Ending.OPEN)).isOne();
        assertThat(trace.count(Ending.RELEASED)).isEqualTo(25);
        assertThat(trace.span()).isLessThan(Duration.ofMinutes(1));
    }

    /** Its JVM is killed while it writes: what it had written is read, and the next run has the file. */
    @Test
    void aKilledProgramLeavesAWholeRecord() throws Exception {
        Process killed = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        RecordingProgram.class.getName(),
                        folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        Path file = folder.resolve("killed.fpt");
        try {
            // The header, and at least one block of requests.
            while (killed.isAlive() && (!Files.exists(file) || Files.size(file) < 10_000)) {
                Thread.onSpinWait();
            }
            assertThat(killed.isAlive()).isTrue();
        } finally {
            killed.destroyForcibly().waitFor();
        }
        TraceFile read = TraceFile.read(file);
        assertThat(read.damage()).isEmpty();
        assertThat(read.trace().requests()).isGreaterThan(100);
        record("killed", Block.of(Request.served(0, 0, 1)));
        assertThat(read("killed.before.fpt").trace().requests())
                .isEqualTo(read.trace().requests());
        assertThat(read("killed.fpt").trace().requests()).isOne();
    }

    /** {@code record: off} in YAML, without quotes, arrives as false: it once created a directory of that name. */
    @ParameterizedTest
    @ValueSource(strings = {"off", "false"})
    void offRecordsNothing(String off) {
        try (FlexPoolDataSource pool = FlexPool.wrap(JdbcConnectionPool.create("jdbc:h2:mem:off", "", ""))
                .properties(Map.of("flexpool.record", off))
                .build()) {
            assertThat(pool.parts()).extracting(PartView::name).doesNotContain("recorder");
        }
        assertThat(Path.of(off)).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Off", "true", "on", "No", "file"})
    void aSwitchIsNoDirectory(String word) {
        FlexPoolBuilder builder = FlexPool.wrap(JdbcConnectionPool.create("jdbc:h2:mem:off", "", ""))
                .name("orders")
                .properties(Map.of("flexpool.record", word));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.build().close())
                .withMessageContaining("flexpool.record = " + word + ": must be off, or the path of a directory");
        assertThat(Path.of(word)).doesNotExist();
    }

    @Test
    void aPlaceholderIsNoDirectory() {
        refused("/tmp/${RECORD_DIRECTORY}", "flexpool.record = ${RECORD_DIRECTORY}: the placeholder is not resolved");
    }

    /** The start passed, and each recording failed. */
    @Test
    void aFileIsNoDirectory() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        for (Path refused : List.of(file, file.resolve("below"))) {
            refused(
                    refused.toString(),
                    "flexpool.record = " + refused + ": must be a directory that this process can create or write");
        }
        assertThat(file).isRegularFile();
    }

    /** Root writes everywhere. */
    @Test
    void aDirectoryThatCannotBeWrittenIsRefused() throws IOException {
        Path locked = Files.createDirectory(folder.resolve("locked"));
        assumeThat(locked.toFile().setWritable(false)).isTrue();
        assumeThat(Files.isWritable(locked)).isFalse();
        for (Path refused : List.of(locked, locked.resolve("below"))) {
            refused(refused.toString(), ": must be a directory that this process can create or write");
        }
    }

    private static void refused(String record, String message) {
        FlexPoolBuilder builder = FlexPool.wrap(JdbcConnectionPool.create("jdbc:h2:mem:off", "", ""))
                .name("orders")
                .properties(Map.of("flexpool.record", record));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.build().close())
                .withMessageContaining(message);
    }
}
