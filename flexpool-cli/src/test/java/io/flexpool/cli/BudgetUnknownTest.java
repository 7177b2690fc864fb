// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Where a size stands, or may stand, in what a manifest refers to: it counts, or the answer is that it is not known. */
class BudgetUnknownTest {
    private static final String SIZE = "SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE";
    private static final String URL = "{name: SPRING_DATASOURCE_URL, value: 'jdbc:postgresql://db/shop'}";

    @TempDir
    private Path directory;

    private final StringWriter said = new StringWriter();

    private int budget(String text, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "budget", Files.writeString(directory.resolve("k8s.yaml"), text).toString(), "--max", "97"));
        arguments.addAll(List.of(more));
        CommandLine program = FlexpoolCli.commandLine();
        program.setOut(new PrintWriter(said, true));
        program.setErr(new PrintWriter(said, true));
        return program.execute(arguments.toArray(String[]::new));
    }

    /** Of two instances. */
    private static String deployment(String container, String pod) {
        return String.format(Locale.ROOT, """
            kind: Deployment
            metadata: {name: orders, namespace: shop}
            spec:
              replicas: 2
              strategy: {type: Recreate}
              template: {spec: {containers: [{name: app, %s}]%s}}
            """, container, pod);
    }

    private void isRefused(String text, String reason) throws IOException {
        assertThat(budget(text)).as(said.toString()).isEqualTo(1);
        assertThat(said.toString()).contains("orders: ").contains(reason).doesNotContain(", fits");
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        envFrom: [{configMapRef: {name: settings}}]; no file contains ConfigMap settings
        envFrom: [{secretRef: {name: settings}}]; no file contains Secret settings
        args: [--spring.config.import=configserver:http://config]; the target of spring.config.import
        args: [--db.pool.size=50]; db.pool.size may be the size
        args: --spring.datasource.hikari.maximum-pool-size=80; must be a list
        envFrom: {configMapRef: {name: settings}}; must be a list
        """)
    void aDefaultIsNoAnswerWhereASizeMayStandElsewhere(String container, String reason) throws IOException {
        isRefused(deployment(container + ", env: [" + URL + "]", ""), reason);
    }

    @Test
    void aPoolOfAnotherKindIsNoCandidate() throws IOException {
        String env = "env: [" + URL + ", {name: SPRING_TASK_EXECUTION_POOL_MAX_SIZE, value: '8'}]";
        assertThat(budget(deployment(env, ""))).as(said.toString()).isZero();
        assertThat(said.toString()).contains("default of 10 is assumed");
    }

    @Test
    void aSecretThatIsNoBase64IsNotLeftOut() throws IOException {
        isRefused(
                deployment("envFrom: [{secretRef: {name: db}}], env: [" + URL + "]", "") + "---\nkind: Secret\n"
                        + "metadata: {name: db, namespace: shop}\ndata: {" + SIZE + ": '***'}\n",
                SIZE + " is not valid Base64");
    }

    @Test
    void aSizeThatIsNoNumberNamesItsApplication() throws IOException {
        isRefused(deployment("env: [{name: " + SIZE + ", value: ten}]", ""), SIZE + " = ten: must be a whole number");
    }

    @Test
    void anExpressionOfProfilesIsNotEvaluated() throws IOException {
        Path file = Files.writeString(directory.resolve("application.yml"), """
            spring.datasource.hikari.maximum-pool-size: 3
            ---
            spring.config.activate.on-profile: prod & eu
            spring.datasource.hikari.maximum-pool-size: 90
            """);
        String text = deployment("env: [{name: SPRING_PROFILES_ACTIVE, value: 'prod,eu'}]", "");
        assertThat(budget(text, "--properties", "orders=" + file)).isEqualTo(1);
        assertThat(said.toString()).contains("'prod & eu'").doesNotContain(", fits");
    }

    @ParameterizedTest
    @CsvSource({"${${V}:V}", "${${V}:${V}}${V}", "${V}", "${${${${${V}", "${:", "${}"})
    void aPlaceholderOfItselfEnds(String value) throws IOException {
        String text = deployment("env: [{name: V, value: '" + value + "'}, {name: " + SIZE + ", value: '${V}'}]", "");
        long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        assertThat(budget(text)).isEqualTo(1);
        assertThat(said.toString()).contains("orders: ").doesNotContain(", fits");
        assertThat(said.toString().lines().count()).isLessThan(10);
        assertThat(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu)
                .isLessThan(TimeUnit.SECONDS.toNanos(5));
    }

    @Test
    void oneOfSeveralProfilesIsEnough() throws IOException {
        Path file = Files.writeString(directory.resolve("application.properties"), """
            spring.datasource.hikari.maximum-pool-size=3
            #---
            spring.config.activate.on-profile=test, eu
            spring.datasource.hikari.maximum-pool-size=90
            """);
        String text = deployment("env: [{name: SPRING_PROFILES_ACTIVE, value: 'prod,eu'}]", "");
        assertThat(budget(text, "--properties", "orders=" + file))
                .as(said.toString())
                .isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        configMap: {name: files}; ConfigMap; data
        secret: {secretName: files}; Secret; stringData
        projected: {sources: [{configMap: {name: files}}]}; ConfigMap; data
        projected: {sources: [{secret: {name: files}}]}; Secret; stringData
        """)
    void eachKindOfMountedFileIsRead(String volume, String kind, String data) throws IOException {
        String text = deployment(
                        "env: [" + URL + "], volumeMounts: [{name: config, mountPath: /config}]",
                        ", volumes: [{name: config, " + volume + "}]")
                + String.format(Locale.ROOT, """
                    ---
                    kind: %s
                    metadata: {name: files, namespace: shop}
                    %s:
                      application.yml: |
                        spring.datasource.hikari.maximum-pool-size: 60
                    """, kind, data);
        assertThat(budget(text)).as(said.toString()).isEqualTo(3);
        assertThat(said.toString()).contains("Total: 120 of 97");
    }

    @Test
    void withoutANamespaceAManifestMayBeOfAny() throws IOException {
        String text =
                deployment("envFrom: [{configMapRef: {name: settings}}]", "") + String.format(Locale.ROOT, """
                    ---
                    kind: ConfigMap
                    metadata: {name: settings}
                    data: {%s: "10"}
                    ---
                    kind: HorizontalPodAutoscaler
                    metadata: {name: orders}
                    spec: {scaleTargetRef: {kind: Deployment, name: orders}, maxReplicas: 60}
                    """, SIZE);
        assertThat(budget(text)).as(said.toString()).isEqualTo(3);
        assertThat(said.toString()).contains("Total: 600 of 97").doesNotContain("no file contains");
    }

    @ParameterizedTest
    @CsvSource({
        "APP_DATASOURCE_CONFIGURATION_MAXIMUM_POOL_SIZE, 50, 100",
        "APP_DATASOURCE_MAXIMUM_POOL_SIZE, 50, 100",
        // And the default of the first.
        "SPRING_DATASOURCE_STATS_URL, jdbc:h2:mem:stats, 40",
    })
    void aDataSourceOfTheApplicationsOwnCounts(String name, String value, int all) throws IOException {
        String env = name.startsWith("APP") ? "" : ", " + URL;
        budget(deployment("env: [{name: " + name + ", value: '" + value + "'}" + env + "]", ""));
        assertThat(said.toString()).contains("Total: " + all + " of 97");
    }

    @Test
    void aSpecificationThatIsAListIsRefused() throws IOException {
        assertThat(budget("kind: Deployment\nmetadata: {name: orders}\nspec: [replicas]\n", "--pool", "orders=3"))
                .isEqualTo(1);
        assertThat(said.toString()).contains("k8s.yaml: Deployment.spec").doesNotContain(", fits");
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        kind: List|items: &all [{kind: List, items: *all}]; an alias that contains itself
        kind: Deployment|metadata: {name: &name [*name]}; an alias that contains itself
        a: &a [0,0,0,0,0,0,0,0,0,0]|b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]|c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\
        |d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]|e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]|f: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]\
        |g: [*f,*f,*f,*f,*f,*f,*f,*f,*f,*f]; aliases that expand to more than
        """)
    void anAliasIsNoTrap(String text, String reason) throws IOException {
        assertThat(budget(text.replace('|', '\n'))).isEqualTo(1);
        assertThat(said.toString()).contains("k8s.yaml: has ").contains(reason);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        configMap: {name: gone}; no file contains ConfigMap gone
        secret: {secretName: gone}; no file contains Secret gone
        projected: {sources: [{configMap: {name: gone}}]}; no file contains ConfigMap gone
        csi: {driver: secrets-store.csi.k8s.io}; no file contains the content of the volume files
        persistentVolumeClaim: {claimName: c}; no file contains the content of the volume files
        """)
    void aDefaultIsNoAnswerBesideAVolumeThatIsInNoFile(String volume, String reason) throws IOException {
        isRefused(
                deployment(
                        "env: [" + URL + "], volumeMounts: [{name: files, mountPath: /app/config}]",
                        ", volumes: [{name: files, " + volume + "}]"),
                reason);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        configMap: {name: files, items: [{key: b, path: application.yml}]}; mountPath: /app/config; 14
        configMap: {name: files}; mountPath: /app/application.yml, subPath: a; 12
        configMap: {name: files}; mountPath: /app/application.yml, subPath: b; 14
        configMap: {name: files, items: [{key: a, path: c}]}; mountPath: /app/config/application.yml, subPath: c; 12
        """)
    void aFileIsReadByTheNameThatItHasInTheContainer(String volume, String mount, int all) throws IOException {
        String text = deployment(
                        "env: [" + URL + "], volumeMounts: [{name: files, " + mount + "}]",
                        ", volumes: [{name: files, " + volume + "}]")
                + String.format(Locale.ROOT, """
                    ---
                    kind: ConfigMap
                    metadata: {name: files, namespace: shop}
                    data:
                      a: "%1$s: 6"
                      b: "%1$s: 7"
                    """, "spring.datasource.hikari.maximum-pool-size");
        assertThat(budget(text)).as(said.toString()).isZero();
        assertThat(said.toString()).contains("Total: " + all + " of 97");
    }

    @Test
    void aFileThatAVariableMayOverrideIsReportedSo() throws IOException {
        Path file = Files.writeString(
                directory.resolve("application.yml"), "spring.datasource.hikari.maximum-pool-size: 3\n");
        String text = deployment("envFrom: [{secretRef: {name: db}}]", "");
        assertThat(budget(text, "--properties", "orders=" + file)).isZero();
        assertThat(said.toString()).contains("orders: Secret db may set another size, but no file contains it.");
    }

    @ParameterizedTest
    @CsvSource({"file:/config/, false", "/config, false", "'optional:file:/config/,optional:file:/other/', true"})
    void aLocationThatIsMountedIsInTheFiles(String location, boolean reported) throws IOException {
        String text = deployment(
                        "env: [{name: SPRING_CONFIG_ADDITIONAL_LOCATION, value: '" + location
                                + "'}], volumeMounts: [{name: files, mountPath: /config}]",
                        ", volumes: [{name: files, configMap: {name: files}}]")
                + "---\nkind: ConfigMap\nmetadata: {name: files, namespace: shop}\n"
                + "data: {application.yml: 'spring.datasource.hikari.maximum-pool-size: 5'}\n";
        assertThat(budget(text)).as(said.toString()).isZero();
        assertThat(said.toString().contains("may set another size")).isEqualTo(reported);
    }

    /** Two instances each; the reactive pools of Quarkus and R2DBC open connections too. */
    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        QUARKUS_DATASOURCE_JDBC_MAX_SIZE=8 QUARKUS_DATASOURCE_REACTIVE_MAX_SIZE=12; 40
        QUARKUS_DATASOURCE_REACTIVE_URL=vertx-reactive:postgresql://db/shop; 40
        SPRING_R2DBC_URL=r2dbc:postgresql://db/shop; 20
        SPRING_R2DBC_URL=r2dbc:postgresql://db/shop SPRING_R2DBC_POOL_MAX_SIZE=7; 14
        DATASOURCE_CONFIGS_0_HIKARI_MAXIMUM_POOL_SIZE=6 DATASOURCE_CONFIGS_1_HIKARI_MAXIMUM_POOL_SIZE=5; 22
        QUARKUS_DATASOURCE_USERS_JDBC_URL=jdbc:x QUARKUS_DATASOURCE_USERS_JDBC_MAX_SIZE=3; 6
        """)
    void eachPoolOfAnInstanceCounts(String variables, int all) throws IOException {
        String env = Arrays.stream(variables.split(" "))
                .map(each -> "{name: " + each.replaceFirst("=", ", value: '") + "'}")
                .collect(Collectors.joining(", "));
        budget(deployment("env: [" + env + "]", ""));
        assertThat(said.toString()).contains("Total: " + all + " of 97");
    }

    @Test
    void anAutoscalersTargetThatIsInNoFileIsNotKnown() throws IOException {
        String text = deployment("env: [{name: " + SIZE + ", value: '5'}]", "") + """
            ---
            kind: HorizontalPodAutoscaler
            metadata: {name: search, namespace: shop}
            spec: {scaleTargetRef: {kind: Deployment, name: search}, maxReplicas: 8}
            """;
        assertThat(budget(text)).isEqualTo(1);
        assertThat(said.toString())
                .contains("the manifest of 'search' (Deployment)")
                .doesNotContain(", fits");
        // 2 times 5, and 8 with a quarter more, and a quarter that ends, times 7.
        assertThat(budget(text, "--pool", "search=7")).isZero();
        assertThat(said.toString()).contains("Total: 94 of 97 connections: they fit");
    }

    private static String sidecar(int size) {
        return ", initContainers: [{name: proxy, restartPolicy: Always, env: [{name: " + SIZE + ", value: '" + size
                + "'}]}]";
    }

    @Test
    void aSidecarIsReported() throws IOException {
        String env = "env: [{name: " + SIZE + ", value: '40'}]";
        assertThat(budget(deployment(env, sidecar(3)))).as(said.toString()).isZero();
        assertThat(said.toString())
                .contains(
                        "x   40 connections", "orders: 3 connections of sidecars are not counted", "--pool orders=43");
    }

    @Test
    void whatFitsWithoutItsSidecarsAloneIsNotKnown() throws IOException {
        String env = "env: [{name: " + SIZE + ", value: '40'}]";
        assertThat(budget(deployment(env, sidecar(9)))).isEqualTo(1);
        assertThat(said.toString())
                .contains(
                        "the 80 connections of the applications fit into 97; the sidecars may open 18 more, which would not fit")
                .doesNotContain(", fits");
    }

    @ParameterizedTest
    @CsvSource({"Allow, 10, true", "Forbid, 10, false", "Replace, 20, false"})
    void overlappingRunsAreReported(String policy, int all, boolean reported) throws IOException {
        String text = "kind: CronJob\nmetadata: {name: nightly}\nspec: {concurrencyPolicy: " + policy
                + ", jobTemplate: {spec: {parallelism: 2, template: {spec: {containers: [{env: [{name: " + SIZE
                + ", value: '5'}]}]}}}}}\n";
        assertThat(budget(text)).isZero();
        assertThat(said.toString()).contains("Total: " + all + " of 97");
        assertThat(said.toString().contains("may overlap (concurrencyPolicy Allow)"))
                .isEqualTo(reported);
    }

    @Test
    void eachJobOfOneGeneratedNameCounts() throws IOException {
        String job =
                "kind: Job\nmetadata: {generateName: import-}\nspec: {template: {spec: {containers: [{env: [{name: "
                        + SIZE + ", value: '5'}]}]}}}\n---\n";
        assertThat(budget(job + job)).as(said.toString()).isZero();
        assertThat(said.toString()).contains("Total: 10 of 97");
        assertThat(budget("kind: Job\nmetadata: {}\n")).isEqualTo(1);
        assertThat(said.toString()).contains("a manifest of kind Job has no metadata.name");
    }

    @ParameterizedTest
    @CsvSource({"--pool", "--instances"})
    void anApplicationIsGivenOnce(String option) throws IOException {
        assertThat(budget(deployment("env: []", ""), option, "orders=3", option, "orders=50"))
                .isEqualTo(2);
        assertThat(said.toString()).contains(option + " orders is given twice").doesNotContain(", fits");
    }

    @Test
    void aCompressedFileOfPropertiesThatIsCutIsNamed() throws IOException {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(whole)) {
            zip.write("spring.datasource.hikari.maximum-pool-size=3\n".getBytes(StandardCharsets.UTF_8));
        }
        Path cut = Files.write(directory.resolve("application.properties"), Arrays.copyOf(whole.toByteArray(), 30));
        assertThat(budget(deployment("env: []", ""), "--properties", "orders=" + cut))
                .isEqualTo(1);
        assertThat(said.toString()).contains("application.properties: the compressed file is damaged or ends early");
    }

    @Test
    void noPoolsAtAllAreNoSize() throws IOException {
        assertThat(budget("applications: {orders: {instances: 1, pools: []}}\n"))
                .isEqualTo(1);
        assertThat(said.toString()).contains("orders.pools: must be given");
    }

    @ParameterizedTest
    @CsvSource({"3", "60"})
    void aCompressedFileThatIsCutIsNamed(int length) throws IOException {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(whole)) {
            zip.write(deployment("env: []", "").getBytes(StandardCharsets.UTF_8));
        }
        Path cut = Files.write(directory.resolve("cut.gz"), Arrays.copyOf(whole.toByteArray(), length));
        for (String command : List.of("budget", "migrate")) {
            StringWriter err = new StringWriter();
            assertThat(FlexpoolCli.commandLine()
                            .setErr(new PrintWriter(err, true))
                            .execute(command, cut.toString()))
                    .isEqualTo(1);
            assertThat(err.toString()).contains("cut.gz: the compressed file is damaged or ends early");
        }
    }
}
