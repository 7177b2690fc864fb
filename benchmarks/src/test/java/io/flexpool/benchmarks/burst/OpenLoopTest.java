// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.burst;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.adapter.tck.database.StubDatabase;
import io.flexpool.benchmarks.burst.BurstLoad.Arrival;
import io.flexpool.benchmarks.kit.OpenPool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OpenLoopTest {
    private static final int HOLD_MS = 20;

    /** Lower bounds only: a slow machine may take longer, but none can be faster than one connection allows. */
    @Test
    void theWaitForAConnectionCountsFromTheIntendedArrival() throws Exception {
        BurstLoad load = new BurstLoad(1, 8, 400, HOLD_MS, 1);
        AtomicInteger notified = new AtomicInteger();
        OpenLoop.Result result;
        try (OpenPool pool = BurstPool.HIKARICP.open(new StubDatabase().dataSource(), 1, 1, Duration.ofSeconds(30))) {
            pool.source().getConnection().close();
            result = new OpenLoop(load, pool.source()).run(notified::incrementAndGet);
        }

        assertThat(notified).hasValue(1);
        assertThat(result.firstFailure()).isNull();
        List<Double> ofBurst = new ArrayList<>(result.answers().stream()
                .filter(answer -> answer.arrival().ofBurst())
                .map(OpenLoop.Answer::latencyMs)
                .toList());
        Collections.sort(ofBurst);
        assertThat(ofBurst).hasSize(8);
        for (int n = 0; n < ofBurst.size(); n++) {
            assertThat(ofBurst.get(n)).isGreaterThanOrEqualTo((n + 1) * HOLD_MS);
        }
    }

    @Test
    void aRequestDoesNotWaitForTheOnesBefore() throws Exception {
        StubDatabase unpooled = new StubDatabase();

        new OpenLoop(new BurstLoad(1, 8, 400, 200, 1), unpooled.dataSource()).run(() -> {});

        assertThat(unpooled.peak()).isGreaterThan(1);
    }

    @Test
    void refusalsAreCountedAndTheFirstReasonKept() throws Exception {
        BurstLoad load = new BurstLoad(20, 3, 100, 1, 1);
        HikariDataSource closed = new HikariDataSource();
        closed.setDataSource(new StubDatabase().dataSource());
        closed.close();

        OpenLoop.Result result = new OpenLoop(load, closed).run(() -> {});

        assertThat(result.answers()).hasSize(4 + 3).noneMatch(OpenLoop.Answer::served);
        assertThat(result.firstFailure()).contains("SQLException");
        BurstRow row = BurstRow.of(BurstPool.HIKARICP, Variant.BARE, 1, result, 1.5, 2);
        assertThat(row.failuresPerBurst()).containsExactly(3);
        assertThat(row.steadyFailures()).isEqualTo(4);
        assertThat(row.p99LatencyMs()).isNull();
        assertThat(row.failures()).isEqualTo(7);
    }

    @Test
    void aRowDistinguishesBursts() {
        List<OpenLoop.Answer> answers = Arrays.asList(
                answer(-1, false, 900),
                answer(0, true, 10),
                answer(0, true, Double.NaN),
                answer(0, false, 30),
                answer(1, true, 20),
                answer(1, false, Double.NaN),
                answer(2, true, Double.NaN));

        BurstRow row =
                BurstRow.of(BurstPool.DRUID, Variant.FLEXPOOL, 3, new OpenLoop.Result(answers, 0.5, "full"), 21.5, 25);

        assertThat(row.pool()).isEqualTo("druid");
        assertThat(row.variant()).isEqualTo("flexpool");
        assertThat(row.failuresPerBurst()).containsExactly(1, 0, 1);
        assertThat(row.steadyFailures()).isEqualTo(1);
        assertThat(row.worstPerBurstMs()).containsExactly(30.0, 20.0, 0.0);
        assertThat(row.medianWorstMs()).isEqualTo(20);
        assertThat(row.maxLatencyMs()).isEqualTo(900);
        assertThat(row.note()).isEqualTo("full");
    }

    @Test
    void theNinetyNinthPercentileIsTheNearestRank() {
        List<OpenLoop.Answer> answers = new ArrayList<>();
        for (int n = 200; n >= 1; n--) {
            answers.add(answer(0, true, n));
        }

        BurstRow row = BurstRow.of(BurstPool.DRUID, Variant.BARE, 1, new OpenLoop.Result(answers, 0, null), 20, 20);

        assertThat(row.p99LatencyMs()).isEqualTo(198);
    }

    private static OpenLoop.Answer answer(int window, boolean ofBurst, double latencyMs) {
        return new OpenLoop.Answer(new Arrival(0, window, ofBurst), latencyMs);
    }
}
