// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.diagnostics.Explanation;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import io.flexpool.internal.config.CircuitBreaker;
import io.flexpool.internal.config.RetryAcquisition;
import io.flexpool.internal.pool.FakePool;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A request that fails reads the pool once per decision, for many pools count under a lock; and it is explained once. */
@Timeout(300)
class FailureCostTest {
    private final FakePool fake = new FakePool();
    private final AtomicInteger snapshots = new AtomicInteger();
    private final List<PoolEvent> events = new ArrayList<>();
    private @Nullable FlexPoolDataSource built;

    private FlexPoolBuilder wrap() {
        Thread requesting = Thread.currentThread();
        fake.onSnapshot = () -> {
            if (Thread.currentThread() == requesting) {
                snapshots.incrementAndGet();
            }
        };
        return FlexPool.wrap(fake.dataSource).name("fake").adapter(fake).listener(new PoolListener() {
            @Override
            public void onEvent(PoolEvent event) {
                if (event instanceof PoolEvent.ConnectFailed failed) {
                    events.add(failed);
                } else if (event instanceof PoolEvent.AcquisitionTimedOut timedOut) {
                    events.add(timedOut);
                } else if (event instanceof PoolEvent.Resized resized) {
                    events.add(resized);
                }
            }
        });
    }

    private FlexPoolDataSource build(FlexPoolBuilder builder) {
        FlexPoolDataSource pool = builder.build();
        built = pool;
        snapshots.set(0);
        return pool;
    }

    @AfterEach
    void close() {
        Objects.requireNonNull(built).close();
    }

    private void throwing(Kind kind, SQLException own) {
        fake.kind = kind;
        fake.answer = () -> {
            throw own;
        };
    }

    /** Not a nested request, which reads the pool too. */
    private static <T> T inAnotherThread(Callable<T> work) throws Exception {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = new Thread(task);
        thread.start();
        thread.join();
        return task.get();
    }

    private static String report(Throwable own) {
        assertThat(own.getSuppressed()).hasSize(1);
        return String.valueOf(own.getSuppressed()[0].getMessage());
    }

    private static String rows(Explanation explanation) {
        return explanation.text().substring(explanation.text().indexOf('\n'));
    }

    private static Explanation explanation(FlexPoolDataSource pool) {
        Explanation last = Objects.requireNonNull(pool.diagnosis().lastExplanation());
        assertThat(last.number()).as("explanations made").isOne();
        return last;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aConnectFailure(boolean bound) {
        SQLException own = new SQLException("refused", "08001");
        throwing(Kind.CONNECT_FAILED, own);
        FlexPoolDataSource pool = build(bound ? wrap().set("base", 2) : wrap());
        assertThat(catchThrowable(pool::getConnection)).isSameAs(own);
        assertThat(snapshots).hasValue(1);
        assertThat(events)
                .singleElement()
                .extracting(event -> ((PoolEvent.ConnectFailed) event).explanation())
                .isSameAs(explanation(pool));
        assertThat(report(own)).endsWith(rows(explanation(pool)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aTimeoutOfThePool(boolean bound) {
        SQLException own = new SQLException("none in time");
        throwing(Kind.EXHAUSTED, own);
        FlexPoolDataSource pool = build(bound ? wrap().set("base", 2) : wrap());
        assertThat(catchThrowable(pool::getConnection)).isSameAs(own);
        assertThat(snapshots).hasValue(1);
        assertThat(report(own)).endsWith(rows(explanation(pool)));
    }

    @Test
    void aTimeoutAtTheGate() throws Exception {
        FlexPoolDataSource pool = build(wrap().set("base", 1));
        fake.total = 1;
        try (Connection held = inAnotherThread(pool::getConnection)) {
            assertThat(held).isNotNull();
            snapshots.set(0);
            Throwable thrown = catchThrowable(pool::getConnection);
            assertThat(thrown).hasMessageEndingWith(rows(explanation(pool)));
            assertThat(snapshots).hasValue(1);
        }
        assertThat(events)
                .singleElement()
                .extracting(event -> ((PoolEvent.AcquisitionTimedOut) event).explanation())
                .isSameAs(explanation(pool));
    }

    /** In the queue for the strategies, and once more for the report, which must not count the request as waiting. */
    @Test
    void aTimeoutAtTheGateWithStrategies() throws Exception {
        FlexPoolDataSource pool = build(wrap().set("base", 1).strategy(CircuitBreaker.after(9, Duration.ofSeconds(1))));
        fake.total = 1;
        try (Connection held = inAnotherThread(pool::getConnection)) {
            assertThat(held).isNotNull();
            snapshots.set(0);
            assertThat(catchThrowable(pool::getConnection)).hasMessageContaining("pending 0");
            assertThat(snapshots).hasValue(2);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"EXHAUSTED", "CONNECT_FAILED"})
    void threeAttempts(Kind kind) {
        SQLException own = new SQLException("not now");
        throwing(kind, own);
        FlexPoolDataSource pool = build(wrap().strategy(RetryAcquisition.times(3, Duration.ZERO, Duration.ofSeconds(5))
                .withConnectFailures()));
        assertThat(catchThrowable(pool::getConnection)).isSameAs(own);
        assertThat(fake.calls).hasValue(3);
        assertThat(snapshots).hasValue(3);
        assertThat(report(own)).contains("and 3 attempts").endsWith(rows(explanation(pool)));
    }

    /** The state of the failure is also the one on which the growth is taken back. */
    @Test
    void aConnectFailureThatTakesGrowthBack() throws Exception {
        FlexPoolDataSource pool = build(wrap().set("base", 1)
                .set("ceiling", 3)
                .set("grow-on-wait.enabled", true)
                .set("grow-on-wait.after", Duration.ZERO));
        fake.total = 1;
        Connection first = inAnotherThread(pool::getConnection);
        Connection second = inAnotherThread(pool::getConnection);
        assertThat(pool.state().limit()).isEqualTo(2);
        second.close();
        fake.total = 1;
        throwing(Kind.CONNECT_FAILED, new SQLException("refused", "08001"));
        events.clear();
        snapshots.set(0);
        assertThat(catchThrowable(pool::getConnection)).hasMessage("refused");
        assertThat(snapshots).hasValue(1);
        assertThat(pool.state().limit()).isOne();
        first.close();
        PoolEvent.ConnectFailed failed = (PoolEvent.ConnectFailed) events.get(0);
        PoolEvent.Resized taken = (PoolEvent.Resized) events.get(1);
        assertThat(taken.state()).isSameAs(failed.state());
    }

    @Test
    void aRequestThatTheCircuitTurnsAway() {
        throwing(Kind.CONNECT_FAILED, new SQLException("refused", "08001"));
        FlexPoolDataSource pool = build(wrap().strategy(CircuitBreaker.after(1, Duration.ofSeconds(30))));
        assertThat(catchThrowable(pool::getConnection)).hasMessage("refused");
        snapshots.set(0);
        assertThat(catchThrowable(pool::getConnection)).hasMessageContaining("the circuit is open");
        assertThat(snapshots).hasValue(1);
    }
}
