// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.spi.LeaseSink.WantedArrivals;
import java.net.URL;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is shown of leases whose times are a simulated application's. The test itself ticks. */
class PhasesPartTest {
    private static final int TICK_MILLIS = 250;
    private static final String WEB = "Orders.place(Orders.java:8)";
    private static final String JOB = "Report.run(Report.java:9)";

    private final FakeContext context = new FakeContext();
    private final long origin = context.nanos();
    private final PhaseLog log = new PhaseLog();
    private final PhasesPart part = new PhasesPart(context, log, "the key");
    private final List<Simulated> leases = new ArrayList<>();
    private long now;

    /** Lets the time pass, with a tick each quarter of a second. */
    private void pass(Duration time) {
        context.open = () -> Simulated.open(leases, now);
        for (long end = now + time.toMillis(); now < end; now += TICK_MILLIS) {
            part.take(Simulated.block(leases, now - TICK_MILLIS, now, origin, 0));
            context.advance(Duration.ofMillis(TICK_MILLIS));
        }
    }

    private void add(String site, long begin, long before, long statement, long after) {
        add(site, begin, before, statement, after, 0);
    }

    private void add(String site, long begin, long before, long statement, long after, long waited) {
        leases.add(new Simulated(
                site, begin, begin + before, begin + before + statement, begin + before + statement + after, waited));
    }

    @SuppressWarnings("unchecked") // it is JSON
    private static Map<String, Object> shown(PhasesPart of) {
        return (Map<String, Object>) Objects.requireNonNull(of.fields().get("leasePhases"));
    }

    /** Twenty at once, of which twelve are before their first statement; later nine are past it. */
    @Test
    void thePeakAndTheNeedAreNamed() {
        context.max(20);
        for (int at = 0; at < 100; at++) {
            add(WEB, 500 + at * 200L, 0, 60, 0);
        }
        for (int at = 0; at < 12; at++) {
            add(WEB, 30_000, 2_000 + 200L * at, 700, 0);
        }
        for (int at = 0; at < 8; at++) {
            add(JOB, 30_000, 0, 1_000, 1_000);
        }
        for (int at = 0; at < 9; at++) {
            add(JOB, 40_000, 0, 900, 100);
        }
        pass(Duration.ofSeconds(60));
        assertThat(part.reportLines().get(0))
                .endsWith("At the peak of the last hour, 12 of 20 leased connections had not run a statement yet;"
                        + " with the key the pool would need 9.");
        assertThat(shown(part))
                .containsEntry("leased", 20)
                .containsEntry("leasedBeforeFirstStatement", 12)
                .containsEntry("needed", 9);
    }

    @Test
    void eachCallSiteHasItsShares() {
        for (int at = 0; at < 200; at++) {
            add(WEB, 500 + at * 100L, 80, 10, 10);
            add(JOB, 500 + at * 100L, 0, 25, 75);
        }
        add("Rare.one(Rare.java:1)", 700, 10, 10, 10);
        pass(Duration.ofSeconds(40));
        assertThat(part.reportLines())
                .containsExactly(
                        "Lease phases: 40 % before the first statement, 9 % between statements, 42 % after the last,"
                                + " 9 % in the database (401 leases). At the peak of the last hour, 1 of 3 leased"
                                + " connections had not run a statement yet; with the key the pool would need 2.",
                        "  " + WEB + ": 80 % before the first statement, 5 % between statements, 10 % after the last,"
                                + " 5 % in the database (200 leases)",
                        "  " + JOB + ": 0 % before the first statement, 13 % between statements, 75 % after the last,"
                                + " 13 % in the database (200 leases)");
    }

    /** Whatever the leases are, and also while the buffer is full. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void theNeedIsThatOfLeasesThatBeginWithTheirFirstStatement(int seed) {
        Random random = new Random(seed);
        int busy = seed == 8 ? 60_000 : 2_000;
        for (int at = 0; at < busy; at++) {
            long begin = 250L + random.nextInt(60_000);
            long length = 2L + random.nextInt(random.nextInt(100) == 0 ? 8_000 : 300);
            boolean without = seed > 4 && random.nextInt(10) == 0;
            long first = begin + random.nextInt((int) length);
            leases.add(new Simulated(WEB, begin, without ? -1 : first, begin + length, begin + length, 0));
        }
        pass(Duration.ofSeconds(90));
        assertThat(shown(part))
                .containsEntry("leased", Simulated.most(leases, false, true))
                .containsEntry("needed", Simulated.most(leases, true, false))
                .containsEntry("neededAtMost", Simulated.most(leases, true, true));
    }

    /** One that never ends would stop the replay for ever. */
    @Test
    void aLeakIsNotWaitedFor() {
        leases.add(new Simulated(JOB, 300, 500, 1_000_000, 1_000_000, 0));
        leases.add(new Simulated(JOB, 300, -1, 1_000_000, 1_000_000, 0));
        for (int at = 0; at < 500; at++) {
            add(WEB, 500 + at * 400L, 80, 10, 10);
        }
        pass(Duration.ofSeconds(50));
        assertThat(part.reportLines().get(0)).endsWith("Not known yet: how many connections these leases need.");
        pass(Duration.ofSeconds(200));
        assertThat(shown(part)).containsEntry("leased", 3).containsEntry("needed", 2);
    }

