// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.advice.SizeAdvice;
import io.flexpool.advisor.Advice.Load;
import io.flexpool.spi.LeaseSink.LeaseBlock;
import io.flexpool.spi.LeaseSink.WantedArrivals;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Calculates advice for a running pool. Thread-safe; the lock is held only while the history is copied. */
final class LiveAdvisor implements PoolAdvisor {
    /** The minimum number of requests for advice. */
    private static final int FEWEST = 100;

    private static final double MANY_LOST = 0.01;

    private final ReentrantLock lock = new ReentrantLock();
    private LeaseHistory history = new LeaseHistory();

    @Override
    public void take(LeaseBlock block) {
        lock.lock();
        try {
            history.take(block);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public @Nullable WantedArrivals wanted(long nowNanos) {
        lock.lock();
        try {
            return history.wanted(nowNanos);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public @Nullable SizeAdvice advise(AdviceRequest request) {
        LeaseHistory.Copy copy = copy();
        if (copy.load().requests() < FEWEST) {
            return null;
        }
        LeaseTrace trace = LeaseHistory.trace(copy, request.openLeases(), request.nowNanos());
        if (trace.requests() == 0) {
            return null;
        }
        Question question = new Question(
                request.current(),
                request.waitTarget(),
                request.timeout(),
                request.knee(),
                request.connectP99(),
                List.of(),
                request.classes().stream()
                        .map(each -> new ClassLimits(each.name(), each.guaranteed(), each.max()))
                        .toList());
        return Advisor.advise(trace, question, seen(copy.load(), trace), lost(copy));
    }

    /** The load, with the higher of two maxima: between two ticks the demand may have been higher than at any tick. */
    private static Load seen(Load ticks, LeaseTrace trace) {
        return new Load(
                ticks.requests(),
                ticks.timedOut(),
                ticks.span(),
                Math.max(ticks.demandMax(), Demand.recorded(trace).max()),
                ticks.demandP99(),
                ticks.demandP50());
    }

    private static List<String> lost(LeaseHistory.Copy copy) {
        return copy.lost() <= MANY_LOST * copy.load().requests()
                ? List.of()
                : List.of(AdviceText.number(copy.lost(), "request") + " arrived faster than flexpool can record.");
    }

    private LeaseHistory.Copy copy() {
        lock.lock();
        try {
            return history.copy();
        } finally {
            lock.unlock();
        }
    }

    /** Drops the history. */
    @Override
    public void close() {
        lock.lock();
        try {
            history = new LeaseHistory();
        } finally {
            lock.unlock();
        }
    }
}
