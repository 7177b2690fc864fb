// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.flexpool.internal.config.ConfigReader;
import io.flexpool.internal.config.ConfigSource;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.Settings;
import io.flexpool.internal.pool.FakePool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** Environment variables and system properties, for applications without a framework. */
class EnvironmentTest {
    private static Settings read(Map<String, String> environment, Map<String, String> system) {
        return read(ConfigSource.of(Map.of()), environment, system);
    }

    private static Settings read(ConfigSource before, Map<String, String> environment, Map<String, String> system) {
        Settings settings = new Settings();
        settings.set(CoreKey.NAME, "order-book");
        Properties properties = new Properties();
        properties.putAll(system);
        new ConfigReader(settings)
                .read(List.of(before, ConfigSource.ofVariables(environment), ConfigSource.ofSystem(properties)));
        settings.problems.throwIfAny();
        return settings;
    }

    @Test
    void aSystemPropertyReplacesAVariableWhichReplacesAnEarlierSource() {
        Settings settings = read(
                ConfigSource.of(
                        Map.of("flexpool.base", "2", "flexpool.long-lease", "1s", "flexpool.statement-text", "true")),
                Map.of("FLEXPOOL_BASE", "3", "FLEXPOOL_LONG_LEASE", "2s"),
                Map.of("flexpool.base", "4"));
        assertThat(settings.values.count(CoreKey.BASE)).isEqualTo(4);
        assertThat(settings.values.duration(CoreKey.LONG_LEASE)).hasSeconds(2);
        assertThat(settings.values.flag(CoreKey.STATEMENT_TEXT)).isTrue();
    }

    @Test
    void theSectionOfThePoolIsFoundByLettersAndDigits() {
        Settings settings = read(
                Map.of("FLEXPOOL_POOLS_ORDER_BOOK_BASE", "3", "FLEXPOOL_BASE", "2", "FLEXPOOL_POOLS_AUDIT_BASE", "9"),
                Map.of("flexpool.pools.order-book.long-lease", "2s"));
        assertThat(settings.values.count(CoreKey.BASE)).isEqualTo(3);
        assertThat(settings.values.duration(CoreKey.LONG_LEASE)).hasSeconds(2);
    }

    @Test
    void aClassIsFoundByLettersAndDigits() {
        Settings settings = read(
                Map.of("FLEXPOOL_CLASSES", "web,nightly-batch", "FLEXPOOL_CLASSES_NIGHTLY_BATCH_GUARANTEE", "0.25"),
                Map.of());
        assertThat(settings.classes).hasSize(2);
        assertThat(settings.classes.get(1).guarantee()).isEqualTo(0.25);
    }

    /** One of two variables for a key took precedence, by the order of their names. */
    @Test
    void twoSpellingsOfAKeyAreRefusedTogether() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(
                        Map.of(
                                "FLEXPOOL_GROWONWAIT_AFTER", "30ms",
                                "FLEXPOOL_GROW_ON_WAIT_AFTER", "20ms",
                                "FLEXPOOL_POOLS_ORDERBOOK_BASE", "2",
                                "FLEXPOOL_POOLS_ORDER_BOOK_BASE", "3"),
                        Map.of()))
                .withMessageContainingAll(
                        "order-book: FLEXPOOL_GROW_ON_WAIT_AFTER = 20ms: the key flexpool.grow-on-wait.after is given"
                                + " twice, also as FLEXPOOL_GROWONWAIT_AFTER (the environment)",
                        "order-book: FLEXPOOL_POOLS_ORDER_BOOK_BASE = 3: the key flexpool.pools.order-book.base is given"
                                + " twice, also as FLEXPOOL_POOLS_ORDERBOOK_BASE (the environment)");
    }

    /** Of a service flexpool-demo, say. */
    @Test
    void variablesOfKubernetesAreNoKeys() {
        Settings settings = read(
                Map.of(
                        "FLEXPOOL_PORT_8080_TCP", "tcp://10.0.0.1:8080",
                        "FLEXPOOL_DEMO_SERVICE_PORT_HTTP", "80",
                        "FLEXPOOL_SERVICE_HOST", "10.0.0.1",
                        "PATH", "/bin"),
                Map.of("java.home", "/jdk"));
        assertThat(settings.values).usingRecursiveComparison().isEqualTo(read(Map.of(), Map.of()).values);
    }

    @Test
    void aRefusalNamesVariableAndPropertyAsTheyAreWritten() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(
                        Map.of("FLEXPOOL_BSAE", "3", "FLEXPOOL_LONG_LEASE", "soon"), Map.of("flexpool.cieling", "9")))
                .withMessageContainingAll(
                        "order-book: FLEXPOOL_BSAE = 3: no such key; the nearest is flexpool.base (the"
                                + " environment)",
                        "FLEXPOOL_LONG_LEASE = soon: must be a duration",
                        "flexpool.cieling = 9: no such key; the nearest is flexpool.ceiling (the system properties)");
    }

    @Test
    void noSecretIsShown() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(
                        Map.of("FLEXPOOL_PASSWORD", "s3cret", "FLEXPOOL_BASE", "redis://u:s3cret@host"),
                        Map.of("flexpool.secret", "s3cret")))
                .withMessageNotContaining("s3cret")
                .withMessageContaining("FLEXPOOL_PASSWORD = ***");
    }

    /** A process of its own: a variable of this one cannot be set. */
    @Test
    void aProcessReadsItsOwn() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dflexpool.ceiling=7",
                "-cp",
                System.getProperty("java.class.path"),
                Application.class.getName()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("FLEXPOOL_ACQUISITION_TIMEOUT", "1s");
        builder.environment().put("FLEXPOOL_CEILING", "5");
        builder.environment().put("FLEXPOOL_POOLS_ORDERS_BASE", "3");
        Process process = builder.start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        assertThat(printed).contains("base 3, ceiling 7");
    }

    /** An application that takes its environment. */
    static final class Application {
        private Application() {}

        public static void main(String[] args) {
            FakePool fake = new FakePool();
            try (FlexPoolDataSource pool = FlexPool.wrap(fake.dataSource)
                    .name("orders")
                    .adapter(fake)
                    .environment()
                    .build()) {
                System.out.println("base " + pool.state().base() + ", ceiling "
                        + pool.state().ceiling());
            }
        }
    }
}
