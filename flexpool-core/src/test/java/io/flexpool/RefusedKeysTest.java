// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.internal.config.ConfigChecks;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.Settings;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.monitoring.ConfigKey.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Of every key a bad value, through every way in: refused under key and value as they were written, and by whose they
 * are.
 */
class RefusedKeysTest {
    /** A key that means something only beside others. */
    private static final Map<CoreKey, Map<CoreKey, String>> COMPANIONS = Map.of(
            CoreKey.GROW_ON_WAIT_AFTER, Map.of(CoreKey.CEILING, "20", CoreKey.GROW_ON_WAIT_ENABLED, "true"),
            CoreKey.GROW_ON_WAIT_KEEP, Map.of(CoreKey.CEILING, "20", CoreKey.GROW_ON_WAIT_ENABLED, "true"));

    private static final Set<CoreKey> WITHOUT_A_SECTION = Set.of(CoreKey.NAME);

    /** Several of each kind: some unreadable, some readable but not in range. */
    private static List<String> badValues(CoreKey key) {
        return switch (key.key().kind()) {
            case FLAG -> List.of("maybe", "TRUE");
            case COUNT -> List.of("-5", "-05", "ten", "+2000000");
            case DURATION -> List.of("-5ms", "PT-0.005S", "pt-5s", "40d", "2000 h", "soon");
            case LIST ->
                key == CoreKey.CALL_SITES_IGNORE || key == CoreKey.CALL_SITES_APPLICATION
                        ? List.of("com.acme.,,")
                        : List.of("com.acme.Missing", "a,,b");
            case TEXT -> key == CoreKey.NAME ? List.of("x".repeat(101)) : List.of("ldap://elsewhere/x");
        };
    }

    private static Stream<Arguments> written() {
        return Arrays.stream(CoreKey.values())
                .flatMap(key -> Stream.of("flexpool.", "flexpool.pools.p.")
                        .filter(prefix -> prefix.equals("flexpool.") || !WITHOUT_A_SECTION.contains(key))
                        .flatMap(prefix -> badValues(key).stream().map(value -> Arguments.of(key, prefix, value))));
    }

    private static Map<String, String> properties(CoreKey key, String prefix, String value) {
        Map<String, String> properties = new LinkedHashMap<>();
        COMPANIONS
                .getOrDefault(key, Map.of())
                .forEach(
                        (other, its) -> properties.put("flexpool." + other.key().name(), its));
        properties.put(prefix + key.key().name(), value);
        return properties;
    }

    private static FlexPoolBuilder wrap() {
        FakePool fake = new FakePool();
        return FlexPool.wrap(fake.dataSource).name("p").adapter(fake);
    }

    /** A key may be any text: it forged a line of the log, showed a password, and took minutes to compare. */
    @Test
    void anUnknownKeyIsOneShortLineWithoutAPassword() {
        String url = "flexpool.uri.jdbc:postgresql://u:hunter2@h/db";
        assertThatThrownBy(() -> wrap().properties(Map.of(url, "1")).build())
                .hasMessageContaining("flexpool.uri.jdbc:postgresql://")
                .hasMessageContaining("no such key")
                .hasMessageNotContaining("hunter2");
        assertThatThrownBy(() -> wrap().properties(Map.of("flexpool.a\nforged line", "1"))
                        .build())
                .hasMessageContaining("no such key")
                .hasMessageNotContaining("\n");
        assertThatThrownBy(() -> wrap().properties(Map.of("flexpool.pools." + "a.".repeat(20_000), "1"))
                        .build())
                .hasMessageContaining("no such key")
                .satisfies(refused -> assertThat(refused.getMessage()).hasSizeLessThan(600));
    }

    @ParameterizedTest
    @MethodSource("written")
    void aPropertyIsRefusedAsItIsWrittenInAMap(CoreKey key, String prefix, String value) {
        FlexPoolBuilder builder = wrap().properties(properties(key, prefix, value));
        assertRefused(builder, key, prefix, value, "the given map");
    }

