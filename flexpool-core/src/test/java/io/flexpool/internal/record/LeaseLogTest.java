// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.spi.LeaseSink.LeaseBlock;
import io.flexpool.spi.LeaseSink.LeaseBlock.Phase;
import io.flexpool.spi.LeaseSink.WantedArrivals;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** What leases leave for the tick. */
class LeaseLogTest {
    private static final long NOW = Long.MAX_VALUE - 5_000;
    private static final int UNIT = 64;

    private final Recorder recorder = new Recorder();
    private final LeaseLog log = recorder.log();

    private static final class Slot extends SlotLog {
        void lease(int number) {
            log(NOW - 1_000, 0, (long) number * UNIT, 0, false, 0, 0, 0);
        }

        void rest() {
            idle();
        }
    }

    private Slot slot() {
        log.open();
        return recorder.add(new Slot());
    }

    private static long sum(LeaseBlock block) {
        long sum = 0;
        for (int at = 0; at < block.size(); at++) {
            sum += block.leaseNanos(at) / UNIT;
        }
        return sum;
    }

    @Test
    void aLeaseIsPassedOnOnceWithAllThatIsKnownOfIt() {
        Slot slot = slot();
        log.name(7, "Orders.find(Orders.java:8)");
        slot.log(NOW - 1_000_000, 250_000, 700_000, 7, true, 1_500, 0, 0);
        LeaseBlock block = log.drain(NOW, 3);
        assertThat(block.size()).isEqualTo(1);
        assertThat(NOW - 1_000_000 - block.arrivalNanos(0)).isBetween(0L, 63L);
        assertThat(block.waitNanos(0)).isBetween(250_000L - 63, 250_000L);
        assertThat(block.leaseNanos(0)).isBetween(700_000L - 63, 700_000L);
        assertThat(block.outcome(0)).isEqualTo(AcquisitionOutcome.OK);
        assertThat(block.callSite(0)).isEqualTo("Orders.find(Orders.java:8)");
        assertThat(block.thread(0)).isEqualTo(1 + 1_500 % 1_024);
        assertThat(block.nested(0)).isTrue();
        assertThat(block.requestClass(0)).as("a pool with one class for all").isEmpty();
        assertThat(block.takenNanos()).isEqualTo(NOW);
        assertThat(block.demand()).isEqualTo(3);
        assertThat(log.drain(NOW, 0).size()).isZero();
    }

    @Test
    void whatNobodyWantsIsCountedUnlessItTookLong() {
        Slot slot = slot();
        // The clock overflows between them.
        long from = NOW - 500;
        long until = from + Duration.ofMinutes(1).toNanos();
        log.want(new WantedArrivals(from, until));
        slot.log(from - 1, 0, 700, 0, false, 0, 0, 0);
        slot.log(until, 0, 700, 0, false, 0, 0, 0);
        slot.log(from, 0, UNIT, 0, false, 0, 0, 0);
        slot.log(until - 1, 0, 2 * UNIT, 0, false, 0, 0, 0);
        long half = WantedArrivals.LONG_NANOS / 2;
        slot.log(NOW - 2 * half, half - UNIT, half, 0, false, 0, 0, 0);
        slot.log(NOW - 2 * half, half, half, 0, false, 0, 0, 0);
        log.failed(NOW - 1_000, 1_000, AcquisitionOutcome.TIMEOUT, 0);
        LeaseBlock block = log.drain(NOW, 0);
        assertThat(block.unwanted()).isEqualTo(3);
        assertThat(block.lost()).isZero();
        assertThat(block.size()).isEqualTo(4);
        assertThat(sum(block)).isEqualTo(3 + half / UNIT);
        log.want(null);
        slot.log(NOW - 501, 0, 700, 0, false, 0, 0, 0);
        block = log.drain(NOW, 0);
        assertThat(block.unwanted()).isZero();
        assertThat(block.size()).isEqualTo(1);
    }

