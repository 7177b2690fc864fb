// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.internal.pool.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who gets a permit of several classes. One thread does everything, and time is the test's. */
class ClassGateTest {
    private static final int WEB = 0;
    private static final int BATCH = 1;
    private static final int ANY = Integer.MAX_VALUE;
    private static final long NEVER = Long.MAX_VALUE;

    private final ManualTicker ticker = new ManualTicker();

    private ClassGate gate(int limit, ClassShare... shares) {
        return new ClassGate(limit, ticker, AcquisitionOrder.FAIR, List.of(shares), false);
    }

    private long now() {
        return ticker.nanos();
    }

    private void enter(ClassGate gate, int requestClass, int times) {
        for (int at = 0; at < times; at++) {
            assertThat(gate.gate().tryEnter(now(), requestClass, false)).isTrue();
        }
    }

    private Waiter join(ClassGate gate, int requestClass) {
        return gate.join(now(), requestClass, false, NEVER);
    }

    private List<Waiter> join(ClassGate gate, int requestClass, int number) {
        List<Waiter> waiters = new ArrayList<>();
        for (int at = 0; at < number; at++) {
            waiters.add(join(gate, requestClass));
        }
        return waiters;
    }

    private static long granted(List<Waiter> waiters) {
        return waiters.stream().filter(Waiter::granted).count();
    }

    private void pass(long millis) {
        ticker.advance(Duration.ofMillis(millis));
    }

    private void exit(ClassGate gate, int requestClass) {
        gate.gate().exit(now(), Long.MAX_VALUE, requestClass);
    }

    @Test
    void whatIsGuaranteedAndIdleIsForWhoeverAsks() {
        ClassGate gate = gate(4, new ClassShare(0.75, ANY), new ClassShare(0.25, ANY));
        enter(gate, BATCH, 4);
        assertThat(gate.gate().usedCount(BATCH)).isEqualTo(4);
        assertThat(gate.gate().tryEnter(now(), WEB, false)).isFalse();
    }

    @Test
    void aClassBelowItsGuaranteeGoesFirstHoweverLateItCame() {
        ClassGate gate = gate(4, new ClassShare(0.75, ANY), new ClassShare(0.25, ANY));
        enter(gate, BATCH, 4);
        List<Waiter> batch = join(gate, BATCH, 4);
        pass(100);
        List<Waiter> web = join(gate, WEB, 4);
        pass(10);
        for (int lease = 1; lease <= 3; lease++) {
            exit(gate, BATCH);
            assertThat(granted(web)).isEqualTo(lease);
        }
        assertThat(granted(batch)).isZero();
        assertThat(gate.gate().usedCount(WEB)).isEqualTo(3);
    }

    /** It left a permit unused until the thread of the ended request had run. */
    @Test
    void aRequestWhoseTimeIsOverDoesNotKeepAPermitFromOneThatWaitsLong() {
        ClassGate gate = gate(1, new ClassShare(0, ANY), new ClassShare(0, ANY));
        enter(gate, BATCH, 1);
        Waiter waitsLong = join(gate, WEB);
        ticker.advance(Duration.ofNanos(1));
        // Its thread holds a connection, so it stands before the other one.
        Waiter ended = gate.join(now(), WEB, true, now() + 1);
        ended.woken = true;
        ticker.advance(Duration.ofNanos(Gate.ORDER_AFTER_NANOS));
        exit(gate, BATCH);
        assertThat(waitsLong.granted()).isTrue();
        assertThat(ended.granted()).isFalse();
    }

    @Test
    void aReleaseWakesANewWaiterOfOneClassBesideAWokenOneOfAnotherThatIsFull() {
        ClassGate gate = gate(2, new ClassShare(0, ANY), new ClassShare(0, 1));
        enter(gate, BATCH, 1);
        enter(gate, WEB, 1);
        join(gate, BATCH).woken = true;
        Waiter web = join(gate, WEB);
        exit(gate, WEB);
        assertThat(web.woken).as("it can use the permit").isTrue();
        assertThat(web.granted()).as("it is new, and only tries").isFalse();
        pass(2);
        gate.gate().tryEnter(now(), WEB, false);
        exit(gate, WEB);
        assertThat(web.granted()).as("it is old, and may not be passed").isTrue();
    }

