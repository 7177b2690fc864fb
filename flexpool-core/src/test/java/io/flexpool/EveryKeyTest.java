// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.flexpool.internal.config.CodeValues;
import io.flexpool.internal.config.ConfigReader;
import io.flexpool.internal.config.ConfigSource;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each key of core means the same whichever way it is given, for all pools or for one. */
class EveryKeyTest {
    /** A key that means something only beside others. */
    private static final Map<CoreKey, Map<String, Object>> COMPANIONS = Map.of(
            CoreKey.GROW_ON_WAIT_ENABLED, Map.of("ceiling", 20),
            CoreKey.GROW_ON_WAIT_AFTER, Map.of("ceiling", 20, "grow-on-wait.enabled", true),
            CoreKey.GROW_ON_WAIT_KEEP, Map.of("ceiling", 20, "grow-on-wait.enabled", true));

    /** Values that a key takes, as code gives them: the ends of its range, where it has one. */
    private static List<Object> values(CoreKey key) {
        return switch (key.key().kind()) {
            case FLAG -> List.of(true, false);
            case COUNT -> ends(key);
            case DURATION -> ends(key);
            case LIST ->
                key == CoreKey.LISTENERS
                        ? List.of(List.of(ConfigurationTest.Received.class.getName()))
                        : key == CoreKey.METRICS ? List.of(List.of("fake")) : List.of(List.of("a", "b"));
            case TEXT ->
                key.rule().choices().isEmpty()
                        ? List.of("some name")
                        : new ArrayList<>(key.rule().choices());
        };
    }

    private static List<Object> ends(CoreKey key) {
        Object least = key.rule().least();
        Object most = key.rule().most();
        return least == null || most == null ? List.of() : List.of(least, most);
    }

    private static Stream<Arguments> keysAndValues() {
        return Arrays.stream(CoreKey.values())
                .flatMap(key -> values(key).stream().map(value -> Arguments.of(key, value)));
    }

    private static Map<String, String> written(CoreKey key, Object value, String prefix) {
        Map<String, String> all = new LinkedHashMap<>();
        COMPANIONS
                .getOrDefault(key, Map.of())
                .forEach((other, its) -> all.put("flexpool." + other, CodeValues.text(other, its)));
        String name = key.key().name();
        all.put(prefix + name, CodeValues.text(name, value));
        return all;
    }

    private static Object read(CoreKey key, ConfigSource source) {
        Settings settings = new Settings();
        settings.set(CoreKey.NAME, "p");
        new ConfigReader(settings).read(List.of(source));
        settings.problems.throwIfAny();
        // The ceiling is growth's, where that is on.
        Object value = settings.values.get(key, Object.class);
        return value == null ? "none" : value;
    }

    @ParameterizedTest
    @MethodSource("keysAndValues")
    void eachWayGivesTheSame(CoreKey key, Object value, @TempDir Path folder) throws IOException {
        Map<String, String> code = new LinkedHashMap<>();
        COMPANIONS
                .getOrDefault(key, Map.of())
                .forEach((other, its) -> code.put(CodeValues.key(other), CodeValues.text(other, its)));
        String name = key.key().name();
        code.put(CodeValues.key(name), CodeValues.text(name, value));
        assertThat(read(key, ConfigSource.ofCode(code))).as("by code").isEqualTo(value);
        for (String prefix : List.of("flexpool.", "flexpool.pools.p.")) {
            if (key == CoreKey.NAME && !prefix.equals("flexpool.")) {
                continue;
            }
            Map<String, String> properties = written(key, value, prefix);
            assertThat(read(key, ConfigSource.of(properties))).as("by a map").isEqualTo(value);
            List<String> lines = new ArrayList<>();
            properties.forEach((one, its) -> lines.add(one + " = " + its));
            Path file = Files.write(folder.resolve("flexpool.properties"), lines);
            assertThat(read(key, ConfigSource.of(file))).as("by a file").isEqualTo(value);
            assertThat(read(key, ConfigSource.ofSystem(system(properties))))
                    .as("by system properties")
                    .isEqualTo(value);
            assertThat(read(key, ConfigSource.ofVariables(variables(properties))))
                    .as("by variables")
                    .isEqualTo(value);
        }
    }

    private static Properties system(Map<String, String> properties) {
        Properties system = new Properties();
        system.putAll(properties);
        return system;
    }

    private static Map<String, String> variables(Map<String, String> properties) {
        Map<String, String> variables = new LinkedHashMap<>();
        properties.forEach((key, value) -> variables.put(variable(key), value));
        return variables;
    }

    private static String variable(String key) {
        return key.toUpperCase(Locale.ROOT).replaceAll("[.-]", "_");
    }

    private static Stream<Arguments> keysAndValuesBeyond() {
        return Arrays.stream(CoreKey.values())
                .flatMap(key -> ends(key).stream()
                        .map(end ->
                                Arguments.of(key, beyond(end, end == ends(key).get(0)))));
    }

    private static Object beyond(Object end, boolean least) {
        if (end instanceof Duration time) {
            return least ? time.minusNanos(1) : time.plusNanos(1);
        }
        return least ? (int) end - 1 : (int) end + 1;
    }

    @ParameterizedTest
    @MethodSource("keysAndValuesBeyond")
    void theNextValueBeyondTheRangeIsRefused(CoreKey key, Object value) {
        Map<String, String> code = new LinkedHashMap<>();
        code.put(CodeValues.key(key.key().name()), CodeValues.text(key.key().name(), value));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(key, ConfigSource.ofCode(code)))
                .withMessageStartingWith("p: " + key.key().name() + " = " + value + ": must be ");
        String name = "flexpool." + key.key().name();
        String text = CodeValues.text(key.key().name(), value);
        Map<String, String> properties = Map.of(name, text);
        refuses(key, name + " = " + text, ConfigSource.of(properties));
        refuses(key, name + " = " + text, ConfigSource.ofSystem(system(properties)));
        refuses(key, variable(name) + " = " + text, ConfigSource.ofVariables(variables(properties)));
    }

    private static void refuses(CoreKey key, String what, ConfigSource source) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(key, source))
                .withMessageStartingWith("p: " + what + ": must be ");
    }
}
