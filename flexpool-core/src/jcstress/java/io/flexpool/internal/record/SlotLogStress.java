// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.flexpool.spi.LeaseSink.LeaseBlock;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The tick passes on what a slot has recorded, while the slot's owner records more than the ring has room for. */
public class SlotLogStress {
    /** A whole one: the lengths are recorded in units of it. */
    private static final int UNIT = 64;

    private static class Logged {
        final Recorder recorder = new Recorder();
        final LeaseLog log = recorder.log();
        final Ring ring;
        private int next = 1;
        private int passedOn;
        private int wrong;

        Logged() {
            log.open();
            ring = recorder.add(new Ring());
        }

        /** Each is one unit longer than the one before. */
        void record(int leases) {
            for (int at = 0; at < leases; at++) {
                ring.lease(next++);
            }
        }

        void passOn() {
            LeaseBlock block = log.drain(0, 0);
            for (int at = 0; at < block.size(); at++) {
                passedOn++;
                wrong += block.leaseNanos(at) == (long) passedOn * UNIT ? 0 : 1;
            }
        }

        void count(II_Result r) {
            passOn();
            r.r1 = passedOn;
            r.r2 = wrong;
        }
    }

    private static final class Ring extends SlotLog {
        void lease(int number) {
            log(0, 0, (long) number * UNIT, 0, false, 0, 0, 0);
        }

        void rest() {
            idle();
        }
    }

    /** The ring becomes larger, and is full again. */
    @JCStressTest
    @Outcome(id = "40, 0", expect = ACCEPTABLE, desc = "every lease, in order and as it was")
    @Outcome(expect = FORBIDDEN, desc = "a lease is missing, comes twice, or is another one's")
    @State
    public static class LargerAgainstDrain extends Logged {
        @Actor
        public void owner() {
            record(40);
        }

        @Actor
        public void tick() {
            passOn();
            passOn();
        }

        @Arbiter
        public void arbiter(II_Result r) {
            count(r);
        }
    }

    /** The slot rests in between and gives its large ring back; its next lease begins a small one. */
    @JCStressTest
    @Outcome(id = "60, 0", expect = ACCEPTABLE, desc = "every lease, in order and as it was")
    @Outcome(expect = FORBIDDEN, desc = "a lease is missing, comes twice, or is another one's")
    @State
    public static class RestedAgainstDrain extends Logged {
        public RestedAgainstDrain() {
            record(40);
        }

        @Actor
        public void owner() {
            ring.rest();
            record(2);
            ring.rest();
            record(18);
        }

        @Actor
        public void tick() {
            passOn();
            passOn();
        }

        @Arbiter
        public void arbiter(II_Result r) {
            count(r);
        }
    }
}
