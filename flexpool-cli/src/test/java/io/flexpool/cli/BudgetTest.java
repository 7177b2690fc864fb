// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
        assertThat(said.toString()).contains("All: 94 of 94: it fits");
        assertThat(budget(text, "--reserve", "4")).isEqualTo(3);
        assertThat(said.toString()).contains("All: 94 of 93: 1 too many");
    }

    @Test
    void manifestsCountTheAutoscalersMostAndBothRevisions() throws IOException {
        // 6 and a quarter of that more, rounded up.
        assertThat(budget(DEPLOYMENT + AUTOSCALER, "--max", "80"))
                .as(said.toString())
                .isZero();
        assertThat(said.toString()).contains("All: 80 of 80");
        assertThat(budget(DEPLOYMENT + AUTOSCALER, "--max", "79")).isEqualTo(3);
    }

    @Test
    void aDeploymentThatIsRecreatedHasNoSurge() throws IOException {
        String recreated = DEPLOYMENT.replace("  replicas: 4", "  replicas: 4\n  strategy: {type: Recreate}");
        assertThat(budget(recreated, "--max", "40")).as(said.toString()).isZero();
        String surging =
                DEPLOYMENT.replace("  replicas: 4", "  replicas: 4\n  strategy: {rollingUpdate: {maxSurge: 3}}");
        assertThat(budget(surging, "--max", "69")).isEqualTo(3);
        assertThat(budget(surging, "--max", "70")).isZero();
    }

    @Test
    void flexpoolsCeilingHoldsBeforeThePoolsSizeAndAnOptionBeforeBoth() throws IOException {
        String ceiling = DEPLOYMENT.replace("env:", "env:\n            - {name: FLEXPOOL_CEILING, value: '20'}");
        assertThat(budget(ceiling, "--max", "100")).as(said.toString()).isZero();
        assertThat(budget(ceiling, "--max", "99")).isEqualTo(3);
        assertThat(budget(ceiling, "--max", "10", "--pool", "orders=2")).isZero();
        Path properties = Files.writeString(
                directory.resolve("application.properties"), "spring.datasource.hikari.maximumPoolSize = 3\n");
        assertThat(budget(ceiling, "--max", "15", "--properties", "orders=" + properties))
                .isZero();
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
}
