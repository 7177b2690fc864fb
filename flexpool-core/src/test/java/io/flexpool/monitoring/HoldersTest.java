// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.monitoring.LeaseObserver.Holders;
import io.flexpool.monitoring.LeaseObserver.Holders.Holder;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class HoldersTest {
    private final Holders<String> holders = new Holders<>();

    private static List<OpenLease> open(long ageNanos) {
        Thread thread = Thread.currentThread();
        return List.of(new LeaseTracker.Open(
                thread.getName(),
                thread.getId(),
                false,
                "Shop.export(Shop.java:23)",
                Duration.ofNanos(ageNanos),
                OpenLease.Activity.UNKNOWN,
                null,
                null,
                false,
                null,
                null));
    }

    private static void elsewhere(Runnable task) throws InterruptedException {
        Thread other = new Thread(task);
        other.start();
        other.join();
    }

    @Test
    void anOpenLeaseHoldsSinceItBegan() {
        holders.acquired(1_000, "export");
        assertThat(holders.during(1_500, 2_000, open(1_200), 8)).singleElement().satisfies(holder -> {
            assertThat(holder.span()).isEqualTo("export");
            assertThat(holder.heldNanos()).isEqualTo(1_000);
            assertThat(holder.callSite()).isEqualTo("Shop.export(Shop.java:23)");
        });
    }

    @Test
    void aLeaseThatEndedDuringTheWaitHoldsUntilThen() {
        holders.acquired(1_000, "export");
        holders.released(1_000, 1_700);
        assertThat(holders.during(1_500, 2_000, List.of(), 8))
                .singleElement()
                .extracting(Holder::heldNanos)
                .isEqualTo(700L);
        assertThat(holders.during(1_800, 2_000, List.of(), 8)).isEmpty();
    }

    /** On a slow machine the thread's next lease, read late, looked as old: a wait was blamed on a lease that was over. */
    @Test
    void aLeaseThatAnotherThreadReturnedIsOver() throws InterruptedException {
        holders.acquired(1_000, "export");
        elsewhere(() -> holders.released(1_000, 2_000));
        assertThat(holders.during(2_100, 2_600, open(9_000), 8)).isEmpty();
        assertThat(holders.during(1_500, 2_600, List.of(), 8))
                .singleElement()
                .extracting(Holder::heldNanos)
                .isEqualTo(1_000L);
    }

    @Test
    void aLeaseWithoutASpanIsNoHolderAndNotThatBeforeIt() {
        holders.acquired(1_000, "export");
        holders.released(1_000, 1_100);
        holders.acquired(1_200, null);
        assertThat(holders.during(1_000, 2_000, open(900), 8)).isEmpty();
    }

    @Test
    void theLongestOverlapsComeFirst() throws InterruptedException {
        holders.acquired(1_000, "long");
        holders.released(1_000, 1_900);
        elsewhere(() -> {
            holders.acquired(1_100, "short");
            holders.released(1_100, 1_200);
        });
        assertThat(holders.during(1_000, 2_000, List.of(), 8))
                .extracting(Holder::span)
                .containsExactly("long", "short");
        assertThat(holders.during(1_000, 2_000, List.of(), 1))
                .extracting(Holder::span)
                .containsExactly("long");
    }
}
