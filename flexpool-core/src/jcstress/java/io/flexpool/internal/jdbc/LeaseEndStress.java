// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** The one end of a lease, while two threads want to end it, or one ends what the other uses. */
public class LeaseEndStress {
    private static final int REFUSED = 0;
    private static final int REACHED = 1;

    /** A lease, and what of it reached the pool's connection and the owner. */
    private static class Leased implements LeaseOwner {
        final AtomicInteger closes = new AtomicInteger();
        final AtomicInteger aborts = new AtomicInteger();
        final AtomicInteger uses = new AtomicInteger();
        final AtomicInteger discards = new AtomicInteger();
        final AtomicInteger ends = new AtomicInteger();
        final AtomicInteger discardedOnReturn = new AtomicInteger();
        final LeasedConnection connection = new LeasedConnection(target(), this, 1, 0);

        private Connection target() {
            return (Connection) Proxy.newProxyInstance(
                    LeaseEndStress.class.getClassLoader(),
                    new Class<?>[] {Connection.class},
                    (proxy, method, arguments) -> called(method));
        }

        private @Nullable Object called(Method method) {
            switch (method.getName()) {
                case "close" -> closes.incrementAndGet();
                case "abort" -> aborts.incrementAndGet();
                case "clearWarnings" -> uses.incrementAndGet();
                default -> throw new IllegalStateException(method.getName());
            }
            return null;
        }

        @Override
        public void ended(long acquiredNanos, int place, boolean reclaimed) {
            ends.incrementAndGet();
        }

        @Override
        public void takeBack(Connection target, boolean discarded) {
            discardedOnReturn.addAndGet(discarded ? 1 : 0);
        }

        @Override
        public void discard(Connection target) {
            discards.incrementAndGet();
        }

