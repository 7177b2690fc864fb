// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.flexpool.internal.config.ConfigChecks;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.GrowOnWait;
import io.flexpool.internal.config.PoolConfig;
import io.flexpool.internal.config.Settings;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.internal.sizing.SizingPolicy.SizingStep;
import io.flexpool.internal.sizing.SizingSettings;
import io.flexpool.pool.PoolMode;
import io.flexpool.strategy.AcquisitionStrategy;
import io.flexpool.strategy.AcquisitionStrategy.AcquisitionSituation;
import io.flexpool.strategy.AcquisitionStrategy.Requirements;
import io.flexpool.strategy.AcquisitionStrategy.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Mode, ceiling and the controller's keys: what is allowed, and what contradicts what. */
class ModeSettingsTest {
    private final FakePool fake = new FakePool();

    private FlexPoolDataSource build(String... keysAndValues) {
        Map<String, String> properties = new LinkedHashMap<>();
        for (int at = 0; at < keysAndValues.length; at += 2) {
            properties.put("flexpool." + keysAndValues[at], keysAndValues[at + 1]);
        }
        return FlexPool.wrap(fake.dataSource)
                .name("modes")
                .adapter(fake)
                .properties(properties)
                .build();
    }

    @Test
    void propertiesSayWhatTheBuilderSays() {
        String sizing = "sizing.wait-target=20ms,sizing.instances=3";
        try (FlexPoolDataSource pool = build(("mode=adapt,base=3,ceiling=9," + sizing).split("[=,]"))) {
            assertThat(pool.mode()).isEqualTo(PoolMode.ADAPT);
            assertThat(pool.state().limit()).isEqualTo(3);
            assertThat(pool.state().ceiling()).isEqualTo(9);
        }
        try (FlexPoolDataSource pool = FlexPool.wrap(fake.dataSource)
                .adapter(fake)
                .set("mode", PoolMode.ADAPT)
                .set("base", 3)
                .set("ceiling", 9)
                .set("sizing.wait-target", Duration.ofMillis(20))
                .set("sizing.instances", 3)
                .build()) {
            assertThat(pool.mode()).isEqualTo(PoolMode.ADAPT);
            assertThat(pool.state().ceiling()).isEqualTo(9);
        }
    }

    @Test
    void theControllerIsGivenTheInstances() {
        List<SizingSettings> given = new ArrayList<>();
        for (int instances : new int[] {0, 3}) {
            Settings settings = new Settings();
            settings.controller = (said, mode) -> {
                given.add(said);
                return window -> new SizingStep(window.limit(), List.of());
            };
            if (instances > 0) {
                settings.set(CoreKey.SIZING_INSTANCES, instances);
            }
            PoolConfig checked = new ConfigChecks(settings.copy(), fake.dataSource, "modes", fake).check();
            assertThat(Objects.requireNonNull(checked.controller()).apply(checked.sizing(), PoolMode.ADAPT))
                    .isNotNull();
        }
        assertThat(given).extracting(SizingSettings::instances).containsExactly(1, 3);
    }

    @Test
    void aPoolHasOneCeiling() {
        try (FlexPoolDataSource pool = build("mode", "adapt", "grow-on-wait.enabled", "true", "ceiling", "7")) {
            assertThat(pool.state().ceiling()).isEqualTo(7);
            assertThat(pool.strategies())
                    .usingRecursiveFieldByFieldElementComparator()
                    .containsExactly(GrowOnWait.upTo(7));
        }
        FlexPoolBuilder both = FlexPool.wrap(fake.dataSource)
                .name("modes")
                .adapter(fake)
                .strategy(new GrowsTo(5))
                .set("ceiling", 5);
        assertThatIllegalArgumentException()
                .isThrownBy(both::build)
                .withMessage("modes: ceiling = 5: cannot be combined with a strategy that grows up to 5:"
                        + " a pool has one ceiling");
    }

