// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.internal.pool.FakePool;
import io.flexpool.internal.pool.ManualTicker;
import java.sql.Connection;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How long growth is kept, from the strategy to the limit. */
@Timeout(300)
class KeptGrowthTest {
    private static final Duration HALF_A_SECOND = Duration.ofMillis(500);

    private final FakePool fake = new FakePool();

    /** With the gradual return nothing would fall before five seconds. */
    @Test
    void growthIsGivenBackWhenItWasNotNeededForThatLong() throws Exception {
        ManualTicker ticker = new ManualTicker();
        try (FlexPoolDataSource pool = FlexPool.wrap(fake.dataSource)
                .name("kept")
                .adapter(fake)
                .set("base", 1)
                .set("ceiling", 5)
                .set("grow-on-wait.enabled", true)
                .set("grow-on-wait.after", Duration.ZERO)
                .set("grow-on-wait.keep", HALF_A_SECOND)
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
}
