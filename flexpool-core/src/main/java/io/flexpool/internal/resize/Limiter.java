// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.resize;

import io.flexpool.event.PoolEvent.ResizeCause;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.gate.Gate;
import org.jspecify.annotations.Nullable;

/**
 * The limiting objects of a pool; a pool that is never limited has none.
 *
 * @param gate holds the limit
 * @param resizer changes the limit
 * @param maintenance opens and closes connections that the pool does not open or close itself
 */
public record Limiter(Gate gate, Resizer resizer, PoolMaintenance maintenance) {
    /** The limiter of a pool; null if it has no gate. */
    public static @Nullable Limiter of(PoolContext context) {
        Gate gate = context.gate();
        return gate == null ? null : new Limiter(gate, new Resizer(context, gate), new PoolMaintenance(context, gate));
    }

    /** Raises the limit for requests that wait, as {@link Resizer#grow}, and has the pool make use of it. */
    public Resizer.Growth grow(int needed) {
        Resizer.Growth growth = resizer.grow(needed);
        if (growth.result() == Resizer.Growth.Result.GREW) {
            maintenance.wake();
        }
        return growth;
    }

    /** Moves the limit as the sizing controller decided, as {@link Resizer#move}, and has the pool make use of it. */
    boolean steer(int from, int to) {
        boolean moved = resizer.move(from, to, ResizeCause.SIZING);
        if (moved && to > from) {
            maintenance.wake();
        }
        return moved;
    }

    /** Ends all changes of the limit. */
    public void close() {
        resizer.close();
        maintenance.close();
    }
}