    /** A request may come while the tick, which has read the time, is still busy with another slot. */
    @Property(tries = 200)
    void eachArrivalWithinDaysIsFoundAgain(
            @ForAll long now,
            @ForAll @LongRange(min = -60_000_000_000L, max = 130_000_000_000_000L) long ago,
            @ForAll @IntRange(max = LeaseWords.MOST_SITES) int site,
            @ForAll boolean nested,
            @ForAll @IntRange(max = 1_023) int thread,
            @ForAll @IntRange(max = 7) int requestClass) {
        long word = LeaseWords.begin(now - ago, site, nested, thread, requestClass);
        assertThat(now - ago - LeaseWords.arrivalNanos(word, now)).isBetween(0L, 63L);
        assertThat(LeaseWords.site(word)).isEqualTo(site);
        assertThat(LeaseWords.nested(word)).isEqualTo(nested);
        assertThat(LeaseWords.thread(word)).isEqualTo(1 + thread);
        assertThat(LeaseWords.requestClass(word)).isEqualTo(requestClass);
    }

    @Test
    void eachRequestHasItsClass() {
        log.classes(List.of("interactive", "batch", "report"));
        Slot slot = slot();
        slot.log(NOW - 1_000, 0, 700, 511, true, 1_023, 2, 0);
        slot.log(NOW - 1_000, 0, 700, 511, true, 1_023, 0, 0);
        log.failed(NOW - 1_000, 1_000, AcquisitionOutcome.TIMEOUT, 1);
        LeaseBlock block = log.drain(NOW, 0);
        assertThat(block.size()).isEqualTo(3);
        assertThat(block.requestClass(0)).isEqualTo("report");
        assertThat(block.requestClass(1)).isEqualTo("interactive");
        assertThat(block.requestClass(2)).isEqualTo("batch");
    }

    @Test
    void durationsHaveALongest() {
        long word = LeaseWords.durations(Long.MAX_VALUE, Long.MAX_VALUE);
        assertThat(LeaseWords.waitNanos(word) / 1_000_000_000).isEqualTo(68);
        assertThat(LeaseWords.leaseNanos(word) / 1_000_000_000).isEqualTo(1_099);
        assertThat(LeaseWords.waitNanos(LeaseWords.durations(-1, 640))).isZero();
        assertThat(LeaseWords.leaseNanos(LeaseWords.durations(-1, 640))).isEqualTo(640);
    }

    /** 200,000 leases a second by one thread are 50,000 a tick. */
    @Test
    void nothingOfABusyTickIsLost() {
        Slot slot = slot();
        for (int at = 1; at <= 50_000; at++) {
            slot.lease(at);
        }
        LeaseBlock block = log.drain(NOW, 0);
        assertThat(block.size()).isEqualTo(50_000);
        assertThat(block.lost()).isZero();
        assertThat(sum(block)).isEqualTo(50_000L * 50_001 / 2);
    }

    @Test
    void whatFindsNoRoomIsCountedOnce() {
        Slot slot = slot();
        Slot other = slot();
        for (int at = 0; at < 150_000; at++) {
            slot.lease(1);
        }
        other.lease(1);
        LeaseBlock full = log.drain(NOW, 0);
        assertThat(full.size() + full.lost()).isEqualTo(150_001);
        assertThat(full.lost()).isPositive();
        slot.lease(1);
        LeaseBlock after = log.drain(NOW, 0);
        assertThat(after.size()).isEqualTo(1);
        assertThat(after.lost()).isZero();
    }

    @Test
    void aSlotThatRestsGivesItsRoomBack() {
        Slot slot = slot();
        for (int at = 0; at < 1_000; at++) {
            slot.lease(1);
        }
        int busy = log.words();
        slot.rest();
        assertThat(log.words()).as("not before all was read").isEqualTo(busy);
        log.drain(NOW, 0);
        slot.rest();
        assertThat(busy).isGreaterThan(2_000);
        assertThat(log.words()).isZero();
        slot.lease(5);
        assertThat(sum(log.drain(NOW, 0))).isEqualTo(5);
    }

