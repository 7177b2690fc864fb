// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.context;

import io.flexpool.adapter.PoolAdapter;
import io.flexpool.internal.config.PoolConfig;
import io.flexpool.internal.event.ListenerGuard;
import io.flexpool.internal.event.RefusedGrowths;
import io.flexpool.internal.gate.AdmissionState;
import io.flexpool.internal.gate.Gate;
import io.flexpool.internal.gate.Limits;
import io.flexpool.internal.record.Recorder;
import io.flexpool.internal.record.StripedCounter;
import io.flexpool.internal.record.Turnover;
import io.flexpool.pool.PoolState;
import io.flexpool.pool.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * The objects that the parts of one pool share: created first, and passed to each part. Thread-safe, like its
 * components.
 *
 * @param limits the range of the limit; meaningless without a gate
 * @param gate null if nothing ever limits the pool
 * @param classes the classes of requests behind the gate; null if there is one class for all
 * @param requests the number of requests that did not get a slot immediately; null if a gate counts them
 * @param insight a part's information on the sessions of the leases
 */
public record PoolContext(
        PoolConfig config,
        Recorder recorder,
        Turnover turnover,
        ListenerGuard listeners,
        RefusedGrowths refusedGrowths,
        AdmissionState admissionState,
        ModeState mode,
        Limits limits,
        @Nullable Gate gate,
        @Nullable RequestClasses classes,
        @Nullable StripedCounter requests,
        StateReader states,
        Insight insight) {

    public static PoolContext of(PoolConfig config, @Nullable Gate gate, @Nullable StripedCounter requests) {
        Recorder recorder = new Recorder();
        ListenerGuard listeners = new ListenerGuard(config.name(), config.listeners(), config.ticker());
        AdmissionState admission = new AdmissionState();
        ModeState mode = new ModeState(config);
        Limits limits = new Limits(config.base(), config.ceiling(), config.firstCap());
        return new PoolContext(
                config,
                recorder,
                new Turnover(recorder, config.ticker().nanos()),
                listeners,
                new RefusedGrowths(config.name(), listeners),
                admission,
                mode,
                limits,
                gate,
                RequestClasses.of(config, gate),
                requests,
                new StateReader(config.adapter(), gate, admission, limits, mode, recorder, requests, listeners),
                new Insight(listeners));
    }

    public String name() {
        return config.name();
    }

    public PoolAdapter adapter() {
        return config.adapter();
    }

    public Ticker ticker() {
        return config.ticker();
    }

    public long nanos() {
        return config.ticker().nanos();
    }

    /** Where requests wait: the gate, or without a gate the queue of a pause; null before the first pause. */
    public @Nullable Gate queue() {
        return gate == null ? admissionState.holdQueue() : gate;
    }

    public PoolState state() {
        return states.at(nanos());
    }

    /** The pool's state, at a time that the caller has read. */
    public PoolState state(long nowNanos) {
        return states.at(nowNanos);
    }

    /** A state that was read at a failure; the failed request no longer counts as waiting. */
    public PoolState stateAfterFailure(PoolState read) {
        return states.withoutOne(read);
    }

    /** Whether the application has closed the pool itself; false if the pool does not report it. */
    public boolean closedByApplication() {
        return listeners.ask("the adapter's isClosed", adapter()::isClosed, false);
    }
}
