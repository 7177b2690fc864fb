// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.internal.config.CircuitBreaker;
import io.flexpool.internal.config.ConfigReader;
import io.flexpool.internal.config.ConfigSource;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.FailFast;
import io.flexpool.internal.config.GrowOnWait;
import io.flexpool.internal.config.RetryAcquisition;
import io.flexpool.internal.config.Settings;
import io.flexpool.strategy.AcquisitionStrategy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/** Any configuration that can be written is read back unchanged, in any order and from any source. */
class ConfigurationPropertyTest {
    /** A strategy and the keys that make it; a value may be null. */
    record Given(AcquisitionStrategy strategy, Map<String, @Nullable Object> keys) {
        static Given circuitBreaker(int failures) {
            return new Given(CircuitBreaker.after(failures), keys("circuit-breaker.failures", failures));
        }

        static Given growOnWait(int ceiling, @Nullable Duration after, @Nullable Duration keep) {
            return new Given(
                    GrowOnWait.upTo(ceiling).withAfter(after).withKeep(keep),
                    keys(
                            "ceiling",
                            ceiling,
                            "grow-on-wait.enabled",
                            true,
                            "grow-on-wait.after",
                            after,
                            "grow-on-wait.keep",
                            keep));
        }

        static Given failFast(int maxPending) {
            return new Given(FailFast.above(maxPending), keys("fail-fast.max-pending", maxPending));
        }

        static Given retry(Duration deadline) {
            RetryAcquisition retry = RetryAcquisition.within(deadline);
            return new Given(retry, keys("retry.deadline", deadline));
        }

        private static Map<String, @Nullable Object> keys(@Nullable Object... keysAndValues) {
            Map<String, @Nullable Object> keys = new LinkedHashMap<>();
            for (int at = 0; at < keysAndValues.length; at += 2) {
                keys.put(String.valueOf(keysAndValues[at]), keysAndValues[at + 1]);
            }
            return keys;
        }
    }

    /** A configuration as code would give it. */
    record Configured(
            String name,
            boolean enabled,
            @Nullable Integer base,
            @Nullable Duration timeout,
            @Nullable Duration slow,
            @Nullable Duration longLease,
            List<Given> given) {

        List<AcquisitionStrategy> strategies() {
            boolean breaks = given.stream().anyMatch(one -> one.strategy() instanceof CircuitBreaker);
            return given.stream()
                    .map(Given::strategy)
                    .map(one -> breaks && one instanceof RetryAcquisition retry ? retry.withConnectFailures() : one)
                    .toList();
        }

        Map<String, String> written(boolean ofThePool) {
            Map<String, String> map = new LinkedHashMap<>();
            String prefix = ofThePool ? "flexpool.pools." + name + "." : "flexpool.";
            map.put("flexpool.name", name);
            map.put(prefix + "enabled", String.valueOf(enabled));
            put(map, prefix + "base", base);
            put(map, prefix + "acquisition-timeout", timeout);
            put(map, prefix + "slow-acquisition", slow);
            put(map, prefix + "long-lease", longLease);
            for (Given one : given) {
                one.keys().forEach((key, value) -> put(map, prefix + key, value));
            }
            return map;
        }

        private static void put(Map<String, String> map, String key, @Nullable Object value) {
            if (value != null) {
                map.put(key, value.toString());
            }
        }
    }

    @Provide
    Arbitrary<Configured> configured() {
        Arbitrary<String> names = Arbitraries.strings()
                .withCharRange('!', '~')
                .withChars("äß→ ")
                .ofMinLength(1)
                .ofMaxLength(40)
                .filter(name -> !name.isBlank() && name.equals(name.strip()));
        return Combinators.combine(
                        names,
                        Arbitraries.of(true, false),
                        Arbitraries.integers().between(1, 10_000).injectNull(0.3),
                        durations(1, 3_600_000).injectNull(0.3),
                        durations(1, 86_400_000).injectNull(0.3),
                        durations(1, 86_400_000).injectNull(0.3),
                        strategies())
                .as(Configured::new);
    }

    private static Arbitrary<Duration> durations(long leastMillis, long mostMillis) {
        return Arbitraries.longs()
                .between(leastMillis * 1_000_000, mostMillis * 1_000_000)
                .map(Duration::ofNanos);
    }

