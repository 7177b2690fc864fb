// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.event.PoolEvent;
import io.flexpool.pool.PoolState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Growth from 4 to 12 after a connect failure: what the fault contract lets pass, and what it does not. */
class FaultEventsTest {
    private static final Instant FAILED = Instant.parse("2026-01-01T00:00:00Z");
    private static final String REFUSED = "08001";
    private static final @Nullable String SAYS_NOTHING = null;

    private record Failed(@Nullable String sqlState) implements PoolEvent.ConnectFailed {
        @Override
        public Kind kind() {
            return Kind.CONNECT_FAILURE;
        }

        @Override
        public String describe() {
            return "an event of a test";
        }

        @Override
        public String pool() {
            return "faults";
        }

        @Override
        public String reason() {
            return "no connection came";
        }

        @Override
        public Duration duration() {
            return Duration.ofSeconds(1);
        }

        @Override
        public PoolState state() {
            throw new UnsupportedOperationException();
        }
    }

    private record Grown(ResizeCause cause) implements PoolEvent.Resized {
        @Override
        public Kind kind() {
            return Kind.RESIZED;
        }

        @Override
        public String describe() {
            return "an event of a test";
        }

        @Override
        public String causeWord() {
            return "demand";
        }

        @Override
        public String pool() {
            return "faults";
        }

        @Override
        public int from() {
            return 4;
        }

        @Override
        public int to() {
            return 12;
        }

        @Override
        public PoolState state() {
            throw new UnsupportedOperationException();
        }
    }

    private record Kept(long number, Instant first, Instant last, PoolEvent event) implements PoolEvent.Recent {
        @Override
        public String describe() {
            return event.describe();
        }

        @Override
        public long count() {
            return 1;
        }

        @Override
        public @Nullable Duration longest() {
            return null;
        }
    }

    private static Instant after(long millis) {
        return FAILED.plusMillis(millis);
    }

    private static List<Instant> served(int number, long millis) {
        return Stream.generate(() -> after(millis)).limit(number).toList();
    }

    private static boolean condemned(@Nullable String sqlState, long grewAfterMillis, List<Instant> served) {
        PoolEvent.Recent growth =
                new Kept(1, after(grewAfterMillis), after(grewAfterMillis), new Grown(PoolEvent.ResizeCause.DEMAND));
        PoolEvent.Recent failure = new Kept(0, FAILED, FAILED, new Failed(sqlState));
        List<PoolEvent.Recent> found = FaultEvents.growthAfterConnectFailures(List.of(failure, growth), served);
        assertThat(found).isSubsetOf(growth);
        return !found.isEmpty();
    }

    @Test
    void afterARefusalNothingGrowsHoweverManyAreServed() {
        assertThat(condemned(REFUSED, 300, served(100, 200))).isTrue();
        assertThat(condemned(REFUSED, 4_400, served(100, 200))).isTrue();
        assertThat(condemned(REFUSED, 4_600, List.of())).isFalse();
    }

    @Test
    void whatWasDecidedBeforeTheFailureMayBeRecordedAfterIt() {
        assertThat(condemned(REFUSED, 200, List.of())).isFalse();
    }

    @Test
    void afterASilenceNothingGrowsUntilMoreHaveComeThanTheLimit() {
        assertThat(condemned(SAYS_NOTHING, 1_000, List.of())).isTrue();
        assertThat(condemned(SAYS_NOTHING, 1_000, served(4, 500))).isTrue();
        assertThat(condemned(SAYS_NOTHING, 1_000, served(5, 500))).isFalse();
    }

    @Test
    void whoWasServedBeforeTheSilenceOrAfterTheGrowthIsNoEvidence() {
        assertThat(condemned(SAYS_NOTHING, 1_000, served(100, 0))).isTrue();
        assertThat(condemned(SAYS_NOTHING, 1_000, served(100, 1_300))).isTrue();
    }

    @Test
    void oneRefusalAmongSilencesCounts() {
        PoolEvent.Recent silence = new Kept(0, FAILED, FAILED, new Failed(SAYS_NOTHING));
        PoolEvent.Recent refusal = new Kept(1, after(10), after(10), new Failed(REFUSED));
        PoolEvent.Recent growth = new Kept(2, after(1_000), after(1_000), new Grown(PoolEvent.ResizeCause.DEMAND));
        assertThat(FaultEvents.growthAfterConnectFailures(List.of(silence, refusal, growth), served(100, 500)))
                .containsExactly(growth);
    }

    @Test
    void onlyDemandIsGrowth() {
        PoolEvent.Recent failure = new Kept(0, FAILED, FAILED, new Failed(REFUSED));
        PoolEvent.Recent back = new Kept(1, after(500), after(500), new Grown(PoolEvent.ResizeCause.CONNECT_FAILURE));
        assertThat(FaultEvents.growthAfterConnectFailures(List.of(failure, back), List.of()))
                .isEmpty();
    }
}