    @Test
    void aClassNeverExceedsItsMostAndOthersPassItsWaiters() {
        ClassGate gate = gate(4, new ClassShare(0, ANY), new ClassShare(0, 2));
        enter(gate, BATCH, 2);
        assertThat(gate.gate().tryEnter(now(), BATCH, false)).isFalse();
        List<Waiter> batch = join(gate, BATCH, 2);
        pass(100);
        enter(gate, WEB, 2);
        exit(gate, WEB);
        assertThat(granted(batch)).as("a permit of another class is no room").isZero();
        exit(gate, BATCH);
        assertThat(batch.get(0).granted()).isTrue();
        assertThat(batch.get(1).granted()).isFalse();
        assertThat(gate.gate().usedCount(BATCH)).isEqualTo(2);
    }

    @Test
    void anOpenGateKnowsNoMost() {
        ClassGate gate = gate(4, new ClassShare(0, ANY), new ClassShare(0, 1));
        gate.gate().open(now());
        enter(gate, BATCH, 9);
        gate.gate().shut();
        assertThat(gate.gate().tryEnter(now(), BATCH, false)).isFalse();
    }

    /** Otherwise the first class would have everything: it is asked first. */
    @Test
    void aboveTheirGuaranteesClassesShareByTheTimeOfTheirLeases() {
        ClassGate gate = gate(1, new ClassShare(0, ANY), new ClassShare(0, ANY));
        enter(gate, WEB, 1);
        List<Waiter> web = join(gate, WEB, 40);
        List<Waiter> batch = join(gate, BATCH, 40);
        pass(10);
        int holder = WEB;
        for (int lease = 0; lease < 40; lease++) {
            // A lease of batch is three times as long as one of web, and so there are three times as many of web.
            pass(holder == BATCH ? 30 : 10);
            long webBefore = granted(web);
            exit(gate, holder);
            holder = granted(web) > webBefore ? WEB : BATCH;
        }
        assertThat(granted(batch)).isEqualTo(10);
        assertThat(granted(web)).isEqualTo(30);
    }

    /** Nobody is paid later for permits that it did not ask for. */
    @Test
    void aClassThatDidNotAskHasNoCreditForThatTime() {
        ClassGate gate = gate(1, new ClassShare(0, ANY), new ClassShare(0, ANY));
        enter(gate, WEB, 1);
        List<Waiter> web = join(gate, WEB, 40);
        for (int lease = 0; lease < 20; lease++) {
            pass(10);
            exit(gate, WEB);
        }
        List<Waiter> batch = join(gate, BATCH, 40);
        int holder = WEB;
        for (int lease = 0; lease < 10; lease++) {
            pass(10);
            long before = granted(web);
            exit(gate, holder);
            holder = granted(web) > before ? WEB : BATCH;
        }
        assertThat(granted(batch)).isBetween(4L, 6L);
    }

    @Test
    void aThreadThatHoldsAPermitGoesBeforeNewcomersOfItsClass() {
        ClassGate gate = gate(2, new ClassShare(0, ANY), new ClassShare(0, 2));
        enter(gate, BATCH, 2);
        List<Waiter> newcomers = join(gate, BATCH, 3);
        pass(100);
        Waiter nested = gate.join(now(), BATCH, true, NEVER);
        pass(10);
        exit(gate, BATCH);
        assertThat(nested.granted()).isTrue();
        assertThat(granted(newcomers)).isZero();
    }

    @Test
    void aWaiterWhoseTimeIsOverGetsNoPermitAndIsAnswered() {
        ClassGate gate = gate(1, new ClassShare(0, ANY));
        enter(gate, WEB, 1);
        Waiter late = gate.join(now(), WEB, false, now() + 5_000_000);
        Waiter next = gate.join(now(), WEB, false, now() + 5_000_001);
        pass(5);
        exit(gate, WEB);
        assertThat(late.granted()).isFalse();
        assertThat(late.woken).as("answered").isTrue();
        assertThat(next.granted()).isTrue();
        assertThat(gate.gate().waitingCount()).isZero();
        assertThat(gate.gate().leave(late, now())).as("leaves without a permit").isTrue();
        assertThat(gate.gate().usedCount()).isOne();
    }

