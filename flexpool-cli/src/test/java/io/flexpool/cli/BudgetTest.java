// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class BudgetTest {
    private static final String DEPLOYMENT = """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: orders}
        spec:
          replicas: 4
          template:
            spec:
              containers:
                - name: app
                  env:
                    - {name: SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE, value: "10"}
                    - {name: PASSWORD, valueFrom: {secretKeyRef: {name: db, key: password}}}
        """;
    private static final String AUTOSCALER = """
        ---
        kind: HorizontalPodAutoscaler
        spec: {scaleTargetRef: {kind: Deployment, name: orders}, minReplicas: 2, maxReplicas: 6}
        """;

    @TempDir
    private Path directory;

    private final StringWriter said = new StringWriter();

    private int budget(String text, String... more) throws IOException {
        Path file = Files.writeString(directory.resolve("budget.yaml"), text);
        String[] arguments = new String[more.length + 2];
        arguments[0] = "budget";
        arguments[1] = file.toString();
        System.arraycopy(more, 0, arguments, 2, more.length);
        CommandLine program = FlexpoolCli.commandLine();
        program.setOut(new PrintWriter(said, true));
        program.setErr(new PrintWriter(said, true));
        return program.execute(arguments);
    }

    @Test
    void aBudgetFitsUpToTheLastConnection() throws IOException {
        String text = """
            max: 97
            reserve: 3
            applications:
              orders: {instances: 6, surge: 1, pools: 10}
              reporting: {instances: 3, surge: 25%, pools: [4, 2]}
            """;
        assertThat(budget(text)).as(said.toString()).isZero();
        assertThat(said.toString()).contains("Total: 94 of 94 connections: they fit");
        assertThat(budget(text, "--reserve", "4")).isEqualTo(3);
        assertThat(said.toString()).contains("Total: 94 of 93 connections: 1 too many");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '"',
            value = {
                "a; \"unknown key 'a'; the keys are applications, max, reserve\"",
                "replicaCount; \"unknown key 'replicaCount'; the keys are applications, max, reserve\"",
                "maxx; 'maxx', the nearest one is 'max'"
            })
    void theNearestKeyIsNamedWhereItIsNear(String key, String message) throws IOException {
        assertThat(budget(key + ": 9\n")).isEqualTo(1);
        assertThat(said.toString()).endsWith(message + System.lineSeparator());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "metadata: {name: {{ include \"x\" . }}}",
                "metadata: {name: x}|spec: {replicas: \"{{ .Values.replicas }}\"}",
                "metadata:|  name: x|  labels:|    {{- include \"labels\" . | nindent 4 }}"
            })
    void aTemplateIsToBeRendered(String text) throws IOException {
        assertThat(budget("kind: Deployment\n" + text.replace('|', '\n') + "\n", "--max", "9"))
                .isEqualTo(1);
        assertThat(said.toString()).contains("budget.yaml: ", "is a Helm template: render it first");
    }

    @Test
    void manifestsCountTheAutoscalersMostAndBothRevisions() throws IOException {
        // 6 and a quarter of that more, rounded up, while a quarter, rounded down, still ends.
        assertThat(budget(DEPLOYMENT + AUTOSCALER, "--max", "90"))
                .as(said.toString())
                .isZero();
        assertThat(said.toString()).contains("Total: 90 of 90").contains("Terminating pods keep their connections");
        assertThat(budget(DEPLOYMENT + AUTOSCALER, "--max", "89")).isEqualTo(3);
    }

    @Test
    void aDeploymentThatIsRecreatedHasNoSurge() throws IOException {
        String recreated = DEPLOYMENT.replace("  replicas: 4", "  replicas: 4\n  strategy: {type: Recreate}");
        assertThat(budget(recreated, "--max", "40")).as(said.toString()).isZero();
        String surging = DEPLOYMENT.replace(
                "  replicas: 4", "  replicas: 4\n  strategy: {rollingUpdate: {maxSurge: 3, maxUnavailable: 2}}");
        assertThat(budget(surging, "--max", "89")).isEqualTo(3);
        assertThat(budget(surging, "--max", "90")).isZero();
    }

    @Test
    void flexpoolsCeilingHoldsBeforeThePoolsSizeAndAnOptionBeforeBoth() throws IOException {
        String ceiling = DEPLOYMENT.replace("env:", "env:\n            - {name: FLEXPOOL_CEILING, value: '20'}");
        assertThat(budget(ceiling, "--max", "120")).as(said.toString()).isZero();
        assertThat(budget(ceiling, "--max", "119")).isEqualTo(3);
        assertThat(budget(ceiling, "--max", "12", "--pool", "orders=2")).isZero();
        Path properties = Files.writeString(
                directory.resolve("application.properties"), "spring.datasource.hikari.maximumPoolSize = 3\n");
        String bare = DEPLOYMENT.replaceAll("(?m)^.*MAXIMUM_POOL_SIZE.*\\R", "");
        assertThat(budget(bare, "--max", "18", "--properties", "orders=" + properties))
                .as(said.toString())
                .isZero();
        // As in Spring, the environment holds before the file.
        assertThat(budget(ceiling, "--max", "119", "--properties", "orders=" + properties))
                .isEqualTo(3);
    }

    @Test
    void aWorkloadWithoutASizeIsNotPassedOver() throws IOException {
        assertThat(budget("kind: StatefulSet\nmetadata: {name: queue}\nspec: {replicas: 3}\n", "--max", "9"))
                .isEqualTo(1);
        assertThat(said.toString()).contains("'queue'", "--pool queue=N");
        assertThat(budget(
                        "{kind: StatefulSet, metadata: {name: queue}, spec: {replicas: 3}}",
                        "--max",
                        "9",
                        "--pool",
                        "queue=3"))
                .isZero();
    }

    @Test
    void whatIsWrittenWrongIsRefusedByName() throws IOException {
        assertThat(budget("max: 9\napplications: {orders: {instanzes: 1}}\n")).isEqualTo(1);
        assertThat(said.toString()).contains("unknown key 'orders.instanzes'", "'orders.instances'");
        assertThat(budget("max: nine\napplications: {}\n")).isEqualTo(1);
        assertThat(said.toString()).contains("max = nine: must be a whole number");
        assertThat(budget("applications: {}\n")).isEqualTo(2);
        assertThat(budget("max: 9\napplications: [1]\n")).isEqualTo(1);
        assertThat(budget("max: !!javax.script.ScriptEngineManager [x]\napplications: {}\n"))
                .isEqualTo(1);
        assertThat(budget("a: [")).isEqualTo(1);
    }

    private static String deployment(String name, String more, String env) {
        return String.format(Locale.ROOT, """
            ---
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: %s%s}
            spec:
              replicas: 2
              strategy: {type: Recreate}
              template:
                spec:
                  containers:
                    - name: app
                      env: [%s]
            """, name, more, env);
    }

    private static String variable(String name, String value) {
        return "{name: " + name + ", value: '" + value + "'}";
    }

    /** Where sizes stand: each as people write it, with the connections of one instance. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SPRING_DATASOURCE_HIKARI_MAXIMUMPOOLSIZE | 7 | 7",
                "SPRING_DATASOURCE_TOMCAT_MAX_ACTIVE | 7 | 7",
                "SPRING_DATASOURCE_DBCP2_MAX_TOTAL | 7 | 7",
                "SPRING_DATASOURCE_ORACLEUCP_MAX_POOL_SIZE | 7 | 7",
                "APP_DATASOURCE_REPORTS_HIKARI_MAXIMUM_POOL_SIZE | 7 | 7",
                "QUARKUS_DATASOURCE__USERS__JDBC_MAX_SIZE | 7 | 7",
                "DATASOURCES_DEFAULT_MAXIMUM_POOL_SIZE | 7 | 7",
                "KC_DB_POOL_MAX_SIZE | 7 | 7",
                "JAVA_TOOL_OPTIONS | -Xmx1g -Dspring.datasource.hikari.maximum-pool-size=7 -Da=b | 7",
                "JDK_JAVA_OPTIONS | \"-Dspring.datasource.hikari.maximum-pool-size=7\" | 7",
                "SPRING_APPLICATION_JSON | {\"spring\":{\"datasource\":{\"hikari\":{\"maximum-pool-size\":7}}}} | 7",
                "FLEXPOOL_POOLS_ORDERS_CEILING | 7 | 7",
                "SPRING_DATASOURCE_URL | jdbc:postgresql://db/shop | 10",
                "QUARKUS_DATASOURCE_JDBC_URL | jdbc:postgresql://db/shop | 50",
                "KC_DB | postgres | 100",
                "DATASOURCES_DEFAULT_URL | jdbc:postgresql://db/shop | 10"
            })
    void sizesAreFoundWhereTheyAreWritten(String name, String value, int each) throws IOException {
        String text = deployment("orders", "", "{name: " + name + ", value: '" + value + "'}");
        assertThat(budget(text, "--max", String.valueOf(2 * each)))
                .as(said.toString())
                .isZero();
        assertThat(budget(text, "--max", String.valueOf(2 * each - 1))).isEqualTo(3);
    }

    @Test
    void aDefaultThatIsAssumedIsSaid() throws IOException {
        assertThat(budget(
                        deployment("orders", "", variable("SPRING_DATASOURCE_URL", "jdbc:postgresql://db/shop")),
                        "--max",
                        "20"))
                .isZero();
        assertThat(said.toString()).contains("orders: HikariCP's default of 10 is assumed");
    }

    @Test
    void argumentsHoldBeforeTheEnvironment() throws IOException {
        String text = deployment("orders", "", variable("SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE", "50"))
                + "          args: ['--spring.datasource.hikari.maximum-pool-size=4']\n";
        assertThat(budget(text, "--max", "8")).as(said.toString()).isZero();
        assertThat(budget(text, "--max", "7")).isEqualTo(3);
    }

    @Test
    void configMapsAndSecretsOfTheFilesAreRead() throws IOException {
        String config = """
            ---
            kind: ConfigMap
            metadata: {name: config}
            data:
              POOL: "6"
              application-prod.yml: "spring: {datasource: {hikari: {maximum-pool-size: 5}}}"
            ---
            kind: Secret
            metadata: {name: hidden}
            data: {size: Ng==}
            """;
        String fromMap = deployment(
                "orders",
                "",
                "{name: SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE, valueFrom: {configMapKeyRef: {name: config, key:"
                        + " POOL}}}");
        assertThat(budget(fromMap + config, "--max", "12")).as(said.toString()).isZero();
        String fromSecret = deployment(
                "orders",
                "",
                "{name: SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE, valueFrom: {secretKeyRef: {name: hidden, key:"
                        + " size}}}");
        assertThat(budget(fromSecret + config, "--max", "12"))
                .as(said.toString())
                .isZero();
        assertThat(budget(fromSecret + config, "--max", "11")).isEqualTo(3);
        String mounted = deployment("orders", "", variable("SPRING_PROFILES_ACTIVE", "prod"))
                + "          volumeMounts: [{name: files, mountPath: /config}]\n"
                + "      volumes: [{name: files, configMap: {name: config}}]\n";
        assertThat(budget(mounted + config, "--max", "10")).as(said.toString()).isZero();
        assertThat(budget(mounted + config, "--max", "9")).isEqualTo(3);
        assertThat(budget(fromMap, "--max", "12")).as("not in the files").isEqualTo(1);
        assertThat(said.toString())
                .contains(
                        "orders: SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE comes from a source that no file contains");
    }

    /** Each of them has pods: none is passed over, and all that is not known is said in one run. */
    @Test
    void kindsThatHavePodsAreCounted() throws IOException {
        String env = "env: [" + variable("SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE", "3") + "]";
        String template = "{spec: {containers: [{name: a, " + env + "}]}}";
        String text = String.format(Locale.ROOT, """
            kind: CronJob
            metadata: {name: nightly}
            spec: {jobTemplate: {spec: {parallelism: 2, template: %1$s}}}
            ---
            kind: Job
            metadata: {name: import}
            spec: {template: %1$s}
            ---
            kind: Pod
            metadata: {name: single}
            spec: {containers: [{name: a, %2$s}]}
            ---
            kind: Rollout
            metadata: {name: web}
            spec: {replicas: 4, strategy: {blueGreen: {}}, template: %1$s}
            ---
            kind: DeploymentConfig
            metadata: {name: old}
            spec: {replicas: 1, strategy: {type: Recreate}, template: %1$s}
            ---
            apiVersion: serving.knative.dev/v1
            kind: Service
            metadata: {name: api}
            spec: {template: {metadata: {annotations: {autoscaling.knative.dev/max-scale: "5"}}, spec: {containers: [{name: a, %2$s}]}}}
            ---
            kind: DaemonSet
            metadata: {name: agent}
            spec: {template: %1$s}
            ---
            kind: Service
            metadata: {name: orders}
            """, template, env);
        assertThat(budget(text, "--max", "1000")).isEqualTo(1);
        assertThat(said.toString()).contains("'agent'").contains("--instances agent=N");
        // 2 + 1 + 1 + 8 + 1 + 10 + 3 instances
        assertThat(budget(text, "--max", "78", "--instances", "agent=3"))
                .as(said.toString())
                .isZero();
        assertThat(budget(text, "--max", "77", "--instances", "agent=3")).isEqualTo(3);
    }

    @Test
    void aKindThatIsNotKnownIsNeverGreen() throws IOException {
        String sized = deployment("orders", "", variable("SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE", "3"));
        String text = sized + "---\nkind: SparkApplication\nmetadata: {name: stats}\nspec: {}\n";
        assertThat(budget(text, "--max", "97")).isEqualTo(1);
        assertThat(said.toString()).contains("kind SparkApplication").doesNotContain(", fits");
        assertThat(budget(text, "--max", "97", "--ignore-kind", "SparkApplication"))
                .isZero();
    }

    @Test
    void severalDatabaseServersAreToldApart() throws IOException {
        String text = deployment(
                        "orders",
                        "",
                        variable(
                                "SPRING_DATASOURCE_URL",
                                "jdbc:postgresql://user:secret@db-a:5432/shop?password=secret"))
                + deployment("stats", "", variable("SPRING_DATASOURCE_URL", "jdbc:mysql://db-b/stats"));
        assertThat(budget(text, "--max", "97")).isEqualTo(1);
        assertThat(said.toString())
                .contains("2 database servers (db-a:5432, db-b)")
                .doesNotContain("secret");
        assertThat(budget(text, "--max", "20", "--server", "db-b"))
                .as(said.toString())
                .isZero();
        assertThat(said.toString()).contains("orders uses another database server and is not counted");
    }

    @Test
    void aPatchOfKustomizeIsToBeRendered() throws IOException {
        assertThat(budget("kind: Kustomization\nresources: [a.yaml]\n", "--max", "9"))
                .isEqualTo(1);
        assertThat(said.toString()).contains("kubectl kustomize");
    }

    @Test
    void theAnswerIsWrittenForPrograms() throws IOException {
        String text = "max: 9\napplications: {orders: {instances: 2, surge: 1, pools: [2, 1]}}\n";
        assertThat(budget(text, "--json", "-")).isZero();
        assertThat(said.toString()).contains("\"fits\" : true").contains("\"connectionsEach\" : 3");
    }
}
