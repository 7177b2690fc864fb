// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.flexpool.internal.gate.AdmissionState;
import io.flexpool.internal.gate.Gate;
import io.flexpool.pool.Ticker;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/** A pool that drains, and requests that looked whether it does before they took their permit. */
public class DrainStress {
    /**
     * A drain believes that nothing is left only when it has found nothing twice, some milliseconds apart. A request that
     * found the direct path open may take its permit after the first look; the second one, which comes once it has, sees it.
     */
    @JCStressTest
    @Outcome(id = "0, 0, 0, 0", expect = ACCEPTABLE, desc = "the request came later, and is refused")
    @Outcome(id = "1, 1, 1, 0", expect = ACCEPTABLE, desc = "the request came first, and is waited for")
    @Outcome(
            id = "1, 0, 1, 0",
            expect = ACCEPTABLE_INTERESTING,
            desc = "it was between its look and its permit: one look would have missed it")
    @Outcome(expect = FORBIDDEN, desc = "both looks missed a request, or one that came later was let in")
    @State
    public static class TwoQuietLooksAgainstTheDirectPath {
        private final AdmissionState admission = new AdmissionState();
        private final Gate gate = new Gate(1, Ticker.SYSTEM);
        private volatile boolean gone;

        @Actor
        public void request(IIII_Result r) {
            r.r1 = admission.direct() && gate.tryEnter(0) ? 1 : 0;
            gone = true;
        }

        @Actor
        public void drain(IIII_Result r) {
            admission.drain();
            r.r2 = gate.usedCount();
            while (!gone) {
                Thread.onSpinWait();
            }
            r.r3 = gate.usedCount();
            r.r4 = admission.direct() ? 1 : 0;
        }
    }
}
