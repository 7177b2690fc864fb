// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.faults.Crowd;
import io.flexpool.event.PoolEvent;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolStatistics.Figures;
import io.flexpool.pool.AcquisitionOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Requests that end without a connection although the database works: timeouts and interrupts. */
abstract class ExhaustionContract extends ContractPart {
    ExhaustionContract(PoolAdapterContract contract) {
        super(contract);
    }

    @Test
    void exhaustionThrowsThePoolsOwnException() throws Exception {
        FlexPoolDataSource pool = build(wrap(pool(2, Duration.ofMillis(500))));
        long before;
        try (Crowd crowd = new Crowd()) {
            take(2, crowd, pool);
            before = timeouts(pool);
            assertThatThrownBy(pool::getConnection)
                    .satisfies(this::isATimeoutOfThePool)
                    .satisfies(thrown -> assertThat(thrown.getMessage())
                            .as("the pool's own object, with our report beside it")
                            .matches(message -> has(PoolQuirk.WAITS_AT_THE_GATE_ONLY)
                                    == message.contains(": no connection after ")));
        }
        assertThat(events).anySatisfy(event -> assertThat(event).isInstanceOf(PoolEvent.AcquisitionTimedOut.class));
        assertThat(timeouts(pool)).isEqualTo(before + 1);
    }

    private static long timeouts(FlexPoolDataSource pool) {
        return pool.statistics().total().acquisition(AcquisitionOutcome.TIMEOUT).count();
    }

    /**
     * Takes the first leases. Retries, because on a busy machine a connect in a pool's thread may take longer than the
     * timeout.
     */
    private static void take(int leases, Crowd crowd, FlexPoolDataSource pool) throws InterruptedException {
        for (int attempts = 0; attempts < 20 && crowd.served() < leases; attempts++) {
            crowd.ask(leases - crowd.served(), pool);
            crowd.join();
        }
        assertThat(crowd.served()).as("%s", crowd.failures()).isEqualTo(leases);
    }

    @Test
    void exhaustionAtTheGateThrowsThePoolsClass() throws Exception {
        FlexPoolDataSource pool = build(wrap(pool(4, Duration.ofMillis(500)))
                .set("base", 2)
                .set("acquisition-timeout", Duration.ofMillis(500)));
        try (Crowd crowd = new Crowd()) {
            take(2, crowd, pool);
            assertThatThrownBy(pool::getConnection).satisfies(this::isATimeoutOfThePool);
            comesDownTo(2, 4, Duration.ofSeconds(1));
        }
    }

    @Test
    void retriesShareOneDeadline() throws Exception {
        FlexPoolDataSource pool = build(wrap(pool(1, Duration.ofMillis(300)))
                .set("acquisition-timeout", Duration.ofMillis(300))
                .set("retry.deadline", Duration.ofSeconds(3)));
        try (Connection held = pool.getConnection()) {
            assertThat(held).isNotNull();
            assertThatThrownBy(pool::getConnection).satisfies(this::isATimeoutOfThePool);
        }
        Figures total = pool.statistics().total();
        // As many retries as fit into the deadline; on a busy machine fewer.
        assertThat(total.numbers(PoolMetric.RETRIES).max()).isBetween(1, 10);
    }

    @Test
    void anInterruptWhileWaitingIsPromptAndNoTimeout() throws Exception {
        anInterruptIsPromptAndNoTimeout(build(wrap(pool(1, Duration.ofSeconds(30)))
                .set("base", 1)
                .set("acquisition-timeout", Duration.ofSeconds(30))));
    }

    @Test
    void anInterruptInsideThePoolIsPromptAndNoTimeout() throws Exception {
        FlexPoolDataSource pool = build(wrap(pool(1, Duration.ofSeconds(30))));
        if (has(PoolQuirk.IGNORES_INTERRUPTS) && !has(PoolQuirk.WAITS_AT_THE_GATE_ONLY)) {
            anInterruptIsIgnored(pool);
        } else {
            anInterruptIsPromptAndNoTimeout(pool);
        }
    }

    private static void anInterruptIsIgnored(FlexPoolDataSource pool) throws Exception {
        try (Crowd crowd = new Crowd()) {
            try (Connection held = pool.getConnection()) {
                assertThat(held).isNotNull();
                crowd.call(() -> pool.getConnection().close());
                assertThat(Crowd.eventually(
                                Duration.ofSeconds(5), () -> pool.state().pending() == 1 && crowd.asleep()))
                        .isTrue();
                crowd.interrupt();
                assertThat(Crowd.eventually(Duration.ofSeconds(1), () -> !crowd.working()))
                        .as("answered")
                        .isFalse();
            }
            crowd.join();
            assertThat(crowd.failures()).isEmpty();
        }
    }

    /** The interrupt flag stays set, because the exception is not an InterruptedException. */
    private static void anInterruptIsPromptAndNoTimeout(FlexPoolDataSource pool) throws Exception {
        AtomicBoolean flag = new AtomicBoolean();
        try (Connection held = pool.getConnection();
                Crowd crowd = new Crowd()) {
            assertThat(held).isNotNull();
            crowd.call(() -> {
                try {
                    pool.getConnection().close();
                } catch (SQLException thrown) {
                    flag.set(Thread.currentThread().isInterrupted());
                    throw thrown;
                }
            });
            assertThat(Crowd.eventually(
                            Duration.ofSeconds(5), () -> pool.state().pending() == 1 && crowd.asleep()))
                    .isTrue();
            crowd.interrupt();
            assertThat(Crowd.eventually(
                            Duration.ofSeconds(10), () -> crowd.failures().size() == 1))
                    .as("answered long before the timeout of 30 s")
                    .isTrue();
            assertThat(crowd.failures()).singleElement().isInstanceOf(SQLException.class);
        }
        assertThat(flag).as("interrupt flag").isTrue();
        assertThat(pool.statistics()
                        .total()
                        .acquisition(AcquisitionOutcome.INTERRUPTED)
                        .count())
                .isOne();
    }
}
