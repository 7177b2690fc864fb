// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.flexpool.cli.ProgramRun;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The same evidence as people have it: through containers, service managers, JSON layouts, terminals and other encodings. The logs
 * of Spring Boot 4.1.1 with HikariCP 7.0.2 and of the other pools' leaks are recorded, the wrappings are made of recorded files.
 */
class WrappedFilesTest {
    private static final Path FILES = Path.of("src/test/resources/doctor");

    @TempDir
    private Path folder;

    /** How a line of output is kept. */
    private enum Kept {
        DOCKER(line -> "{\"log\":" + JsonNodeFactory.instance.textNode(line + "\n")
                + ",\"stream\":\"stdout\",\"time\":\"2026-11-27T20:11:05.123456789Z\"}"),
        DOCKER_WITH_TIME(line -> "2026-11-27T20:11:05.123456789Z " + line),
        KUBELET(line -> "2026-11-27T20:11:05.123456789Z stdout F " + line),
        KUBELET_OF_A_ZONE(line -> "2026-11-27T20:11:05.123456789+02:00 stderr F " + line),
        KUBECTL_WITH_PREFIX(line -> "[pod/shop-5d8f6c7b9-x2x4q/shop] " + line),
        KUBECTL_WITH_PREFIX_AND_TIME(line -> "[pod/shop-5d8f6c7b9-x2x4q/shop] 2026-11-27T20:11:05.123456789Z " + line),
        COMPOSE(line -> "shop-1  | " + line),
        COMPOSE_WITH_TIME(line -> "shop-1  | 2026-11-27T20:11:05.123456789Z " + line),
        COMPOSE_IN_COLOUR(line -> "\u001b[36mshop-1  | \u001b[0m" + line),
        JOURNAL(line -> "Nov 27 20:11:05 host-3 shop[1234]: " + line),
        JOURNAL_ISO(line -> "2026-11-27T20:11:05+0000 host-3 java[1234]: " + line),
        /** The other forms of {@code journalctl -o}, from systemd's src/shared/logs-show.c; tabs become spaces. */
        JOURNAL_ISO_PRECISE(line -> "2026-11-27T20:11:05.123456+00:00 host-3 java[1234]: " + spaces(line)),
        JOURNAL_PRECISE(line -> "Nov 27 20:11:05.123456 host-3 java[1234]: " + spaces(line)),
        JOURNAL_FULL(line -> "Fri 2026-11-27 20:11:05 UTC host-3 java[1234]: " + spaces(line)),
        JOURNAL_WITH_UNIT(line -> "Fri 2026-11-27 20:11:05 CET host-3 shop.service[1234]: " + spaces(line)),
        JOURNAL_UNIX(line -> "1795810265.123456 host-3 java[1234]: " + spaces(line)),
        JOURNAL_MONOTONIC(line -> "[ 1234.567890] host-3 java[1234]: " + spaces(line)),
        JOURNAL_DELTA(line -> "[ 1234.567890 <    0.000100 >] host-3 java[1234]: " + spaces(line)),
        JOURNAL_JSON(
                line -> "{\"__REALTIME_TIMESTAMP\":\"1795810265123456\",\"_HOSTNAME\":\"host-3\",\"_PID\":\"1234\","
                        + "\"SYSLOG_IDENTIFIER\":\"java\",\"_SYSTEMD_UNIT\":\"shop.service\",\"MESSAGE\":" + json(line)
                        + "}"),
        /** A text with control characters is an array of bytes, as systemd.io/JOURNAL_EXPORT_FORMATS has it. */
        JOURNAL_JSON_IN_COLOUR(line -> "{\"_SYSTEMD_UNIT\":\"shop.service\",\"MESSAGE\":"
                + Arrays.toString(("\u001b[32m" + line + "\u001b[0m").getBytes(StandardCharsets.UTF_8)) + "}"),
        /** As in {@code heroku logs} of applications on GitHub: microseconds, the source and the dyno. */
        HEROKU(line -> "2022-09-04T22:44:34.025935+00:00 app[web.1]: " + line),
        /** The default template of stern without colours: {@code {{.PodName}} {{.ContainerName}} {{.Message}}}. */
        STERN(line -> "shop-5d8f6c7b9-x2x4q shop " + line),
        STERN_OF_ALL_NAMESPACES(line -> "prod shop-0 shop " + line),
        STERN_WITH_TIME(line -> "shop-5d8f6c7b9-x2x4q shop 2026-11-27T20:11:05.123456789Z " + line),
        STERN_JSON(line -> "{\"message\":" + JsonNodeFactory.instance.textNode(line)
                + ",\"nodeName\":\"n1\",\"namespace\":\"prod\",\"podName\":\"shop-0\",\"containerName\":\"shop\"}"),
        /** {@code aws logs tail}: the formats of awscli/customizations/logs/tail.py. */
        /** The other outputs, from stern's cmd/cmd.go; the messages are no JSON. */
        STERN_EXTJSON(line ->
                "{\"pod\": \"\u001b[32mshop-0\u001b[0m\", \"container\": \"shop\", \"message\": " + json(line) + "}"),
        STERN_PPEXTJSON(
                line -> "{\n  \"pod\": \"shop-0\",\n  \"container\": \"shop\",\n  \"message\": " + json(line) + "\n}"),
        CLOUDWATCH(line -> "2022-10-05T08:32:51.123000+00:00 ecs/shop/4f5e387f6fd94ab29c762b85594b7c38 " + line),
        CLOUDWATCH_OF_A_HOST(line -> "2022-10-05T08:32:51+00:00 i-0abcd1234efgh5678 " + line),
        CLOUDWATCH_SHORT(line -> "2022-10-05T08:32:51 " + line),
        CLOUDWATCH_IN_S3(line -> "2022-10-05T08:32:51.123Z " + line),
        CLOUDWATCH_TEXT(line ->
                "EVENTS\t37957510267006724342200454931664427310462681533819518976\t1702073631247\tecs/shop/4f5e\t"
                        + line + "\t1702073627096"),
        CLOUDWATCH_CSV(line ->
                "1702073627096," + (line.matches(".*[,\"].*") ? "\"" + line.replace("\"", "\"\"") + "\"" : line)),
        /** {@code aws logs tail --format none}. */
        CLOUDWATCH_NONE(line -> "{\"logStreamName\": \"ecs/shop/4f5e\", \"timestamp\": 1702073627096, \"message\": "
                + json(line) + ", \"ingestionTime\": 1702073631247, \"eventId\": \"3795\"}"),
        /** {@code logcli --forward}, from Loki's pkg/logcli/output: without the white space around a line. */
        LOKI(line -> "2026-11-27T20:11:05Z {app=\"shop\", pod=\"shop-0\"}   " + line.strip()),
        LOKI_WITHOUT_LABELS(line -> "2026-11-27T20:11:05+01:00 " + line.strip()),
        LOKI_JSONL(line -> "{\"labels\":{\"pod\":\"shop-0\"},\"line\":" + json(line)
                + ",\"timestamp\":\"2026-11-27T20:11:05.123456789Z\"}"),
        /** The text that Grafana exports: public/app/features/inspector/utils/download.ts, now and in version 10. */
        GRAFANA(line -> "1795810265123\t2026-11-27T20:11:05.123Z\t" + line),
        GRAFANA_10(line -> "2026-11-27 20:11:05.123\t" + line),
        /** The output stdout of Fluent Bit, from its plugins/out_stdout/stdout.c, before 2.1 and since. */
        FLUENT_BIT(line -> "[0] kube.shop: [1795810265.123456789, {\"log\"=>\"" + line + "\"}]"),
        FLUENT_BIT_2(line -> "[12] kube.shop: [[1795810265.123456789, {}], {\"time\"=>\"2026-11-27T20:11:05Z\", "
                + "\"stream\"=>\"stdout\", \"log\"=>\"" + line + "\", \"kubernetes\"=>{\"pod_name\"=>\"shop-0\"}}]"),
        FLUENT_BIT_JSON_LINES(line -> "{\"date\":1795810265.123457,\"log\":" + json(line) + ",\"stream\":\"stdout\"}"),
        /** The output stdout of Fluentd, as in its documentation. */
        FLUENTD(line -> "2026-11-27 20:11:05.123456789 +0000 docker.shop: {\"log\":" + json(line) + "}"),
        WINDOWS(line -> line + "\r"),
        GREEN(line -> "\u001b[32m" + line + "\u001b[0m");