    @Test
    void leasesWithoutAStatementAreARange() {
        for (int at = 0; at < 200; at++) {
            add(WEB, 500 + at * 100L, 80, 10, 10);
            leases.add(new Simulated(WEB, 500 + at * 100L, -1, 590 + at * 100L, 590 + at * 100L, 0));
        }
        pass(Duration.ofSeconds(40));
        assertThat(part.reportLines().get(0))
                .contains("(200 leases; not counted: 200 leases without a statement).")
                .contains(
                        "1 of 2 leased connections had not run a statement yet; with the key the pool would need 1 to 2.")
                .endsWith("The lower number assumes that leases without a statement need no connection.");
    }

    /** A pool that lets requests wait at its limit shows less than was wanted. Waits for new connections are none of these. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void whereRequestsWaitedAtTheLimitMoreMayBeNeeded(int limit) {
        context.max(limit);
        part.tick(context.pool().state(), 0);
        for (int at = 0; at < 200; at++) {
            add(WEB, 500 + at * 100L, 60, 40, 0, 20);
        }
        pass(Duration.ofSeconds(40));
        String report = part.reportLines().get(0);
        assertThat(report)
                .contains(
                        "The peak of the last hour was 1 connection. Leasing at the first statement would not reduce it.");
        assertThat(report.endsWith(" Requests waited, so more may be needed.")).isEqualTo(limit == 1);
    }

    /** A lease seems to end a moment after its connection went to the next one. */
    @Test
    void noMoreAreLeasedThanThePoolHas() {
        context.max(1);
        part.tick(context.pool().state(), 0);
        for (int at = 0; at < 200; at++) {
            add(WEB, 500 + at * 100L, 60, 45, 0);
        }
        pass(Duration.ofSeconds(40));
        assertThat(shown(part)).containsEntry("leased", 1);
    }

    @Test
    void fewLeasesSayNothing() {
        assertThat(part.reportLines()).isEmpty();
        for (int at = 0; at < 99; at++) {
            add(WEB, 500 + at * 100L, 80, 10, 10);
        }
        pass(Duration.ofSeconds(40));
        assertThat(part.reportLines().get(0))
                .isEqualTo("Lease phases: unknown, because only 99 leases of 100 ran a statement");
        assertThat(shown(part).containsKey("needed")).isFalse();
    }

    @Test
    void leasesThatAreNotRecordedAreNotGuessed() {
        for (int at = 0; at < 200; at++) {
            add(WEB, 500 + at * 100L, 80, 10, 10);
        }
        for (; now < 40_000; now += TICK_MILLIS) {
            part.take(Simulated.block(leases, now - TICK_MILLIS, now, origin, 1));
        }
        assertThat(part.reportLines().get(0))
                .endsWith(
                        "Unknown: how many connections these leases need, because some ended faster than flexpool can record.");
        WantedArrivals none = part.wanted(5);
        assertThat(none.fromNanos()).isEqualTo(none.untilNanos());
    }

    @Test
    void withoutTimesNothingIsKnownAndNothingTaken() {
        PhasesPart off = new PhasesPart(context, null, "the key");
        assertThat(off.leases()).isNull();
        assertThat(off.reportLines()).isEmpty();
        assertThat(shown(off).get("text")).isEqualTo("unknown: flexpool.time-in-database is false");
    }

    /** Boot 4.1 has the key: by a class that no earlier one has. */
    @Test
    void theKeyIsNamedWhereSpringBootHasIt() {
        assertThat(LazyFetch.of(null)).isEqualTo("a lazy connection proxy (LazyConnectionDataSourceProxy)");
        ClassLoader boot = new ClassLoader(getClass().getClassLoader()) {
            @Override
            public URL getResource(String name) {
                return name.endsWith("/LazyConnectionDataSourceConfiguration.class")
                        ? PhasesPartTest.class.getResource("PhasesPartTest.class")
                        : super.getResource(name);
            }
        };
        assertThat(LazyFetch.of(boot)).isEqualTo("spring.datasource.connection-fetch = lazy");
    }
}
