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
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each key of an earlier version is refused with its replacement, however it is written. */
class RemovedKeysTest {
    private static Properties list() throws IOException {
        Properties list = new Properties();
        try (InputStream in =
                FlexPool.class.getClassLoader().getResourceAsStream("META-INF/io.flexpool/removed-keys.properties")) {
            list.load(Objects.requireNonNull(in));
        }
        return list;
    }

    private static Stream<Arguments> removed() throws IOException {
        Properties list = list();
        return list.stringPropertyNames().stream()
                .map(key -> Arguments.of(key.replace("<name>", "batch"), list.getProperty(key)));
    }

    private static FlexPoolBuilder wrap() {
        FakePool fake = new FakePool();
        return FlexPool.wrap(fake.dataSource).name("p").adapter(fake);
    }

    private static void assertRefused(FlexPoolBuilder builder, String written, String instead) {
        assertThatIllegalArgumentException()
                .isThrownBy(builder::build)
                .withMessageStartingWith("p: " + written + " = 3: no such key; " + instead);
    }

    @ParameterizedTest
    @MethodSource("removed")
    void codeMapAndFile(String key, String instead, @TempDir Path folder) throws IOException {
        assertRefused(wrap().set(key, 3), key, instead);
        for (String prefix : List.of("flexpool.", "flexpool.pools.p.")) {
            String written = prefix + key;
            assertRefused(wrap().properties(Map.of(written, "3")), written, instead);
            Path file = Files.write(folder.resolve("flexpool.properties"), List.of(written + " = 3"));
            assertRefused(wrap().properties(file), written, instead);
        }
    }

    @ParameterizedTest
    @MethodSource("removed")
    void variablesAndSystemProperties(String key, String instead) {
        for (String prefix : List.of("flexpool.", "flexpool.pools.p.")) {
            String variable = (prefix + key).toUpperCase(Locale.ROOT).replaceAll("[.-]", "_");
            assertRefused(ConfigSource.ofVariables(Map.of(variable, "3")), variable, instead);
            Properties system = new Properties();
            system.setProperty(prefix + key, "3");
            assertRefused(ConfigSource.ofSystem(system), prefix + key, instead);
        }
    }

    private static void assertRefused(ConfigSource source, String written, String instead) {
        Settings settings = new Settings();
        ConfigReader reader = new ConfigReader(settings);
        settings.set(CoreKey.NAME, "p");
        reader.read(List.of(source));
        assertThatIllegalArgumentException()
                .isThrownBy(settings.problems::throwIfAny)
                .withMessageStartingWith("p: " + written + " = 3: no such key; " + instead);
    }

    /** A key that exists again would be refused without reason, or never. */
    @Test
    void noneIsAKey() throws IOException {
        assertThat(FlexPool.configurationKeys())
                .extracting("name")
                .doesNotContainAnyElementsOf(list().stringPropertyNames());
    }
}