        void close() {
            try {
                connection.close();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        void abort() {
            try {
                connection.abort(Runnable::run);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        void reclaim() {
            try {
                connection.end("for the test", target -> {});
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        int use() {
            try {
                connection.clearWarnings();
                return REACHED;
            } catch (SQLException e) {
                return REFUSED;
            }
        }
    }

    /** Both threads close. */
    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "one close reached the pool, the owner was notified once")
    @Outcome(
            expect = FORBIDDEN,
            desc = "the second close reached the pool or the owner: the next borrower's connection is gone")
    @State
    public static class TwoCloses {
        private final Leased leased = new Leased();

        @Actor
        public void one() {
            leased.close();
        }

        @Actor
        public void other() {
            leased.close();
        }

        @Arbiter
        public void count(II_Result r) {
            r.r1 = leased.closes.get();
            r.r2 = leased.ends.get();
        }
    }

    /** One thread closes, the other aborts. */
    @JCStressTest
    @Outcome(id = "1, 0, 0, 1", expect = ACCEPTABLE, desc = "close was first: the abort touched nothing")
    @Outcome(
            id = "0, 1, 1, 1",
            expect = ACCEPTABLE,
            desc = "abort was first: the place was given back, the close touched nothing")
    @Outcome(expect = FORBIDDEN, desc = "both ended the lease, or neither")
    @State
    public static class CloseAgainstAbort {
        private final Leased leased = new Leased();

        @Actor
        public void close() {
            leased.close();
        }

        @Actor
        public void abort() {
            leased.abort();
        }

        @Arbiter
        public void count(IIII_Result r) {
            r.r1 = leased.closes.get();
            r.r2 = leased.aborts.get();
            r.r3 = leased.discards.get();
            r.r4 = leased.ends.get();
        }
    }

    /** An eviction marks the connection while the application closes it. */
    @JCStressTest
    @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "the mark was first: the owner drops the connection")
    @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "the close was first")
    @Outcome(expect = FORBIDDEN, desc = "the mark lost the close, or the lease ended twice")
    @State
    public static class MarkAgainstClose {
        private final Leased leased = new Leased();

        @Actor
        public void mark() {
            leased.connection.discardOnReturn();
        }

        @Actor
        public void close() {
            leased.close();
        }

        @Arbiter
        public void count(III_Result r) {
            r.r1 = leased.closes.get();
            r.r2 = leased.discardedOnReturn.get();
            r.r3 = leased.ends.get();
        }
    }

    /** An eviction marks the connection while the application closes it and flexpool takes it back. */
    @JCStressTest
    @Outcome(
            id = {"1, 0, 0, 1", "0, 1, 0, 1"},
            expect = ACCEPTABLE,
            desc = "the close was first, marked or not")
    @Outcome(id = "0, 0, 1, 1", expect = ACCEPTABLE, desc = "taken back: the close touched nothing")
    @Outcome(expect = FORBIDDEN, desc = "the lease ended twice, or never")
    @State
    public static class MarkAgainstCloseAndReclaim {
        private final Leased leased = new Leased();

        @Actor
        public void markAndReclaim() {
            leased.connection.checkOnReturn();
            leased.connection.discardOnReturn();
            leased.reclaim();
        }

        @Actor
        public void close() {
            leased.close();
        }

        @Arbiter
        public void count(IIII_Result r) {
            r.r1 = leased.closes.get();
            r.r2 = leased.ends.get() - leased.closes.get() - leased.aborts.get();
            r.r3 = leased.aborts.get();
            r.r4 = leased.ends.get();
        }
    }

    /** The application closes while flexpool takes the connection back. */
    @JCStressTest
    @Outcome(id = "1, 0, 0, 1", expect = ACCEPTABLE, desc = "close was first: nothing was taken back")
    @Outcome(id = "0, 1, 1, 1", expect = ACCEPTABLE, desc = "taken back: the close touched nothing")
    @Outcome(expect = FORBIDDEN, desc = "both ended the lease, or neither")
    @State
    public static class CloseAgainstReclaim {
        private final Leased leased = new Leased();

        @Actor
        public void close() {
            leased.close();
        }

        @Actor
        public void reclaim() {
            leased.reclaim();
        }

        @Arbiter
        public void count(IIII_Result r) {
            r.r1 = leased.closes.get();
            r.r2 = leased.aborts.get();
            r.r3 = leased.discards.get();
            r.r4 = leased.ends.get();
        }
    }

    /** Both threads abort. */
    @JCStressTest
    @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "one abort, one place given back, one end")
    @Outcome(expect = FORBIDDEN, desc = "the place was given back twice, or not at all")
    @State
    public static class TwoAborts {
        private final Leased leased = new Leased();

        @Actor
        public void one() {
            leased.abort();
        }

        @Actor
        public void other() {
            leased.abort();
        }

        @Arbiter
        public void count(III_Result r) {
            r.r1 = leased.aborts.get();
            r.r2 = leased.discards.get();
            r.r3 = leased.ends.get();
        }
    }

    /** One thread closes, the other uses the connection: it may still reach the target, but it ends nothing. */
    @JCStressTest
    @Outcome(id = "0, 0, 1, 1", expect = ACCEPTABLE, desc = "the use came late and was refused")
    @Outcome(id = "1, 1, 1, 1", expect = ACCEPTABLE, desc = "the use came first")
    @Outcome(expect = FORBIDDEN, desc = "a refused use reached the target, or the lease has not ended exactly once")
    @State
    public static class CloseAgainstUse {
        private final Leased leased = new Leased();

        @Actor
        public void close() {
            leased.close();
        }

        @Actor
        public void use(IIII_Result r) {
            r.r1 = leased.use();
        }

        @Arbiter
        public void count(IIII_Result r) {
            r.r2 = leased.uses.get();
            r.r3 = leased.closes.get();
            r.r4 = leased.ends.get();
        }
    }

    /** A thread that saw the notification cannot use the connection any more, though the state is read plainly. */
    @JCStressTest
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "used before the end")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "the end came between the look and the use")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "the end was seen, the use refused")
    @Outcome(id = "1, 1", expect = FORBIDDEN, desc = "the pool has the connection back, and it was used")
    @State
    public static class UseAfterTheEndWasSeen {
        private final Leased leased = new Leased();

        @Actor
        public void close() {
            leased.close();
        }

        @Actor
        public void use(II_Result r) {
            r.r1 = leased.ends.get();
            r.r2 = leased.use();
        }
    }
}