    private static Arbitrary<List<Given>> strategies() {
        return Combinators.combine(
                        Arbitraries.integers()
                                .between(1, 1_000)
                                .map(Given::circuitBreaker)
                                .injectNull(0.5),
                        Combinators.combine(
                                        Arbitraries.integers().between(2, 10_000),
                                        durations(0, 600_000).injectNull(0.3),
                                        durations(0, 600_000).injectNull(0.3))
                                .as(Given::growOnWait)
                                .injectNull(0.5),
                        Arbitraries.integers()
                                .between(0, 100_000)
                                .map(Given::failFast)
                                .injectNull(0.5),
                        durations(1, 3_600_000).map(Given::retry).injectNull(0.5))
                .as((circuit, grow, failFast, retry) -> {
                    List<Given> given = new ArrayList<>();
                    for (Given one : new Given[] {circuit, grow, failFast, retry}) {
                        if (one != null) {
                            given.add(one);
                        }
                    }
                    return given;
                });
    }

    @Property(tries = 300)
    void whatIsWrittenIsReadBack(
            @ForAll("configured") Configured configured,
            @ForAll boolean ofThePool,
            @ForAll boolean throughAFile,
            @ForAll Random random) {
        List<Map.Entry<String, String>> entries =
                new ArrayList<>(configured.written(ofThePool).entrySet());
        Collections.shuffle(entries, random);
        Map<String, String> map = new LinkedHashMap<>();
        entries.forEach(entry -> map.put(entry.getKey(), entry.getValue()));
        Settings settings = new Settings();
        if (throughAFile) {
            throughAFile(map, settings);
        } else {
            read(ConfigSource.of(map), settings);
        }
        assertThat(new Configured(
                        String.valueOf(settings.name()),
                        settings.values.flag(CoreKey.ENABLED),
                        settings.values.get(CoreKey.BASE, Integer.class),
                        settings.values.duration(CoreKey.ACQUISITION_TIMEOUT),
                        settings.values.duration(CoreKey.SLOW_ACQUISITION),
                        settings.values.duration(CoreKey.LONG_LEASE),
                        configured.given()))
                .isEqualTo(configured);
        assertThat(settings.strategies)
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactlyElementsOf(configured.strategies());
    }

    private static void throughAFile(Map<String, String> map, Settings settings) {
        Properties properties = new Properties();
        properties.putAll(map);
        try {
            Path file = Files.createTempFile("flexpool", ".properties");
            try (var out = Files.newBufferedWriter(file)) {
                properties.store(out, null);
            }
            read(ConfigSource.of(file), settings);
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void read(ConfigSource source, Settings settings) {
        new ConfigReader(settings).read(List.of(source));
        settings.problems.throwIfAny();
    }

    @Property(tries = 300)
    void aTypoIsAlwaysRefusedWithTheKeyThatWasMeant(@ForAll("typos") String[] meantAndWritten) {
        Settings settings = new Settings();
        settings.set(CoreKey.NAME, "p");
        String message = "";
        try {
            read(ConfigSource.of(Map.of("flexpool." + meantAndWritten[1], "1")), settings);
        } catch (IllegalArgumentException refused) {
            message = String.valueOf(refused.getMessage());
        }
        assertThat(message).contains("no such key; the nearest is flexpool." + meantAndWritten[0]);
    }

    /** Two neighbours changed places, a letter too few, or one too many. */
    @Provide
    Arbitrary<String[]> typos() {
        return Combinators.combine(
                        Arbitraries.of(CoreKey.values()).map(key -> key.key().name()),
                        Arbitraries.integers().between(0, 2),
                        Arbitraries.integers().between(0, 1_000))
                .as((key, kind, where) -> {
                    int at = where % (key.length() - 1);
                    String typo = switch (kind) {
                        case 0 -> key.substring(0, at) + key.charAt(at + 1) + key.charAt(at) + key.substring(at + 2);
                        case 1 -> key.substring(0, at) + key.substring(at + 1);
                        default -> key.substring(0, at) + 'x' + key.substring(at);
                    };
                    return new String[] {key, typo};
                })
                .filter(pair -> !pair[0].equals(pair[1]));
    }
}
