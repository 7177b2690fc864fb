// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.PoolAdapter.PoolTransactions;
import io.flexpool.internal.config.ConfigChecks;
import io.flexpool.internal.config.PoolConfig;
import io.flexpool.internal.config.Settings;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.resize.StartAlignment;
import io.flexpool.pool.PoolSnapshot;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The handles of one connection of a transaction, while the transaction ends. */
public class JoinedLeasesStress {
    private static final Object PHYSICAL = new Object();
    private static final DataSource SOURCE = proxy(DataSource.class);
    private static final String TRANSACTION = "the transaction";
    private static final PoolConfig CONFIG =
            new ConfigChecks(new Settings(), SOURCE, "joined", new Transactional()).check();

    private static <T> T proxy(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                JoinedLeasesStress.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> method.getName().equals("getConnection") ? connection() : null));
    }

    private static Connection connection() {
        return (Connection) Proxy.newProxyInstance(
                JoinedLeasesStress.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> null);
    }

    /** Every thread is in the one transaction, whose connection it keeps. */
    private static final class Transactional implements PoolAdapter, PoolTransactions {
        private static final ThreadLocal<@Nullable ReturnListener> LAST = new ThreadLocal<>();

        @Override
        public @Nullable Object current() {
            return TRANSACTION;
        }

        @Override
        public @Nullable Object enlistedConnection() {
            return PHYSICAL;
        }

        @Override
        public Object physicalConnection(Connection handle) {
            return PHYSICAL;
        }

        @Override
        public void onReturn(Object connection, ReturnListener lease) {
            LAST.set(lease);
        }

        @Override
        public PoolTransactions transactions() {
            return this;
        }

        @Override
        public String type() {
            return "Transactional";
        }

        @Override
        public Set<Capability> capabilities() {
            return Set.of(Capability.TRANSACTIONS);
        }

        @Override
        public PoolSnapshot snapshot() {
            return PoolSnapshot.NOTHING_KNOWN;
        }

        @Override
        public Optional<Duration> acquisitionTimeout() {
            return Optional.empty();
        }

        @Override
        public String acquisitionTimeoutKey() {
            return "timeout";
        }

        @Override
        public void prepare(int base, int ceiling) {}

        @Override
        public void resize(int max) {}

        @Override
        public AcquisitionFailure classify(Throwable failure, PoolSnapshot snapshot, Duration waited) {
            return AcquisitionFailure.of(Kind.OTHER, failure);
        }

        @Override
        public boolean isClosed() {
            return false;
        }

        @Override
        public void close() {}
    }

    private static AcquiringPool pool(PoolContext context, LeaseTracker leases) {
        ConnectionSource source = new ConnectionSource(context);
        LeaseNotices notices = new LeaseNotices(context);
        return new AcquiringPool(
                leases,
                notices,
                new ConnectionReturn(context, leases),
                new SlowPath(
                        context,
                        Admission.of(context, leases, notices, source),
                        source,
                        new PoolWatch(context, null, leases),
                        null,
                        new StartAlignment(context, null),
                        new PoolLifecycle(context, null, leases, new PoolParts(context))));
    }

    private static class Joining {
        final PoolContext context = PoolContext.of(CONFIG, null, null);
        final LeaseTracker leases = new LeaseTracker(context, 2);
        final AcquiringPool pool = pool(context, leases);
        final Connection first;
        final PoolTransactions.ReturnListener kept;

        Joining() {
            first = acquire();
            kept = Objects.requireNonNull(Transactional.LAST.get());
            Transactional.LAST.remove();
        }

        private Connection acquire() {
            try {
                return pool.acquire();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        static void close(Connection connection) {
            try {
                connection.close();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        /** A further handle, or a lease of its own if the first one is over, whose transaction ends too. */
        void useAnother() {
            Connection another = acquire();
            close(another);
            PoolTransactions.ReturnListener its = Transactional.LAST.get();
            if (its != null) {
                Transactional.LAST.remove();
                its.released();
            }
        }

        void count(II_Result r) {
            r.r1 = (int) (context.recorder().acquired() - context.recorder().released());
            r.r2 = leases.openCount();
        }
    }

    /** A request asks for a further handle while the pool takes the connection back, and then the first handle is closed. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "each lease that began has ended once")
    @Outcome(expect = FORBIDDEN, desc = "a lease stayed open, or one ended twice")
    @State
    public static class FurtherAgainstReturned extends Joining {
        @Actor
        public void further() {
            useAnother();
        }

        @Actor
        public void returned() {
            kept.returned();
            close(first);
        }

        @Arbiter
        public void arbiter(II_Result r) {
            count(r);
        }
    }

    /** A request asks for a further handle while the first one is closed, and the transaction keeps the connection no longer. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "each lease that began has ended once")
    @Outcome(expect = FORBIDDEN, desc = "a lease stayed open, or one ended twice")
    @State
    public static class FurtherAgainstTheLastDrop extends Joining {
        @Actor
        public void further() {
            useAnother();
        }

        @Actor
        public void drop() {
            close(first);
            kept.released();
        }

        @Arbiter
        public void arbiter(II_Result r) {
            count(r);
        }
    }

    /** The last handle is closed while the pool takes the connection back. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "the lease has ended once")
    @Outcome(expect = FORBIDDEN, desc = "the lease stayed open, or ended twice")
    @State
    public static class ReturnedAgainstTheLastDrop extends Joining {
        public ReturnedAgainstTheLastDrop() {
            kept.released();
        }

        @Actor
        public void returned() {
            kept.returned();
        }

        @Actor
        public void drop() {
            close(first);
        }

        @Arbiter
        public void arbiter(II_Result r) {
            count(r);
        }
    }
}
