// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.fleet.FleetLedger;
import io.flexpool.fleet.FleetLedger.Outcome;
import io.flexpool.fleet.FleetLedger.Row;
import io.flexpool.fleet.FleetLedger.State;
import io.flexpool.fleet.FleetRules;
import io.flexpool.fleet.FleetStatus.Source;
import io.flexpool.fleet.Grant;
import io.flexpool.fleet.Renewal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class FleetGrantStateTest {
    /** Near the end of long's range, where sums wrap. */
    private long now = Long.MAX_VALUE - 3_000_000_000L;

    private int names;

    private final FleetGrantState lease =
            new FleetGrantState(() -> "me-" + ++names, new FleetRules(100, 10, 10), new Random(1), now);

    private void pass(long millis) {
        now += millis * 1_000_000;
    }

    private static Grant grant(int granted) {
        return new Grant(granted, 3, 50, 40, false, 100, 10, null, 0, List.of(), 0);
    }

    private @Nullable Renewal due(int open) {
        return lease.due(now, open, 50);
    }

    /** Sends a renewal and has it answered at once. */
    private void granted(int connections, int open) {
        Renewal sent = Objects.requireNonNull(due(open));
        lease.answered(sent.sequence(), grant(connections));
    }

    @Test
    void oneConnectionUntilItIsFirstGrantedMore() {
        assertThat(lease.ceiling(now)).isEqualTo(1);
        assertThat(lease.source(now)).isEqualTo(Source.BOOT);
        pass(600_000);
        assertThat(lease.ceiling(now)).isEqualTo(1);
        granted(20, 1);
        assertThat(lease.ceiling(now)).isEqualTo(20);
        assertThat(lease.source(now)).isEqualTo(Source.GRANT);
    }

    @Test
    void aLeaseIsCountedFromWhenItsRenewalWasSentAndEndsBeforeTheStores() {
        Renewal sent = Objects.requireNonNull(due(1));
        pass(1_900);
        lease.answered(sent.sequence(), grant(20));
        pass(7_099);
        assertThat(lease.ceiling(now)).isEqualTo(20);
        pass(1);
        assertThat(lease.ceiling(now)).isEqualTo(9);
        assertThat(lease.source(now)).isEqualTo(Source.SHARE);
    }

    @Test
    void oneWithLessThanTheShareRisesToItOnlyAfterAWhile() {
        granted(4, 1);
        pass(9_000);
        lease.opened(now, 4);
        assertThat(lease.ceiling(now)).isEqualTo(4);
        pass(5_999);
        assertThat(lease.ceiling(now)).isEqualTo(4);
        pass(1);
        assertThat(lease.ceiling(now)).isEqualTo(9);
    }

    @Test
    void oneThatPausedRisesOnlyAfterItHasFoundItsLeaseEnded() {
        granted(4, 1);
        pass(30_000);
        lease.opened(now, 4);
        assertThat(lease.ceiling(now)).isEqualTo(4);
    }

    @Test
    void itSaysAllThatMayBeOpenOrWasAMomentAgo() {
        granted(20, 1);
        pass(2_500);
        Renewal second = Objects.requireNonNull(due(3));
        assertThat(second.held()).isEqualTo(20);
        lease.answered(second.sequence(), grant(5));
        pass(1_700);
        lease.opened(now, 8);
        pass(900);
        // The ceiling of 20 is long gone, the eight connections are not.
        assertThat(Objects.requireNonNull(due(3)).held()).isEqualTo(8);
    }

    @Test
    void renewalsComeEveryTwoSecondsGiveOrTakeAFifth() {
        for (int round = 0; round < 50; round++) {
            granted(5, 1);
            pass(1_599);
            assertThat(due(1)).isNull();
            pass(801);
        }
    }

    @Test
    void oneThatIsNotAnsweredIsGivenUpAndItsAnswerIsTooLate() {
        Renewal first = Objects.requireNonNull(due(1));
        pass(1_999);
        assertThat(due(1)).isNull();
        pass(500);
        Renewal second = Objects.requireNonNull(due(1));
        assertThat(second.sequence()).isGreaterThan(first.sequence());
        lease.answered(first.sequence(), grant(30));
        assertThat(lease.ceiling(now)).isEqualTo(1);
        lease.answered(second.sequence(), grant(6));
        lease.answered(second.sequence(), grant(30));
        assertThat(lease.ceiling(now)).isEqualTo(6);
    }

    @Test
    void aFailureIsTriedAgainInTime() {
        Renewal sent = Objects.requireNonNull(due(1));
        lease.failed(sent.sequence());
        assertThat(due(1)).isNull();
        pass(2_400);
        assertThat(due(1)).isNotNull();
    }

    /** Its own number may be too old to grow by, and is still the best that it knows. */
    @Test
    void theShareFollowsTheSmallestNumberAlsoWhenItIsOld() {
        lease.rules(new FleetRules(50, 10, 0));
        granted(20, 1);
        lease.rules(new FleetRules(FleetRules.UNKNOWN, 10, 0));
        pass(9_000);
        lease.opened(now, 4);
        assertThat(lease.ceiling(now)).isEqualTo(5);
    }

    /** Another member has renewed under the same name. */
    private static Grant taken(int granted, long by) {
        return new Grant(granted, 3, 50, 40, false, 100, 10, null, by, List.of(), 0);
    }

    @Nested
    class Copies {
        @Test
        void aRenewalThatItHasNotSentIsOfACopyAndItTakesAnotherName() {
            granted(20, 20);
            pass(2_500);
            Renewal sent = Objects.requireNonNull(due(20));
            assertThat(lease.answered(sent.sequence(), taken(60, sent.sequence() - 1)))
                    .isFalse();
            assertThat(lease.member()).isEqualTo("me-2").isNotEqualTo(sent.member());
            assertThat(lease.ceiling(now)).as("no more than it reported").isEqualTo(20);
            Renewal next = Objects.requireNonNull(due(20));
            assertThat(next.member()).isEqualTo("me-2");
            assertThat(next.acknowledged()).isZero();
            assertThat(next.held()).isEqualTo(20);
            assertThat(lease.answered(next.sequence(), taken(7, 0))).isTrue();
            assertThat(lease.ceiling(now)).isEqualTo(7);
        }

        @Test
        void oneThatItHasSentIsItsOwnAlsoIfItWasNotAnswered() {
            granted(20, 20);
            pass(2_500);
            Renewal lost = Objects.requireNonNull(due(20));
            pass(2_500);
            Renewal next = Objects.requireNonNull(due(20));
            assertThat(lease.answered(next.sequence(), taken(30, lost.sequence())))
                    .isTrue();
            assertThat(lease.member()).isEqualTo("me-1");
        }

        @Test
        void oneThatWasRestoredHasNothing() {
            granted(20, 20);
            lease.restored(now);
            assertThat(lease.ceiling(now)).isEqualTo(1);
            assertThat(lease.source(now)).isEqualTo(Source.BOOT);
            Renewal next = Objects.requireNonNull(due(0));
            assertThat(next.member()).isEqualTo("me-2");
            assertThat(next.held()).isEqualTo(1);
        }

        /** By the ledger, as a store answers: two processes with one name, each of which wants all. */
        @Test
        void twoMembersOfOneNameHaveNoMoreThanTheNumber() {
            FleetRules rules = new FleetRules(20, 3, 1);
            List<FleetGrantState> members = new ArrayList<>();
            for (int at = 0; at < 3; at++) {
                String later = "m" + at + "-";
                AtomicInteger taken = new AtomicInteger();
                Supplier<String> same = () -> taken.incrementAndGet() == 1 ? "copy" : later + taken;
                members.add(new FleetGrantState(same, rules, new Random(at), now));
            }
            State store = new State(0L, "", List.of());
            Set<String> names = new HashSet<>();
            int most = 0;
            long begun = now;
            for (int tick = 0; tick < 1_200; tick++) {
                int open = 0;
                for (FleetGrantState member : members) {
                    open += member.ceiling(now);
                }
                most = Math.max(most, open);
                for (FleetGrantState member : members) {
                    // The others come a little later, when the first has much.
                    if (tick % 3 == members.indexOf(member)) {
                        Renewal sent = member.due(now, member.ceiling(now), 50);
                        if (sent != null) {
                            names.add(sent.member());
                            long millis = 1_000_000 + (now - begun) / 1_000_000;
                            Outcome outcome = FleetLedger.renew(store, "", millis, sent);
                            List<Row> rows = new ArrayList<>(store.rows());
                            rows.removeIf(row -> row.member().equals(sent.member())
                                    || outcome.forgotten().contains(row.member()));
                            rows.add(outcome.own());
                            store = new State(outcome.calmUntilMillis(), "", rows);
                            member.answered(sent.sequence(), outcome.grant());
                        }
                    }
                }
                pass(100);
            }
            assertThat(most).isLessThanOrEqualTo(20);
            int open = members.stream().mapToInt(member -> member.ceiling(now)).sum();
            assertThat(open).as("after two minutes all of it is given").isEqualTo(19);
            assertThat(names).hasSizeBetween(3, 4);
        }
    }

    @Nested
    class WhatIsGivenBack {
        @Test
        void theNextRenewalGivesBackWhatTheMemberHasStoppedUsing() {
            granted(20, 20);
            lease.ownLimit(5);
            lease.opened(now, 5);
            assertThat(lease.ceiling(now)).isEqualTo(5);
            pass(1_001);
            assertThat(Objects.requireNonNull(due(5)).held()).isEqualTo(5);
        }

        @Test
        void beforeThatTheMemberMayTakeItAgain() {
            granted(20, 20);
            lease.ownLimit(5);
            lease.opened(now, 5);
            lease.ownLimit(Integer.MAX_VALUE);
            assertThat(lease.ceiling(now)).isEqualTo(20);
        }

        @Test
        void whatIsReportedIsAllThatItHasUntilItIsGrantedMore() {
            granted(20, 20);
            lease.ownLimit(5);
            lease.opened(now, 5);
            pass(1_001);
            Renewal sent = Objects.requireNonNull(due(5));
            lease.ownLimit(Integer.MAX_VALUE);
            assertThat(lease.ceiling(now)).isEqualTo(5);
            lease.failed(sent.sequence());
            assertThat(lease.ceiling(now)).isEqualTo(5);
            pass(3_900);
            granted(12, 5);
            assertThat(lease.ceiling(now)).isEqualTo(12);
        }

        @Test
        void aRenewalBeforeItsTimeTakesThePlaceOfTheNext() {
            granted(20, 20);
            lease.ownLimit(5);
            lease.opened(now, 5);
            pass(999);
            assertThat(due(5)).isNull();
            pass(2);
            lease.answered(Objects.requireNonNull(due(5)).sequence(), grant(20));
            lease.ownLimit(1);
            lease.opened(now, 1);
            pass(1_001);
            assertThat(due(1)).as("it is not yet the one after that").isNull();
            pass(2_800);
            assertThat(due(1)).isNotNull();
        }

        @Test
        void aFewConnectionsAreNotWorthARenewalBeforeItsTime() {
            granted(20, 20);
            lease.ownLimit(16);
            lease.opened(now, 16);
            pass(1_001);
            assertThat(due(16)).isNull();
        }
    }
}
