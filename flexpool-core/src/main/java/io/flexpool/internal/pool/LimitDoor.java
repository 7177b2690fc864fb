// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.gate.Limits;
import io.flexpool.internal.resize.Limiter;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolState;
import io.flexpool.spi.PartContext.PoolLimit;
import java.util.OptionalInt;

/** The limit of one pool, as a part sees it that caps it. */
final class LimitDoor implements PoolLimit {
    private final PoolContext context;
    private final Limits limits;
    private final Limiter limiter;
    private final PartPool pool;

    LimitDoor(PoolContext context, Limiter limiter, PartPool pool) {
        this.context = context;
        this.limits = context.limits();
        this.limiter = limiter;
        this.pool = pool;
    }

    @Override
    public int now() {
        return limiter.gate().limit();
    }

    @Override
    public int waiting() {
        return limiter.gate().waitingCount();
    }

    @Override
    public int base() {
        return limits.configuredBase();
    }

    @Override
    public int ceiling() {
        return limits.configuredCeiling();
    }

    @Override
    public boolean acts() {
        return context.mode().limiting();
    }

    @Override
    public boolean grows() {
        return context.mode().mode() == PoolMode.ADAPT || context.config().grows();
    }

    @Override
    public int cap() {
        return limits.cap();
    }

    @Override
    public void cappedBy(String by, String relief) {
        limits.capped(new Limits.Cap(by, relief));
    }

    @Override
    public void cap(int connections, String why, PoolState state) {
        if (connections < 1) {
            throw new IllegalArgumentException("cap = " + connections + ": must be at least 1");
        }
        if (connections == limits.cap()) {
            return;
        }
        OptionalInt before = limiter.resizer().cap(connections);
        if (before.isEmpty()) {
            return;
        }
        int to = now();
        if (to > before.getAsInt()) {
            limiter.maintenance().wake();
        }
        String words = "limit " + before.getAsInt() + " \u2192 " + to + ": " + why;
        pool.capped(context.mode().mode(), before.getAsInt(), to, words, state);
    }

    @Override
    public void sharedBy(int pools) {
        limits.sharers(pools);
    }

    @Override
    public boolean pastBegins(boolean asks) {
        return limits.ownBegins(asks);
    }

    @Override
    public void pastBeginsAnyway() {
        limits.ownBeginsAnyway();
    }

    @Override
    public void pastEnds() {
        limits.ownEnds();
    }

    @Override
    public int past() {
        return limits.own();
    }

    @Override
    public int pastNeeded() {
        return limits.ownNeeded();
    }

    @Override
    public void room(int connections) {
        limits.room(connections);
    }
}
