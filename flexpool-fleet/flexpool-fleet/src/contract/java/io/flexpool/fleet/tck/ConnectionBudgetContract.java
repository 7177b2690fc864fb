// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.flexpool.fleet.ConnectionBudget;
import io.flexpool.fleet.FleetLedger;
import io.flexpool.fleet.FleetLedger.Outcome;
import io.flexpool.fleet.FleetLedger.Row;
import io.flexpool.fleet.FleetLedger.State;
import io.flexpool.fleet.FleetMember;
import io.flexpool.fleet.FleetRules;
import io.flexpool.fleet.Grant;
import io.flexpool.fleet.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a {@link ConnectionBudget} does, on a real store. A subclass names the store and knows how it keeps its entries. */
@Timeout(300)
public abstract class ConnectionBudgetContract {
    /**
     * The ages that the contract makes are multiples of it. No bound of the rules, 10, 12, 40 and 70 s, follows within three seconds
     * after one of them: a store whose clock goes on may be so late.
     */
    private static final long STEP_MILLIS = 6_700;

    /** By how much the model is later than the youngest that a store can be: half of that. */
    private static final long SHIFT_MILLIS = 1_500;

    private static final AtomicInteger FLEETS = new AtomicInteger();
    /** What members have for the cap: a few have not read it yet. */
    private static final List<Integer> CAPS = List.of(60, 60, 60, 60, 60, 45, 70, FleetRules.UNKNOWN);

    /** Twice that is past the calm. */
    private static final Duration WITHIN_LEASE = Duration.ofSeconds(8);

    private static final Duration PAST_CALM = FleetRules.CALM.plusSeconds(1);

    /** The name of this test's fleet. */
    protected final String fleet = "contract {" + FLEETS.incrementAndGet() + "} ü";

    private final List<ConnectionBudget> opened = new ArrayList<>();
    /** What a store should have kept, on a clock that starts at the time of no store. */
    private State model = State.NONE;

    private long modelMillis = 1_000_000;

    /** For subclasses. */
    protected ConnectionBudgetContract() {}

    /**
     * Opens a budget.
     *
     * @param name the fleet's
     * @return a new budget
     */
    protected abstract ConnectionBudget open(String name);

    /**
     * Makes all that the store keeps of a fleet older.
     *
     * @param name the fleet's
     * @param by how much
     * @throws Exception if that fails
     */
    protected abstract void age(String name, Duration by) throws Exception;

    private void age(Duration by) throws Exception {
        age(fleet, by);
    }

    /**
     * Puts entries into the store whose figures make no sense: negative, huge and no numbers, as far as the store takes them.
     *
     * @return how many
     * @throws Exception if that fails
     */
    protected abstract int putNonsense() throws Exception;

    /** {@return whether the store's clock is not this contract's; by default true} */
    protected boolean hasOwnClock() {
        return true;
    }

    /** {@return whether the store can lose what it keeps; by default true} */
    protected boolean mayBeLost() {
        return true;
    }

    /**
     * Removes all that the store keeps of this fleet. Not called for a store that loses nothing.
     *
     * @throws Exception if that fails
     */
    protected abstract void empty() throws Exception;

    /**
     * Stops the store's server and starts it again, with all that it kept.
     *
     * @return false, as by default, if the store has no server of its own, or does not notice that it is another one
     * @throws Exception if that fails
     */
    protected boolean restart() throws Exception {
        return false;
    }

    @AfterEach
    void closeAll() {
        opened.forEach(ConnectionBudget::close);
    }

    private ConnectionBudget budget() {
        ConnectionBudget budget = open(fleet);
        opened.add(budget);
        return budget;
    }

    /** A fleet that has been there for long, without members. */
    private ConnectionBudget calmBudget() throws Exception {
        ConnectionBudget budget = budget();
        budget.renew(new Renewal("first", 1, 0, 0, 1, new FleetRules(100, 1, 0)));
        budget.leave("first");
        age(PAST_CALM);
        return budget;
    }

