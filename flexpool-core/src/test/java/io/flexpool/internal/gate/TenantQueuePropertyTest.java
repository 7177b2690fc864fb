// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.BeforeTry;
import org.jspecify.annotations.Nullable;

/** A queue of tenants beside a plain model of it, for one thread: a list, and what each place has paid. */
class TenantQueuePropertyTest {
    private static final long NEVER = Long.MAX_VALUE;
    private static final long LEASE_NANOS = 1_000_000;

    private TenantQueue queue = new TenantQueue();
    private final List<ClassWaiter> model = new ArrayList<>();
    private final double[] paid = new double[TenantQueue.TENANTS + 1];
    private long nowNanos = 1;
    private boolean named;

    @BeforeTry
    void empty() {
        queue = new TenantQueue();
        model.clear();
        Arrays.fill(paid, 0);
        named = false;
    }

    private void joins(int tenant, boolean shed) {
        ClassWaiter waiter = new ClassWaiter(nowNanos++, 0, tenant, false, NEVER, shed ? NEVER - 1 : NEVER);
        queue.add(waiter);
        named |= tenant != TenantQueue.NONE;
        // Those who are shed stand in front.
        model.add(shed ? 0 : model.size(), waiter);
    }

    private @Nullable ClassWaiter first(int tenant) {
        return model.stream().filter(one -> one.tenant == tenant).findFirst().orElse(null);
    }

    private @Nullable ClassWaiter expected() {
        int[] waiting = model.stream().mapToInt(one -> one.tenant).distinct().toArray();
        double sum = Arrays.stream(waiting).mapToDouble(tenant -> paid[tenant]).sum();
        ClassWaiter next = null;
        for (int tenant = 0; tenant < paid.length; tenant++) {
            ClassWaiter first = first(tenant);
            boolean inTurn = paid[tenant] * waiting.length <= 1.25 * sum;
            if (first != null && inTurn && (next == null || first.sinceNanos < next.sinceNanos)) {
                next = first;
            }
        }
        return next;
    }

    private void ends(ClassWaiter waiter, int how) {
        waiter.claim.set(how);
        waiter.counted = Waiter.UNCOUNTED;
        model.remove(waiter);
        queue.stopped(waiter, model.size());
    }

    private void serves() {
        ClassWaiter next = queue.next();
        assertThat(next).isSameAs(expected());
        if (next != null) {
            queue.serves(next, 0);
            // Before there are tenants nobody pays.
            paid[next.tenant] += named ? LEASE_NANOS : 0;
            ends(next, Waiter.GRANTED);
        }
    }

    @Property(tries = 200)
    void nextIsTheOldestOfThoseThatHaveNotHadTooMuch(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 8) int tenants) {
        Random random = new Random(seed);
        for (int step = 0; step < 300; step++) {
            int what = random.nextInt(10);
            if (what < 5) {
                int tenant = random.nextInt(tenants + 1);
                joins(tenant == tenants ? TenantQueue.NONE : tenant, random.nextInt(4) == 0);
            } else if (what < 9) {
                serves();
            } else if (!model.isEmpty()) {
                ends(model.get(random.nextInt(model.size())), Waiter.GONE);
            }
            assertThat(queue.oldest())
                    .isSameAs(model.stream()
                            .min((one, other) -> Long.compare(one.sinceNanos, other.sinceNanos))
                            .orElse(null));
        }
        while (!model.isEmpty()) {
            serves();
        }
        assertThat(queue.next()).isNull();
    }

    /** A tenant that floods the queue, and one more whose request is the last. */
    @Property(tries = 100)
    void nobodyStarves(@ForAll @IntRange(min = 1, max = 60) int served, @ForAll @IntRange(max = 63) int tenant) {
        for (int at = 0; at < served; at++) {
            joins(tenant, false);
            serves();
        }
        int flood = (tenant + 1) % TenantQueue.TENANTS;
        joins(tenant, false);
        ClassWaiter last = model.get(0);
        int turns = 0;
        while (last.waits()) {
            joins(flood, false);
            serves();
            turns++;
            assertThat(turns).as("turns of the other one").isLessThanOrEqualTo(served + 1);
        }
    }

    @Property(tries = 50)
    void withoutTenantsTheOldestIsNext(@ForAll @IntRange(min = 1, max = 100) int waiters) {
        for (int at = 0; at < waiters; at++) {
            joins(TenantQueue.NONE, false);
        }
        while (!model.isEmpty()) {
            assertThat(queue.next()).isSameAs(model.get(0));
            serves();
        }
    }
}
