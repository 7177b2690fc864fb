// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.fleet.FleetRules;
import io.flexpool.fleet.FleetStatus.Source;
import io.flexpool.fleet.Grant;
import io.flexpool.fleet.Renewal;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class FleetLeaseTest {
    /** Near the end of long's range, where sums wrap. */
    private long now = Long.MAX_VALUE - 3_000_000_000L;

    private final FleetLease lease = new FleetLease("me", new FleetRules(100, 10, 10), new Random(1), now);

    private void pass(long millis) {
        now += millis * 1_000_000;
    }

    private static Grant grant(int granted) {
        return new Grant(granted, 3, 50, 40, false, 100, 10, null, List.of(), 0);
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
        assertThat(Objects.requireNonNull(due(3)).held()).isEqualTo(20);
        lease.answered(2, grant(5));
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
        assertThat(second.sequence()).isEqualTo(first.sequence() + 1);
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
            pass(2_400);
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
