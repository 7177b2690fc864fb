// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.internal.pool.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A gate with classes and a plain model of it side by side, for one thread. The model does not say which of two classes
 * that are alike is next, which only time decides, but all else: who may have been served by a step, and who must.
 */
final class ClassGateModel {
    private static final long NEVER = Long.MAX_VALUE;
    static final List<ClassShare> SHARES =
            List.of(new ClassShare(0.5, Integer.MAX_VALUE), new ClassShare(0.25, 3), new ClassShare(0, 1));

    /** A waiter of the gate and what the model knows of it. */
    private static final class Place {
        final Waiter waiter;
        final int requestClass;
        final boolean holds;
        final long sinceNanos;
        final long expiresNanos;

        Place(Waiter waiter, int requestClass, boolean holds, long sinceNanos, long expiresNanos) {
            this.waiter = waiter;
            this.requestClass = requestClass;
            this.holds = holds;
            this.sinceNanos = sinceNanos;
            this.expiresNanos = expiresNanos;
        }
    }

    private final ManualTicker ticker = new ManualTicker();
    private int limit = 3;
    private int foreign;
    private final ClassGate gate = new ClassGate(limit, ticker, AcquisitionOrder.FAIR, SHARES, false);
    private final int[] used = new int[SHARES.size()];
    /** In the order in which they joined; those that hold a permit first, of each class. */
    private final List<Place> queue = new ArrayList<>();
    /** Those who have been granted a permit and have not fetched it yet. */
    private final List<Place> served = new ArrayList<>();

    private long now() {
        return ticker.nanos();
    }

    private int total() {
        int sum = 0;
        for (int its : used) {
            sum += its;
        }
        return sum;
    }

    private boolean room(int requestClass) {
        return total() < limit - foreign
                && used[requestClass] < SHARES.get(requestClass).max();
    }

    /** The same for a waiter: one that holds a permit may exceed what its class has at most. */
    private boolean room(Place place) {
        return room(place.requestClass) || (place.holds && total() < limit - foreign);
    }

    private boolean below(int requestClass) {
        return used[requestClass] < SHARES.get(requestClass).guarantee() * limit;
    }

    private boolean expired(Place place) {
        return place.expiresNanos != NEVER && now() - place.expiresNanos >= 0;
    }

    private boolean waitedLong(Place place) {
        return now() - place.sinceNanos > Gate.ORDER_AFTER_NANOS;
    }

    /** The first one of a class whose time is not over; null if none waits. */
    private @Nullable Place first(int requestClass) {
        @Nullable Place first = null;
        for (Place place : queue) {
            boolean its = place.requestClass == requestClass && !expired(place);
            if (its && (first == null || (place.holds && !first.holds))) {
                first = place;
            }
        }
        return first;
    }

    /** Takes over whom the gate has served, one by one in an order that the rules allow, and says what is against them. */
    private void served(boolean inAnyCase) {
        queue.removeIf(place -> !place.waiter.waits() && !place.waiter.granted() && expired(place));
        boolean found = true;
        while (found) {
            found = false;
            for (int best = 0; best < 2 && !found; best++) {
                for (int requestClass = 0; requestClass < used.length && !found; requestClass++) {
                    Place first = first(requestClass);
                    // Classes below their guarantee first.
                    if (first != null && first.waiter.granted() && below(requestClass) == (best == 0)) {
                        found = true;
                        assertThat(room(first))
                                .as("room for %s in %s", requestClass, this)
                                .isTrue();
                        assertThat(inAnyCase || waitedLong(first))
                                .as("waited long enough to be handed a permit")
                                .isTrue();
                        assertThat(best == 0 || !anyBelowWaits())
                                .as("a class below its guarantee goes first in %s", this)
                                .isTrue();
                        used[requestClass]++;
                        queue.remove(first);
                        served.add(first);
                    }
                }
            }
        }
        assertThat(queue.stream().filter(place -> place.waiter.granted()))
                .as("served before its turn, or after its time")
                .isEmpty();
        for (int requestClass = 0; requestClass < used.length; requestClass++) {
            Place first = first(requestClass);
            boolean mayWait = first == null || !room(first) || (!inAnyCase && anyYoungCouldBeNext());
            assertThat(mayWait)
                    .as("class %s waits beside a permit in %s", requestClass, this)
                    .isTrue();
        }
    }

    private boolean anyBelowWaits() {
        for (int requestClass = 0; requestClass < used.length; requestClass++) {
            Place first = first(requestClass);
            if (first != null && below(requestClass) && room(first)) {
                return true;
            }
        }
        return false;
    }