    private static State shifted(State state, long byMillis) {
        Long until = state.calmUntilMillis();
        return new State(
                until == null ? null : until + byMillis,
                state.server(),
                state.rows().stream()
                        .map(row -> new Row(
                                row.member(),
                                row.granted(),
                                row.held(),
                                row.want(),
                                row.cap(),
                                row.reserve(),
                                row.sequence(),
                                row.renewedMillis() + byMillis))
                        .toList());
    }

    /** The same with the ledger, whose answer a store's must be. */
    private Grant expected(Renewal renewal) {
        Outcome outcome = FleetLedger.renew(shifted(model, -SHIFT_MILLIS), "", modelMillis, renewal);
        Map<String, Row> rows = new LinkedHashMap<>();
        model.rows().forEach(row -> rows.put(row.member(), row));
        outcome.corrected().forEach(row -> rows.put(row.member(), row));
        outcome.forgotten().forEach(rows::remove);
        // One that came late leaves its row, and a calm that goes on its end, as they were.
        Row own = outcome.own();
        Row kept = rows.get(own.member());
        rows.put(own.member(), kept != null && own.renewedMillis() != modelMillis ? kept : own);
        Long until = model.calmUntilMillis();
        if (until == null || outcome.calmUntilMillis() != until - SHIFT_MILLIS) {
            until = outcome.calmUntilMillis();
        }
        model = new State(until, "", List.copyOf(rows.values()));
        return outcome.grant();
    }

    private static @Nullable String named(@Nullable FleetMember member) {
        return member == null ? null : member.name() + " " + member.cap() + " " + member.reserve();
    }

    private static void assertSame(Grant answer, Grant expected, String step) {
        assertThat(answer.granted()).as(step).isEqualTo(expected.granted());
        assertThat(answer.members()).as(step).isEqualTo(expected.members());
        assertThat(answer.booked()).as(step).isEqualTo(expected.booked());
        assertThat(answer.free()).as(step).isEqualTo(expected.free());
        assertThat(answer.cap()).as(step).isEqualTo(expected.cap());
        assertThat(answer.reserve()).as(step).isEqualTo(expected.reserve());
        assertThat(named(answer.differs())).as(step).isEqualTo(named(expected.differs()));
        assertThat(answer.previousSequence()).as(step).isEqualTo(expected.previousSequence());
        assertThat(answer.calm()).as(step).isEqualTo(expected.calm());
        assertThat(answer.ignored()).as(step).isEqualTo(expected.ignored());
        assertThat(answer.shown())
                .as(step)
                .extracting(FleetMember::name, FleetMember::granted, FleetMember::held, FleetMember::want)
                .containsExactlyElementsOf(expected.shown().stream()
                        .map(one ->
                                org.assertj.core.groups.Tuple.tuple(one.name(), one.granted(), one.held(), one.want()))
                        .toList());
    }

    @Test
    void answersAsTheLedgerDoes() throws Exception {
        ConnectionBudget budget = budget();
        model = mayBeLost() ? State.NONE : new State(0L, "", List.of());
        Random luck = new Random(23);
        long[] sequences = new long[6];
        long begun = System.nanoTime();
        for (int step = 0; step < 300; step++) {
            // The model's clock stands still between two steps. A store's own goes on: what has gone by is taken back.
            long goneMillis = (System.nanoTime() - begun) / 1_000_000;
            if (hasOwnClock() && goneMillis > 100) {
                begun += goneMillis * 1_000_000;
                age(Duration.ofMillis(-goneMillis));
            }
            int member = luck.nextInt(sequences.length);
            switch (luck.nextInt(30)) {
                case 0 -> {
                    Duration by =
                            Duration.ofMillis(STEP_MILLIS * List.of(1, 2, 3, 5).get(luck.nextInt(4)));
                    age(by);
                    modelMillis += by.toMillis();
                }
                case 1 -> {
                    budget.leave("m" + member);
                    String left = "m" + member;
                    model = new State(
                            model.calmUntilMillis(),
                            "",
                            model.rows().stream()
                                    .filter(row -> !row.member().equals(left))
                                    .toList());
                }
                default -> {
                    boolean late = luck.nextInt(10) == 0 && sequences[member] > 0;
                    long sequence = late ? sequences[member] : ++sequences[member];
                    int cap = CAPS.get(luck.nextInt(CAPS.size()));
                    FleetRules rules =
                            new FleetRules(cap, 5, cap == FleetRules.UNKNOWN ? 0 : luck.nextInt(3) + cap / 20);
                    long unanswered = luck.nextInt(8) == 0 ? 2 : 1;
                    Renewal renewal = new Renewal(
                            "m" + member,
                            sequence,
                            Math.max(0, sequence - unanswered),
                            luck.nextInt(25),
                            luck.nextInt(40),
                            rules);
                    assertSame(budget.renew(renewal), expected(renewal), "step " + step + ": " + renewal);
                }
            }
        }
    }

