// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.flexpool.pool.Ticker;
import java.util.concurrent.TimeUnit;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZII_Result;

/** Permits that are parked while others want them, and while there become fewer. */
public class GateParkingStress {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long NO_PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** One lost wake-up fails the run; were each waited for, thousands of them would make it last for hours. */
    private static volatile boolean lost;

    private static int takeAll(Gate gate) {
        int taken = 0;
        while (taken < 9 && gate.tryEnter(System.nanoTime())) {
            taken++;
        }
        return taken;
    }

    /**
     * A permit is parked by a thread that saw another one free, while a second thread takes that and waits for more.
     */
    @JCStressTest
    @Outcome(id = "true, 2, 0", expect = ACCEPTABLE, desc = "the waiter has the permit")
    @Outcome(expect = FORBIDDEN, desc = "the waiter sleeps beside a parked permit")
    @State
    public static class ParkAgainstJoin {
        private final Gate gate = new Gate(2, Ticker.SYSTEM);

        public ParkAgainstJoin() {
            gate.tryEnter(System.nanoTime());
        }

        @Actor
        public void park() {
            gate.exit(System.nanoTime());
        }

        @Actor
        public void takeAndWait(ZII_Result r) {
            long now = System.nanoTime();
            long patience = lost ? NO_PATIENCE_NANOS : PATIENCE_NANOS;
            boolean first = gate.tryEnter(now);
            boolean served = gate.await(gate.join(now), now + patience) && System.nanoTime() - now < patience;
            lost |= !served;
            r.r1 = first && served;
        }

        @Arbiter
        public void count(ZII_Result r) {
            r.r2 = gate.usedCount();
            r.r3 = gate.waitingCount();
        }
    }

    /** Two who come want what is parked while a third parks another one. */
    @JCStressTest
    @Outcome(id = "2, 2", expect = ACCEPTABLE, desc = "as many as there are, in any hands")
    @Outcome(expect = FORBIDDEN, desc = "a permit lost or doubled")
    @State
    public static class NewcomersAgainstPark {
        private final Gate gate = new Gate(2, Ticker.SYSTEM);
        private boolean one;
        private boolean other;

        public NewcomersAgainstPark() {
            gate.tryEnter(0);
            gate.tryEnter(0);
            gate.exit(0);
        }

        @Actor
        public void park() {
            gate.exit(0);
        }

        @Actor
        public void one() {
            one = gate.tryEnter(0);
        }

        @Actor
        public void other() {
            other = gate.tryEnter(0);
        }

        @Arbiter
        public void count(II_Result r) {
            r.r1 = (one ? 1 : 0) + (other ? 1 : 0) + takeAll(gate);
            r.r2 = gate.usedCount();
        }
    }

    /** The limit falls while a permit is parked: then one is left. */
    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "one permit, parked or not")
    @Outcome(expect = FORBIDDEN, desc = "more than the limit, or fewer")
    @State
    public static class ParkAgainstLower {
        private final Gate gate = new Gate(3, Ticker.SYSTEM);

        public ParkAgainstLower() {
            gate.tryEnter(0);
            gate.tryEnter(0);
            gate.exit(0);
        }

        @Actor
        public void park() {
            gate.exit(0);
        }

        @Actor
        public void lower() {
            gate.limit(1, 0);
        }

        @Arbiter
        public void count(II_Result r) {
            r.r1 = takeAll(gate);
            r.r2 = gate.usedCount();
        }
    }
}
