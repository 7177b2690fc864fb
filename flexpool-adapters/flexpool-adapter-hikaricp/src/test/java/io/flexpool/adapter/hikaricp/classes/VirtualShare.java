// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.hikaricp.classes;

import io.flexpool.internal.gate.AcquisitionOrder;
import io.flexpool.internal.gate.ClassGate;
import io.flexpool.internal.gate.ClassShare;
import io.flexpool.internal.gate.ClassWaiter;
import io.flexpool.internal.gate.Waiter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A way to share in virtual time: who has a permit. For one thread. */
interface VirtualShare {
    /**
     * A request is made at a time.
     *
     * @return the requests that have a permit now and had none before
     */
    List<Ask> asks(Ask ask, double now);

    /** A lease has ended. As {@link #asks}. */
    List<Ask> ends(Ask ask, double now);

    /**
     * A request waits no longer.
     *
     * @return false if it has a permit by now
     */
    boolean leaves(Ask ask, double now);

    /** Until when a request that has just been made may wait, seconds; infinity if it is not shed. */
    default double until(Ask ask) {
        return Double.POSITIVE_INFINITY;
    }

    /** The way to share of a kind. */
    static VirtualShare of(Sharing sharing, Shape shape) {
        return switch (sharing) {
            case ALONE, BARE_POOL -> new Queues(shape, false);
            case TWO_POOLS -> new Queues(shape, true);
            case CLASSES, CLASSES_SHED -> new Classes(shape, sharing == Sharing.CLASSES_SHED);
        };
    }

    /** First come, first served, in one pool or in two. */
    final class Queues implements VirtualShare {
        private final Shape shape;
        private final boolean divided;
        private final int[] free;
        private final List<Set<Ask>> waiting = List.of(new LinkedHashSet<>(), new LinkedHashSet<>());

        Queues(Shape shape, boolean divided) {
            this.shape = shape;
            this.divided = divided;
            int second = divided ? shape.ofSecondPool() : 0;
            this.free = new int[] {shape.connections() - second, second};
        }

        private int pool(Ask ask) {
            return divided ? shape.pool(ask) : 0;
        }

        @Override
        public List<Ask> asks(Ask ask, double now) {
            waiting.get(pool(ask)).add(ask);
            return served(pool(ask));
        }

        @Override
        public List<Ask> ends(Ask ask, double now) {
            free[pool(ask)]++;
            return served(pool(ask));
        }

        private List<Ask> served(int pool) {
            List<Ask> served = new ArrayList<>();
            for (Ask first : waiting.get(pool)) {
                if (served.size() == free[pool]) {
                    break;
                }
                served.add(first);
            }
            served.forEach(waiting.get(pool)::remove);
            free[pool] -= served.size();
            return served;
        }

        @Override
        public boolean leaves(Ask ask, double now) {
            return waiting.get(pool(ask)).remove(ask);
        }
    }

    /** The gate of flexpool itself. Each tenant has a place of its own; in a pool two of ten share one more often than not. */
    final class Classes implements VirtualShare {
        private static final double NANOS = 1e9;

        private final ClassGate gate;
        private final Map<Ask, ClassWaiter> waiting = new LinkedHashMap<>();
        private long nanos;

        Classes(Shape shape, boolean sheds) {
            double batch = (double) shape.batch() / shape.connections();
            List<ClassShare> shares =
                    List.of(new ClassShare(1 - batch, Integer.MAX_VALUE), new ClassShare(batch, Integer.MAX_VALUE));
            this.gate = new ClassGate(shape.connections(), () -> nanos, AcquisitionOrder.FAIR, shares, sheds);
        }

        private static int requestClass(Ask ask) {
            return ask.kind().equals(Sharing.BATCH) ? 1 : 0;
        }

        @Override
        public List<Ask> asks(Ask ask, double now) {
            nanos = (long) (now * NANOS);
            if (gate.gate().tryEnter(nanos, requestClass(ask), false)) {
                return List.of(ask);
            }
            long expires = nanos + (long) (ask.deadline() * NANOS);
            waiting.put(ask, gate.join(nanos, requestClass(ask), ask.tenant(), false, expires, expires));
            return served();
        }

        @Override
        public List<Ask> ends(Ask ask, double now) {
            nanos = (long) (now * NANOS);
            long held = (long) (ask.work() * NANOS);
            gate.ended(held, requestClass(ask), ask.tenant());
            gate.gate().exit(nanos, held, requestClass(ask));
            return served();
        }

        @Override
        public double until(Ask ask) {
            ClassWaiter waiter = waiting.get(ask);
            return waiter == null || waiter.shedNanos() == Long.MAX_VALUE
                    ? Double.POSITIVE_INFINITY
                    : waiter.shedNanos() / NANOS;
        }

        /** A waiter that the gate wakes to try is one whose thread runs at once. */
        private List<Ask> served() {
            for (Waiter first : waiting.values()) {
                gate.gate().await(first, nanos);
                break;
            }
            List<Ask> served = waiting.entrySet().stream()
                    .filter(one -> one.getValue().granted())
                    .map(Map.Entry::getKey)
                    .toList();
            served.forEach(waiting::remove);
            return served;
        }

        @Override
        public boolean leaves(Ask ask, double now) {
            nanos = (long) (now * NANOS);
            Waiter waiter = waiting.get(ask);
            boolean left = waiter != null && gate.gate().leave(waiter, nanos);
            if (left) {
                waiting.remove(ask);
            }
            return left;
        }
    }
}