    @Test
    void theSmallestNumberOfALiveMemberCountsAndWithoutOneNothingGrows() throws Exception {
        ConnectionBudget budget = calmBudget();
        FleetRules unknown = new FleetRules(FleetRules.UNKNOWN, 2, 0);
        Grant first = budget.renew(new Renewal("a", 1, 0, 3, 40, unknown));
        assertThat(first.cap()).isEqualTo(FleetRules.UNKNOWN);
        assertThat(first.granted()).isEqualTo(3);
        assertThat(first.free()).isZero();
        assertThat(budget.renew(new Renewal("b", 1, 0, 0, 40, new FleetRules(30, 2, 0)))
                        .granted())
                .isEqualTo(15);
        assertThat(budget.renew(new Renewal("a", 2, 0, 3, 40, unknown)).granted())
                .isEqualTo(15);
        Grant larger = budget.renew(new Renewal("a", 3, 0, 15, 40, new FleetRules(80, 2, 0)));
        assertThat(larger.cap()).isEqualTo(30);
        assertThat(larger.granted()).isEqualTo(15);
        assertThat(budget.renew(new Renewal("b", 2, 0, 15, 40, new FleetRules(80, 2, 0)))
                        .granted())
                .isEqualTo(40);
        // A member that is silent has no say.
        budget.renew(new Renewal("b", 3, 0, 15, 15, new FleetRules(20, 2, 0)));
        assertThat(budget.renew(new Renewal("a", 4, 0, 15, 40, new FleetRules(80, 2, 0)))
                        .cap())
                .isEqualTo(20);
        age(FleetRules.TTL.minusSeconds(1));
        budget.renew(new Renewal("a", 5, 0, 15, 40, new FleetRules(80, 2, 0)));
        age(Duration.ofSeconds(2));
        assertThat(budget.renew(new Renewal("a", 6, 0, 15, 40, new FleetRules(80, 2, 0)))
                        .cap())
                .isEqualTo(80);
    }

    @Test
    void theReserveIsThatOfTheMemberWhoseNumberCounts() throws Exception {
        for (int cap : List.of(10, 25)) {
            ConnectionBudget budget = open(fleet + cap);
            opened.add(budget);
            FleetRules before = new FleetRules(500, 4, 25);
            FleetRules lowered = new FleetRules(cap, 4, Math.max(1, cap / 20));
            budget.renew(new Renewal("first", 1, 0, 0, 1, before));
            budget.leave("first");
            age(fleet + cap, PAST_CALM);
            int[] held = new int[4];
            for (int round = 1; round <= 8; round++) {
                for (int at = 0; at < held.length; at++) {
                    FleetRules rules = at == 0 ? lowered : before;
                    held[at] = budget.renew(new Renewal("m" + at, round, round - 1, held[at], 60, rules))
                            .granted();
                }
            }
            assertThat(IntStream.of(held).sum()).as("of " + cap).isEqualTo(cap - lowered.reserve());
        }
    }

