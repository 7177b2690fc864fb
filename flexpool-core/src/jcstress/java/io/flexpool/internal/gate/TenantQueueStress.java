// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** The queue of a class, whose places of tenants become empty while others join them. */
public class TenantQueueStress {
    private static final long NEVER = Long.MAX_VALUE;
    private static final int TENANT = 3;

    /** The last waiter of a place has been served, a thread looks for the next one, and another one joins the same place. */
    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "the one that joined is next")
    @Outcome(expect = FORBIDDEN, desc = "it was forgotten")
    @State
    public static class JoinOfAPlaceThatIsFoundEmpty {
        private final TenantQueue queue = new TenantQueue();
        private final ClassWaiter joins = waiter();

        public JoinOfAPlaceThatIsFoundEmpty() {
            ClassWaiter before = waiter();
            queue.add(before);
            before.claim.set(Waiter.GRANTED);
            before.counted = Waiter.UNCOUNTED;
            queue.stopped(before, 0);
        }

        private static ClassWaiter waiter() {
            return new ClassWaiter(0, 0, TENANT, false, NEVER, NEVER);
        }

        @Actor
        public void join() {
            queue.add(joins);
        }

        @Actor
        public void look() {
            queue.next();
        }

        @Arbiter
        public void next(I_Result r) {
            r.r1 = queue.next() == joins ? 1 : 0;
        }
    }
}
