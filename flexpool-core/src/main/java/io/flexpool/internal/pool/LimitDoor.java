// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.gate.Limits;
import io.flexpool.internal.resize.Limiter;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolState;
import io.flexpool.spi.PartContext.PoolLimit;
import io.flexpool.spi.PartKey;
import java.util.OptionalInt;

/** The limit of one pool, for a part that caps it. */
final class LimitDoor implements PoolLimit {
    private final PoolContext context;
    private final Limits limits;
    private final Limiter limiter;
    private final PoolWatch watch;

    LimitDoor(PoolContext context, Limiter limiter, PoolWatch watch) {
        this.context = context;
        this.limits = context.limits();
        this.limiter = limiter;
        this.watch = watch;
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
    public void cappedBy(String part, String by, String relief, PartKey<?> key) {
        limits.capped(new Limits.Cap(part, by, relief, "flexpool." + key.name()));
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
        Limits.Cap cap = limits.capper();
        String part = cap == null ? null : cap.part();
        watch.parts().decisions().capped(context.mode().mode(), part, before.getAsInt(), to, words, state);
    }

    @Override
    public void sharedBy(int pools) {
        limits.sharers(pools);
    }

    @Override
    public boolean ownBegins(boolean asks) {
        return limits.ownBegins(asks);
    }

    @Override
    public void ownBeginsAnyway() {
        limits.ownBeginsAnyway();
    }

    @Override
    public int own() {
        return limits.own();
    }

    @Override
    public int ownNeeded() {
        return limits.ownNeeded();
    }

    @Override
    public void headroom(int connections) {
        limits.headroom(connections);
    }
}
