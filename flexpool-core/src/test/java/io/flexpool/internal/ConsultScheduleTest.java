// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.internal.config.PoolConfig.Consulted;
import io.flexpool.strategy.Verdict;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConsultScheduleTest {
    private static final long MILLI = Duration.ofMillis(1).toNanos();
    /** Times wrap on the way. */
    private final long asked = nearTheEnd();

    private static Consulted after(long nanos) {
        return new Consulted(situation -> Verdict.PASS, nanos);
    }

    private final ConsultSchedule schedule =
            new ConsultSchedule(List.of(after(20 * MILLI), after(ConsultSchedule.NEVER), after(50 * MILLI)), asked);

    @Test
    void eachIsDueAtItsOwnTime() {
        assertThat(schedule.take(0, asked + 19 * MILLI)).isFalse();
        assertThat(schedule.take(0, asked + 20 * MILLI)).isTrue();
        assertThat(schedule.take(1, asked + 1_000 * MILLI)).isFalse();
        assertThat(schedule.take(2, asked + 49 * MILLI)).isFalse();
    }

    @Test
    void aLongWaitConsultsLessAndLessOften() {
        long now = asked + 20 * MILLI;
        for (long pause = 20; pause <= 160; pause *= 2) {
            assertThat(schedule.take(0, now)).isTrue();
            assertThat(schedule.take(0, now + pause * MILLI - 1)).isFalse();
            now += pause * MILLI;
        }
    }

    @Test
    void anOpenVerdictIsConsultedAgainSoon() {
        long now = asked + 20 * MILLI;
        schedule.take(0, now);
        schedule.take(0, now + 20 * MILLI);
        schedule.again(0, now + 20 * MILLI);
        assertThat(schedule.take(0, now + 39 * MILLI)).isFalse();
        assertThat(schedule.take(0, now + 40 * MILLI)).isTrue();
    }

    @Test
    void theNextIsTheEarliestAndNeverIsNoTime() {
        assertThat(schedule.nextDue(ConsultSchedule.NEVER)).isEqualTo(asked + 20 * MILLI);
        assertThat(schedule.nextDue(asked + 5 * MILLI)).isEqualTo(asked + 5 * MILLI);
        ConsultSchedule none = new ConsultSchedule(List.of(), asked);
        assertThat(none.nextDue(ConsultSchedule.NEVER)).isEqualTo(ConsultSchedule.NEVER);
        assertThat(ConsultSchedule.earlier(ConsultSchedule.NEVER, Long.MIN_VALUE))
                .isEqualTo(Long.MIN_VALUE);
    }

    /** Of the clock's numbers, which begin anew then. */
    private static long nearTheEnd() {
        return Long.MAX_VALUE - 30 * MILLI;
    }
}
