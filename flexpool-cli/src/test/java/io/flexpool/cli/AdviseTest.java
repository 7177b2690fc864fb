// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.advisor.LeaseTrace.Ending;
import io.flexpool.advisor.TraceWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class AdviseTest {
    private static final long MS = 1_000_000;

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(Object... arguments) {
        CommandLine commandLine =
                FlexpoolCli.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return commandLine.execute(Stream.concat(Stream.of("advise"), Stream.of(arguments))
                .map(Object::toString)
                .toArray(String[]::new));
    }

    @Nested
    class OfATrace {
        /** 100 a second of 20 ms each: two on average, and 6 to 8 for a p99 wait below 10 ms. */
        private Path trace() throws IOException {
            return trace(Map.of("pool", "orders <1> \"a\"", "max", "30", "timeoutMillis", "2000"));
        }

        private Path trace(Map<String, String> header) throws IOException {
            Path file = folder.resolve("orders.fpt");
            SplittableRandom random = new SplittableRandom(3);
            try (TraceWriter writer = new TraceWriter(file, header, 16 << 20, false)) {
                long at = 0;
                for (int request = 0; request < 40_000; request++) {
                    at += (long) (-Math.log(1 - random.nextDouble()) * 10 * MS);
                    long lease = (long) (-Math.log(1 - random.nextDouble()) * 20 * MS);
                    writer.add(at, 0, lease, Ending.RELEASED, "shop.Orders.find", 0, false);
                }
            }
            return file;
        }

        @Test
        void theAdviceIsPrintedAndWritten() throws IOException {
            Path json = folder.resolve("advice.json");
            Path html = folder.resolve("advice.html");
            assertThat(run(trace(), "--also", "4,9,44", "--json", json, "--html", html))
                    .isZero();
            assertThat(out.toString())
                    .contains("The pool has 30 connections:")
                    .contains("would be enough")
                    .contains(" with 4 connections", " with 9 connections", " with 44 connections")
                    .contains("Target: 99 % of the requests wait at most 10 ms", "With a margin of 8 %");
            JsonNode advice = new ObjectMapper().readTree(json.toFile());
            assertThat(advice.path("verdict").asText()).isEqualTo("fewer");
            assertThat(advice.path("connections").asInt()).isBetween(6, 8);
            assertThat(advice.path("current").asInt()).isEqualTo(30);
            assertThat(advice.path("requests").asInt()).isEqualTo(40_000);
            assertThat(advice.path("waitTargetMillis").asDouble()).isEqualTo(10);
            int highest = advice.path("demandMax").asInt();
            assertThat(advice.path("demandP99").asInt()).isBetween(4, highest - 1);
            assertThat(advice.path("demandP50").asInt()).isBetween(1, 3);
            assertThat(advice.path("curve").findValuesAsText("connections")).contains("4", "9", "44");
            assertThat(html)
                    .content()
                    .contains("Advice for orders &lt;1&gt; &quot;a&quot;")
                    // The longest wait is at the top, above the grid.
                    .contains("<polyline class=\"curve\" points=\"96.0,16.0 ")
                    .contains("<polyline class=\"curve\"")
                    .contains("target 10 ms")
                    .contains("current 30")
                    .doesNotContain("<1>")
                    .doesNotContain("http");
        }

        @Test
        void eachClassOfThePoolIsAdvisedOn() throws IOException {
            Path file = folder.resolve("classes.fpt");
            Map<String, String> header = Map.of(
                    "max",
                    "30",
                    "classes",
                    "interactive,batch",
                    "classes.batch.guarantee",
                    "0.1",
                    "classes.batch.max",
                    "3");
            try (TraceWriter writer = new TraceWriter(file, header, 16 << 20, false)) {
                for (int request = 0; request < 4_000; request++) {
                    writer.inClass("interactive");
                    writer.add(request * 100L * MS, 0, 20 * MS, Ending.RELEASED, "shop.Orders.find", 0, false);
                    writer.inClass("batch");
                    writer.add(request * 100L * MS, 0, 50 * MS, Ending.RELEASED, "shop.Export.run", 0, false);
                }
            }
            Path json = folder.resolve("advice.json");
            Path html = folder.resolve("advice.html");
            assertThat(run(file, "--json", json, "--html", html)).isZero();
            String batch =
                    "Class batch: 4,000 requests, demand at most 1 connection (p99 1), p99 wait 0.0 ms; 2 connections of its own"
                            + " would meet the wait target. Its guarantee of 3 was never fully used, and its maximum of 3 was"
                            + " never reached.";
            assertThat(out.toString()).contains(batch);
            assertThat(html).content().contains(batch);
            JsonNode classes = new ObjectMapper().readTree(json.toFile()).path("classes");
            assertThat(classes.findValuesAsText("name")).containsExactly("interactive", "batch");
            assertThat(classes.path(0).path("guaranteeFit").asText()).isEqualTo("none");
            assertThat(classes.path(0).has("max")).isFalse();
            assertThat(classes.path(1).path("needed").asInt()).isEqualTo(2);
            assertThat(classes.path(1).path("guaranteed").asInt()).isEqualTo(3);
            assertThat(classes.path(1).path("max").asInt()).isEqualTo(3);
            assertThat(classes.path(1).path("mostFit").asText()).isEqualTo("unreached");
        }

        @Test
        void aBuildFailsWhereTheDemandDoesNotHold() throws IOException {
            Path trace = trace();
            assertThat(run(trace, "--assert", "max<=20")).isZero();
            assertThat(run(trace, "--assert", "max<=3")).isEqualTo(3);
            assertThat(out.toString()).contains("Assertion failed: max<=3; the recommended size is ");
        }

        /** The database hangs: five connections are held, and most requests get none. */
        @Test
        void fromARecordOfAnIncidentNoSizeFollows() throws IOException {
            Path file = folder.resolve("incident.fpt");
            try (TraceWriter writer =
                    new TraceWriter(file, Map.of("max", "5", "timeoutMillis", "1000"), 16 << 20, false)) {
                for (int request = 0; request < 2_000; request++) {
                    boolean served = request % 4 == 0;
                    writer.add(
                            request * 20L * MS,
                            served ? 10 * MS : 1_000 * MS,
                            served ? 400 * MS : 0,
                            served ? Ending.RELEASED : Ending.TIMED_OUT,
                            "shop.Orders.find",
                            0,
                            false);
                }
            }
            Path html = folder.resolve("advice.html");
            assertThat(run(file, "--html", html)).isZero();
            assertThat(out.toString()).contains("the record shows an incident");
            assertThat(html).content().contains("current 5").doesNotContain("recommended");
            assertThat(run(file, "--assert", "max<=20")).isEqualTo(2);
            assertThat(err.toString()).contains("Cannot check max<=20: the record gives no size.");
        }

        @Test
        void aDamagedTraceIsRefusedByItsBlock() throws IOException {
            Path trace = trace();
            byte[] all = Files.readAllBytes(trace);
            all[all.length / 2] ^= 1;
            Files.write(trace, all);
            assertThat(run(trace)).isEqualTo(1);
            assertThat(err.toString())
                    .contains("orders.fpt, block ")
                    .contains("requests are whole")
                    .doesNotContain("\tat ");
            assertThat(run(trace, "--salvage")).isZero();
        }

        @Test
        void aTraceThatIsCutOffSaysWhichPartIsUsed() throws IOException {
            Path trace = trace();
            byte[] all = Files.readAllBytes(trace);
            Files.write(trace, Arrays.copyOf(all, all.length - 5));
            assertThat(run(trace, "--json", folder.resolve("advice.json").toString()))
                    .isZero();
            assertThat(out.toString())
                    .contains("Cut off: ", "orders.fpt ends within a block; the ", " requests are used.");
            assertThat(folder.resolve("advice.json")).content().contains("ends within a block");
            Files.write(trace, Arrays.copyOf(all, 12));
            assertThat(run(trace)).isEqualTo(1);
            assertThat(err.toString()).contains("orders.fpt: ends before the first request");
        }

        /** On a screen of 400 px the text is 22 units of the picture, which is where a Chromium showed all of it. */
        @ParameterizedTest
        @CsvSource({"10ms, 5", "25s, 1", "10ms, 1000", "10ms, 99999"})
        void thePictureHasItsFiguresOnBothAxes(String target, int size) throws IOException {
            Path html = folder.resolve("advice.html");
            assertThat(run(trace(), "--html", html, "--wait-target", target, "--timeout", "30s", "--size", size))
                    .isZero();
            String page = Files.readString(html);
            Matcher box = Pattern.compile("viewBox=\"0 0 (\\d+) (\\d+)\"").matcher(page);
            assertThat(box.find()).isTrue();
            int across = 0;
            int up = 0;
            Matcher text = Pattern.compile("<text x=\"([-\\d.]+)\" y=\"([-\\d.]+)\" text-anchor=\"(\\w+)\">([^<]+)<")
                    .matcher(page);
            while (text.find()) {
                double width = 0.55 * 22 * text.group(4).length();
                double left = Double.parseDouble(text.group(1))
                        - (text.group(3).equals("end") ? width : text.group(3).equals("middle") ? width / 2 : 0);
                assertThat(left).as(text.group()).isBetween(-1.0, Double.parseDouble(box.group(1)) - width + 1);
                assertThat(Double.parseDouble(text.group(2)))
                        .as(text.group())
                        .isBetween(15.0, Double.parseDouble(box.group(2)));
                across += text.group(4).matches("\\d+") ? 1 : 0;
                up += text.group(4).matches("[\\d.]+ m?s") ? 1 : 0;
            }
            assertThat(across).isBetween(2, 5);
            assertThat(up).isGreaterThanOrEqualTo(2);
            assertThat(page).contains("<div class=\"wide\"><table>", ".wide { overflow-x: auto; }");
        }

        @Test
        void todaysSizeMayBeGiven() throws IOException {
            Path trace = trace();
            assertThat(run(trace, "--size", "25")).isZero();
            assertThat(out.toString()).contains("The pool has 25 connections:");
        }

        @Test
        void theSizeMustBeKnown() throws IOException {
            assertThat(run(trace(Map.of("pool", "orders")))).isEqualTo(2);
            assertThat(err.toString()).contains("--size").contains("the trace has no pool size");
        }

        @Test
        void theKneeIsTheTracesOrTheOneThatIsGiven() throws IOException {
            assertThat(run(trace(Map.of("max", "4", "knee", "3")))).isZero();
            assertThat(out.toString()).contains("with more than 3 connections the database's throughput does not rise");
            assertThat(run(trace(Map.of("max", "4", "knee", "3")), "--knee", "2"))
                    .isZero();
            assertThat(out.toString()).contains("with more than 2 connections the database's throughput does not rise");
        }

        /** The target may be longer than the usual timeout, if the timeout is too. */
        @Test
        void longWaitsMayBeWanted() throws IOException {
            assertThat(run(trace(), "--wait-target", "40s", "--timeout", "50s")).isZero();
            assertThat(run(trace(), "--wait-target", "3s")).isEqualTo(2);
            assertThat(err.toString()).contains("at most the pool's acquisition timeout, PT2S");
        }

        @Test
        void whatIsMissingIsSaid() throws IOException {
            Path file = folder.resolve("lost.fpt");
            try (TraceWriter writer = new TraceWriter(file, Map.of("max", "5"), 16 << 20, false)) {
                writer.add(0, 0, MS, Ending.RELEASED, "", 0, false);
                writer.addLost(12);
            }
            assertThat(run(file)).isZero();
            assertThat(out.toString()).contains("12 more requests are not in the trace");
        }

        @Test
        void aFileThatIsNotThereIsNamed() {
            assertThat(run(folder.resolve("none.fpt"))).isEqualTo(1);
            assertThat(err.toString()).contains("none.fpt").doesNotContain("\tat ");
        }

        @ParameterizedTest
        @CsvSource({
            "--wait-target, soon, must be a duration",
            "--wait-target, 0ms, must be a duration of more than zero",
            "--also, 0, from 1 to 100000",
            "--size, -1, from 1 to 100000",
            "--assert, max=4, must be max<=N",
            "--timeout, 1ms, at least --wait-target",
            "--wait-taget, 1ms, Unknown option"
        })
        void aBadOptionIsNamed(String option, String value, String rule) throws IOException {
            assertThat(run(trace(), option, value)).isEqualTo(2);
            assertThat(err.toString()).contains(option).contains(rule);
        }
    }

    @Test
    void exactlyOneSourceIsNeeded() {
        assertThat(run()).isEqualTo(2);
        assertThat(run("--jfr", "a.jfr", "--hikari-log", "b.log")).isEqualTo(2);
    }

    @Nested
    class OfALogOfHikariCp {
        private Path log(String... lines) throws IOException {
            return Files.write(folder.resolve("app.log"), List.of(lines));
        }

        private static String line(String pool, String stats) {
            return "2026-11-23 10:00:00.000 DEBUG [" + pool + ":housekeeper] com.zaxxer.hikari.pool.HikariPool - "
                    + pool + " - Pool stats (" + stats + ")";
        }

        @Test
        void theDemandOfItsMomentsIsCounted() throws IOException {
            List<String> lines = new ArrayList<>();
            for (int at = 0; at < 200; at++) {
                lines.add(line("orders", "total=30/30, active=" + (2 + at % 5) + ", idle=24/30, waiting=0"));
            }
            assertThat(run("--hikari-log", log(lines.toArray(String[]::new)))).isZero();
            assertThat(out.toString())
                    .contains("at most 6 connections were needed at once")
                    .contains("The pool has 30 connections; 7 would probably be enough")
                    .contains("Confidence low")
                    .contains("Unknown: events between the lines");
        }

        @Test
        void linesOfOlderVersionsAreReadToo() throws IOException {
            Path json = folder.resolve("advice.json");
            Path log = log(line("old", "total=10, active=10, idle=0, waiting=3"));
            assertThat(run("--hikari-log", log, "--json", json)).isZero();
            assertThat(out.toString())
                    .contains("at most 13 connections were needed at once")
                    .contains("The pool has 10 connections")
                    .contains("it is unknown whether more connections help")
                    .contains("Only 1 periodic line:");
            // Not what the demand would be: that these would be served is not known.
            assertThat(new ObjectMapper()
                            .readTree(json.toFile())
                            .path("connections")
                            .asInt())
                    .isEqualTo(10);
        }

        @Test
        void aBuildFailsWhereTheDemandDoesNotHold() throws IOException {
            Path log = log(line("a", "total=10, active=7, idle=3, waiting=0"));
            assertThat(run("--hikari-log", log, "--assert", "max<=8")).isZero();
            assertThat(run("--hikari-log", log, "--assert", "max<9")).isZero();
            assertThat(run("--hikari-log", log, "--assert", "max<8")).isEqualTo(3);
        }

        @Test
        void ofSeveralPoolsOneMustBeNamed() throws IOException {
            Path log = log(
                    line("a", "total=10, active=1, idle=9, waiting=0"),
                    line("b", "total=10, active=1, idle=9, waiting=0"));
            assertThat(run("--hikari-log", log)).isEqualTo(2);
            assertThat(err.toString()).contains("one of a, b");
            assertThat(run("--hikari-log", log, "--pool", "b")).isZero();
        }

        @Test
        void aLogWithoutSuchLinesIsRefused() throws IOException {
            assertThat(run("--hikari-log", log("started"))).isEqualTo(1);
            assertThat(err.toString()).contains("level DEBUG");
        }
    }

    /** Of an application without flexpool, with the JDK's default settings. */
    @Nested
    class OfAFlightRecording {
        private Path recorded(int threads, Duration hold) throws Exception {
            Path file = folder.resolve("app.jfr");
            try (Recording recording = new Recording(Configuration.getConfiguration("default"))) {
                recording.start();
                RecordedOrders.run(threads, hold);
                recording.stop();
                recording.dump(file);
            }
            return file;
        }

        @Test
        void theRequestsThatWaitedAreFoundWithTheirCallSite() throws Exception {
            Path json = folder.resolve("advice.json");
            int code = run("--jfr", recorded(6, Duration.ofMillis(60)), "--size", "2", "--json", json);
            assertThat(code).as(out + " " + err).isZero();
            assertThat(out.toString())
                    .contains("for a connection of HikariCP")
                    .contains("RecordedOrders.find(")
                    .contains("the current size is 2")
                    .contains("Unknown: lease times");
            JsonNode advice = new ObjectMapper().readTree(json.toFile());
            assertThat(advice.path("confidence").asText()).isEqualTo("low");
            // Four of six wait while two work.
            assertThat(advice.path("connections").asInt()).isBetween(5, 6);
        }

        /**
         * The same application on JDK 25, recorded there with
         * {@code -XX:StartFlightRecording=settings=default,filename=app.jfr} and without the other kinds of events, which
         * {@code jfr scrub --include-events jdk.ThreadPark app.jfr} of that JDK left out; compressed.
         */
        private Path stored() throws IOException {
            Path file = folder.resolve("app25.jfr");
            try (InputStream stored = Objects.requireNonNull(getClass().getResourceAsStream("hikaricp-jdk25.jfr.gz"));
                    InputStream recorded = new GZIPInputStream(stored)) {
                Files.copy(recorded, file);
            }
            return file;
        }

        @Test
        void aRecordingOfJdk25IsReadToo() throws Exception {
            assertThat(run("--jfr", stored(), "--size", "2")).isZero();
            assertThat(out.toString())
                    .contains("11 requests waited 20 ms or longer for a connection of HikariCP")
                    .contains("Most of them waited in RecordedOrders.find(")
                    .contains("at most 4 waited at once (p99 4)")
                    .contains("6 connections would have served them; the current size is 2");
        }

        private static JfrWaits.Wait waited(long beginMs, long lengthMs) {
            return new JfrWaits.Wait(
                    "HikariCP", "Orders.find(1)", Instant.ofEpochMilli(beginMs), Duration.ofMillis(lengthMs));
        }

        /** Nine wait for 0.5 % of the time, two for 4 %. */
        @Test
        void whatLastsForLessThanAHundredthOfTheTimeDoesNotCount() {
            List<JfrWaits.Wait> waits = new ArrayList<>(List.of(waited(0, 2_000), waited(0, 2_000)));
            waits.addAll(Collections.nCopies(9, waited(10_000, 250)));
            SampledDemand advice = JfrWaits.advise(new JfrWaits.Recording(waits, Duration.ofSeconds(50)), 10);
            assertThat(advice.connections()).isEqualTo(12);
            assertThat(advice.paragraph()).contains("at most 9 waited at once (p99 2)");
        }

        @Test
        void whoWaitsAfterAnotherDoesNotWaitWithIt() {
            List<JfrWaits.Wait> waits = List.of(waited(0, 100), waited(100, 100), waited(200, 100));
            SampledDemand advice = JfrWaits.advise(new JfrWaits.Recording(waits, Duration.ofMillis(300)), 4);
            assertThat(advice.paragraph()).contains("at most 1 waited at once");
        }

        /** One wait of 30 ms gave the advice of one more connection. */
        @Test
        void aSingleWaitIsNotEnoughForAdvice() {
            List<JfrWaits.Wait> waits = List.of(waited(0, 30));
            assertThat(new JfrWaits.Recording(waits, Duration.ofSeconds(1)).cannotSay())
                    .isEqualTo("only 1 request waited 20 ms or longer, up to 30 ms, in Orders.find(1); 5 waits are"
                            + " enough: record for longer, at high load");
            assertThat(new JfrWaits.Recording(Collections.nCopies(5, waited(0, 30)), Duration.ofSeconds(1)).cannotSay())
                    .isNull();
        }

        @Test
        void aDemandOnTheSizeNeedsTheSize() throws Exception {
            Path file = stored();
            assertThat(run("--jfr", file, "--assert", "max<=9")).isEqualTo(2);
            assertThat(err.toString()).contains("--size").contains("the recording does not contain the current size");
            assertThat(run("--jfr", file, "--size", "2", "--assert", "max<=5")).isEqualTo(3);
        }

        @Test
        void whereNoRequestWaitedTodaysSizeIsEnough() throws Exception {
            // One thread and two connections: on a busy machine two threads can wait for a moment.
            assertThat(run("--jfr", recorded(1, Duration.ofMillis(5)), "--size", "2"))
                    .isZero();
            assertThat(out.toString()).contains("the current size is enough").contains("whether fewer connections");
        }

        /** 36 requests: one that is woken and finds its connection taken waits again, and has waited once. src/test/record/RecordWaits.java made them, and {@code jfr scrub} of JDK 25 left the waits. */
        private Path kept(String name) throws IOException {
            Path file = folder.resolve(name + ".jfr");
            try (InputStream stored =
                            Objects.requireNonNull(getClass().getResourceAsStream("/jfr/" + name + ".jfr.gz"), name);
                    InputStream recorded = new GZIPInputStream(stored)) {
                Files.copy(recorded, file);
            }
            return file;
        }

        @ParameterizedTest
        @CsvSource({
            "tomcat, Tomcat JDBC",
            "dbcp2, Commons DBCP 2",
            "druid, Druid",
            "druid-timed, Druid",
            "c3p0, c3p0",
            "ucp, Oracle UCP",
            "vibur, Vibur",
            "agroal, Agroal",
            "atomikos, Atomikos"
        })
        void theWaitsOfEachPoolAreFound(String name, String pool) throws IOException {
            assertThat(run("--jfr", kept(name), "--size", "2"))
                    .as(err.toString())
                    .isZero();
            assertThat(out.toString())
                    .containsPattern(
                            "In 1 s, [123]?\\d requests waited 20 ms or longer for a connection of " + pool + ",")
                    .contains("Most of them waited in RecordWaits.find(");
        }

        @Test
        void whatCannotBeSeenIsNotEnough() throws IOException {
            assertThat(run("--jfr", kept("virtual-threads"), "--size", "2")).isEqualTo(2);
            assertThat(err.toString())
                    .contains("virtual-threads.jfr: the number of connections needed is unknown", "virtual threads");
            assertThat(run("--jfr", kept("park-off"), "--size", "2")).isEqualTo(2);
            assertThat(err.toString())
                    .contains("park-off.jfr: the number of connections needed is unknown", "jdk.ThreadPark was off");
            assertThat(out.toString()).isEmpty();
        }

        /** The metadata begins a tree whose depth the damage makes 200,000: the JDK's parser walks it by recursion. */
        @Test
        void aRecordingWithEndlessMetadataIsDamaged() throws IOException {
            int tree = 44_399;
            byte[] whole = Files.readAllBytes(kept("tomcat"));
            ByteArrayOutputStream damaged = new ByteArrayOutputStream();
            damaged.write(whole, 0, tree);
            for (int depth = 0; depth < 200_000; depth++) {
                damaged.writeBytes(new byte[] {0, 0, 1});
            }
            damaged.write(whole, tree, whole.length - tree);
            Path file = Files.write(folder.resolve("deep.jfr"), damaged.toByteArray());
            assertThat(run("--jfr", file, "--size", "2")).isEqualTo(1);
            assertThat(err.toString()).contains("deep.jfr: not a readable flight recording");
        }

        /** The program was killed while its recording had a second chunk. */
        @Test
        void theWholeChunksOfARecordingThatIsCutAreUsed() throws Exception {
            byte[] first = Files.readAllBytes(recorded(6, Duration.ofMillis(60)));
            byte[] second = Files.readAllBytes(recorded(6, Duration.ofMillis(5)));
            ByteArrayOutputStream both = new ByteArrayOutputStream();
            both.writeBytes(first);
            both.write(second, 0, second.length / 2);
            Path file = Files.write(folder.resolve("cut.jfr"), both.toByteArray());
            Path json = folder.resolve("advice.json");
            assertThat(run("--jfr", file, "--size", "2", "--json", json))
                    .as(err.toString())
                    .isZero();
            assertThat(err.toString()).contains("cut.jfr ends early: ", " events are used.");
            assertThat(out.toString()).contains("for a connection of HikariCP");
            assertThat(json).content().contains("events are used");
        }

        @Test
        void aRecordingWithoutAPoolDoesNotSayThatASizeIsEnough() throws Exception {
            Path file = folder.resolve("idle.jfr");
            try (Recording recording = new Recording(Configuration.getConfiguration("default"))) {
                recording.start();
                Thread parked = new Thread(() -> LockSupport.parkNanos(50_000_000));
                parked.start();
                parked.join();
                recording.stop();
                recording.dump(file);
            }
            assertThat(run("--jfr", file, "--size", "2")).isEqualTo(2);
            assertThat(err.toString())
                    .contains("idle.jfr: the number of connections needed is unknown", "no pool thread");
            assertThat(out.toString()).isEmpty();
        }

        @Test
        void aCompressedRecordingNamesTheCommand() throws IOException {
            Path file = folder.resolve("a.jfr.gz");
            try (InputStream stored = Objects.requireNonNull(getClass().getResourceAsStream("/jfr/tomcat.jfr.gz"))) {
                Files.copy(stored, file);
            }
            assertThat(run("--jfr", file)).isEqualTo(1);
            assertThat(err.toString()).contains("a.jfr.gz: compressed", "gunzip");
        }

        @Test
        void librariesAreNoCallSite() {
            assertThat(List.of(
                            "org.jooq.impl.DefaultConnectionProvider",
                            "org.apache.ibatis.executor.BaseExecutor",
                            "com.p6spy.engine.spy.P6DataSource",
                            "net.ttddyy.dsproxy.support.ProxyDataSource",
                            "io.opentelemetry.instrumentation.jdbc.datasource.OpenTelemetryDataSource",
                            "kotlin.coroutines.jvm.internal.BaseContinuationImpl",
                            "io.quarkus.hibernate.orm.runtime.Proxy"))
                    .noneMatch(PoolFrames::isApplication);
            assertThat(PoolFrames.isApplication("com.acme.shop.Orders")).isTrue();
        }

        @Test
        void anotherFileIsRefused() throws IOException {
            Path text = Files.writeString(folder.resolve("no.jfr"), "no recording");
            assertThat(run("--jfr", text)).isEqualTo(1);
            assertThat(err.toString()).isNotBlank().doesNotContain("\tat ");
        }
    }
}
