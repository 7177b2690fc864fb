// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What real versions of HikariCP wrote, with real layouts: src/test/record/record.sh made the logs. In each, three requests fail
 * while all three connections of {@code orders} and all four of {@code Reporting DB-2.eu} are in use.
 */
class HikariLogTest {
    private static final String REPORTING = "Reporting DB-2.eu";

    @TempDir
    private Path folder;

    private static byte[] recorded(String name) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(HikariLogTest.class.getResourceAsStream("/hikaricp/" + name + ".log"), name)) {
            return in.readAllBytes();
        }
    }

    private static String text(String name) throws IOException {
        return new String(recorded(name), StandardCharsets.UTF_8);
    }

    private static Map<String, PoolSamples> read(byte[] log, @Nullable String pool) throws IOException {
        return new HikariLog(new LogInput(() -> new ByteArrayInputStream(log)), pool).read(List.of(LogInput.STANDARD));
    }

    private static Map<String, PoolSamples> read(String log) throws IOException {
        return read(log.getBytes(StandardCharsets.UTF_8), null);
    }

    private static PoolSamples samples(Map<String, PoolSamples> pools, String pool) {
        return Objects.requireNonNull(pools.get(pool), pool);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2.0.1",
                "2.3.13",
                "2.4.0",
                "2.4.7",
                "2.7.9",
                "4.0.3",
                "5.0.1",
                "5.1.0",
                "6.3.3",
                "7.1.0",
                "logstash",
                "ecs",
                "log4j2-highlight"
            })
    void eachVersionsLinesAreRead(String version) throws IOException {
        Map<String, PoolSamples> pools = read(recorded(version), null);
        assertThat(pools).containsOnlyKeys("orders", REPORTING);
        assertThat(pools).allSatisfy((pool, samples) -> {
            int size = pool.equals("orders") ? 3 : 4;
            assertThat(samples.max()).isEqualTo(size);
            assertThat(samples.failed())
                    .as("each is logged twice, with its exception and without")
                    .isEqualTo(3);
            assertThat(samples.mostActive()).isEqualTo(size);
            assertThat(samples.highest()).isEqualTo(size + 3);
            assertThat(samples.moments()).isPositive();
            assertThat(samples.waitedMoments()).isBetween(1L, samples.moments() - 1);
        });
    }

    /** What an INFO log of production has: exceptions alone. */
    @ParameterizedTest
    @CsvSource({"5.1.0, true", "7.1.0, true", "5.0.1, false", "4.0.3, false", "2.7.9, false"})
    void aLogWithoutDebugLinesShowsTheFailures(String version, boolean figures) throws IOException {
        StringBuilder log = new StringBuilder();
        text(version)
                .lines()
                .filter(line -> !line.contains(" stats ("))
                .forEach(line -> log.append(line).append('\n'));
        Map<String, PoolSamples> pools = read(log.toString());
        assertThat(pools).containsOnlyKeys("orders", REPORTING);
        // Two that fail in one second after as many milliseconds have the same message.
        PoolSamples orders = samples(pools, "orders");
        long failed = orders.failed();
        assertThat(failed).isBetween(figures ? 3L : 2L, 3L);
        assertThat(orders.hasFigures()).isEqualTo(figures);
        SampledDemand advice = HikariAdvice.of("orders", orders, 0);
        assertThat(advice.connections()).as("no size follows").isZero();
        assertThat(advice.failed()).isEqualTo(failed);
        assertThat(advice.text())
                .contains((figures ? "" : "At least ") + failed + " requests timed out")
                .contains("unknown")
                .doesNotContain("enough.");
    }

    /** What ships, exports and colours logs puts something before each line, or around the message. */
    static List<UnaryOperator<String>> forms() {
        return List.of(
                line -> "[pod/orders-7c9f8-x2x4v/app] " + line,
                line -> "api-1  | " + line,
                line -> "\u001b[2m" + line.replace(" : ", " \u001b[0;39m \u001b[2m:\u001b[0;39m "),
                line -> "2026-03-02 10:00:00.000,\"" + line.replaceFirst("^.* : ", "") + "\"",
                line -> "2026-03-02T10:00:00.000Z," + line.replaceFirst("^.* : ", ""),
                line -> "time=2026-03-02T10:00:00Z level=debug logger=c.z.h.p.HikariPool msg=\""
                        + line.replaceFirst("^.* : ", "") + "\"",
                line -> "2026-03-02 10:00:00,000 DEBUG [main] com.zaxxer.hikari.pool.HikariPool - "
                        + line.replaceFirst("^.* : ", ""),
                line -> "{\"log\":\"" + line + "\\n\",\"stream\":\"stdout\",\"time\":\"2026-03-02T10:00:00Z\"}",
                line -> "Mar  2 10:00:00 host shop[4711]: " + line.replaceFirst("^.* : ", ""),
                line -> "10:00:00.000 DEBUG HikariPool " + line.replaceFirst("^.* : ", ""));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void whatStandsBeforeTheMessageIsNotTheName(int form) throws IOException {
        StringBuilder log = new StringBuilder();
        text("7.1.0")
                .lines()
                .filter(line -> line.contains(" stats ("))
                .map(forms().get(form))
                .forEach(line -> log.append(line).append('\n'));
        assertThat(read(log.toString())).containsOnlyKeys("orders", REPORTING);
    }

    @Test
    void aNameWithADashIsFoundIfItIsGiven() throws IOException {
        String log = "2026-03-02 10:00:00 DEBUG c.z.h.p.HikariPool - Orders - EU - Pool stats (total=2/2, idle=1/2,"
                + " active=1, waiting=0)\n";
        assertThat(read(log)).containsOnlyKeys("EU");
        assertThat(read(log.getBytes(StandardCharsets.UTF_8), "Orders - EU")).containsOnlyKeys("Orders - EU");
    }

    @Test
    void replicasInOneFileAreNamedAndNotAddedUp() throws IOException {
        StringBuilder log = new StringBuilder();
        for (String api : List.of("api-1", "api-2", "api-3")) {
            text("7.1.0")
                    .lines()
                    .filter(line -> line.contains("orders - Pool"))
                    .forEach(line -> log.append(api + "  | " + line + "\n"));
        }
        PoolSamples orders = samples(read(log.toString()), "orders");
        assertThat(orders.instances()).containsExactly("api-1", "api-2", "api-3");
        assertThat(HikariAdvice.of("orders", orders, 0).text())
                .contains("of orders on 3 instances (api-1, api-2, api-3; each counted separately)");
    }

    @Test
    void allInUseAndNothingWaitingIsALowerBound() throws IOException {
        String line = "orders - Pool stats (total=10/10, idle=0/10, active=10, waiting=0)\n";
        SampledDemand advice = HikariAdvice.of("orders", samples(read(line.repeat(200)), "orders"), 0);
        assertThat(advice.connections()).isEqualTo(10);
        assertThat(advice.text())
                .contains("The pool needs at least 10; the exact number is unknown")
                .doesNotContain("and requests wait");
    }

    @Test
    void otherEncodingsAreRead() throws IOException {
        byte[] plain = recorded("7.1.0");
        String text = text("7.1.0");
        byte[] latin = (text + "Bestellung f\u00fcr M\u00fcller " + text).getBytes(StandardCharsets.ISO_8859_1);
        Map<String, PoolSamples> expected = read(plain, null);
        for (byte[] bytes : List.of(
                latin,
                ('\ufeff' + text).getBytes(StandardCharsets.UTF_16LE),
                text.getBytes(StandardCharsets.UTF_16LE),
                ('\ufeff' + text).getBytes(StandardCharsets.UTF_16BE),
                text.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8))) {
            assertThat(read(bytes, null).keySet()).isEqualTo(expected.keySet());
        }
        Path gz = folder.resolve("app.log.gz");
        try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(gz))) {
            out.write(plain);
        }
        Map<String, PoolSamples> zipped =
                new HikariLog(new LogInput(() -> InputStream.nullInputStream()), null).read(List.of(gz));
        assertThat(samples(zipped, "orders").moments())
                .isEqualTo(samples(expected, "orders").moments());
    }

    @Test
    void aDamagedFigureIsNamedWithItsPlace() throws IOException {
        Path log = Files.writeString(
                folder.resolve("app.log"),
                text("7.1.0") + "orders - Pool stats (total=99999999999, active=1, idle=1, waiting=0)\n");
        HikariLog reader = new HikariLog(new LogInput(() -> InputStream.nullInputStream()), null);
        reader.read(List.of(log));
        assertThat(reader.damage())
                .contains("1 place")
                .contains("app.log, line ")
                .contains("'99999999999'");
    }

    @Test
    void aFigureAtTheSeamOfALongLineCountsOnce() throws IOException {
        String figure = " : orders - Pool stats (total=3/3, idle=0/3, active=3, waiting=1)";
        for (int before = LogLines.LONGEST - 200; before < LogLines.LONGEST + 20; before++) {
            byte[] log = ("x".repeat(before) + figure + "y".repeat(LogLines.LONGEST) + "\n")
                    .getBytes(StandardCharsets.UTF_8);
            assertThat(samples(read(log, null), "orders").moments())
                    .as("after %d", before)
                    .isEqualTo(1);
        }
    }

    /** As a shell makes one of {@code <(zcat app.log.gz)}. */
    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void aPipeIsReadAsAFileIs() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        byte[] log = recorded("7.1.0");
        CompletableFuture<Void> written = CompletableFuture.runAsync(() -> {
            try (OutputStream into = Files.newOutputStream(pipe, StandardOpenOption.WRITE)) {
                into.write(log);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        assertThat(new HikariLog(new LogInput(InputStream::nullInputStream), null).read(List.of(pipe)))
                .containsOnlyKeys("orders", REPORTING);
        written.join();
    }

    @Test
    void aFileThatIsGivenTwiceIsRefused() throws IOException {
        Path log = Files.write(folder.resolve("app.log"), recorded("7.1.0"));
        StringWriter err = new StringWriter();
        assertThat(FlexpoolCli.commandLine()
                        .setErr(new PrintWriter(err, true))
                        .execute("advise", "--pool", "orders", "--hikari-log", log.toString(), folder + "/./app.log"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("app.log: must be given once");
    }

    @Test
    void aControlCharacterInAFigureIsEscaped() throws IOException {
        Path log = Files.writeString(
                folder.resolve("app.log"),
                text("7.1.0") + "\nx - Pool stats (total=1/1, idle=0/1, active=1\u001b[2J, waiting=0)\n");
        StringWriter err = new StringWriter();
        assertThat(FlexpoolCli.commandLine()
                        .setOut(new PrintWriter(Writer.nullWriter(), true))
                        .setErr(new PrintWriter(err, true))
                        .execute("advise", "--pool", "orders", "--hikari-log", log.toString()))
                .isZero();
        assertThat(err.toString()).contains("1\\u001b[2J").doesNotContain("\u001b");
    }

    /** Before, "orders [eu] 1" and "stats [eu] 1" were one pool named 1. */
    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        12:00:00.000 [l-1 housekeeper] DEBUG com.zaxxer.hikari.pool.HikariPool - orders [eu] 1; orders [eu] 1
        12:00:00.000 [l-1 housekeeper] DEBUG com.zaxxer.hikari.pool.HikariPool - orders (eu) main; orders (eu) main
        12:00:00.000 [l-1 housekeeper] DEBUG com.zaxxer.hikari.pool.HikariPool - orders[eu-1]; orders[eu-1]
        2026-11-26T09:00:00.123Z DEBUG 1 --- [shop] [l-1 housekeeper] com.zaxxer.hikari.pool.HikariPool : a [b] c; a [b] c
        2026-11-26 09:00:00,123 DEBUG [com.zax.hik.poo.HikariPool] (l-1 housekeeper) orders [eu] x; orders [eu] x
        2026-11-26 09:00:00,123 DEBUG [com.zax.hik.poo.HikariPool] (l-1 housekeeper) orders; orders
        2026-11-26 09:00:00 thread-1 [ctx] orders; orders
        """)
    void aNameMayHaveBrackets(String before, String name) throws IOException {
        assertThat(read(before + " - Pool stats (total=3/3, idle=2/3, active=1, waiting=0)\n"))
                .containsOnlyKeys(name);
    }

    /** In each the message is the same; a JSON line has its time after it. */
    @Test
    void failuresAreToldApartByTheTimeOfAJsonLine() throws IOException {
        String failure =
                "{\"message\":\"web - Connection is not available, request timed out after 30001ms (total=2, active=2,"
                        + " idle=0, waiting=3)\",\"level\":\"ERROR\",\"@timestamp\":\"2026-11-26T09:00:0%dZ\"}\n";
        Map<String, PoolSamples> pools =
                read(failure.replace("%d", "1") + failure.replace("%d", "2") + failure.replace("%d", "2"));
        assertThat(samples(pools, "web").failed()).isEqualTo(2);
    }

    /** Tomcat's formatter of java.util.logging has class and method in the line. */
    @Test
    void theMethodIsNoPartOfTheName() throws IOException {
        assertThat(read("26-Nov-2026 09:00:00.000 FINE [orders housekeeper]"
                        + " com.zaxxer.hikari.pool.HikariPool.logPoolState orders - Pool stats (total=4, active=1,"
                        + " idle=3, waiting=0)\n"))
                .containsOnlyKeys("orders");
    }

    @Test
    void aCompressedLogThatEndsEarlySaysWhichPartIsUsed() throws IOException {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(whole, true)) {
            out.write("orders - Pool stats (total=3/3, idle=2/3, active=1, waiting=0)\n"
                    .repeat(5)
                    .getBytes(StandardCharsets.UTF_8));
            out.flush();
            out.write("more\n".getBytes(StandardCharsets.UTF_8));
        }
        Path cut = Files.write(folder.resolve("cut.log.gz"), Arrays.copyOf(whole.toByteArray(), whole.size() - 12));
        HikariLog log = new HikariLog(new LogInput(InputStream::nullInputStream), null);
        assertThat(samples(log.read(List.of(cut)), "orders").moments()).isEqualTo(5);
        assertThat(log.damage()).containsPattern("cut.log.gz: .* ends early; the first [56] lines are used");
    }

    /** The instance of a line was searched for again at each of its places: 3 s for 1 MB. */
    @Test
    void manyFailuresInOneLineTakeAsLongAsInManyLines() throws IOException {
        String failure = "Caused by: orders - Connection is not available, request timed out after 1002ms \\n"
                + "\\tat shop.Orders.place ";
        byte[] one = ("{\"stack_trace\":\"" + failure.repeat(10_000) + "\"}\n").getBytes(StandardCharsets.UTF_8);
        byte[] many = ("{\"stack_trace\":\"" + failure + "\"}\n").repeat(10_000).getBytes(StandardCharsets.UTF_8);
        nanos(one);
        nanos(many);
        assertThat(nanos(one)).isLessThan(10 * nanos(many));
    }

    private static long nanos(byte[] log) throws IOException {
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        assertThat(read(log, null)).containsOnlyKeys("orders");
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
    }
}
