// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Timespan;

/** What the events have in common that say how the pool was; -1 is what the pool does not tell. */
@Category("flexpool")
abstract class StateEvent extends Event {
    @Label("Pool")
    final String pool;

    @Label("Limit")
    @Description("Connections that might be out; -1 if the pool is only watched")
    final int limit;

    @Label("Base")
    final int base;

    @Label("Ceiling")
    final int ceiling;

    @Label("Active")
    @Description("Connections that were out through flexpool")
    final int active;

    @Label("Foreign")
    @Description("Connections that were out past flexpool")
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
        // Without the pool's own count, 0 would claim that nothing goes past flexpool.
        boolean told = state.pool().active() != PoolSnapshot.UNKNOWN;
        this.foreign = told ? state.foreign() : PoolSnapshot.UNKNOWN;
        this.entering = state.entering();
        this.waiting = state.waiting();
        this.oldestWait = state.oldestWait().toNanos();
        this.max = state.pool().max();
        this.idle = state.pool().idle();
        this.total = state.pool().total();
    }
}