        @SuppressWarnings("ImmutableEnumChecker") // functions that capture nothing
        private final UnaryOperator<String> wrap;

        Kept(UnaryOperator<String> wrap) {
            this.wrap = wrap;
        }

        private static String json(String line) {
            return JsonNodeFactory.instance.textNode(line).toString();
        }

        private static String spaces(String line) {
            return line.replace("\t", " ".repeat(8));
        }

        String of(String text) {
            return text.lines().map(wrap).collect(Collectors.joining("\n", "", "\n"));
        }
    }

    private static String text(String name) throws IOException {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(FILES.resolve(name)))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static JsonNode answer(Path file) throws IOException {
        return new ObjectMapper()
                .readTree(
                        ProgramRun.of("doctor", file.toString(), "--json", "-").out());
    }

    private JsonNode answer(String text, Charset charset) throws IOException {
        return answer(Files.writeString(folder.resolve("evidence"), text, charset));
    }

    private static String holder(JsonNode answer) {
        Iterator<String> names = answer.path("holders").fieldNames();
        return names.hasNext() ? names.next() : "none";
    }

    @ParameterizedTest
    @EnumSource
    void aDumpInTheOutputOfAContainer(Kept kept) throws IOException {
        JsonNode answer = answer(kept.of(text("http.txt.gz")), StandardCharsets.UTF_8);
        assertThat(answer.path("cause").asText()).isEqualTo("held_idle");
        assertThat(answer.path("waiting").asInt()).isEqualTo(28);
        assertThat(holder(answer)).startsWith("StagedShop.pay(");
    }

