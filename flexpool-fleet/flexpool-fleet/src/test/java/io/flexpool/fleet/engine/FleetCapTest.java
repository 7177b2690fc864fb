// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.fleet.FleetRules;
import io.flexpool.fleet.Grant;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class FleetCapTest {
    private static final long SECOND = 1_000_000_000L;

    private final FleetCap cap = new FleetCap(null, 4);
    /** May be negative, as the JVM's is. */
    private long now = -7 * SECOND;

    /** 100 usable sessions. */
    private void looked(int used, int own) {
        now += SECOND;
        cap.looked(new Left(now, used, 100, own, null));
    }

    private void answered(int booked, boolean calm) {
        now += SECOND;
        cap.sent(now);
        cap.answered(new Grant(5, 2, booked, 10, calm, 80, 4, null, 0, List.of(), 0));
    }

    private int read() {
        return cap.rules(now).cap();
    }

    @Test
    void aConfiguredNumberIsAsItIs() {
        FleetCap fixed = new FleetCap(40, 4);
        assertThat(fixed.rules(0)).isEqualTo(new FleetRules(40, 4, 2));
        assertThat(fixed.isRead()).isFalse();
    }

    @Test
    void nineTenthsOfWhatOthersLeaveOnceTheStoreHasAnsweredAfterTheLook() {
        assertThat(cap.rules(now)).isEqualTo(new FleetRules(FleetRules.UNKNOWN, 4, 0));
        answered(30, false);
        looked(50, 20);
        assertThat(read()).isEqualTo(FleetRules.UNKNOWN);
        answered(30, false);
        // Others have 30, and leave 70.
        assertThat(cap.rules(now)).isEqualTo(new FleetRules(63, 4, 3));
    }

    @Test
    void sessionsOfTheNameThatTheFleetHasNotBookedAreOthers() {
        looked(60, 60);
        answered(20, false);
        // 20, and 5 for the stores' own connections.
        assertThat(read()).isEqualTo(65 * 9 / 10);
    }

    /** A look may see what was granted after the answer before it, or what was given back before the answer after it. */
    @Test
    void theLargerOfTheBookingsBeforeAndAfterCounts() {
        answered(60, false);
        looked(60, 60);
        answered(10, false);
        assertThat(read()).isEqualTo(90);
        looked(60, 60);
        answered(60, false);
        assertThat(read()).isEqualTo(90);
    }

    @Test
    void anAnswerToARenewalThatWasSentBeforeTheLookDoesNotCount() {
        cap.sent(now);
        looked(50, 20);
        cap.answered(new Grant(5, 2, 30, 10, false, 80, 4, null, 0, List.of(), 0));
        assertThat(read()).isEqualTo(FleetRules.UNKNOWN);
        answered(30, false);
        assertThat(read()).isEqualTo(63);
    }

    @Test
    void whileTheStoreMayNotKnowAllMembersNothingIsReadFromIt() {
        looked(50, 20);
        answered(30, true);
        assertThat(read()).isEqualTo(FleetRules.UNKNOWN);
        answered(30, false);
        assertThat(read()).isEqualTo(63);
    }

    /** The store may be away for long, and the server can still be read. */
    @Test
    void aLookThatShowsLessCountsWithoutTheStore() {
        looked(50, 20);
        answered(30, false);
        looked(80, 20);
        assertThat(read()).isEqualTo(36);
        looked(50, 20);
        assertThat(read()).as("more waits for what is booked").isEqualTo(36);
    }

    @Test
    void anOldNumberIsNone() {
        looked(50, 20);
        answered(30, false);
        now += FleetCap.OLDEST.minus(Duration.ofSeconds(1)).toNanos() - 1;
        assertThat(read()).isEqualTo(63);
        now += 1;
        assertThat(read()).isEqualTo(FleetRules.UNKNOWN);
    }

    @Test
    void theSameLookCountsOnce() {
        looked(50, 20);
        answered(30, false);
        long then = now;
        cap.looked(new Left(-6 * SECOND, 99, 100, 1, null));
        answered(30, false);
        assertThat(cap.rules(then).cap()).isEqualTo(63);
    }

    @Test
    void neverBelowOneNorWithAReserveThatTakesItAll() {
        looked(100, 0);
        answered(0, false);
        assertThat(cap.rules(now)).isEqualTo(new FleetRules(1, 4, 0));
        FleetCap large = new FleetCap(null, 4);
        large.looked(new Left(now, 100, 100, 1, null));
        large.sent(now);
        large.answered(new Grant(1, 1, 1, 0, false, 80, 4, null, 0, List.of(), 0));
        assertThat(large.rules(now)).isEqualTo(new FleetRules(1, 4, 0));
    }

    @Test
    void whatTheServerDidNotSayIsNoNumber() {
        cap.looked(new Left(now, 0, 0, 0, "the server does not know the sessions"));
        answered(30, false);
        assertThat(read()).isEqualTo(FleetRules.UNKNOWN);
    }
}
