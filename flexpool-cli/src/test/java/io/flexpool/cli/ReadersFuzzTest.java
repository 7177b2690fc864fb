// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.advisor.LeaseTrace.Ending;
import io.flexpool.advisor.TraceWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What each reader makes of files that were real until something happened to them. Nothing may be more than a sentence. */
class ReadersFuzzTest {
    private static final long SEED = 20_261_126;
    private static final long CPU_SECONDS_OF_THE_FIRST = 20;
    /** And as much again for each megabyte. */
    private static final double CPU_SECONDS_OF_ONE = 1;

    private static final int LARGE = 2 << 20;
    private static final int WARM_UP = 30;

    private static final List<String> WORDS = List.of(
            "\u001b[31m",
            "\u0000",
            "\u009b",
            "\u202e",
            "\r\n",
            "\"",
            "'",
            "(total=",
            "total=",
            "waiting=99999999999",
            "${",
            "}",
            "${A:${A}}",
            "$(X)",
            "{{ .Values.x }}",
            "&a ",
            "*a",
            "<<: *a",
            "- ",
            ": ",
            "---\n",
            "kind: List\nitems: 3\n",
            "replicas: 99999999999",
            "-1",
            "null",
            "[]",
            "{}",
            "!!java.net.URL [x]",
            "25%",
            "-25%",
            "%",
            "1e9",
            "0x10",
            "1_000",
            "~",
            "true",
            "\\u00zz",
            "\\",
            "=",
            "\t",
            "Connection is not available, request timed out after ",
            " - ",
            "stats (",
            "flexy.pool.",
            "flexy.pool.metrics.reporter.log.millis=",
            "\u2028",
            "\ufeff",
            "\ud83d\ude00",
            "\u0085",
            "? ",
            "|\n",
            ">-\n  ",
            "!!binary ",
            "!!set {a, b}",
            "2026-11-26",
            ".nan",
            "$(A)$(A)",
            "-D",
            "--",
            "--spring.datasource.hikari.maximum-pool-size=",
            "9223372036854775808",
            "-0",
            "1.5",
            "0",
            "restartPolicy: Always",
            "valueFrom: {}",
            "envFrom: [{}]",
            "metadata: {}",
            "spec: []",
            "name: ",
            "#---\n",
            "!---\n",
            "\\\n",
            "\\u001b[31m",
            "[pod/a-1/b] ",
            "api-1  | ",
            "{\"message\":\"",
            "/",
            ",",
            "ms ");

    private static final String MANIFESTS = """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: orders, namespace: shop}
        spec:
          replicas: 4
          strategy: {rollingUpdate: {maxSurge: 25%, maxUnavailable: 1}}
          template:
            spec:
              initContainers:
                - {name: migrate, env: [{name: SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE, value: "2"}]}
              containers:
                - name: app
                  args: ["--spring.datasource.hikari.maximum-pool-size=${SIZE:7}"]
                  envFrom: [{configMapRef: {name: settings}, prefix: SPRING_}, {secretRef: {name: hidden}}]
                  env:
                    - {name: SIZE, value: "${OTHER:${SIZE}}"}
                    - {name: SPRING_APPLICATION_JSON, value: '{"spring":{"datasource":{"url":"jdbc:postgresql://db/a"}}}'}
                  volumeMounts: [{name: files, mountPath: /config}]
              volumes: [{name: files, configMap: {name: files}}]
        ---
        kind: HorizontalPodAutoscaler
        metadata: {namespace: shop}
        spec: {scaleTargetRef: {kind: Deployment, name: orders}, minReplicas: 2, maxReplicas: 6}
        ---
        kind: ScaledObject
        metadata: {namespace: shop}
        spec: {scaleTargetRef: {name: orders}, maxReplicaCount: 9}
        ---
        kind: ConfigMap
        metadata: {name: settings, namespace: shop}
        data: {DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE: "10"}
        ---
        kind: ConfigMap
        metadata: {name: files, namespace: shop}
        data:
          application.yml: |
            spring.datasource: &one
              hikari.maximum-pool-size: 12
            other: {<<: *one}
          application-prod.properties: |
            spring.datasource.hikari.maximum-pool-size=33
        ---
        kind: Secret
        metadata: {name: hidden, namespace: shop}
        data: {FLEXPOOL_CEILING: MTI=}
        ---
        kind: List
        items:
          - kind: CronJob
            metadata: {name: nightly}
            spec: {jobTemplate: {spec: {parallelism: 2, template: {spec: {containers: [{env: [{name: KC_DB_POOL_MAX_SIZE, value: 5}]}]}}}}}
          - {kind: Pod, metadata: {name: one}, spec: {containers: [{env: [{name: QUARKUS_DATASOURCE_JDBC_MAX_SIZE, value: 3}]}]}}
        """;

