// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.diagnostics.Explanation;
import io.flexpool.diagnostics.Explanation.Cause;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolReading;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What callers, listeners and reports show of a failure, from the exception to the event. */
@Timeout(300)
class ExplainedFailureTest {
    private final FakePool fake = new FakePool();
    private final Queue<PoolEvent> received = new ConcurrentLinkedQueue<>();
    private final FlexPoolDataSource pool = FlexPool.wrap(fake.dataSource)
            .name("orders")
            .adapter(fake)
            .set("base", 1)
            .listener(new PoolListener() {
                @Override
                public void onEvent(PoolEvent event) {
                    if (event instanceof PoolEvent.AcquisitionTimedOut timedOut) {
                        received.add(timedOut);
                    } else if (event instanceof PoolEvent.ConnectFailed failed) {
                        received.add(failed);
                    }
                }
            })
            .build();

    @AfterEach
    void close() {
        pool.close();
    }

    private static <T> T inAnotherThread(Callable<T> work) throws Exception {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = new Thread(task, "worker-1");
        thread.start();
        thread.join();
        return task.get();
    }

    private static String report(Throwable thrown) {
        return thrown.getSuppressed().length == 0
                ? String.valueOf(thrown.getMessage())
                : String.valueOf(thrown.getSuppressed()[0].getMessage());
    }

    @Test
    void exceptionEventAndReportAgreeOnATimeout() throws Exception {
        Throwable thrown;
        Throwable second;
        try (Connection held = inAnotherThread(pool::getConnection)) {
            assertThat(held.isClosed()).isFalse();
            assertThat(pool.diagnosis().scaleOutHelps()).as("nothing is known").isTrue();
            assertThat(PoolReading.of(pool).gauge(PoolMetric.SATURATION)).isEqualTo(1);
            thrown = catchThrowable(pool::getConnection);
            second = catchThrowable(pool::getConnection);
        }
        assertThat(pool.diagnosis().scaleOutHelps())
                .as("of a leak other instances have one too")
                .isFalse();
        assertThat(PoolReading.of(pool).gauge(PoolMetric.SCALE_OUT_HELPS)).isZero();
        assertThat(PoolReading.of(pool).gauge(PoolMetric.SATURATION)).isZero();
        assertThat(thrown).isInstanceOf(SQLTransientConnectionException.class);
        assertThat(report(thrown))
                .startsWith("orders: no connection after ")
                .contains(" ms: connections have leaked\n")
                .contains("\n  cause    exhausted, every connection is in use; limit 1 (base 1, ceiling 1)")
                .contains("; report 1\n")
                .contains("  in worker-1\n");
        assertThat(report(second)).endsWith("; details: report 1").doesNotContain("\n");
        assertThat(received).hasSize(2);
        PoolEvent.AcquisitionTimedOut event = (PoolEvent.AcquisitionTimedOut) received.element();
        assertThat(event.describe()).isEqualTo(report(thrown));
        Explanation explanation = Objects.requireNonNull(event.explanation());
        assertThat(report(thrown)).isEqualTo(explanation.text());
        assertThat(pool.diagnosis().lastExplanation())
                .isNotNull()
                .extracting(Explanation::number)
                .isEqualTo(1L);
        // On a busy machine an event of another kind may follow.
        assertThat(pool.diagnosis().recentEvents())
                .filteredOn(recent -> recent.event().kind() == PoolEvent.Kind.TIMEOUT)
                .extracting(PoolEvent.Recent::count)
                .containsExactly(2L);
        assertThat(pool.report()).contains("Last explained failure:\n  orders: no connection after ");
    }

    @Test
    void exceptionAndEventAgreeOnAConnectFailure() {
        fake.kind = Kind.CONNECT_FAILED;
        fake.total = 0;
        SQLException own = new SQLTransientConnectionException("mine", "53300");
        fake.answer = () -> {
            throw own;
        };
        assertThat(catchThrowable(pool::getConnection)).isSameAs(own);
        assertThat(own.getSuppressed()).hasSize(1);
        assertThat(report(own))
                .contains(": connecting to the database fails\n  cause    the server allows no more connections");
        PoolEvent.ConnectFailed event = (PoolEvent.ConnectFailed) received.element();
        assertThat(event.explanation())
                .isNotNull()
                .satisfies(made -> assertThat(made.cause()).isEqualTo(Cause.CONNECT_FAILURE))
                .satisfies(made -> assertThat(made.number()).isOne());
        assertThat(event.describe()).isEqualTo(report(own));
    }

    /** One holder, one request, nobody else: the explanation counted "1 other request". */
    @Test
    void aRequestThatFailsDoesNotWaitItself() throws Exception {
        FakePool full = new FakePool();
        full.max = 1;
        full.total = 1;
        try (FlexPoolDataSource watched =
                        FlexPool.wrap(full.dataSource).name("one").adapter(full).build();
                Connection held = inAnotherThread(watched::getConnection)) {
            assertThat(held.isClosed()).isFalse();
            full.answer = () -> {
                throw new SQLTransientConnectionException("none in time");
            };
            Throwable thrown = catchThrowable(watched::getConnection);
            assertThat(report(thrown))
                    .contains("every connection is in use; max 1, active 1, pending 0")
                    .doesNotContain("other request");
            assertThat(watched.diagnosis().recentEvents())
                    .extracting(PoolEvent.Recent::event)
                    .singleElement()
                    .isInstanceOfSatisfying(
                            PoolEvent.AcquisitionTimedOut.class,
                            event -> assertThat(event.state().pending()).isZero());
        }
    }

    /** "Exhausted, every connection is in use; max 20, active 2", and "the database refuses connections" for the same pool. */
    @ParameterizedTest
    @EnumSource(names = {"EXHAUSTED", "CONNECT_FAILED"})
    void aPoolThatOpensAnotherConnectionSaysSo(Kind kind) throws Exception {
        FakePool opening = new FakePool();
        opening.max = 20;
        opening.total = 2;
        opening.kind = kind;
        try (FlexPoolDataSource watched = FlexPool.wrap(opening.dataSource)
                        .name("shop")
                        .adapter(opening)
                        .build();
                Connection one = inAnotherThread(watched::getConnection);
                Connection two = inAnotherThread(watched::getConnection)) {
            assertThat(one).isNotSameAs(two);
            opening.answer = () -> {
                throw new SQLTransientConnectionException("request timed out after 1500ms (total=2)");
            };
            String report = report(catchThrowable(watched::getConnection));
            assertThat(report)
                    .contains("all 2 are in use, the 3rd is still opening; max 20, active 2, ")
                    .doesNotContain("every connection", "refuses", "cannot be reached");
            assertThat(watched.diagnosis().recentEvents())
                    .extracting(recent -> recent.event().describe())
                    .allSatisfy(event -> assertThat(event)
                            .contains("all 2 are in use, the 3rd is still opening")
                            .doesNotContain("every connection", "refuses", "cannot be reached"));
        }
    }

    @Test
    void aPoolWithoutFailuresHasAReportToo() {
        assertThat(pool.report()).startsWith("orders (Fake): ").contains("No failure has been explained.");
    }
}