    @ParameterizedTest
    @MethodSource("written")
    void aPropertyIsRefusedAsItIsWrittenInAFile(CoreKey key, String prefix, String value, @TempDir Path directory)
            throws IOException {
        List<String> lines = new ArrayList<>();
        properties(key, prefix, value).forEach((written, its) -> lines.add(written + " = " + its));
        Path file = Files.write(directory.resolve("flexpool.properties"), lines);
        assertRefused(wrap().properties(file), key, prefix, value, "file " + file + ", line " + lines.size());
    }

    private static void assertRefused(
            FlexPoolBuilder builder, CoreKey key, String prefix, String value, String origin) {
        String pool = key == CoreKey.NAME ? "" : "p: ";
        String shown = key == CoreKey.NAME ? "'" + value + "'" : value;
        assertThatIllegalArgumentException()
                .isThrownBy(builder::build)
                .withMessageStartingWith(pool + prefix + key.key().name() + " = " + shown + ": ")
                .withMessageEndingWith(" (" + origin + ")")
                .satisfies(refused ->
                        assertThat(String.valueOf(refused.getMessage())).hasLineCount(1));
    }

    private static Stream<Arguments> setByCode() {
        return Arrays.stream(CoreKey.values())
                .flatMap(key -> Stream.of("flexpool.", "")
                        .flatMap(prefix -> badObjects(key).stream().map(value -> Arguments.of(key, prefix, value))));
    }

    private static List<Object> badObjects(CoreKey key) {
        List<Object> bad = new ArrayList<>(badValues(key));
        switch (key.key().kind()) {
            case COUNT -> bad.addAll(List.of(-5, 2_000_000L, 1.5));
            case DURATION -> bad.addAll(List.of(Duration.ofMillis(-5), Duration.ofDays(40)));
            case FLAG -> bad.add(1);
            case LIST -> bad.add(List.of("a", "a"));
            case TEXT -> {}
        }
        return bad;
    }

    @ParameterizedTest
    @MethodSource("setByCode")
    void whatCodeSetsIsRefusedUnderItsKey(CoreKey key, String prefix, Object bad) {
        FlexPoolBuilder builder = wrap();
        COMPANIONS
                .getOrDefault(key, Map.of())
                .forEach((other, its) -> builder.set(other.key().name(), its));
        builder.set(prefix + key.key().name(), bad);
        String pool = key == CoreKey.NAME ? "" : "p: ";
        String written = bad instanceof List<?> ? "a,a" : String.valueOf(bad);
        String shown = key == CoreKey.NAME ? "'" + written + "'" : written;
        assertThatIllegalArgumentException()
                .isThrownBy(builder::build)
                .withMessageStartingWith(pool + key.key().name() + " = " + shown + ": ")
                .satisfies(refused ->
                        assertThat(String.valueOf(refused.getMessage())).hasLineCount(1));
    }

    @Test
    void anUnknownKeyOfCodeIsRefusedWithTheNearestOne() {
        FlexPoolBuilder builder = wrap().set("cieling", 20).set("flexpool.bsae", 2);
        assertThatIllegalArgumentException()
                .isThrownBy(builder::build)
                .withMessageContainingAll(
                        "p: cieling = 20: no such key; the nearest is flexpool.ceiling",
                        "p: bsae = 2: no such key; the nearest is flexpool.base");
    }

