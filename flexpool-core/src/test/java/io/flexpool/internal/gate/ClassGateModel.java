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
        final int ofClass;
        final boolean holds;
        final long sinceNanos;
        final long expiresNanos;

        Place(Waiter waiter, int ofClass, boolean holds, long sinceNanos, long expiresNanos) {
            this.waiter = waiter;
            this.ofClass = ofClass;
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

    private boolean room(int ofClass) {
        return total() < limit - foreign && used[ofClass] < SHARES.get(ofClass).most();
    }

    /** The same for a waiter: one that holds a permit may exceed what its class has at most. */
    private boolean room(Place place) {
        return room(place.ofClass) || (place.holds && total() < limit - foreign);
    }

    private boolean below(int ofClass) {
        return used[ofClass] < SHARES.get(ofClass).guarantee() * limit;
    }

    private boolean expired(Place place) {
        return place.expiresNanos != NEVER && now() - place.expiresNanos >= 0;
    }

    private boolean waitedLong(Place place) {
        return now() - place.sinceNanos > Gate.ORDER_AFTER_NANOS;
    }

    /** The first one of a class whose time is not over; null if none waits. */
    private @Nullable Place first(int ofClass) {
        @Nullable Place first = null;
        for (Place place : queue) {
            boolean its = place.ofClass == ofClass && !expired(place);
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
                for (int ofClass = 0; ofClass < used.length && !found; ofClass++) {
                    Place first = first(ofClass);
                    // Classes below their guarantee first.
                    if (first != null && first.waiter.granted() && below(ofClass) == (best == 0)) {
                        found = true;
                        assertThat(room(first))
                                .as("room for %s in %s", ofClass, this)
                                .isTrue();
                        assertThat(inAnyCase || waitedLong(first))
                                .as("waited long enough to be handed a permit")
                                .isTrue();
                        assertThat(best == 0 || !anyBelowWaits())
                                .as("a class below its guarantee goes first in %s", this)
                                .isTrue();
                        used[ofClass]++;
                        queue.remove(first);
                        served.add(first);
                    }
                }
            }
        }
        assertThat(queue.stream().filter(place -> place.waiter.granted()))
                .as("served before its turn, or after its time")
                .isEmpty();
        for (int ofClass = 0; ofClass < used.length; ofClass++) {
            Place first = first(ofClass);
            boolean mayWait = first == null || !room(first) || (!inAnyCase && anyYoungCouldBeNext());
            assertThat(mayWait)
                    .as("class %s waits beside a permit in %s", ofClass, this)
                    .isTrue();
        }
    }

    private boolean anyBelowWaits() {
        for (int ofClass = 0; ofClass < used.length; ofClass++) {
            Place first = first(ofClass);
            if (first != null && below(ofClass) && room(first)) {
                return true;
            }
        }
        return false;
    }

    private boolean anyYoungCouldBeNext() {
        for (int ofClass = 0; ofClass < used.length; ofClass++) {
            Place first = first(ofClass);
            if (first != null && room(first) && !waitedLong(first)) {
                return true;
            }
        }
        return false;
    }

    // ---- the steps ----

    void tryEnter(int ofClass) {
        boolean someoneInOrder = false;
        for (Place place : queue) {
            // Also one whose time is over: it is not looked at before the next permit.
            boolean couldBeServed = place.holds
                    || used[place.ofClass] < SHARES.get(place.ofClass).most();
            someoneInOrder |= couldBeServed && waitedLong(place) && isFirst(place);
        }
        boolean expected = room(ofClass) && !someoneInOrder;
        if (expected) {
            used[ofClass]++;
        }
        assertThat(gate.gate().tryEnter(now(), ofClass, false))
                .as("a newcomer's permit in %s", this)
                .isEqualTo(expected);
    }

    /** Whether none of its class stands before it, even one whose time is over. */
    private boolean isFirst(Place one) {
        boolean before = false;
        for (Place place : queue) {
            boolean earlier = queue.indexOf(place) < queue.indexOf(one);
            before |= place.ofClass == one.ofClass && (place.holds == one.holds ? earlier : place.holds);
        }
        return !before;
    }

    void join(int ofClass, boolean holds, long patience) {
        long expires = patience == 0 ? NEVER : now() + patience;
        queue.add(new Place(gate.join(now(), ofClass, holds, expires), ofClass, holds, now(), expires));
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

    void exit(int ofClass) {
        used[ofClass]--;
        gate.gate().exit(now(), Long.MAX_VALUE, ofClass);
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

    boolean anybodyIn(int ofClass) {
        return used[ofClass]
                > served.stream().filter(place -> place.ofClass == ofClass).count();
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
        for (int ofClass = 0; ofClass < used.length; ofClass++) {
            int its = ofClass;
            assertThat(gate.gate().usedCount(ofClass))
                    .as("permits of class %s", ofClass)
                    .isEqualTo(used[ofClass]);
            assertThat(gate.waitingCount(ofClass, 99))
                    .as("waiters of class %s", ofClass)
                    .isEqualTo((int)
                            queue.stream().filter(place -> place.ofClass == its).count());
        }
    }

    /** All permits are released, with room for all: no waiter and no permit is left. */
    void drain() {
        foreign(0);
        while (!queue.isEmpty() || total() > 0) {
            served.clear();
            limit(limit + 1);
            for (int ofClass = 0; ofClass < used.length; ofClass++) {
                while (used[ofClass] > 0) {
                    served.clear();
                    exit(ofClass);
                }
            }
            pass(Duration.ofNanos(2 * Gate.ORDER_AFTER_NANOS));
        }
        compare();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("limit " + limit + ", foreign " + foreign);
        for (int ofClass = 0; ofClass < used.length; ofClass++) {
            int its = ofClass;
            long waiting = queue.stream().filter(place -> place.ofClass == its).count();
            text.append("; class ")
                    .append(ofClass)
                    .append(": ")
                    .append(used[ofClass])
                    .append(" used, ");
            text.append(waiting).append(" waiting");
        }
        return text.toString();
    }
}
