// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import io.flexpool.diagnostics.RefusedGrowth;
import io.flexpool.event.PoolEvent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a pool has the size it has, and whether its database answers: {@code pool.view(PoolDiagnosis.class)}, which is empty for a
 * disabled pool. Reading is thread-safe and never blocks the pool. Made by flexpool alone; minor releases add methods.
 */
public interface PoolDiagnosis {
    /**
     * What acts on the pool's size and on its requests by itself: first the sizing controller, as the {@linkplain PoolView#mode()
     * mode} says, then each strategy.
     *
     * @return a sentence without a full stop each; empty if nothing does
     */
    List<String> actors();

    /**
     * Growth that was refused since the start, by reason.
     *
     * @return one entry for each reason that there was; a snapshot, immutable; empty where nothing was refused
     */
    List<RefusedGrowth> refusedGrowths();

    /**
     * Whether more instances of the application would serve requests that this pool lets wait: for an autoscaler, beside the
     * pool's demand.
     *
     * @return false if requests wait, or failed within the last minute, for a reason that more connections do not remove: a slow,
     *     busy or unreachable database, locks, its learnt knee, connections that are held idle or have leaked, a pool that is held; true if they wait
     *     for too few connections, if none waits, and if the reason is unknown
     */
    boolean scaleOutHelps();

    /**
     * The last change of the circuit, also if newer events have displaced it from {@link PoolView#recentEvents()}.
     *
     * @return null if it never changed, or if there is none
     */
    PoolEvent.@Nullable CircuitChanged circuit();

    /**
     * How many connects have failed since the last request that got a connection: an outage that lasts, however long ago the
     * last request came.
     *
     * @return 0 if the last request that needed a connection got one, or if there was none
     */
    int connectFailuresInARow();
}
