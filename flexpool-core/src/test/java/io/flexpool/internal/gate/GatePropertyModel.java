// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.internal.pool.ManualTicker;
import io.flexpool.pool.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/**
 * A gate and a plain model of it side by side, for one thread: two numbers and a list stand for the gate's word, its
 * queue and its claims. Each step is done to both, and {@link #compare} finds what differs.
 */
final class GatePropertyModel {
    /** A waiter of the gate and what the model says of it. */
    private static final class Place {
        final Waiter waiter;
        final long sinceNanos;
        boolean granted;

        Place(Waiter waiter, long sinceNanos) {
            this.waiter = waiter;
            this.sinceNanos = sinceNanos;
        }
    }

    private final ManualTicker ticker = new ManualTicker();
    private int limit = 2;
    private final Gate gate;
    private int foreign;
    private int used;
    private final List<Place> queue = new ArrayList<>();
    /** Those who have been granted a permit and have not fetched it yet. */
    private final List<Place> served = new ArrayList<>();

    GatePropertyModel(BiFunction<Integer, Ticker, Gate> gates) {
        gate = gates.apply(limit, ticker);
    }

    private long now() {
        return ticker.nanos();
    }

    private boolean free() {
        return used < limit - foreign;
    }

    private boolean waitedLong(Place place) {
        return now() - place.sinceNanos > Gate.ORDER_AFTER_NANOS;
    }

    private void serve(boolean also) {
        while (!queue.isEmpty() && free() && (also || waitedLong(queue.get(0)))) {
            Place first = queue.remove(0);
            first.granted = true;
            served.add(first);
            used++;
        }
    }

    // ---- the steps ----

    void tryEnter() {
        boolean expected = free() && (queue.isEmpty() || !waitedLong(queue.get(0)));
        if (expected) {
            used++;
        }
        assertThat(gate.tryEnter(now())).as("a newcomer's permit").isEqualTo(expected);
    }

    void join() {
        queue.add(new Place(gate.join(now()), now()));
    }

    /** A waiter's deadline has come: it looks once and does not sleep. */
    void look(int which) {
        List<Place> all = places();
        Place place = all.get(which % all.size());
        serve(true);
        assertThat(gate.await(place.waiter, now())).as("the permit").isEqualTo(place.granted);
        served.remove(place);
    }

    void leave(int which) {
        List<Place> all = places();
        Place place = all.get(which % all.size());
        boolean left = queue.remove(place);
        if (left) {
            serve(true);
        }
        assertThat(gate.leave(place.waiter, now())).as("left without a permit").isEqualTo(left);
        served.remove(place);
    }

    void exit() {
        used--;
        gate.exit(now());
        serve(false);
    }

    void limit(int newLimit) {
        limit = newLimit;
        gate.limit(newLimit, now());
        serve(true);
    }

    void foreign(int connections) {
        boolean changed = foreign != connections;
        foreign = connections;
        gate.foreign(connections, now());
        if (changed) {
            serve(true);
        }
    }

    void pass(Duration time) {
        ticker.advance(time);
    }

    // ---- what a step needs, and what must hold after each ----

    boolean anybodyIn() {
        return used > served.size();
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
        assertThat(gate.usedCount()).as("permits in use").isEqualTo(used).isNotNegative();
        assertThat(gate.waitingCount()).as("waiters").isEqualTo(queue.size());
        assertThat(gate.limit()).as("limit").isEqualTo(limit);
        assertThat(gate.foreign()).as("foreign connections").isEqualTo(foreign);
        assertThat(gate.oldestWaitNanos(now()))
                .as("the oldest waiter's wait")
                .isEqualTo(queue.isEmpty() ? 0 : now() - queue.get(0).sinceNanos);
        for (Place place : places()) {
            assertThat(place.waiter.granted()).as("granted").isEqualTo(place.granted);
        }
    }

    /** All permits are released, with room for all: no waiter and no permit is left. */
    void drain() {
        limit(limit + queue.size() + used + foreign);
        compare();
        assertThat(queue).isEmpty();
        served.clear();
        while (used > 0) {
            exit();
        }
        assertThat(gate.usedCount()).isZero();
        assertThat(gate.waitingCount()).isZero();
    }

    @Override
    public String toString() {
        return "limit " + limit + ", foreign " + foreign + ", used " + used + ", waiting " + queue.size();
    }
}
