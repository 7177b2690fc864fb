// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.migrate;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.strategy.AcquisitionStrategy;
import io.flexpool.strategy.AcquisitionStrategy.AcquisitionSituation;
import io.flexpool.strategy.AcquisitionStrategy.Requirements;
import io.flexpool.strategy.AcquisitionStrategy.Verdict;
import java.time.Duration;

/** FlexyPool's two strategies, written as strategies of one's own: docs/how-to/migrate-flexypool.md. */
final class OwnStrategies {
    private OwnStrategies() {}

    static FlexPoolDataSource wrapped(HikariDataSource pool) {
        return FlexPool.wrap(pool)
                .name("orders")
                .strategy(new IncrementPoolOnTimeout(8, Duration.ofMillis(100)))
                .strategy(new Retry(2))
                .build();
    }

    /** One connection more for each request that has waited for so long, as FlexyPool's strategy of that name. */
    static final class IncrementPoolOnTimeout implements AcquisitionStrategy {
        private final int maxSize;
        private final Duration timeout;

        IncrementPoolOnTimeout(int maxSize, Duration timeout) {
            this.maxSize = maxSize;
            this.timeout = timeout;
        }

        @Override
        public Requirements requirements() {
            return Requirements.NONE.whileWaiting(timeout).ceiling(maxSize);
        }

        @Override
        public Verdict consult(AcquisitionSituation request) {
            boolean exhausted = request.failure() == null || request.failure() == Kind.EXHAUSTED;
            return exhausted ? Verdict.grow(1) : Verdict.PASS;
        }

        @Override
        public String toString() {
            return "grows by one, to " + maxSize;
        }
    }

    /** As many attempts, at once after each other, as FlexyPool's RetryConnectionAcquisitionStrategy. */
    static final class Retry implements AcquisitionStrategy {
        private final int attempts;

        Retry(int attempts) {
            this.attempts = attempts;
        }

        @Override
        public Verdict consult(AcquisitionSituation request) {
            boolean again = request.failure() == Kind.EXHAUSTED && request.attempt() < attempts;
            return again ? Verdict.retry(Duration.ZERO) : Verdict.PASS;
        }

        @Override
        public String toString() {
            return "tries " + attempts + " times";
        }
    }
}
