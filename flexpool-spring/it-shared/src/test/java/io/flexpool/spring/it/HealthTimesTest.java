// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.event.PoolEvent.CircuitPhase;
import io.flexpool.event.PoolListener;
import io.flexpool.framework.PoolHealth;
import io.flexpool.internal.context.StateReader;
import io.flexpool.internal.event.Events;
import io.flexpool.monitoring.PartView;
import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.monitoring.PoolDiagnosis;
import io.flexpool.monitoring.PoolDiagnosis.Housekeeping;
import io.flexpool.monitoring.PoolStatistics;
import io.flexpool.monitoring.PoolView;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import io.flexpool.server.ServerSnapshot;
import io.flexpool.server.SessionBudget;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How long a failure counts for the health of a pool, by a clock that the test moves. */
class HealthTimesTest {
    private static final PoolState CALM = state(0, 0);
    private static final PoolState LOAD = state(2, 3);

    private final AtomicLong now = new AtomicLong(1_000);
    private final PoolHealth health = new PoolHealth(now::get);
    private final FlexPoolDataSource real = FlexPool.wrap(Contexts.hikari()).build();
    private final View orders = new View("orders");
    private final PoolListener listener = health.bind(orders).listener();

    /** Its statistics are a real pool's, its state is set by the test. */
    private final class View implements PoolView {
        private final String name;
        private final AtomicInteger looks = new AtomicInteger();
        private PoolState state = CALM;
        private Housekeeping watch = Housekeeping.NONE;
        private @Nullable SessionBudget budget;

        View(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public String type() {
            return "HikariCP";
        }

        @Override
        public PoolState state() {
            return state;
        }

        @Override
        public PoolDiagnosis diagnosis() {
            return new PoolDiagnosis() {
                @Override
                public Housekeeping housekeeping() {
                    return watch;
                }
            };
        }

        @Override
        public List<PartView> parts() {
            return budget == null ? List.of() : List.of(new Detail(budget));
        }

        @Override
        public PoolStatistics statistics() {
            looks.incrementAndGet();
            return real.statistics();
        }
    }

    /** A part with one detail. */
    private record Detail(SessionBudget budget) implements PartView {
        @Override
        public String name() {
            return "server-view";
        }

        @Override
        public List<PartMetric> metrics() {
            return List.of();
        }

        @Override
        public List<String> reportLines() {
            return List.of();
        }

        @Override
        public Map<String, Object> fields() {
            return Map.of();
        }

        @Override
        public Map<String, String> texts() {
            return Map.of();
        }

        @Override
        public Map<String, String> health() {
            return Map.of("sessions", budget.describe());
        }
    }

    /** A limit of two connections. */
    private static PoolState state(int leased, int waiting) {
        PoolSnapshot pool = new PoolSnapshot(2, 0, leased, 2 - leased, 2, 0);
        return new StateReader.State(2, 2, 2, leased, 0, waiting, 0, Duration.ZERO, pool);
    }

