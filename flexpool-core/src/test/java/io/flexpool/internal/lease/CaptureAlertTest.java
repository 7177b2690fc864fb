// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lease;

import static io.flexpool.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.event.PoolListener.LeaseInspector;
import io.flexpool.internal.jdbc.CountedLease;
import io.flexpool.internal.pool.TestContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A close watch and the tick that ends the alert, where one comes in the middle of the other. */
@Timeout(300)
class CaptureAlertTest {
    private static final LeaseInspector WATCHER = new LeaseInspector() {};

    private final TestContext part = new TestContext(settings -> {});
    private final Watchers watchers = new Watchers();
    private final LeaseTracker leases = new LeaseTracker(part.context, 2, watchers);

    /** The watchers of a tracker, with something that happens where a tick asks whether there are any. */
    private static final class Watchers extends ConcurrentHashMap<Object, LeaseInspector> {
        private static final long serialVersionUID = 1;

        private transient Runnable meanwhile = () -> {};

        @Override
        public boolean isEmpty() {
            boolean empty = super.isEmpty();
            Runnable once = meanwhile;
            meanwhile = () -> {};
            once.run();
            return empty;
        }
    }

    /** The first lease of a slot is always captured. */
    @BeforeEach
    void useUpTheFirst() {
        captured();
        assertThat(captured()).isFalse();
    }

    private boolean captured() {
        long now = part.ticker.nanos();
        Slot slot = leases.slots().claim(Thread.currentThread());
        leases.open(slot, part.fake.connection(), new CountedLease(), now, now, false);
        boolean captured = slot.site != null;
        slot.vacate();
        return captured;
    }

    private void tick() {
        part.ticker.advance(Duration.ofMillis(250));
        leases.tick(part.ticker.nanos(), 0, part.context.state());
    }

    /** A watcher missed what was leased while a tick looked whether anything watches. */
    @Test
    void whatIsLeasedDuringATickIsCaptured() {
        Runnable end = leases.inspect(WATCHER, true);
        List<Boolean> during = new ArrayList<>();
        watchers.meanwhile = () -> during.add(captured());
        tick();
        assertThat(during).containsExactly(true);
        assertThat(captured()).isTrue();
        end.run();
        tick();
        assertThat(captured()).isFalse();
    }

    /** It is added after the tick saw none, and before the tick ends the alert of the one that has gone. */
    @Test
    void aWatcherThatComesWhileTheAlertEndsMissesNothing() throws Exception {
        leases.inspect(WATCHER, true).run();
        Thread next = new Thread(() -> leases.inspect(WATCHER, true));
        watchers.meanwhile = () -> {
            next.start();
            eventually(() -> next.getState() == Thread.State.WAITING || next.getState() == Thread.State.TERMINATED);
        };
        tick();
        next.join();
        assertThat(captured()).isTrue();
    }
}
