// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import static io.flexpool.spring.it.Contexts.boot;
import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.FlexPool;
import io.flexpool.monitoring.ConfigKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.OriginTrackedValue;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.boot.origin.TextResourceOrigin.Location;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ClassPathResource;

/** A bad value for every key, for all pools and for one: the start is refused, naming key and value as written. */
class RefusedKeysTest {
    /** Here bean names name pools. */
    private static final Set<String> NOT_HERE = Set.of("name", "data-source.jndi-name");

    /** Keys that are valid only together with others. */
    private static final Map<String, List<String>> COMPANIONS = Map.of(
            "grow-on-wait.after", List.of("flexpool.ceiling=20", "flexpool.grow-on-wait.enabled=true"),
            "grow-on-wait.keep", List.of("flexpool.ceiling=20", "flexpool.grow-on-wait.enabled=true"));

    /** For numbers and times a value that parses but is out of every range. */
    private static String bad(ConfigKey key) {
        return switch (key.kind()) {
            case FLAG -> "maybe";
            case COUNT -> "-05";
            case DURATION -> "40d";
            case LIST -> "com.acme.Missing,,";
            case TEXT -> key.name().equals("record") ? "file://perhaps" : "perhaps";
        };
    }

    /** Each key in one of three ways, by turns: the ways are the same for all keys. */
    private static Stream<Arguments> written() {
        return inThreeWays(true);
    }

    private static Stream<Arguments> writtenOtherwise() {
        return inThreeWays(false);
    }

    private static Stream<Arguments> inThreeWays(boolean byTurns) {
        List<Arguments> all = new ArrayList<>();
        int turn = 0;
        for (ConfigKey key : FlexPool.configurationKeys()) {
            if (NOT_HERE.contains(key.name()) || key.name().startsWith("metrics.")) {
                continue;
            }
            List<String> ways = List.of(
                    "flexpool." + key.name(),
                    "flexpool.pools.dataSource." + key.name(),
                    "flexpool.pools.data-source." + camelCase(key.name()));
            for (int way = 0; way < ways.size(); way++) {
                if ((way == turn % ways.size()) == byTurns) {
                    all.add(Arguments.of(key, ways.get(way)));
                }
            }
            turn++;
        }
        return all.stream();
    }

    private static String camelCase(String key) {
        String[] words = key.split("-");
        return words[0]
                + Arrays.stream(words)
                        .skip(1)
                        .map(word -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
                        .collect(Collectors.joining());
    }

    @Tag("scenario")
    @ParameterizedTest
    @MethodSource("writtenOtherwise")
    void inEachOtherWayToo(ConfigKey key, String written) {
        aPropertyIsRefusedAsItIsWritten(key, written);
    }

    @ParameterizedTest
    @MethodSource("written")
    void aPropertyIsRefusedAsItIsWritten(ConfigKey key, String written) {
        String value = bad(key);
        Origin place = new TextResourceOrigin(new ClassPathResource("orders.properties"), new Location(2, 14));
        PropertySource<?> file =
                new OriginTrackedMapPropertySource("file", Map.of(written, OriginTrackedValue.of(value, place)), true);
        String description = Analyses.of(boot().withPropertyValues(
                                COMPANIONS.getOrDefault(key.name(), List.of()).toArray(String[]::new))
                        .withInitializer(context ->
                                context.getEnvironment().getPropertySources().addFirst(file)))
                .getDescription();
        String refusal = description
                .lines()
                .filter(line -> line.startsWith("    dataSource: ") || line.startsWith("    " + written + " = "))
                .findFirst()
                .orElse("none in " + description);
        assertThat(refusal)
                .contains(written, " = " + value + ": ")
                .endsWith("class path resource [orders.properties] - 3:15)");
        if (!written.contains("data-source")) {
            assertThat(refusal).contains(" " + written + " = " + value + ": ");
        }
    }
}