    @AfterEach
    void close() {
        real.close();
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    private void refuse(PoolListener listener) {
        listener.onEvent(
                new Events.ConnectFailed("orders", Duration.ofNanos(5), "08001", "refused", CALM, null, "a report"));
    }

    private void turn(CircuitPhase phase) {
        listener.onEvent(
                new Events.CircuitChanged("orders", Instant.EPOCH, phase, Duration.ofMillis(5), 3, "refused", CALM));
    }

    private void reject() {
        listener.onEvent(new Events.AcquisitionRejected("orders", Duration.ofNanos(5), LOAD, "no", null));
    }

    private String status() {
        return health.findings().status();
    }

    /** It may serve, but its figures are stale. An outage already seen remains one. */
    @Test
    void aPoolWithAStalledTickIsUnknown() {
        orders.watch = new Housekeeping(Housekeeping.STALLED.minusNanos(1), 0, List.of());
        assertThat(status()).isEqualTo("UP");
        orders.watch = new Housekeeping(Housekeeping.STALLED, 0, List.of("the reading of the pool has not returned"));
        assertThat(status()).isEqualTo("UNKNOWN");
        assertThat(health.findings().pools().get("orders").toString())
                .contains("status=UNKNOWN", "tickAgeMillis=2000", "watch=the reading of the pool has not returned");
        refuse(health.bind(new View("stock")).listener());
        assertThat(status()).as("the worst").isEqualTo("DOWN");
        orders.watch =
                new Housekeeping(Duration.ofNanos(1), 0, List.of("the listener Slow has not returned for 5000 ms"));
        pass(Duration.ofMinutes(1));
        assertThat(status()).as("a listener that blocks keeps no request off").isEqualTo("UP");
        assertThat(health.findings().pools().get("orders").toString()).contains("watch=the listener Slow");
    }

    /** Nothing has been refused yet. */
    @Test
    void whatTheServerHasLeftIsADetailAndNoFailure() {
        assertThat(health.findings().pools().get("orders").toString()).doesNotContain("sessions=");
        orders.budget = new SessionBudget(
                "orders",
                50,
                0,
                ServerSnapshot.of("PostgreSQL")
                        .slots(41, 97)
                        .application(new ServerSnapshot.Application("shop", 41, 3))
                        .build(),
                null);
        assertThat(status()).isEqualTo("UP");
        assertThat(health.findings().pools().get("orders").toString())
                .contains("sessions=orders: ceiling 50 x 3 instances = 150 connections: they exceed");
    }

    @Test
    void anOutageExpiresAfterAMinuteWithoutFailures() {
        assertThat(status()).isEqualTo("UP");
        refuse(listener);
        assertThat(status()).isEqualTo("DOWN");
        pass(Duration.ofSeconds(40));
        refuse(listener);
        pass(Duration.ofSeconds(59));
        assertThat(status()).isEqualTo("DOWN");
        pass(Duration.ofSeconds(1));
        assertThat(status()).isEqualTo("UP");
    }

    @Test
    void aServedRequestEndsAnOutage() throws SQLException {
        real.getConnection().close();
        refuse(listener);
        assertThat(status()).isEqualTo("DOWN");
        real.getConnection().close();
        assertThat(status()).isEqualTo("UP");
        pass(Duration.ofSeconds(1));
        refuse(listener);
        assertThat(status()).as("and the next one is one again").isEqualTo("DOWN");
    }

    @Test
    void anOpenCircuitIsAnOutage() {
        turn(CircuitPhase.OPEN);
        pass(Duration.ofMinutes(5));
        assertThat(status()).isEqualTo("DOWN");
        assertThat(health.findings().pools().get("orders").toString()).contains("the circuit is open");
        turn(CircuitPhase.HALF_OPEN);
        pass(Duration.ofMinutes(5));
        assertThat(status()).isEqualTo("DOWN");
        turn(CircuitPhase.CLOSED);
        assertThat(status()).isEqualTo("UP");
    }

    @Test
    void aRejectionIsSaturationForTenSeconds() {
        reject();
        assertThat(status()).as("no request waits any longer").isEqualTo("UP");
        orders.state = state(1, 1);
        assertThat(status()).as("not all are leased").isEqualTo("UP");
        orders.state = LOAD;
        assertThat(status()).isEqualTo("OUT_OF_SERVICE");
        assertThat(health.findings().pools().get("orders").toString()).contains("a request was rejected");
        pass(Duration.ofMillis(9_999));
        assertThat(status()).isEqualTo("OUT_OF_SERVICE");
        pass(Duration.ofMillis(1));
        assertThat(status()).as("only load").isEqualTo("UP");
    }

    @Test
    void theWorstPoolCounts() {
        View archive = new View("archive");
        PoolListener ofArchive = health.bind(archive).listener();
        orders.state = LOAD;
        reject();
        assertThat(status()).isEqualTo("OUT_OF_SERVICE");
        refuse(ofArchive);
        assertThat(status()).isEqualTo("DOWN");
        assertThat(health.findings().pools()).containsOnlyKeys("archive", "orders");
        assertThat(health.findings().pools().get("orders").toString()).contains("status=OUT_OF_SERVICE");
    }

    /** Each check copies figures, and a storm has thousands of failures a second. */
    @Test
    void aStormOfFailuresDoesNotCopyFiguresEachTime() {
        for (int failure = 0; failure < 1_000; failure++) {
            reject();
        }
        assertThat(orders.looks).hasValue(0);
        for (int failure = 0; failure < 1_000; failure++) {
            refuse(listener);
            now.addAndGet(100_000);
        }
        assertThat(orders.looks).as("once in 100 ms").hasValue(1);
        refuse(listener);
        assertThat(orders.looks).hasValue(2);
    }
}
