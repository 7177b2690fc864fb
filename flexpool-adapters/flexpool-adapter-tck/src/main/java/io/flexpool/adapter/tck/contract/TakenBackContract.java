// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.faults.Crowd;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * Overdue connections that the pool reclaims or keeps leased. Reclaiming ends the lease; later calls of the holder have
 * no effect.
 */
abstract class TakenBackContract extends ContractPart {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    /** No pool of these tests reclaims a connection earlier. */
    private static final Duration YOUNG = Duration.ofMillis(800);

    /** Longer than the settings of these tests, which are one or two seconds. */
    private static final Duration OVERDUE = Duration.ofSeconds(4);

    private static final int MAX = 2;

    TakenBackContract(PoolAdapterContract contract) {
        super(contract);
    }

    /** All connections are leaked and reclaimed by the pool: flexpool must serve requests again too. */
    @Test
    void whatThePoolTookBackIsLentAgain() throws Exception {
        for (DataSource raw : contract.takingBack(database.dataSource(), MAX, TIMEOUT)) {
            if (takesNothingBack()) {
                staysWithItsHolder(raw);
                continue;
            }
            FlexPoolDataSource pool = build(contract.wrap(raw).set("base", MAX).set("acquisition-timeout", LONG));
            List<Connection> forgotten = forget(pool);
            contract.takeBack(raw);
            try (Crowd next = new Crowd()) {
                next.ask(MAX, pool).join();
                assertThat(next.failures().stream().map(ContractPart::reports)).isEmpty();
            }
            lateClosesReachNobody(pool, forgotten);
        }
    }

    private boolean takesNothingBack() {
        return contract.quirks().contains(PoolQuirk.TAKES_NOTHING_BACK);
    }

    /**
     * Checks on the bare pool that it does not reclaim connections after its configured time, so that the adapter needs
     * no detection.
     */
    private void staysWithItsHolder(DataSource raw) throws Exception {
        assertThat(contract.adapter(raw).takenBack()).isNull();
        List<Connection> forgotten = forget(raw);
        contract.takeBack(raw);
        try {
            assertThat(Crowd.within(OVERDUE, () -> forgotten.stream().anyMatch(TakenBackContract::isClosed)))
                    .isFalse();
            assertThat(database.open()).isEqualTo(MAX);
        } finally {
            for (Connection connection : forgotten) {
                connection.close();
            }
            build(contract.wrap(raw));
        }
    }

    private static boolean isClosed(Connection connection) {
        try {
            return connection.isClosed() || !connection.isValid(1);
        } catch (SQLException unusable) {
            return true;
        }
    }

    private static void lateClosesReachNobody(FlexPoolDataSource pool, List<Connection> forgotten) throws Exception {
        try (Crowd next = new Crowd()) {
            long began = System.nanoTime();
            next.ask(MAX, pool).join();
            for (Connection connection : forgotten) {
                assertThat(connection.isClosed()).isTrue();
                connection.close();
            }
            int alive = next.alive();
            int leased = pool.state().leased();
            // On a slow machine the pool may have reclaimed these too.
            if (System.nanoTime() - began < YOUNG.toNanos()) {
                assertThat(alive).isEqualTo(MAX);
                assertThat(leased).isEqualTo(MAX);
            }
        }
    }

    /** The lease ends without a further request, within two ticks, which may be late on a busy machine. */
    @Test
    void theLeaseEndsWithThePoolsOwn() throws Exception {
        for (DataSource raw : contract.takingBack(database.dataSource(), MAX, TIMEOUT)) {
            if (takesNothingBack()) {
                staysWithItsHolder(raw);
                continue;
            }
            FlexPoolDataSource pool = build(contract.wrap(raw));
            List<Connection> forgotten = forget(pool);
            contract.takeBack(raw);
            if (contract.adapter(raw).overdueAfter().isEmpty()) {
                // Each may be read between two steps of a lease's end.
                assertThat(Crowd.eventually(
                                LONG,
                                () -> pool.state().leased() == 0
                                        && pool.openLeases().isEmpty()
                                        && pool.statistics().total().leases().count() == MAX))
                        .as("%s, open: %s", pool.state(), pool.openLeases())
                        .isTrue();
            }
            for (Connection connection : forgotten) {
                connection.close();
            }
            assertThat(pool.statistics().total().leases().count()).isEqualTo(MAX);
        }
    }

    private static List<Connection> forget(DataSource pool) throws InterruptedException {
        List<Connection> forgotten = new CopyOnWriteArrayList<>();
        for (int at = 0; at < MAX; at++) {
            Thread thread = new Thread(() -> {
                try {
                    forgotten.add(pool.getConnection());
                } catch (SQLException none) {
                    throw new IllegalStateException(none);
                }
            });
            thread.start();
            thread.join();
        }
        assertThat(forgotten).hasSize(MAX);
        return forgotten;
    }

    /** Lasts several ticks, each of which checks the lease. */
    @Test
    void aLeaseThatIsHeldGoesOn() throws Exception {
        FlexPoolDataSource pool =
                build(wrap(pool(MAX, TIMEOUT)).set("base", MAX).set("acquisition-timeout", TIMEOUT));
        try (Crowd crowd = new Crowd()) {
            oneByOne(crowd, MAX, pool);
            assertThat(Crowd.eventually(
                            Duration.ofSeconds(2), () -> pool.state().leased() != MAX))
                    .as("%s", pool.state())
                    .isFalse();
            assertThat(crowd.alive()).isEqualTo(MAX);
        }
    }

    /**
     * Pool and flexpool count a broken connection as leased until its close: ending the lease earlier would lose its
     * place in the pool.
     */
    @Test
    void whatBreaksWhileItIsLeasedCostsNoPlace() throws Exception {
        FlexPoolDataSource pool =
                build(wrap(pool(MAX, TIMEOUT)).set("base", MAX).set("acquisition-timeout", TIMEOUT));
        try (Crowd crowd = new Crowd()) {
            oneByOne(crowd, MAX, pool);
            database.stop();
            assertThat(crowd.alive()).isZero();
            database.start();
            assertThat(Crowd.eventually(
                            Duration.ofSeconds(1), () -> pool.state().leased() > MAX))
                    .isFalse();
        }
        assertThat(Crowd.eventually(LONG, () -> pool.state().leased() == 0)).isTrue();
        assertThat(Crowd.eventually(LONG, () -> works(pool))).isTrue();
        try (Crowd all = new Crowd()) {
            all.ask(MAX, pool).join();
            assertThat(all.failures().stream().map(ContractPart::reports)).isEmpty();
        }
    }
}