    /** Also while a ring grows, and where leases have no shares at first. */
    @Test
    void eachTimedLeaseKeepsItsShares() {
        log.keepShares();
        Slot slot = slot();
        for (int at = 0; at <= 100; at++) {
            long shares = LeaseWords.share(LeaseWords.share(LeaseWords.share(-1, at, 100), -5, 100), 200, 100);
            slot.log(NOW - 1_000, 0, (long) at * UNIT, 0, false, 0, 0, at == 50 ? 0 : shares);
        }
        log.failed(NOW - 1_000, 1_000, AcquisitionOutcome.TIMEOUT, 0);
        LeaseBlock block = log.drain(NOW, 0);
        assertThat(block.size()).isEqualTo(102);
        for (int at = 0; at <= 101; at++) {
            if (at == 50 || at == 101) {
                assertThat(block.idleShare(at, Phase.BEFORE)).isNaN();
            } else {
                assertThat(block.leaseNanos(at)).isEqualTo((long) at * UNIT);
                assertThat(block.idleShare(at, Phase.BEFORE)).isCloseTo(at / 100.0, within(1e-6));
                assertThat(block.idleShare(at, Phase.BETWEEN)).isZero();
                assertThat(block.idleShare(at, Phase.AFTER)).isEqualTo(1);
            }
        }
    }

    /** A small ring stays: a slot with a lease a minute would make a new one each time. */
    @Test
    void aSmallRingStays() {
        Slot slot = slot();
        slot.lease(1);
        log.drain(NOW, 0);
        slot.rest();
        assertThat(log.words()).isEqualTo(2 * LeaseLog.FEWEST);
    }

    @Test
    void withoutAReaderNothingIsKept() {
        Slot slot = recorder.add(new Slot());
        slot.lease(1);
        log.failed(NOW, 5, AcquisitionOutcome.TIMEOUT, 0);
        assertThat(log.words()).isZero();
        assertThat(log.drain(NOW, 0).size()).isZero();
    }

    @Test
    void aRequestWithoutALeaseIsPassedOnToo() {
        log.open();
        log.name(3, "Orders.place(Orders.java:5)");
        log.callSites(() -> 3);
        log.failed(NOW - 2_000_000, 2_000_000, AcquisitionOutcome.TIMEOUT, 0);
        log.failed(NOW - 1_000, 0, AcquisitionOutcome.REJECTED, 0);
        LeaseBlock block = log.drain(NOW, 0);
        assertThat(block.size()).isEqualTo(2);
        assertThat(block.outcome(0)).isEqualTo(AcquisitionOutcome.TIMEOUT);
        assertThat(block.waitNanos(0)).isBetween(2_000_000L - 63, 2_000_000L);
        assertThat(block.leaseNanos(0)).isZero();
        assertThat(block.callSite(0)).isEqualTo("Orders.place(Orders.java:5)");
        assertThat(block.thread(0)).isEqualTo(1 + (int) Thread.currentThread().getId() % 1_024);
        assertThat(block.outcome(1)).isEqualTo(AcquisitionOutcome.REJECTED);
        assertThat(block.callSite(1)).as("turned away at once").isEmpty();
        assertThat(log.drain(NOW, 0).size()).isZero();
    }

    @Test
    void aStormOfFailuresIsBounded() {
        log.open();
        for (int at = 0; at < 10_050; at++) {
            log.failed(NOW, 0, AcquisitionOutcome.REJECTED, 0);
        }
        LeaseBlock block = log.drain(NOW, 0);
        assertThat(block.size()).isEqualTo(10_000);
        assertThat(block.lost()).isEqualTo(50);
        log.failed(NOW, 0, AcquisitionOutcome.REJECTED, 0);
        LeaseBlock after = log.drain(NOW, 0);
        assertThat(after.size()).isEqualTo(1);
        assertThat(after.lost()).isZero();
    }

    /** The tick reads while a thread writes, and while its ring grows: each lease comes once, or is counted as lost. */
    @Test
    void aReaderBesideAWriterLosesNothing() throws Exception {
        Slot slot = slot();
        int leases = 400_000;
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
            for (int at = 1; at <= leases; at++) {
                slot.lease(at);
            }
        });
        long seen = 0;
        long sum = 0;
        long lost = 0;
        boolean over;
        do {
            over = writer.isDone();
            LeaseBlock block = log.drain(NOW, 0);
            seen += block.size();
            sum += sum(block);
            lost += block.lost();
        } while (!over);
        writer.get();
        assertThat(seen + lost).isEqualTo(leases);
        if (lost == 0) {
            assertThat(sum).isEqualTo((long) leases * (leases + 1) / 2);
        }
    }
}
