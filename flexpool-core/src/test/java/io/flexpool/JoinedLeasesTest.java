// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.PoolAdapter.PoolTransactions;
import io.flexpool.diagnostics.OpenLease.Activity;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import io.flexpool.internal.config.ConfigChecks;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.CoreKey.NestedPolicy;
import io.flexpool.internal.config.Settings;
import io.flexpool.internal.jdbc.LeasedConnection;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.internal.pool.ManualTicker;
import io.flexpool.internal.pool.MonitoredPool;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolStatistics.Figures;
import io.flexpool.pool.AcquisitionOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Leases of a pool whose transactions keep their connection, where something happens in between that no real
 * transaction manager does on demand. What real ones do is tested with the pools: {@code TransactionContract}.
 */
@Timeout(300)
class JoinedLeasesTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final ManualTicker ticker = new ManualTicker();
    private final Settings settings = new Settings();
    private final Received received = new Received();
    private final FakeTransactions transactions = new FakeTransactions();
    private final FakePool fake = new FakePool().takesPartIn(transactions);

    /** One physical connection is one object; which one the next handle leads to is a field. */
    private static final class FakeTransactions implements PoolTransactions {
        private final Map<Object, ReturnListener> watched = new HashMap<>();
        private @Nullable Object current;
        private @Nullable Object kept;
        private @Nullable Object behind;
        private @Nullable RuntimeException thrown;
        private @Nullable RuntimeException watchThrows;
        private int asked;

        /** From now on the calling thread's transaction has a connection. */
        void begin(Object transaction, Object connection) {
            current = transaction;
            kept = connection;
            behind = connection;
        }

        void end(Object connection) {
            current = null;
            kept = null;
            behind = null;
            lease(connection).returned();
        }

        /** What was reported of the connection's last loan. */
        ReturnListener lease(Object connection) {
            return Objects.requireNonNull(watched.get(connection));
        }

        private @Nullable Object answer(@Nullable Object known) {
            asked++;
            if (thrown != null) {
                throw thrown;
            }
            return known;
        }

        @Override
        public @Nullable Object current() {
            return answer(current);
        }

        @Override
        public @Nullable Object enlistedConnection() {
            return answer(kept);
        }

        @Override
        public @Nullable Object physicalConnection(Connection handle) {
            return answer(behind);
        }

        @Override
        public void onReturn(Object connection, ReturnListener lease) {
            if (watchThrows != null) {
                throw watchThrows;
            }
            watched.put(connection, lease);
        }
    }

    private static final class Received implements PoolListener {
        private final List<PoolEvent.LeakSuspected> suspected = new ArrayList<>();
        private final List<PoolEvent.LeakResolved> resolved = new ArrayList<>();

        @Override
        public void onEvent(PoolEvent event) {
            if (event instanceof PoolEvent.LeakSuspected suspectedEvent) {
                suspected.add(suspectedEvent);
            } else if (event instanceof PoolEvent.LeakResolved resolvedEvent) {
                resolved.add(resolvedEvent);
            }
        }
    }

    private MonitoredPool pool(int base) {
        fake.max = base;
        fake.total = base;
        settings.set(CoreKey.BASE, base);
        settings.ticker = ticker;
        settings.listeners.add(received);
        return new MonitoredPool(new ConfigChecks(settings, fake.dataSource, "orders", fake).check());
    }

    private static void ended(MonitoredPool pool, int leases) {
        assertThat(pool.state().leased()).isZero();
        assertThat(pool.state().pending()).isZero();
        assertThat(pool.openLeases()).isEmpty();
        Figures total = pool.statistics().total();
        assertThat(total.leases().count()).isEqualTo(leases);
        assertThat(total.acquisition(AcquisitionOutcome.OK).count()).isEqualTo(leases);
    }

    @Test
    void theLeaseLastsAsLongAsTheTransaction() throws Exception {
        settings.set(CoreKey.NESTED, NestedPolicy.STRICT);
        MonitoredPool pool = pool(1);
        transactions.begin("t1", "c1");
        Connection one = pool.acquiring().acquire();
        Connection two = pool.acquiring().acquire();
        one.close();
        two.close();
        pool.acquiring().acquire().close();
        assertThat(fake.closed).hasValue(3);
        assertThat(pool.state().leased()).isOne();
        ticker.advance(MINUTE);
        transactions.end("c1");
        ended(pool, 1);
        assertThat(pool.statistics().total().leases().sumNanos()).isEqualTo(MINUTE.toNanos());
        assertThat(pool.statistics().total().counter(PoolMetric.NESTED_ACQUISITIONS))
                .isZero();
    }

    @Test
    void aPoolWithoutTransactionsIsNeverQueried() throws Exception {
        fake.cannot(Capability.TRANSACTIONS);
        MonitoredPool pool = pool(1);
        transactions.begin("t1", "c1");
        pool.acquiring().acquire().close();
        assertThat(transactions.asked).isZero();
        ended(pool, 1);
    }

    @Test
    void anEarlyOrRepeatedReturnEndsTheLeaseOnce() throws Exception {
        MonitoredPool pool = pool(1);
        transactions.begin("t1", "c1");
        Connection late = pool.acquiring().acquire();
        PoolTransactions.ReturnListener lease = transactions.lease("c1");
        transactions.end("c1");
        lease.returned();
        lease.released();
        late.close();
        ended(pool, 1);
        transactions.begin("t2", "c1");
        Connection next = pool.acquiring().acquire();
        lease.returned();
        late.close();
        assertThat(pool.state().leased()).as("of the next transaction").isOne();
        next.close();
        transactions.end("c1");
        ended(pool, 2);
    }

    @Test
    void afterItsTransactionALeaseEndsWithItsLastHandle() throws Exception {
        MonitoredPool pool = pool(1);
        transactions.begin("t1", "c1");
        Connection one = pool.acquiring().acquire();
        Connection two = pool.acquiring().acquire();
        transactions.lease("c1").released();
        two.close();
        assertThat(pool.state().leased()).isOne();
        one.close();
        ended(pool, 1);
    }

    /** A pool lends before it reports the return, if one thread returns and another takes. */
    @Test
    void aConnectionLentBeforeItsReturnIsANewLease() throws Exception {
        MonitoredPool pool = pool(2);
        transactions.begin("t1", "c1");
        pool.acquiring().acquire().close();
        PoolTransactions.ReturnListener first = transactions.lease("c1");
        transactions.current = "t2";
        transactions.kept = null;
        Connection next = pool.acquiring().acquire();
        assertThat(pool.state().leased()).isOne();
        first.returned();
        assertThat(pool.state().leased()).isOne();
        next.close();
        transactions.end("c1");
        ended(pool, 2);
    }

    /** Two threads of one transaction ask at once: both with a permit, for one connection. */
    @Test
    void aFurtherHandleGivesItsPermitBack() throws Exception {
        MonitoredPool pool = pool(2);
        transactions.begin("t1", "c1");
        Connection one = pool.acquiring().acquire();
        transactions.kept = null;
        Connection two = pool.acquiring().acquire();
        assertThat(pool.state().leased()).isOne();
        assertThat(pool.state().pending()).isZero();
        one.close();
        two.close();
        transactions.end("c1");
        ended(pool, 1);
    }

    @Test
    void aFurtherHandleOfAWatchedPoolIsNotPending() throws Exception {
        settings.ticker = ticker;
        MonitoredPool pool = new MonitoredPool(new ConfigChecks(settings, fake.dataSource, "orders", fake).check());
        transactions.begin("t1", "c1");
        pool.acquiring().acquire().close();
        transactions.kept = null;
        pool.acquiring().acquire().close();
        transactions.end("c1");
        ended(pool, 1);
    }

    /** Rolled back by its timeout, between the question and the answer. */
    @Test
    void aRequestAfterItsTransactionIsAnOrdinaryOne() throws Exception {
        MonitoredPool pool = pool(2);
        transactions.begin("t1", "c1");
        pool.acquiring().acquire().close();
        Connection other = fake.connection();
        fake.answer = () -> {
            transactions.behind = "c2";
            transactions.lease("c1").returned();
            fake.answer = fake::connection;
            return other;
        };
        Connection second = pool.acquiring().acquire();
        verify(other).close();
        assertThat(pool.state().leased()).isOne();
        second.close();
        transactions.end("c2");
        ended(pool, 2);
    }

    @Test
    void theLeaseStaysIfAFurtherHandleFails() throws Exception {
        MonitoredPool pool = pool(1);
        fake.kind = Kind.OTHER;
        transactions.begin("t1", "c1");
        pool.acquiring().acquire().close();
        SQLException refused = new SQLException("marked for rollback");
        fake.answer = () -> {
            throw refused;
        };
        assertThatThrownBy(pool.acquiring()::acquire).isSameAs(refused);
        Figures total = pool.statistics().total();
        assertThat(total.acquisition(AcquisitionOutcome.ERROR).count()).isOne();
        assertThat(pool.state().leased()).isOne();
        transactions.end("c1");
        assertThat(pool.state().leased()).isZero();
        assertThat(pool.state().pending()).isZero();
        fake.answer = fake::connection;
        pool.acquiring().acquire().close();
    }

    @Test
    void withUnknownTransactionsEachHandleIsALease() throws Exception {
        MonitoredPool pool = pool(2);
        transactions.begin("t1", "c1");
        transactions.thrown = new IllegalStateException("no transaction service");
        Connection one = pool.acquiring().acquire();
        Connection two = pool.acquiring().acquire();
        assertThat(pool.state().leased()).isEqualTo(2);
        one.close();
        two.close();
        ended(pool, 2);
        assertThat(pool.statistics().total().counter(PoolMetric.LISTENER_ERRORS))
                .isPositive();
    }

    @Test
    void aReturnThatCannotBeWatchedIsTheLastHandlesClose() throws Exception {
        MonitoredPool pool = pool(1);
        transactions.begin("t1", "c1");
        transactions.watchThrows = new IllegalStateException("rolled back already");
        Connection one = pool.acquiring().acquire();
        Connection two = pool.acquiring().acquire();
        one.close();
        assertThat(pool.state().leased()).isOne();
        two.close();
        ended(pool, 1);
        assertThat(pool.statistics().total().counter(PoolMetric.LISTENER_ERRORS))
                .isOne();
    }

    /** The place in the table is another lease's by then. */
    @Test
    void aHandleOfAnEndedLeaseReportsNoStatements() throws Exception {
        settings.set(CoreKey.TIME_IN_DATABASE, true);
        MonitoredPool pool = pool(1);
        transactions.begin("t1", "c1");
        Connection target = fake.connection();
        Statement statement = mock(Statement.class);
        when(target.createStatement()).thenReturn(statement);
        fake.answer = () -> target;
        Connection late = pool.acquiring().acquire();
        Statement old = late.createStatement();
        transactions.end("c1");
        fake.answer = fake::connection;
        Connection next = pool.acquiring().acquire();
        when(statement.execute("select 1")).thenAnswer(call -> {
            assertThat(pool.openLeases().get(0).activity()).isEqualTo(Activity.IDLE);
            return true;
        });
        assertThat(old.execute("select 1")).isTrue();
        next.close();
        late.close();
        ended(pool, 2);
    }

    @Test
    void aLeaseKeptByItsTransactionCanBeSuspected() throws Exception {
        settings.set(CoreKey.LEAK_THRESHOLD, MINUTE);
        MonitoredPool pool = pool(1);
        transactions.begin("t1", "c1");
        pool.acquiring().acquire().close();
        pass(MINUTE.plusSeconds(1), pool);
        assertThat(received.suspected).hasSize(1);
        assertThat(received.suspected.get(0).lease().age()).isGreaterThan(MINUTE);
        transactions.end("c1");
        assertThat(received.resolved).hasSize(1);
        ended(pool, 1);
    }

    @Test
    void aLeaseThatATransactionOwnsIsNotEnded() throws Exception {
        MonitoredPool pool = pool(1);
        transactions.begin("t1", "c1");
        LeasedConnection first = (LeasedConnection) pool.acquiring().acquire();
        LeasedConnection further = (LeasedConnection) pool.acquiring().acquire();
        assertThat(first.end("for the test", target -> {})).isFalse();
        assertThat(further.end("for the test", target -> {})).isFalse();
        assertThat(fake.aborted).isEmpty();
        assertThat(first.isClosed()).isFalse();
        first.close();
        further.close();
        transactions.end("c1");
        ended(pool, 1);
    }

    @Test
    void aLeaseOutsideOfATransactionIsEnded() throws Exception {
        MonitoredPool pool = pool(1);
        LeasedConnection alone = (LeasedConnection) pool.acquiring().acquire();
        assertThat(alone.end("for the test", target -> {})).isTrue();
        assertThat(fake.aborted).hasSize(1);
        assertThat(alone.isClosed()).isTrue();
        ended(pool, 1);
    }

    private void pass(Duration time, MonitoredPool pool) {
        ticker.advance(time);
        pool.tick();
    }
}