    /** The queue of a pool that recovers is full of requests whose callers have gone. */
    @Test
    void ofFiveThousandThatTimedOutNoneGetsAPermit() {
        ClassGate gate = gate(20, new ClassShare(0.5, ANY), new ClassShare(0.5, ANY));
        enter(gate, WEB, 10);
        enter(gate, BATCH, 10);
        List<Waiter> late = new ArrayList<>();
        for (int at = 0; at < 5_000; at++) {
            late.add(gate.join(now(), at % 2, false, now() + 900_000_000));
        }
        pass(900);
        List<Waiter> inTime = new ArrayList<>(join(gate, WEB, 10));
        inTime.addAll(join(gate, BATCH, 10));
        pass(10);
        for (int lease = 0; lease < 10; lease++) {
            exit(gate, WEB);
            exit(gate, BATCH);
        }
        assertThat(granted(late)).isZero();
        assertThat(granted(inTime)).isEqualTo(20);
        assertThat(gate.gate().waitingCount()).isZero();
        assertThat(gate.gate().line.all()).as("still held").hasSizeLessThan(100);
    }

    @Test
    void aHigherLimitServesTheClassesInTheirOrder() {
        ClassGate gate = gate(2, new ClassShare(0.5, ANY), new ClassShare(0.5, ANY));
        enter(gate, BATCH, 2);
        List<Waiter> batch = join(gate, BATCH, 4);
        List<Waiter> web = join(gate, WEB, 4);
        gate.gate().limit(6, now());
        assertThat(granted(web)).isEqualTo(3);
        assertThat(granted(batch)).isEqualTo(1);
    }

    @Test
    void figuresAreByClass() {
        ClassGate gate = gate(3, new ClassShare(0, ANY), new ClassShare(0, 1));
        enter(gate, WEB, 2);
        enter(gate, BATCH, 1);
        Waiter first = join(gate, BATCH);
        join(gate, BATCH);
        assertThat(gate.gate().usedCount(WEB)).isEqualTo(2);
        assertThat(gate.gate().usedCount(BATCH)).isOne();
        assertThat(gate.waitingCount(WEB, 99)).isZero();
        assertThat(gate.waitingCount(BATCH, 99)).isEqualTo(2);
        assertThat(gate.gate().leave(first, now())).isTrue();
        assertThat(gate.waitingCount(BATCH, 99)).isOne();
    }

    private ClassWaiter asks(ClassGate gate) {
        ClassWaiter waiter = gate.join(now(), BATCH, false, NEVER);
        gate.gate().await(waiter, now());
        return waiter;
    }

    private void endsAfter(ClassGate gate, long millis) {
        pass(millis);
        gate.ended(Duration.ofMillis(millis).toNanos(), BATCH, TenantQueue.NONE);
        exit(gate, BATCH);
    }

    private ClassGate shedding() {
        List<ClassShare> shares = List.of(new ClassShare(0.5, ANY), new ClassShare(0, ANY));
        ClassGate gate = new ClassGate(1, ticker, AcquisitionOrder.FAIR, shares, true);
        enter(gate, BATCH, 1);
        asks(gate);
        endsAfter(gate, 10);
        return gate;
    }

    @Test
    void newcomersOfAClassThatIsShedWaitForTheEndOfAHold() {
        ClassGate gate = shedding();
        for (int at = 0; at < 3; at++) {
            asks(gate);
            pass(200);
        }
        assertThat(asks(gate).shed()).as("its class is overloaded").isTrue();
        gate.gate().pause(true, now());
        assertThat(asks(gate).shed()).isFalse();
    }

    @Test
    void aGateThatIsHeldIsNotOverloaded() {
        ClassGate gate = shedding();
        endsAfter(gate, 0);
        gate.gate().pause(true, now());
        List<ClassWaiter> waiters = new ArrayList<>();
        for (int at = 0; at < 4; at++) {
            pass(200);
            waiters.add(asks(gate));
        }
        assertThat(waiters).noneMatch(ClassWaiter::shed).noneMatch(Waiter::granted);
        pass(200);
        gate.gate().pause(false, now());
        assertThat(waiters.get(0).granted()).isTrue();
        assertThat(asks(gate).shed()).as("right after it").isFalse();
        for (int at = 0; at < 3; at++) {
            gate.gate().await(waiters.get(3), now());
            pass(200);
        }
        gate.gate().await(waiters.get(3), now());
        assertThat(asks(gate).shed()).as("a lease that does not end afterwards").isTrue();
    }
}