    @ParameterizedTest
    @EnumSource
    void aLogInTheOutputOfAContainer(Kept kept) throws IOException {
        JsonNode answer = answer(kept.of(text("leak.log.gz")), StandardCharsets.UTF_8);
        assertThat(answer.path("cause").asText()).isEqualTo("leak");
        assertThat(holder(answer)).startsWith("StagedShop.forget(");
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "ecs", "gelf", "logstash"})
    void aLeakInEachLayoutOfSpringBoot(String layout) throws IOException {
        JsonNode answer = answer(FILES.resolve("boot-" + layout + ".log.gz"));
        assertThat(answer.path("cause").asText()).isEqualTo("leak");
        assertThat(answer.path("pool").asText()).isEqualTo("orders");
        assertThat(holder(answer)).startsWith("Leaky.forget(Leaky.java:18)");
        assertThat(answer.path("holders").elements().next().asInt()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({"tomcat, 2", "tomcat-suspect, 2", "dbcp2, 2", "druid, 2", "c3p0, 2", "agroal, 2"})
    void theLeaksThatOtherPoolsReport(String pool, int leaks) throws IOException {
        JsonNode answer = answer(FILES.resolve("leaks-" + pool + ".log.gz"));
        assertThat(holder(answer)).startsWith("Leaks.forget(Leaks.java:5)");
        assertThat(answer.path("holders").elements().next().asInt()).isEqualTo(leaks);
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16", "UTF-16LE", "UTF-8"})
    void aDumpInJsonWithAMarkOrInTwoBytes(String charset) throws IOException {
        String begin = charset.equals("UTF-8") ? "\ufeff" : "";
        JsonNode answer = answer(begin + text("http-2.json.gz"), Charset.forName(charset));
        assertThat(answer.path("cause").asText()).isEqualTo("held_idle");
    }

    @Test
    void aDumpInJsonThatEndsEarlyIsReadAsFarAsItGoes() throws IOException {
        String whole = text("http-2.json.gz");
        JsonNode answer = answer(whole.substring(0, whole.length() / 2), StandardCharsets.UTF_8);
        assertThat(answer.path("cause").asText()).isEqualTo("held_idle");
        assertThat(answer.path("waiting").asInt()).isBetween(5, 27);
        assertThat(answer.toString()).contains("evidence: ends early, after ");
        String inWord = whole.substring(0, whole.lastIndexOf("null") + 2);
        assertThat(answer(inWord, StandardCharsets.UTF_8).path("waiting").asInt())
                .isPositive();
        for (int length = 0; length < whole.length(); length += 9_973) {
            assertThat(answer(whole.substring(0, length), StandardCharsets.UTF_8)
                            .isObject())
                    .as("%d characters", length)
                    .isTrue();
        }
    }

    /** How programs write the sessions of a server that psql --csv has written here. */
    private enum Table {
        DBEAVER(row -> row.stream().map(value -> '"' + value + '"').collect(Collectors.joining(","))),
        SEMICOLONS(row -> String.join(";", row)),
        PGADMIN(row -> row.stream()
                .map(value -> value.matches("\\d*") ? value : '"' + value + '"')
                .collect(Collectors.joining(";"))),
        COPIED(row -> String.join("\t", row)),
        UNALIGNED(row -> String.join("|", row)),
        ALIGNED(row -> " " + String.join("   | ", row));

        @SuppressWarnings("ImmutableEnumChecker") // functions that capture nothing
        private final Function<List<String>, String> written;

        Table(Function<List<String>, String> written) {
            this.written = written;
        }

        String of(String csv) {
            List<String> lines = csv.lines()
                    .map(line -> written.apply(Arrays.asList(line.split(",", -1))))
                    .collect(Collectors.toCollection(ArrayList::new));
            if (this == ALIGNED) {
                lines.add(1, lines.get(0).replaceAll("[^|]", "-").replace('|', '+'));
            }
            if (name().endsWith("ALIGNED")) {
                lines.add("(" + (csv.lines().count() - 1) + " rows)");
            }
            return String.join("\n", lines) + "\n";
        }
    }

    @ParameterizedTest
    @EnumSource
    void sessionsInTheFormOfEachProgram(Table table) throws IOException {
        String csv = Files.readString(FILES.resolve("sessions-holder.csv"))
                .lines()
                .filter(line -> line.indexOf('"') < 0 && line.split(",", -1).length == 23)
                .collect(Collectors.joining("\n", "", "\n"));
        JsonNode expected = answer(csv, StandardCharsets.UTF_8);
        assertThat(expected.path("cause").asText()).isEqualTo("blocked_by_holder");
        String written = table.of(csv);
        for (String each : List.of(written, "\ufeff" + written, "\n" + written.replace("\n", "\r\n"))) {
            assertThat(answer(each, StandardCharsets.UTF_8)).as(each).isEqualTo(expected);
        }
        assertThat(answer("\ufeff" + written, StandardCharsets.UTF_16LE)).isEqualTo(expected);
    }

    @Test
    void sessionsThatEndEarlyAreReadAsFarAsTheyGo() throws IOException {
        String csv = Files.readString(FILES.resolve("sessions-holder.csv")).stripTrailing();
        JsonNode answer = answer(csv.substring(0, csv.length() - 50), StandardCharsets.UTF_8);
        assertThat(answer.path("cause").asText()).isEqualTo("blocked_by_holder");
        assertThat(answer.path("problems").toString()).contains("evidence: ends early, after ");
    }

    /** A copy of a compressed file, or a pod, ended early. */
    @ParameterizedTest
    @ValueSource(strings = {"http.txt.gz", "http-2.json.gz"})
    void aCompressedFileThatEndsEarlyIsReadAsFarAsItGoes(String name) throws IOException {
        byte[] whole = Files.readAllBytes(FILES.resolve(name));
        Path cut = Files.write(folder.resolve("cut.gz"), Arrays.copyOf(whole, whole.length * 2 / 3));
        JsonNode answer = answer(cut);
        assertThat(answer.path("waiting").asInt()).isBetween(5, 28);
        assertThat(answer.path("problems").toString()).contains("the compressed file is damaged or ends early");
    }

    /** jstack and Thread.print leave out virtual threads: that no request waits there is unknown. */
    @Test
    void aDumpWithoutItsVirtualThreadsIsNotQuiet() throws IOException {
        ProgramRun run = ProgramRun.of("doctor", FILES.resolve("virtual.txt.gz").toString());
        assertThat(run.code()).isEqualTo(4);
        assertThat(run.out()).contains("jcmd <pid> Thread.dump_to_file -format=json dump.json");
    }

    /** The same JVM at the same moment: what a live one is asked for. */
    @Test
    void theVirtualThreadsOfAnotherFormAreAdded() throws IOException {
        ThreadDump printed = ThreadDump.ofText(unpacked("virtual-print.txt.gz")).get(0);
        ThreadDump written = ThreadDump.ofJson(new ObjectMapper().readTree(unpacked("virtual-file.json.gz")));
        assertThat(printed.lacksVirtualThreads()).isTrue();
        ThreadDump both = printed.withVirtualThreadsOf(Objects.requireNonNull(written));
        assertThat(both.lacksVirtualThreads()).isFalse();
        // 32 workers; without the JVM's own thread that shows that there are virtual ones.
        assertThat(both.threads()).hasSize(printed.threads().size() - 1 + 32);
    }

    private static String unpacked(String name) throws IOException {
        try (InputStream file = new GZIPInputStream(Files.newInputStream(FILES.resolve(name)))) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** A line that only looks like a wrapping is a line. */
    @Test
    void anOrdinaryLogIsLeftAsItIs() {
        String log =
                "2026-11-27T20:11:05.123Z  INFO 1 --- [main] c.a.Shop : begins\n".repeat(3) + "shop-1 | a column\n";
        Wrapping wrapping = Wrapping.of(log);
        assertThat(wrapping.isNone()).isTrue();
        assertThat(wrapping.lines("shop-1 | a column")).containsExactly("shop-1 | a column");
        assertThat(Wrapping.of("").isNone()).isTrue();
    }

    /** How a service prints its events: one JSON document for all of them. */
    private enum Printed {
        /** {@code aws logs filter-log-events}, with the fields of published samples. */
        CLOUDWATCH("{\n    \"events\": [\n", "    ],\n    \"searchedLogStreams\": []\n}\n", false) {
            @Override
            String of(String line, int at) {
                return "        {\n            \"logStreamName\": \"ecs/shop/4f5e387f6fd94ab29c762b85594b7c38\",\n"
                        + "            \"timestamp\": " + (1_702_073_627_096L + at) + ",\n            \"message\": "
                        + line
                        + ",\n            \"ingestionTime\": 1702073631247,\n            \"eventId\": \"3795\"\n        }";
            }
        },
        /**
         * {@code gcloud logging read --format=json}, whose newest entry is the first one: the fields of
         * google/logging/v2/log_entry.proto for a container of GKE.
         */
        GOOGLE("[\n", "]\n", true) {
            @Override
            String of(String line, int at) {
                return "  {\n    \"insertId\": \"" + at + "\",\n    \"logName\": \"projects/p/logs/stdout\",\n"
                        + "    \"receiveTimestamp\": \"2026-11-27T20:11:06.1Z\",\n    \"resource\": {\n      \"labels\": {\n"
                        + "        \"pod_name\": \"shop-0\"\n      },\n      \"type\": \"k8s_container\"\n    },\n"
                        + "    \"textPayload\": " + line + ",\n    \"timestamp\": \""
                        + String.format(
                                Locale.ROOT, "2026-11-27T20:%02d:%02d.%03dZ", at / 60_000, at / 1_000 % 60, at % 1_000)
                        + "\"\n  }";
            }
        },
        GOOGLE_WITH_ORDER_ASC("[", "]", false) {
            @Override
            String of(String line, int at) {
                return "{\"jsonPayload\": {\"message\": " + line + "}, \"timestamp\": \"2026-11-27T20:11:06Z\"}";
            }
        },
        /** Loki's API {@code query_range}, as in its documentation: backward by default. */
        LOKI(
                "{\"status\":\"success\",\"data\":{\"resultType\":\"streams\",\"result\":[{\"stream\":{\"pod\":\"shop-0\"},\"values\":[",
                "]}],\"stats\":{}}}",
                true) {
            @Override
            String of(String line, int at) {
                return "[\"" + (1_795_810_265_123_456_789L + at) + "\"," + line + "]";
            }
        },
        /** Grafana's export: logRowsToReadableJson in public/app/features/logs/utils.ts. */
        GRAFANA("[", "]", true) {
            @Override
            String of(String line, int at) {
                return "{\"line\":" + line + ",\"timestamp\":\"" + (1_795_810_265_123_456_789L + at)
                        + "\",\"fields\":{\"pod\":\"shop-0\"}}";
            }
        },
        /** The answer of Datadog's {@code /api/v2/logs/events/search}, as in its documentation. */
        DATADOG("{\"data\":[", "],\"meta\":{\"page\":{}}}", true) {
            @Override
            String of(String line, int at) {
                return "{\"id\":\"AA" + at
                        + "\",\"type\":\"log\",\"attributes\":{\"service\":\"shop\",\"host\":\"i-1\",\"message\":"
                        + line + ",\"timestamp\":\"" + time(at) + "\",\"tags\":[]}}";
            }
        },
        /** The answer of Elasticsearch's {@code _search}, sorted by time as Kibana requests it. */
        ELASTICSEARCH("{\"took\":1,\"hits\":{\"total\":{\"value\":9},\"hits\":[", "]}}", true) {
            @Override
            String of(String line, int at) {
                return "{\"_index\":\"logs\",\"_id\":\"" + at + "\",\"_source\":{\"@timestamp\":\"" + time(at)
                        + "\",\"message\":" + line + ",\"kubernetes\":{\"pod\":{\"name\":\"shop-0\"}}}}";
            }
        },
        /** CSV of CloudWatch's Logs Insights and of Kibana: a header, and quotes around each value or where needed. */
        INSIGHTS("@timestamp,@message,@logStream\n", "\n", true) {
            @Override
            String of(String line, int at) {
                return time(at) + "," + quoted(line) + ",ecs/shop/4f5e";
            }
        },
        KIBANA("\"@timestamp\",\"kubernetes.pod.name\",message\n", "\n", true) {
            @Override
            String of(String line, int at) {
                return "\"Nov 27, 2026 @ " + time(at).substring(11, 23) + "\",\"shop-0\"," + quoted(line);
            }
        },
        /** CSV of Datadog's Log Explorer, with semicolons as a spreadsheet saves it. */
        DATADOG_CSV("Date;Host;Service;Message\r\n", "\r\n", true) {
            @Override
            String of(String line, int at) {
                return time(at) + ";i-1;shop;" + quoted(line);
            }
        };

        private static String time(int at) {
            return String.format(
                    Locale.ROOT, "2026-11-27T20:%02d:%02d.%03dZ", at / 60_000, at / 1_000 % 60, at % 1_000);
        }

        private static String quoted(String json) {
            try {
                return '"' + new ObjectMapper().readTree(json).asText().replace("\"", "\"\"") + '"';
            } catch (IOException impossible) {
                throw new IllegalStateException(impossible);
            }
        }

        private final String begin;
        private final String end;
        private final boolean newestFirst;

        Printed(String begin, String end, boolean newestFirst) {
            this.begin = begin;
            this.end = end;
            this.newestFirst = newestFirst;
        }

        abstract String of(String line, int at);

        String all(String text) {
            List<String> events = new ArrayList<>();
            for (String line : text.lines().toList()) {
                events.add(of(JsonNodeFactory.instance.textNode(line).toString(), events.size()));
            }
            if (newestFirst) {
                Collections.reverse(events);
            }
            return begin
                    + String.join(
                            begin.endsWith("\n") && !begin.startsWith("{") && !begin.startsWith("[") ? "\n" : ",\n",
                            events)
                    + end;
        }
    }

    /** Each frame of a stack is an event. */
    @ParameterizedTest
    @EnumSource
    void theEventsOfAService(Printed printed) throws IOException {
        JsonNode answer = answer(printed.all(text("leak.log.gz")), StandardCharsets.UTF_8);
        assertThat(answer.path("cause").asText()).isEqualTo("leak");
        assertThat(holder(answer)).startsWith("StagedShop.forget(");
        JsonNode dump = answer(printed.all(text("http.txt.gz")), StandardCharsets.UTF_8);
        assertThat(dump.path("waiting").asInt()).isEqualTo(28);
    }

    /** {@code logcli} and Grafana write the newest line first, so that each stack was upside down. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-11-27T20:11:%02dZ {pod=\"shop-0\"} %s",
                "1795810265%03d\t2026-11-27T20:11:05.123Z\t%s",
                "{\"labels\":{\"pod\":\"shop-0\"},\"timestamp\":\"2026-11-27T20:11:%02dZ\",\"line\":%s}"
            })
    void theNewestLineMayBeTheFirst(String form) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String line : text("leak.log.gz").lines().toList()) {
            String kept = form.startsWith("{")
                    ? JsonNodeFactory.instance.textNode(line).toString()
                    : line;
            // Ten lines have the same time.
            lines.add(String.format(Locale.ROOT, form, lines.size() / 10 % 60, kept));
        }
        List<String> part = new ArrayList<>(lines.subList(0, Math.min(lines.size(), 590)));
        JsonNode expected = answer(String.join("\n", part), StandardCharsets.UTF_8);
        assertThat(expected.path("cause").asText()).isEqualTo("leak");
        Collections.reverse(part);
        assertThat(answer(String.join("\n", part), StandardCharsets.UTF_8)).isEqualTo(expected);
    }

    /** {@code stern -o extjson}, {@code ppextjson} and {@code aws logs tail --format json} write JSON without quotes around it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"pod\": \"shop-0\", \"container\": \"shop\", \"message\": %s}",
                "{%n  \"pod\": \"shop-0\",%n  \"container\": \"shop\",%n  \"message\": %s%n}",
                "2022-10-05T08:32:51.123000+00:00 ecs/shop/4f5e %n%s"
            })
    void aDocumentWithinADocumentIsRead(String form) throws IOException {
        for (String layout : List.of("ecs", "logstash", "gelf")) {
            StringBuilder all = new StringBuilder();
            for (String line : text("boot-" + layout + ".log.gz").lines().toList()) {
                JsonNode document = line.startsWith("{") ? new ObjectMapper().readTree(line) : null;
                String kept = document == null
                        ? JsonNodeFactory.instance.textNode(line).toString()
                        : form.startsWith("2022") ? document.toPrettyString() : line;
                all.append(String.format(Locale.ROOT, form, kept)).append('\n');
            }
            JsonNode answer = answer(all.toString(), StandardCharsets.UTF_8);
            assertThat(answer.path("cause").asText()).as(layout).isEqualTo("leak");
            assertThat(holder(answer)).as(layout).startsWith("Leaky.forget(Leaky.java:18)");
        }
    }

    /** A stack's lines are mixed with those of another instance, or of the platform. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "shop-5d8f6c7b9-x2x4q shop %s|shop-5d8f6c7b9-aaaaa shop %s",
                "2022-09-04T22:44:34.025935+00:00 app[web.1]: %s|2022-09-04T22:44:34.025935+00:00 app[web.2]: %s",
                "2022-09-04T22:44:34.025935+00:00 app[web.1]: %s"
                        + "|2022-09-04T22:44:34.025935+00:00 heroku[router]: at=info method=GET path=\"/\" status=200",
                "shop-1  | %s|shop-2  | %s"
            })
    void stacksOfSeveralInstancesStayApart(String both) throws IOException {
        List<String> mixed = new ArrayList<>();
        for (String line : text("leak.log.gz").lines().toList()) {
            for (String form : both.split("[|](?=2022|shop-[25])", -1)) {
                mixed.add(form.contains("%s") ? form.replace("%s", line) : form);
            }
        }
        JsonNode answer = answer(String.join("\n", mixed), StandardCharsets.UTF_8);
        JsonNode alone = answer(text("leak.log.gz"), StandardCharsets.UTF_8);
        assertThat(answer.path("cause").asText()).isEqualTo("leak");
        int instances = both.contains("router") ? 1 : 2;
        assertThat(answer.path("holders").elements().next().asInt())
                .isEqualTo(instances * alone.path("holders").elements().next().asInt());
    }

    /** The time was quadratic in the length of a line, which in JSON may be that of the file; "aa." ended in a StackOverflowError. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Leaked connection x acquired at: [",
                "abandon connection, owner thread: ",
                "Connection leak detection triggered for x on thread ",
                "Previously reported leaked connection x on thread ",
                "aa."
            })
    @Timeout(600)
    void aLongLineOfRepeatedWordsTakesNoLongTime(String words) throws IOException {
        String line = words.repeat(2_000_000 / words.length());
        Path file = folder.resolve("a.json");
        Files.writeString(file, "[{\"timestamp\":\"1\",\"message\":\"" + line + "\"}]");
        ProgramRun run = ProgramRun.of("doctor", file.toString());
        assertThat(run.out() + run.err()).contains("no log line of a pool");
    }
}