    private static final String OWN_BUDGET = """
        max: 97
        reserve: 3
        applications:
          orders: {instances: 6, surge: 1, pools: 10}
          reporting: {instances: 2, surge: 25%, pools: [5, 2]}
          named: {instances: 1, pools: {a: 5, b: 2}}
        """;

    private static final String FLEXY_PROPERTIES = """
        flexy.pool.data.source.unique.name=orders
        flexy.pool.data.source.jndi.name=java:/jdbc/orders
        flexy.pool.data.source.property.password=secret
        flexy.pool.metrics.reporter.log.millis=60000
        flexy.pool.metrics.reporter.jmx.enable=true
        flexy.pool.time.threshold.connection.acquisition=100
        flexy.pool.time.threshold.connection.lease=1000
        flexy.pool.strategies.factory.resolver=com.example.Own
        """;

    private static final String FLEXY_YAML = """
        decorator:
          datasource:
            flexy-pool:
              acquiring-strategy:
                retry: {attempts: 2}
                increment-pool: {max-overgrow-pool-size: 15, timeout-millis: 500}
              metrics:
                reporter: {jmx: {enabled: true}, log: {millis: 300000}}
              threshold: {connection: {acquire: 50, lease: 1000}}
        spring: {datasource: {password: secret}}
        """;

    @TempDir
    private Path folder;

    /** A reader with files that it understands. */
    private enum Reader {
        LOG("app.log", "advise", "--hikari-log"),
        BUDGET("budget.yaml", "budget", "--max", "97"),
        APPLICATION("application.yml", "budget"),
        MIGRATE("flexy-pool.properties", "migrate"),
        MIGRATE_YAML("application.yml", "migrate"),
        TRACE("orders.fpt", "advise", "--salvage"),
        JFR("recording.jfr", "advise", "--size", "10", "--jfr");

        private final String file;

        @SuppressWarnings("ImmutableEnumChecker") // made by List.of
        private final List<String> arguments;

        Reader(String file, String... arguments) {
            this.file = file;
            this.arguments = List.of(arguments);
        }

        List<byte[]> whole(Path folder) throws IOException {
            return switch (this) {
                case LOG -> {
                    List<byte[]> logs = new ArrayList<>();
                    for (String name :
                            List.of("2.0.1", "2.4.0", "5.1.0", "7.1.0", "ecs", "logstash", "log4j2-highlight")) {
                        logs.add(resource("/hikaricp/" + name + ".log"));
                    }
                    logs.add(zipped(logs.get(3)));
                    yield logs;
                }
                case BUDGET -> List.of(utf8(MANIFESTS), utf8(OWN_BUDGET));
                case APPLICATION -> List.of(utf8("""
                    spring:
                      profiles.active: prod
                      datasource: {url: "jdbc:postgresql://db:5432/a?password=x", hikari: {maximum-pool-size: "${SIZE:${MORE:5}}"}}
                    ---
                    spring: {config.activate.on-profile: prod, datasource.hikari.maximum-pool-size: 20}
                    """));
                case MIGRATE -> List.of(utf8(FLEXY_PROPERTIES));
                case MIGRATE_YAML -> List.of(utf8(FLEXY_YAML));
                case TRACE -> List.of(trace(folder));
                case JFR -> {
                    List<byte[]> recordings = new ArrayList<>();
                    for (String name : List.of("/jfr/tomcat", "/jfr/vibur", "/io/flexpool/cli/hikaricp-jdk25")) {
                        try (InputStream in = new GZIPInputStream(
                                Objects.requireNonNull(ReadersFuzzTest.class.getResourceAsStream(name + ".jfr.gz")))) {
                            recordings.add(in.readAllBytes());
                        }
                    }
                    yield recordings;
                }
            };
        }

        private List<String> commandLine(Path damaged, Path folder) throws IOException {
            List<String> all = new ArrayList<>(arguments);
            if (this != MIGRATE && this != MIGRATE_YAML) {
                all.add(1, "--json=" + folder.resolve("answer.json"));
            }
            if (this == TRACE) {
                all.add(1, "--html=" + folder.resolve("page.html"));
            }
            if (this == APPLICATION) {
                Path manifest = folder.resolve("manifest.yaml");
                Files.writeString(
                        manifest,
                        "kind: Deployment\nmetadata: {name: a}\nspec: {template: {spec: {containers: [{name: a}]}}}\n");
                Collections.addAll(all, manifest.toString(), "--max", "97", "--properties", "a=" + damaged);
            } else {
                all.add(damaged.toString());
            }
            return all;
        }

