// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Timespan;

/** The fields of all events with the pool's state; -1 for what the pool does not report. */
@Category("flexpool")
abstract class StateEvent extends Event {
    @Label("Pool")
    final String pool;

    @Label("Limit")
    @Description("The lease limit in force; -1 if flexpool does not limit the pool")
    final int limit;

    @Label("Base")
    final int base;

    @Label("Ceiling")
    final int ceiling;

    @Label("Active")
    @Description("Connections leased through flexpool")
    final int active;

    @Label("Foreign")
    @Description("Active connections not acquired through flexpool")
    final int foreign;

    @Label("Entering")
    @Description("Requests inside the pool's getConnection()")
    final int entering;

    @Label("Waiting")
    @Description("Requests that waited for a permit")
    final int waiting;

    @Label("Oldest Wait")
    @Timespan
    final long oldestWait;

    @Label("Pool Max")
    final int max;

    @Label("Pool Idle")
    final int idle;

    @Label("Pool Total")
    @Description("Physical connections, active and idle")
    final int total;

    StateEvent(String pool, PoolState state) {
        this.pool = pool;
        this.limit = state.limit();
        this.base = state.base();
        this.ceiling = state.ceiling();
        this.active = state.leased();
        // Without the pool's own count, 0 would claim that no connection bypasses flexpool.
        boolean reported = state.pool().active() != PoolSnapshot.UNKNOWN;
        this.foreign = reported ? state.foreign() : PoolSnapshot.UNKNOWN;
        this.entering = state.entering();
        this.waiting = state.waiting();
        this.oldestWait = state.oldestWait().toNanos();
        this.max = state.pool().max();
        this.idle = state.pool().idle();
        this.total = state.pool().total();
    }
}
