// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.flexpool.internal.config.ConfigChecks;
import io.flexpool.internal.config.FailFast;
import io.flexpool.internal.config.GrowOnWait;
import io.flexpool.internal.config.Settings;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.internal.pool.ManualTicker;
import io.flexpool.strategy.AcquisitionStrategy;
import io.flexpool.strategy.AcquisitionStrategy.AcquisitionSituation;
import io.flexpool.strategy.AcquisitionStrategy.Requirements;
import io.flexpool.strategy.AcquisitionStrategy.Verdict;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How long growth is kept, from the strategy to the limit. */
@Timeout(30)
class KeptGrowthTest {
    private static final Duration HALF_A_SECOND = Duration.ofMillis(500);

    private final FakePool fake = new FakePool();

    private record Keeping(Duration keep) implements AcquisitionStrategy {
        @Override
        public Verdict consult(AcquisitionSituation situation) {
            return Verdict.PASS;
        }

        @Override
        public Requirements requirements() {
            return Requirements.NONE.keep(keep);
        }
    }

    /** With the gradual return nothing would fall before five seconds. */
    @Test
    void growthIsGivenBackWhenItWasNotNeededForThatLong() throws Exception {
        ManualTicker ticker = new ManualTicker();
        GrowOnWait grow = GrowOnWait.upTo(5).withAfter(Duration.ZERO).withKeep(HALF_A_SECOND);
        try (FlexPoolDataSource pool = FlexPool.wrap(fake.dataSource)
                .name("kept")
                .adapter(fake)
                .set("base", 1)
                .strategy(grow)
                .framework(with -> with.ticker(ticker))
                .build()) {
            fake.total = 1;
            try (Connection first = pool.getConnection();
                    Connection second = pool.getConnection()) {
                assertThat(first).isNotSameAs(second);
                assertThat(pool.state().limit()).isEqualTo(2);
            }
            // 2.5 s of the pool's time, which are over as soon as the limit has fallen, for ticks that come in real
            // time.
            for (int step = 0; step < 100 && pool.state().limit() > 1; step++) {
                ticker.advance(Duration.ofMillis(25));
                Thread.sleep(100);
            }
            assertThat(pool.state().limit()).isEqualTo(1);
            assertThat(fake.max).isEqualTo(1);
        }
    }

    @Test
    void withoutATimeTheReturnIsGradual() {
        assertThat(keep(GrowOnWait.upTo(20), FailFast.above(7))).isNull();
    }

    @Test
    void ofSeveralTimesTheLongestCounts() {
        GrowOnWait grow = GrowOnWait.upTo(20).withKeep(HALF_A_SECOND);
        assertThat(keep(grow)).isEqualTo(HALF_A_SECOND);
        assertThat(keep(new Keeping(Duration.ofMillis(499)), grow)).isEqualTo(HALF_A_SECOND);
        assertThat(keep(new Keeping(Duration.ofMinutes(10)), grow)).isEqualTo(Duration.ofMinutes(10));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT-0.000000001S", "PT10M0.000000001S"})
    void aTimeOfAnotherStrategyIsCheckedToo(Duration keep) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> keep(new Keeping(keep)))
                .withMessageContaining("grow-on-wait.keep = " + keep + ": must be from PT0S to PT10M");
    }

    private @Nullable Duration keep(AcquisitionStrategy... strategies) {
        Settings settings = new Settings();
        settings.strategies.addAll(List.of(strategies));
        return new ConfigChecks(settings, fake.dataSource, "kept", fake).check().keep();
    }
}
