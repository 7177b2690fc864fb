// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.flexpool.benchmarks.kit.CountingDataSource;
import io.flexpool.benchmarks.kit.OpenPool;
import io.flexpool.benchmarks.shootout.Assignment.Round;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Without Proxool, which needs a JVM with an option; the scenario's test has it. */
@Tag("scenario")
class ShootOutPoolTest {
    private static final List<Variant> VARIANTS = List.of(Variant.values());

    @ParameterizedTest
    @EnumSource(value = ShootOutPool.class, names = "PROXOOL", mode = EnumSource.Mode.EXCLUDE)
    void everyPoolServesEveryCycleAndClosesItsConnections(ShootOutPool pool) throws Exception {
        // That flexpool can also only watch has nothing to do with the pool.
        for (Variant variant : pool == ShootOutPool.HIKARICP ? VARIANTS : VARIANTS.subList(0, 2)) {
            CountingDataSource counting = new CountingDataSource(new StubQueries());
            try (OpenPool open = variant.around(pool.open(counting))) {
                Cycles.Taken taken = new Cycles(open.source(), new Round(100, 200, 20)).run();

                assertThat(taken.firstError()).isNull();
                assertThat(taken.answered()).isEqualTo(200);
                assertThat(counting.peak()).isBetween(1, Sizes.MAX);
            }
            // Some close in the background.
            await("connections that stay open").atMost(Duration.ofMinutes(3)).until(() -> counting.open() == 0);
        }
    }
}