    @Test
    void twoAtOnceAreServedOneAfterTheOther() throws Exception {
        calmBudget();
        int members = 8;
        FleetRules rules = new FleetRules(50, members, 3);
        ExecutorService threads = Executors.newFixedThreadPool(members);
        try {
            int[] held = new int[members];
            for (int round = 0; round < 5; round++) {
                List<Future<Grant>> answers = new ArrayList<>();
                for (int at = 0; at < members; at++) {
                    ConnectionBudget budget = round == 0 ? budget() : opened.get(at + 1);
                    Renewal renewal = new Renewal("t" + at, round + 1, round, held[at], 10 + at, rules);
                    Callable<Grant> task = () -> persistently(budget, renewal);
                    answers.add(threads.submit(task));
                }
                int all = 0;
                for (int at = 0; at < members; at++) {
                    held[at] = answers.get(at).get().granted();
                    all += held[at];
                }
                assertThat(all).isLessThanOrEqualTo(rules.cap() - rules.reserve());
                assertThat(round < 4 || all == rules.cap() - rules.reserve())
                        .as("granted " + all)
                        .isTrue();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** A store may refuse one of several at once for a moment. */
    private static Grant persistently(ConnectionBudget budget, Renewal renewal) throws Exception {
        for (int attempt = 1; ; attempt++) {
            try {
                return budget.renew(renewal);
            } catch (Exception busy) {
                if (attempt == 20) {
                    throw busy;
                }
            }
        }
    }

    /** An append or a commit of the last second is lost, or a backup is restored. */
    @Test
    void aStoreThatHasAnOlderRenewalThanItHasAnsweredLetsNothingGrow() throws Exception {
        ConnectionBudget budget = calmBudget();
        FleetRules rules = new FleetRules(50, 2, 0);
        budget.renew(new Renewal("other", 1, 0, 2, 2, rules));
        budget.renew(new Renewal("me", 1, 0, 1, 30, rules));
        Grant known = budget.renew(new Renewal("me", 3, 1, 1, 30, rules));
        assertThat(known.calm()).as("an answer may be lost on its way").isFalse();
        Grant answer = budget.renew(new Renewal("me", 5, 4, 20, 40, rules));
        assertThat(answer.calm()).isTrue();
        assertThat(answer.granted()).isEqualTo(20);
        assertThat(budget.renew(new Renewal("other", 2, 1, 2, 40, rules)).granted())
                .as("the store does not know how many connections others have")
                .isEqualTo(2);
        age(WITHIN_LEASE);
        budget.renew(new Renewal("me", 6, 5, 20, 40, rules));
        age(WITHIN_LEASE);
        assertThat(budget.renew(new Renewal("other", 3, 2, 2, 40, rules)).granted())
                .isEqualTo(25);
    }

    /** Two processes that were restored from one checkpoint. Each finds that the other one has renewed. */
    @Test
    void aCopyOfAMemberIsNoticedAndWhatTheOtherHasStaysBooked() throws Exception {
        ConnectionBudget budget = calmBudget();
        FleetRules rules = new FleetRules(50, 2, 0);
        assertThat(budget.renew(new Renewal("me", 5, 0, 0, 40, rules)).previousSequence())
                .isZero();
        assertThat(budget.renew(new Renewal("me", 9, 5, 40, 40, rules)).previousSequence())
                .isEqualTo(5);
        Grant copy = budget.renew(new Renewal("me", 12, 5, 1, 1, rules));
        assertThat(copy.previousSequence()).isEqualTo(9);
        assertThat(copy.booked()).isEqualTo(40);
        assertThat(budget.renew(new Renewal("me", 11, 9, 40, 40, rules)).previousSequence())
                .isEqualTo(12);
        assertThat(budget.renew(new Renewal("other", 1, 0, 0, 40, rules)).granted())
                .isEqualTo(10);
    }

    /** It may have lost the last of what it kept, and so may a replica that has become the store. */
    @Test
    void aServerThatStartedAgainLetsNothingGrow() throws Exception {
        FleetRules rules = new FleetRules(50, 2, 0);
        calmBudget().renew(new Renewal("me", 1, 0, 5, 5, rules));
        assumeTrue(restart(), "this store has no server of its own");
        ConnectionBudget after = budget();
        Grant first = persistently(after, new Renewal("new", 1, 0, 0, 40, rules));
        assertThat(first.calm()).isTrue();
        assertThat(first.granted()).isEqualTo(1);
        assertThat(first.members()).as("the entries are there").isEqualTo(2);
        age(WITHIN_LEASE);
        after.renew(new Renewal("me", 2, 1, 5, 5, rules));
        age(WITHIN_LEASE);
        Grant then = after.renew(new Renewal("new", 2, 1, 0, 40, rules));
        assertThat(then.calm())
                .as("it is the same server as at the last renewal")
                .isFalse();
        assertThat(then.granted()).isEqualTo(40);
    }

    /** Its clock was set back by an hour, and one member crashes. */
    @Test
    void aTimeBeyondTheStoresClockCountsAsNow() throws Exception {
        assumeTrue(hasOwnClock(), "this store's clock cannot be set");
        ConnectionBudget budget = calmBudget();
        FleetRules rules = new FleetRules(50, 2, 0);
        budget.renew(new Renewal("crashed", 1, 0, 40, 40, rules));
        budget.renew(new Renewal("me", 1, 0, 5, 40, rules));
        age(Duration.ofHours(-1));
        long sequence = 1;
        Grant answer = budget.renew(new Renewal("me", ++sequence, sequence - 1, 5, 40, rules));
        assertThat(answer.booked()).isEqualTo(45);
        Duration gone = Duration.ZERO;
        while (gone.compareTo(FleetRules.TTL.plus(FleetRules.GHOST)) <= 0) {
            age(WITHIN_LEASE);
            gone = gone.plus(WITHIN_LEASE);
            answer = budget.renew(new Renewal("me", ++sequence, sequence - 1, 5, 40, rules));
        }
        assertThat(answer.shown()).extracting(FleetMember::name).containsExactly("me");
        assertThat(answer.granted()).isEqualTo(40);
    }

    @Test
    void entriesThatMakeNoSenseAreRemovedAndCounted() throws Exception {
        ConnectionBudget budget = calmBudget();
        FleetRules rules = new FleetRules(50, 1, 0);
        assertThat(budget.renew(new Renewal("me", 1, 0, 0, 60, rules)).granted())
                .isEqualTo(50);
        int nonsense = putNonsense();
        Grant answer = budget.renew(new Renewal("me", 2, 0, 50, 60, rules));
        assertThat(answer.ignored()).isEqualTo(nonsense);
        assertThat(answer.granted()).isEqualTo(50);
        assertThat(answer.shown()).extracting(FleetMember::name).containsExactly("me");
        assertThat(budget.renew(new Renewal("me", 3, 2, 50, 60, rules)).ignored())
                .as("they are gone")
                .isZero();
    }

    @Test
    void anEmptiedStoreLetsNothingGrow() throws Exception {
        ConnectionBudget budget = calmBudget();
        FleetRules rules = new FleetRules(50, 2, 0);
        budget.renew(new Renewal("me", 1, 0, 0, 20, rules));
        assumeTrue(mayBeLost(), "this store loses nothing");
        empty();
        Grant after = budget.renew(new Renewal("me", 2, 1, 20, 40, rules));
        assertThat(after.calm()).isTrue();
        assertThat(after.granted()).isEqualTo(20);
        assertThat(budget.renew(new Renewal("other", 1, 0, 0, 40, rules)).granted())
                .isEqualTo(1);
    }

    @Test
    void fleetsKnowNothingOfEachOther() throws Exception {
        ConnectionBudget budget = calmBudget();
        ConnectionBudget other = open(fleet + "2");
        opened.add(other);
        FleetRules rules = new FleetRules(50, 1, 0);
        other.renew(new Renewal("other", 1, 0, 50, 50, rules));
        assertThat(budget.renew(new Renewal("me", 1, 0, 0, 50, rules)).granted())
                .isEqualTo(50);
    }

    @Test
    void aNameIsNeverPartOfACommand() throws Exception {
        ConnectionBudget budget = calmBudget();
        FleetRules rules = new FleetRules(50, 3, 0);
        String name = "'; drop table flexpool_fleet; -- \" ${x} %s \\ 😀";
        budget.renew(new Renewal(name, 1, 0, 2, 5, rules));
        Grant answer = budget.renew(new Renewal("me", 1, 0, 1, 5, rules));
        assertThat(answer.shown()).extracting(FleetMember::name).containsExactly(Renewal.name(name), "me");
        budget.leave(Renewal.name(name));
        assertThat(budget.renew(new Renewal("me", 2, 0, 1, 5, rules)).members()).isEqualTo(1);
    }
}