    private boolean anyYoungCouldBeNext() {
        for (int requestClass = 0; requestClass < used.length; requestClass++) {
            Place first = first(requestClass);
            if (first != null && room(first) && !waitedLong(first)) {
                return true;
            }
        }
        return false;
    }

    // ---- the steps ----

    void tryEnter(int requestClass) {
        boolean someoneInOrder = false;
        for (Place place : queue) {
            // Also one whose time is over: it is not looked at before the next permit.
            boolean couldBeServed = place.holds
                    || used[place.requestClass] < SHARES.get(place.requestClass).max();
            someoneInOrder |= couldBeServed && waitedLong(place) && isFirst(place);
        }
        boolean expected = room(requestClass) && !someoneInOrder;
        if (expected) {
            used[requestClass]++;
        }
        assertThat(gate.gate().tryEnter(now(), requestClass, false))
                .as("a newcomer's permit in %s", this)
                .isEqualTo(expected);
    }

    /** Whether none of its class stands before it, even one whose time is over. */
    private boolean isFirst(Place one) {
        boolean before = false;
        for (Place place : queue) {
            boolean earlier = queue.indexOf(place) < queue.indexOf(one);
            before |= place.requestClass == one.requestClass && (place.holds == one.holds ? earlier : place.holds);
        }
        return !before;
    }

    void join(int requestClass, boolean holds, long patience) {
        long expires = patience == 0 ? NEVER : now() + patience;
        queue.add(new Place(gate.join(now(), requestClass, holds, expires), requestClass, holds, now(), expires));
    }

    void leave(int which) {
        List<Place> all = places();
        Place place = all.get(which % all.size());
        boolean had = served.remove(place);
        boolean left = gate.gate().leave(place.waiter, now());
        assertThat(left).as("left without a permit").isEqualTo(!had);
        queue.remove(place);
        if (left) {
            served(true);
        }
    }

    /** A waiter looks once and does not sleep. */
    void look(int which) {
        List<Place> all = places();
        Place place = all.get(which % all.size());
        boolean has = gate.gate().await(place.waiter, now());
        served(true);
        assertThat(has).as("the permit").isEqualTo(served.contains(place));
        served.remove(place);
    }

    void exit(int requestClass) {
        used[requestClass]--;
        gate.gate().exit(now(), Long.MAX_VALUE, requestClass);
        served(false);
    }

    void limit(int newLimit) {
        limit = newLimit;
        gate.gate().limit(newLimit, now());
        served(true);
    }

    void foreign(int connections) {
        boolean changed = foreign != connections;
        foreign = connections;
        gate.gate().foreign(connections, now());
        if (changed) {
            served(true);
        }
    }

    void pass(Duration time) {
        ticker.advance(time);
    }

    // ---- what a step needs, and what must hold after each ----

    boolean anybodyIn(int requestClass) {
        return used[requestClass]
                > served.stream()
                        .filter(place -> place.requestClass == requestClass)
                        .count();
    }

    boolean anybodyToLook() {
        return !places().isEmpty();
    }

    private List<Place> places() {
        List<Place> all = new ArrayList<>(served);
        all.addAll(queue);
        return all;
    }

    void compare() {
        assertThat(gate.gate().usedCount()).as("permits in use").isEqualTo(total());
        assertThat(gate.gate().waitingCount()).as("waiters").isEqualTo(queue.size());
        for (int requestClass = 0; requestClass < used.length; requestClass++) {
            int its = requestClass;
            assertThat(gate.gate().usedCount(requestClass))
                    .as("permits of class %s", requestClass)
                    .isEqualTo(used[requestClass]);
            assertThat(gate.waitingCount(requestClass, 99))
                    .as("waiters of class %s", requestClass)
                    .isEqualTo((int) queue.stream()
                            .filter(place -> place.requestClass == its)
                            .count());
        }
    }

    /** All permits are released, with room for all: no waiter and no permit is left. */
    void drain() {
        foreign(0);
        while (!queue.isEmpty() || total() > 0) {
            served.clear();
            limit(limit + 1);
            for (int requestClass = 0; requestClass < used.length; requestClass++) {
                while (used[requestClass] > 0) {
                    served.clear();
                    exit(requestClass);
                }
            }
            pass(Duration.ofNanos(2 * Gate.ORDER_AFTER_NANOS));
        }
        compare();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("limit " + limit + ", foreign " + foreign);
        for (int requestClass = 0; requestClass < used.length; requestClass++) {
            int its = requestClass;
            long waiting =
                    queue.stream().filter(place -> place.requestClass == its).count();
            text.append("; class ")
                    .append(requestClass)
                    .append(": ")
                    .append(used[requestClass])
                    .append(" used, ");
            text.append(waiting).append(" waiting");
        }
        return text.toString();
    }
}