        private static byte[] resource(String name) throws IOException {
            try (InputStream in = Objects.requireNonNull(ReadersFuzzTest.class.getResourceAsStream(name), name)) {
                return in.readAllBytes();
            }
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] zipped(byte[] bytes) throws IOException {
        ByteArrayOutputStream into = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(into)) {
            zip.write(bytes);
        }
        return into.toByteArray();
    }

    private static byte[] trace(Path folder) throws IOException {
        Path file = folder.resolve("whole.fpt");
        Files.deleteIfExists(file);
        try (TraceWriter writer = new TraceWriter(file, Map.of("pool", "orders", "max", "5"), 16 << 20, false)) {
            for (int request = 0; request < 500; request++) {
                writer.add(request * 1_000_000L, 0, 2_000_000, Ending.RELEASED, "shop.Orders.find", 0, false);
            }
        }
        return Files.readAllBytes(file);
    }

    @ParameterizedTest
    @EnumSource
    void aDamagedFileIsOneSentence(Reader reader) throws IOException {
        List<byte[]> whole = reader.whole(folder);
        for (byte[] each : whole) {
            run(reader, each, "undamaged", CPU_SECONDS_OF_THE_FIRST);
        }
        int rounds = reader == Reader.JFR ? 4 : 40;
        for (int round = 0; round < rounds; round++) {
            round(reader, whole, SEED + round, CPU_SECONDS_OF_THE_FIRST);
        }
    }

    /** As above, with other damage each time; a failure names the seed. */
    @Tag("scenario")
    @ParameterizedTest
    @EnumSource
    void tenMinutesOfDamageAreSentences(Reader reader) throws IOException {
        List<byte[]> whole = reader.whole(folder);
        for (byte[] each : whole) {
            run(reader, each, "undamaged", CPU_SECONDS_OF_THE_FIRST);
        }
        for (int round = 0; round < WARM_UP; round++) {
            round(reader, whole, SEED + round, CPU_SECONDS_OF_THE_FIRST);
        }
        long seconds = Long.getLong("flexpool.fuzz.seconds", 600);
        long begin = System.nanoTime();
        for (long seed = begin; System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(seconds); seed++) {
            round(reader, whole, seed, CPU_SECONDS_OF_ONE);
        }
    }

    private void round(Reader reader, List<byte[]> whole, long seed, double seconds) throws IOException {
        Random random = new Random(seed);
        byte[] bytes = whole.get(random.nextInt(whole.size()));
        if (random.nextInt(8) == 0) {
            byte[] other = whole.get(random.nextInt(whole.size()));
            bytes = joined(
                    Arrays.copyOf(bytes, random.nextInt(bytes.length)), rest(other, random.nextInt(other.length)));
        }
        for (int times = 1 + random.nextInt(4); times > 0; times--) {
            bytes = damaged(bytes, random);
        }
        if (reader == Reader.TRACE && random.nextBoolean()) {
            withCheckSums(bytes);
        }
        if (random.nextInt(16) == 0) {
            bytes = enlarged(bytes, random);
        }
        double most = seconds * (1 + (double) bytes.length / (1 << 20));
        run(reader, random.nextInt(8) == 0 ? encoded(bytes, random) : bytes, "seed " + seed, most);
    }

    /** Else damage within a block of a trace would be found by its check sum alone. */
    private static void withCheckSums(byte[] trace) {
        ByteBuffer bytes = ByteBuffer.wrap(trace);
        int begin = 8;
        while (begin + 9 <= trace.length) {
            int length = bytes.getInt(begin + 1);
            if (length < 0 || length > trace.length - begin - 9) {
                return;
            }
            CRC32C crc = new CRC32C();
            crc.update(trace, begin, 5 + length);
            bytes.putInt(begin + 5 + length, (int) crc.getValue());
            begin += 9 + length;
        }
    }

