// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The queues of a {@link ClassGate}: for each class one for threads that already hold a permit, and one for all others.
 */
final class ClassQueues {
    private final WaitQueue[] holders;
    private final TenantQueue[] others;

    ClassQueues(int classes) {
        holders = new WaitQueue[classes];
        others = new TenantQueue[classes];
        for (int at = 0; at < classes; at++) {
            holders[at] = new WaitQueue();
            others[at] = new TenantQueue();
        }
    }

    void add(Waiter waiter) {
        if (waiter.holds) {
            holders[waiter.requestClass].add(waiter);
        } else {
            others[waiter.requestClass].add(waiter);
        }
    }

    void stopped(Waiter waiter, int waiting) {
        if (waiter.holds) {
            holders[waiter.requestClass].stopped(waiter, waiting);
        } else {
            others[waiter.requestClass].stopped(waiter, waiting);
        }
    }

    /** The first waiter of a class; null without one. */
    @Nullable
    ClassWaiter first(int requestClass) {
        Waiter holder = holders[requestClass].oldest();
        return holder == null ? others[requestClass].next() : (ClassWaiter) holder;
    }

    /** Charges the tenant of a served waiter, unless its thread already holds a permit. By the assigning thread. */
    void serves(ClassWaiter waiter, long nowNanos) {
        if (!waiter.holds) {
            others[waiter.requestClass].serves(waiter, nowNanos);
        }
    }

    /** Records the end of a tenant's lease. */
    void ended(int requestClass, int tenant, long leaseNanos) {
        others[requestClass].ended(tenant, leaseNanos);
    }

    /** The oldest waiter of a class, without threads that already hold a permit; null without one. */
    @Nullable
    Waiter oldest(int requestClass) {
        return others[requestClass].oldest();
    }

    /** The oldest waiter of a class, including threads that already hold a permit; null without one. */
    @Nullable
    Waiter oldestOfAll(int requestClass) {
        return older(holders[requestClass].oldest(), others[requestClass].oldest());
    }

    /** The oldest waiter of all classes. */
    @Nullable
    Waiter oldest() {
        Waiter oldest = null;
        for (int requestClass = 0; requestClass < others.length; requestClass++) {
            oldest = older(oldest, oldestOfAll(requestClass));
        }
        return oldest;
    }

    static @Nullable Waiter older(@Nullable Waiter one, @Nullable Waiter other) {
        return one == null || (other != null && other.sinceNanos - one.sinceNanos < 0) ? other : one;
    }

    /** The number of waiters of a class, at most {@code countsTo}; iterates over them. */
    int waiting(int requestClass, int countsTo) {
        int waiting = 0;
        for (Iterable<Waiter> queue : List.of(holders[requestClass], others[requestClass])) {
            for (Waiter waiter : queue) {
                waiting += waiter.waits() ? 1 : 0;
                if (waiting >= countsTo) {
                    return countsTo;
                }
            }
        }
        return waiting;
    }

    /** All waiters in the queues, including stopped ones. */
    List<Waiter> all() {
        List<Waiter> all = new ArrayList<>();
        for (int requestClass = 0; requestClass < others.length; requestClass++) {
            holders[requestClass].forEach(all::add);
            others[requestClass].forEach(all::add);
        }
        return all;
    }
}
