// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import io.flexpool.fleet.FleetLedger;
import io.flexpool.fleet.FleetLedger.Outcome;
import io.flexpool.fleet.FleetLedger.Row;
import io.flexpool.fleet.FleetLedger.State;
import io.flexpool.fleet.FleetRules;
import io.flexpool.fleet.Renewal;
import io.flexpool.internal.sizing.PoolWindow;
import java.util.ArrayList;
import java.util.List;

/** The controller that production runs, below what a fleet grants: one of these for each instance, around one ledger. */
final class FleetController implements SimController {
    private static final int RENEWAL_TICKS = (int) (FleetRules.RENEW.toMillis() / 250);

    private final FlexPoolController controller = new FlexPoolController();
    private final Ledger ledger;
    private final String member;
    private int ticks;
    private int granted = FleetRules.BOOT;

    /** A fleet that has run before: what it held is known, and nothing waits for its first seconds. */
    static final class Ledger {
        private final FleetRules rules;
        private State state = new State(1L, "", List.of());
        private int members;

        Ledger(FleetRules rules) {
            this.rules = rules;
        }

        private int renew(long nowMillis, Renewal renewal) {
            Outcome outcome = FleetLedger.renew(state, "", nowMillis, renewal);
            List<Row> rows = new ArrayList<>(state.rows());
            rows.removeIf(row -> row != null && row.member().equals(renewal.member()));
            rows.add(outcome.own());
            state = new State(outcome.calmUntilMillis(), "", rows);
            return outcome.grant().granted();
        }
    }

    FleetController(Ledger ledger) {
        this.ledger = ledger;
        this.member = "member-" + ++ledger.members;
    }

    @Override
    public String name() {
        return "flexpool-fleet";
    }

    /** A fleet counts its members; {@code flexpool.sizing.instances} is not needed. */
    @Override
    public void begin(SimPool pool) {
        controller.members(pool.instances());
    }

    @Override
    public int onTick(PoolWindow seen) {
        if (ticks++ % RENEWAL_TICKS == 0) {
            int open = Math.max(seen.total(), granted);
            int want = Math.max(2, Math.min(seen.ceiling(), seen.active() + seen.waiting()));
            long millis = 1 + seen.nowNanos() / 1_000_000;
            granted = ledger.renew(
                    millis,
                    new Renewal(member, 1 + ticks / RENEWAL_TICKS, ticks / RENEWAL_TICKS, open, want, ledger.rules));
        }
        PoolWindow below = new PoolWindow(
                seen.nowNanos(),
                Math.min(seen.base(), granted),
                Math.min(seen.ceiling(), granted),
                Math.min(seen.limit(), granted),
                seen.active(),
                seen.waiting(),
                seen.lastGrowthNanos(),
                seen.total(),
                seen.headAgeNanos(),
                seen.traffic(),
                seen.open());
        return Math.min(granted, controller.onTick(below));
    }
}
