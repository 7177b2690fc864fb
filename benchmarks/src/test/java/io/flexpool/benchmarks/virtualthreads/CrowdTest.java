// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.virtualthreads;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.benchmarks.kit.Asked;
import io.flexpool.benchmarks.kit.Interrupt;
import io.flexpool.benchmarks.stub.StubConnection;
import io.flexpool.benchmarks.stub.UnusedDataSource;
import java.sql.Connection;
import java.sql.SQLTransientConnectionException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** On platform threads, which the build's Java has in any case. */
@Timeout(120)
class CrowdTest {
    private static final int CONNECTIONS = 2;
    private static final int MILLIS = 150;

    private static Plan plan(List<Variant> variants, int rounds) {
        return new Plan(List.of(LeaseDatabase.STUB), variants, 20, CONNECTIONS, 1_000, 50, MILLIS, rounds, 1);
    }

    private static VirtualThreadsBenchmark benchmark(Plan plan) {
        return new VirtualThreadsBenchmark(plan, Executors::newCachedThreadPool);
    }

    @Test
    void everyVariantServesTheCrowdWithItsConnections() throws InterruptedException {
        try (Interrupt stop = Interrupt.watch()) {
            List<Row> rows = benchmark(plan(List.of(Variant.values()), 1)).run((steps, doing) -> {}, stop);

            assertThat(rows).extracting(Row::variant).containsExactly(Variant.values());
            // A connection is busy for a millisecond each time, and one more request may end at each end of the span.
            double most = CONNECTIONS * (MILLIS + 2) / (MILLIS / 1000.0);
            assertThat(rows).allSatisfy(row -> {
                assertThat(row.requestsPerSecond()).isPositive().isLessThanOrEqualTo(most);
                assertThat(row.waitP99Ms()).isGreaterThanOrEqualTo(row.waitP50Ms());
                assertThat(row.wholeP99Ms()).isGreaterThanOrEqualTo(1);
                assertThat(row.processorMicros()).isNotNegative();
                assertThat(row.pinned()).isZero();
                assertThat(row.failed()).as(row.firstFailure()).isZero();
            });
        }
    }

    /** The processor's time moves in steps of 10 ms, and a busy machine may give less to one span: then there is another. */
    @Test
    void everyVariantsRequestsTakeProcessorTime() throws InterruptedException {
        Set<Variant> without = EnumSet.allOf(Variant.class);
        try (Interrupt stop = Interrupt.watch()) {
            while (!without.isEmpty()) {
                for (Row row : benchmark(plan(List.copyOf(without), 1)).run((steps, doing) -> {}, stop)) {
                    if (row.processorMicros() > 0) {
                        without.remove(row.variant());
                    }
                }
            }
        }
    }

    @Test
    void aStopLeavesOutWhatWasUnderWay() throws InterruptedException {
        AtomicInteger steps = new AtomicInteger();
        try (Interrupt stop = Interrupt.watch()) {
            List<Row> rows = benchmark(plan(List.of(Variant.BARE), 5))
                    .run(
                            (more, doing) -> {
                                if (steps.incrementAndGet() == 2) {
                                    asked(stop);
                                }
                            },
                            stop);

            assertThat(rows).extracting(Row::round).containsExactly(1, 2);
        }
    }

    private static void asked(Interrupt stop) {
        try {
            Asked.of(stop);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** A pool that serves some of its threads again and again would else be praised for its short waits. */
    @Test
    void whoStillWaitsAtTheEndCounts() throws InterruptedException {
        CountDownLatch asked = new CountDownLatch(2);
        CountDownLatch opened = new CountDownLatch(1);
        Crowd crowd = new Crowd(
                new UnusedDataSource() {
                    @Override
                    public Connection getConnection() {
                        asked.countDown();
                        awaitUninterrupted(opened);
                        return new StubConnection();
                    }
                },
                (connection, micros) -> {},
                1,
                Executors.newCachedThreadPool());
        crowd.measure();
        crowd.begin(2);
        asked.await();
        crowd.measured();
        opened.countDown();
        crowd.end();

        assertThat(crowd.served()).isZero();
        assertThat(crowd.waits().getTotalCount()).isEqualTo(2);
        assertThat(crowd.waits().getMinValue()).isPositive();
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void failuresAreCountedWhileItMeasures() throws InterruptedException {
        CountDownLatch asked = new CountDownLatch(3);
        Crowd crowd = new Crowd(
                new UnusedDataSource() {
                    @Override
                    public Connection getConnection() throws SQLTransientConnectionException {
                        asked.countDown();
                        throw new SQLTransientConnectionException("none in time");
                    }
                },
                (connection, micros) -> {},
                1,
                Executors.newCachedThreadPool());
        crowd.measure();
        crowd.begin(2);
        asked.await();
        crowd.end();

        assertThat(crowd.failures()).isGreaterThanOrEqualTo(2);
        assertThat(crowd.firstFailure()).endsWith("none in time");
        assertThat(crowd.waits().getTotalCount()).isZero();
    }
}