    /** What properties say replaces what code said, of a strategy too. */
    @Test
    void theCeilingOfPropertiesIsTheStrategysToo() {
        try (FlexPoolDataSource pool = FlexPool.wrap(fake.dataSource)
                .adapter(fake)
                .set("ceiling", 5)
                .set("grow-on-wait.enabled", true)
                .set("grow-on-wait.after", Duration.ZERO)
                .properties(Map.of("flexpool.ceiling", "9"))
                .build()) {
            assertThat(pool.state().ceiling()).isEqualTo(9);
            assertThat(pool.strategies())
                    .usingRecursiveFieldByFieldElementComparator()
                    .containsExactly(GrowOnWait.upTo(9).withAfter(Duration.ZERO));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mode=perhaps | mode = perhaps: must be monitor, recommend or adapt",
                "mode=adapt | ceiling = none: is required by mode = adapt",
                "ceiling=1 | flexpool.ceiling = 1: must be from 2 to 10000",
                "ceiling=10001 | flexpool.ceiling = 10001: must be from 2 to 10000",
                "base=5,ceiling=4 | flexpool.ceiling = 4: must not be below the base, 5",
                "base=2,sizing.instances=0 | flexpool.sizing.instances = 0: must be from 1 to 1000",
                "base=2,sizing.instances=1001 | flexpool.sizing.instances = 1001: must be from 1 to 1000",
                "sizing.wait-target=0s | flexpool.sizing.wait-target = 0s: must be from PT0.001S to PT10S",
                "sizing.wait-target=11s | flexpool.sizing.wait-target = 11s: must be from PT0.001S to PT10S",
                "sizing.wait-target=200ms | flexpool.sizing.wait-target = 200ms: must be shorter than the acquisition"
                        + " timeout, PT0.2S"
            })
    void whatMakesNoSenseIsRefusedByKey(String given, String refusal) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> build(given.split("[=,]")))
                .withMessageContaining(refusal);
        assertThat(fake.preparedFor).as("the pool is as it was").isZero();
    }

    @Test
    void toActThePoolNeedsATimeout() {
        fake.timeout = null;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FlexPool.wrap(fake.dataSource)
                        .adapter(fake)
                        .set("mode", PoolMode.ADAPT)
                        .set("ceiling", 4)
                        .build())
                .withMessageContaining("acquisition-timeout = none: must be given, here or as the pool's fakeTimeout");
        try (FlexPoolDataSource pool = FlexPool.wrap(fake.dataSource)
                .name("endless")
                .adapter(fake)
                .set("ceiling", 4)
                .build()) {
            assertThat(pool.state().bound()).isFalse();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> pool.mode(PoolMode.ADAPT))
                    .withMessageContaining("endless: mode = adapt needs acquisition-timeout");
        }
    }

    @Test
    void aDisabledPoolHasNoModeButMonitor() {
        try (FlexPoolDataSource pool = FlexPool.wrap(fake.dataSource)
                .name("off")
                .adapter(fake)
                .set("enabled", false)
                .build()) {
            assertThat(pool.mode()).isEqualTo(PoolMode.MONITOR);
            assertThat(pool.mode(PoolMode.MONITOR)).isFalse();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> pool.mode(PoolMode.ADAPT))
                    .withMessageContaining("off: flexpool is disabled");
            assertThat(pool.diagnosis().decisions()).isEmpty();
        }
    }

    /** The description of the controllers, which the report contains, threw what the strategy threw. */
    @Test
    void aBrokenStrategyIsDescribed() {
        Broken broken = new Broken();
        try (FlexPoolDataSource pool = FlexPool.wrap(fake.dataSource)
                .name("broken")
                .adapter(fake)
                .strategy(broken)
                .set("ceiling", 4)
                .set("mode", "adapt")
                .build()) {
            broken.breaks = true;
            assertThat(pool.diagnosis().controllers()).element(1).isEqualTo("the strategy Broken null");
            assertThat(pool.report()).contains("the strategy Broken null");
        }
    }

    /** A strategy that breaks the interface's rules once it is in use. */
    private static final class Broken implements AcquisitionStrategy {
        boolean breaks;

        @Override
        public Verdict consult(AcquisitionSituation situation) {
            return Verdict.PASS;
        }

        @Override
        public Requirements requirements() {
            if (breaks) {
                throw new IllegalStateException("requirements");
            }
            return Requirements.NONE;
        }

        @Override
        @SuppressWarnings({"NullAway", "ToStringReturnsNull"}) // the defect
        public String toString() {
            return null;
        }
    }

    /** A strategy of the application's that names a ceiling. */
    private record GrowsTo(int ceiling) implements AcquisitionStrategy {
        @Override
        public Verdict consult(AcquisitionSituation situation) {
            return Verdict.PASS;
        }

        @Override
        public Requirements requirements() {
            return Requirements.NONE.ceiling(ceiling);
        }
    }
}
