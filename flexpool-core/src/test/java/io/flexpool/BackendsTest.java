// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.pool.AcquisitionOutcome;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a backend receives, besides what it may read. */
@Timeout(300)
class BackendsTest {
    private final FakePool fake = new FakePool();
    private final List<String> received = new ArrayList<>();

    /** Records everything, under a name. */
    private final class Hearing implements MetricsBinder.Binding, LeaseObserver, PoolListener {
        private final String who;
        private final boolean throwing;

        Hearing(String who, boolean throwing) {
            this.who = who;
            this.throwing = throwing;
        }

        @Override
        public LeaseObserver observer() {
            return this;
        }

        @Override
        public PoolListener listener() {
            return this;
        }

        @Override
        public @Nullable String traceId() {
            if (throwing) {
                throw new IllegalStateException("no trace");
            }
            return "0af7651916cd43dd8448eb211c80319c";
        }

        @Override
        public void acquired(long requestedNanos, long endedNanos, AcquisitionOutcome outcome) {
            record(outcome.label());
        }

        @Override
        public void released(long acquiredNanos, long releasedNanos) {
            record("released");
        }

        @Override
        public void onEvent(PoolEvent event) {
            if (event instanceof PoolEvent.AcquisitionTimedOut timedOut) {
                record("trace " + timedOut.traceId());
            }
        }

        @Override
        public void onClosed(String pool) {
            record("closed");
        }

        private void record(String what) {
            received.add(who + " " + what);
            if (throwing) {
                throw new IllegalStateException(who);
            }
        }

        @Override
        public void unbind() {
            received.add(who + " unbound");
        }
    }

    private FlexPoolDataSource pool() {
        return FlexPool.wrap(fake.dataSource)
                .name("backends")
                .adapter(fake)
                .set("base", 1)
                .set("acquisition-timeout", Duration.ofMillis(5))
                .metrics(pool -> new Hearing("first", true))
                .metrics(pool -> new Hearing("second", false))
                .build();
    }

    @Test
    void everyBackendSeesEveryCallIfAnotherThrows() throws SQLException {
        try (FlexPoolDataSource pool = pool()) {
            pool.getConnection().close();
        }
        assertThat(received)
                .containsExactly(
                        "first ok",
                        "second ok",
                        "first released",
                        "second released",
                        "first closed",
                        "second closed",
                        "first unbound",
                        "second unbound");
    }

    @Test
    @SuppressWarnings("resource")
    void theReportOfATimeoutNamesTheTrace() throws SQLException {
        try (FlexPoolDataSource pool = pool()) {
            fake.total = 1;
            pool.getConnection();
            assertThatThrownBy(pool::getConnection)
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("; trace 0af7651916cd43dd8448eb211c80319c; report ");
        }
        assertThat(received)
                .contains("first timeout", "second timeout", "second trace 0af7651916cd43dd8448eb211c80319c");
    }
}