    @Test
    @SuppressWarnings("UnnecessaryStringBuilder") // its class is what is refused
    void whatNoKeyCanBeIsRefusedAtOnce() {
        FlexPoolBuilder builder = wrap();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.set("listeners", List.of("a,b")))
                .withMessage("listeners = a,b: an element of a list must not contain a comma");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.set("base", new StringBuilder("5")))
                .withMessage(
                        "base = java.lang.StringBuilder: must be a String, Number, Boolean, Duration, enum constant,"
                                + " or a Collection of these");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.set("flexpool.pools.p.base", 5))
                .withMessage("flexpool.pools.p.base: a builder configures one pool; leave out flexpool.pools.<name>");
    }

    private static Stream<CoreKey> numbersAndTimes() {
        return Arrays.stream(CoreKey.values())
                .filter(key -> key.key().kind() == Kind.COUNT || key.key().kind() == Kind.DURATION);
    }

    @ParameterizedTest
    @MethodSource("numbersAndTimes")
    void theTableRefusesWhatIsOutOfRange(CoreKey key) {
        FakePool fake = new FakePool();
        Settings settings = new Settings();
        Object bad = key.key().kind() == Kind.COUNT ? Integer.valueOf(-5) : Duration.ofMillis(-5);
        settings.set(key, bad);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ConfigChecks(settings, fake.dataSource, "p", fake).check())
                .withMessageStartingWith("p: " + key.key().name() + " = " + bad + ": must be ");
    }

    @Test
    void ofAListTheElementIsNamedThatIsWrong() {
        String listeners = ConfigurationTest.Received.class.getName() + ",com.acme.Missing";
        assertThatThrownBy(wrap().framework(with ->
                        with.properties(Map.of("flexpool.pools.p.listeners", listeners), "x.properties"))::build)
                .hasMessage("p: flexpool.pools.p.listeners = com.acme.Missing: no such class on the class path"
                        + " (x.properties)");
    }

    /** A property of another source, or of code, must not be blamed. */
    @Test
    void theLastOfSeveralSourcesIsNamed() {
        FlexPoolBuilder builder = wrap().set("base", 4)
                .framework(with -> with.properties(Map.of("flexpool.ceiling", "7"), "first.properties"))
                .framework(with -> with.properties(Map.of("flexpool.pools.p.ceiling", "03"), "second.properties"));
        assertThatThrownBy(builder::build)
                .hasMessage("p: flexpool.pools.p.ceiling = 03: must not be below the base, 4" + " (second.properties)");
    }

    @Test
    void whatTheMetricsBackendRefusesIsNamedAsWritten() {
        FlexPoolBuilder builder = wrap().framework(with -> with.properties(
                Map.of("flexpool.metrics", "fake", "flexpool.pools.p.metrics.fake.every", "40 d"), "x.properties"));
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("p: flexpool.pools.p.metrics.fake.every = 40 d: must be at most PT1H" + " (x.properties)");
    }

    /** A backend of others may word it as it likes. */
    @Test
    void aRefusalByAMetricsBackendNamesPoolAndFile() {
        FlexPoolBuilder builder = wrap().framework(with -> with.properties(
                Map.of("flexpool.metrics", "fake", "flexpool.metrics.fake.every", "13s"), "x.properties"));
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("p: flexpool.metrics = fake: refused: 13 brings bad luck (x.properties)");
    }

    /** An adapter knows its pool's keys, and not what flexpool's are called or where they were written. */
    @Test
    void whatThePoolCannotBeBroughtToIsNamedAsWritten() {
        FakePool started = new FakePool();
        started.largestMax = 2;
        FlexPoolBuilder grows = FlexPool.wrap(started.dataSource)
                .name("p")
                .adapter(started)
                .framework(with -> with.properties(
                        Map.of("flexpool.pools.p.ceiling", "020", "flexpool.grow-on-wait.enabled", "true"),
                        "x.properties"));
        assertThatThrownBy(grows::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("p: flexpool.pools.p.ceiling = 020: maxFake is 2, the ceiling is 20" + " (x.properties)");
        FlexPoolBuilder based =
                FlexPool.wrap(started.dataSource).name("p").adapter(started).set("base", 7);
        assertThatThrownBy(based::build).hasMessage("p: base = 7: maxFake is 2, the ceiling is 7");
    }
}