    /** Up to two megabytes: a part again and again, one line, or a word without an end. */
    private static byte[] enlarged(byte[] bytes, Random random) {
        int from = bytes.length == 0 ? 0 : random.nextInt(bytes.length);
        byte[] part = Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + 1 + random.nextInt(300)));
        switch (random.nextInt(4)) {
            case 0 -> part = utf8(WORDS.get(random.nextInt(WORDS.size())));
            case 1 ->
                part = new String(part, StandardCharsets.ISO_8859_1)
                        .replaceAll("\\s", "x")
                        .getBytes(StandardCharsets.ISO_8859_1);
            case 2 ->
                part = utf8(List.of("[", "{a: ", "- ", "(", "a", "9", "${", "&a [*a", "\"")
                        .get(random.nextInt(9)));
            default -> {
                // As it is.
            }
        }
        int most = Math.max(part.length, 1 << (8 + random.nextInt(14)));
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(bytes, 0, from);
        while (part.length > 0 && all.size() < Math.min(LARGE, from + most)) {
            all.writeBytes(part);
        }
        all.write(bytes, from, bytes.length - from);
        return all.toByteArray();
    }

    /** As other programs write files, and compressed, whole or cut. */
    private static byte[] encoded(byte[] bytes, Random random) throws IOException {
        String text = new String(bytes, StandardCharsets.UTF_8);
        return switch (random.nextInt(8)) {
            case 0 -> text.getBytes(StandardCharsets.UTF_16);
            case 1 -> text.getBytes(StandardCharsets.UTF_16LE);
            case 2 -> Arrays.copyOf(text.getBytes(StandardCharsets.UTF_16), 1 + random.nextInt(1 + text.length()));
            case 3 -> joined(utf8("\ufeff"), bytes);
            case 4 -> text.replace("\n", "\r\n").getBytes(StandardCharsets.ISO_8859_1);
            case 5 -> zipped(bytes);
            case 6 -> zipped(zipped(bytes));
            default -> {
                byte[] zip = zipped(bytes);
                yield Arrays.copyOf(zip, 1 + random.nextInt(zip.length));
            }
        };
    }

    private static byte[] damaged(byte[] bytes, Random random) {
        int at = bytes.length == 0 ? 0 : random.nextInt(bytes.length);
        return switch (random.nextInt(6)) {
            case 0 -> {
                byte[] flipped = bytes.clone();
                for (int times = random.nextInt(8); times >= 0 && bytes.length > 0; times--) {
                    flipped[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
                }
                yield flipped;
            }
            case 1 -> Arrays.copyOf(bytes, at);
            case 2 -> joined(Arrays.copyOf(bytes, at), utf8(WORDS.get(random.nextInt(WORDS.size()))), rest(bytes, at));
            case 3 -> {
                int end = Math.min(bytes.length, at + random.nextInt(40));
                yield joined(Arrays.copyOf(bytes, at), utf8(WORDS.get(random.nextInt(WORDS.size()))), rest(bytes, end));
            }
            case 4 -> joined(Arrays.copyOf(bytes, at), rest(bytes, random.nextInt(bytes.length + 1)));
            default -> {
                String text = new String(bytes, StandardCharsets.ISO_8859_1);
                List<String> lines = new ArrayList<>(List.of(text.split("\n", -1)));
                Collections.swap(lines, random.nextInt(lines.size()), random.nextInt(lines.size()));
                yield String.join("\n", lines).getBytes(StandardCharsets.ISO_8859_1);
            }
        };
    }

    private static byte[] rest(byte[] bytes, int from) {
        return Arrays.copyOfRange(bytes, from, bytes.length);
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private void run(Reader reader, byte[] bytes, String which, double seconds) throws IOException {
        Path file = Files.write(folder.resolve(reader.file), bytes);
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        int code;
        try {
            code = FlexpoolCli.commandLine()
                    .setOut(new PrintWriter(out, true))
                    .setErr(new PrintWriter(err, true))
                    .execute(reader.commandLine(file, folder).toArray(String[]::new));
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError escaped) {
            throw new AssertionError(keep(reader, bytes, which), escaped);
        }
        cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu;
        String said = out.toString() + err + written();
        boolean good = code >= 0
                && code <= 3
                && cpu < seconds * TimeUnit.SECONDS.toNanos(1)
                && said.lines().noneMatch(line -> line.startsWith("flexpool: ") && line.contains("Exception"))
                && !said.contains("defect of flexpool")
                && !said.contains("\tat ")
                && (code == 0 || !said.contains(", fits"))
                && ((code != 1 && code != 2) || !err.toString().isBlank())
                && said.chars().noneMatch(ReadersFuzzTest::isControl);
        if (!good) {
            assertThat(good)
                    .as(keep(reader, bytes, which) + ": exit code " + code + ", " + cpu / 1_000_000 + " ms: "
                            + Reasons.printable(said))
                    .isTrue();
        }
    }

    private static boolean isControl(int each) {
        return (Character.isISOControl(each) && each != '\n' && each != '\r' && each != '\t')
                || Character.getType(each) == Character.FORMAT;
    }

    /** The content of the files that the options name. */
    private String written() throws IOException {
        StringBuilder all = new StringBuilder();
        for (String name : List.of("page.html", "answer.json")) {
            Path file = folder.resolve(name);
            if (Files.exists(file)) {
                all.append(Files.readString(file));
                Files.delete(file);
            }
        }
        return all.toString();
    }

    /** For the reader of a failure. */
    private static String keep(Reader reader, byte[] bytes, String which) throws IOException {
        Path kept = Files.createTempFile("fuzz-" + reader, "-" + reader.file);
        Files.write(kept, bytes);
        return which + ", kept as " + kept;
    }
}
