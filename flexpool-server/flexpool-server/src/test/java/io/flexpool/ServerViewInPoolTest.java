// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.flexpool.diagnostics.Explanation;
import io.flexpool.diagnostics.Explanation.Cause;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.server.engine.FakeServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the server says of a pool's sessions, from the connection that is leased to the caller's exception. */
@Timeout(300)
class ServerViewInPoolTest {
    private final FakePool fake = new FakePool();
    private final AtomicInteger sessions = new AtomicInteger(10);
    private final AtomicInteger connects = new AtomicInteger();
    private FlexPoolDataSource pool = open("auto");

    private FlexPoolDataSource open(String use) {
        fake.answer = () -> FakeServer.connection(sessions.incrementAndGet());
        fake.connect = () -> {
            connects.incrementAndGet();
            return FakeServer.connection(FakeServer.OWN);
        };
        try {
            return FakeServer.onClassPath(() -> FlexPool.wrap(fake.dataSource)
                    .name("orders")
                    .adapter(fake)
                    .set("base", 2)
                    .properties(Map.of("flexpool.server-view", use))
                    .build());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void close() {
        pool.close();
    }

    private Connection inAnotherThread() throws Exception {
        FutureTask<Connection> task = new FutureTask<>(pool::getConnection);
        Thread thread = new Thread(task, "worker");
        thread.start();
        thread.join();
        return task.get();
    }

    /** Two are leased, and the third request fails. */
    private Throwable failure() throws Exception {
        try (Connection first = inAnotherThread();
                Connection second = inAnotherThread()) {
            assertThat(first).isNotSameAs(second);
            return explained();
        }
    }

    /** A request that fails and is explained: one a second is; and on a busy machine a look may come late. */
    private Throwable explained() {
        Throwable thrown;
        do {
            thrown = catchThrowable(pool::getConnection);
        } while ((!report(thrown).contains("; report ") || report(thrown).contains("within 200 ms"))
                && !Thread.currentThread().isInterrupted());
        return thrown;
    }

    private static String report(Throwable thrown) {
        return String.valueOf(thrown.getMessage());
    }

    @Test
    void theReportNamesWhoBlocksWhom() throws Exception {
        FakeServer.says(FakeServer.idleInTransaction(11, true), FakeServer.waits(12, true, 11L));
        try (Connection first = inAnotherThread();
                Connection second = inAnotherThread()) {
            assertThat(first).isNotSameAs(second);
            Throwable thrown = explained();
            assertThat(thrown).isInstanceOf(SQLTransientConnectionException.class);
            assertThat(report(thrown))
                    .contains(" behind session 11 of this pool, ")
                    .doesNotContain("usable sessions");
            assertThat(pool.report())
                    .contains("session idle in transaction for 3.0 s")
                    .contains("session running for 2.0 s, waits for Lock: transactionid, blocked by session 11");
            assertThat(pool.openLeases())
                    .allSatisfy(lease -> assertThat(lease.inServer()).isNotNull());
        }
        assertThat(connects).hasValue(1);
    }

    @Test
    void nothingIsOpenedWhileNothingFails() throws Exception {
        inAnotherThread().close();
        assertThat(pool.openLeases()).isEmpty();
        assertThat(pool.report()).isNotEmpty();
        assertThat(connects).hasValue(0);
    }

    /** Once a second at most; nobody waits, so nothing else looks. */
    @Test
    void whoReadsTheLeasesAfterAFailureSeesThemAsTheyAreNow() throws Exception {
        FakeServer.says(FakeServer.idleInTransaction(11, true), FakeServer.idleInTransaction(12, true));
        try (Connection first = inAnotherThread();
                Connection second = inAnotherThread()) {
            assertThat(first).isNotSameAs(second);
            explained();
            FakeServer.says(FakeServer.waits(11, true, 12L), FakeServer.idleInTransaction(12, true));
            while (FakeServer.LOOKS.isEmpty() && !Thread.currentThread().isInterrupted()) {
                pool.openLeases();
            }
            assertThat(FakeServer.LOOKS).isNotEmpty();
        }
    }

    @Test
    void switchedOffNothingIsLookedAt() throws Exception {
        pool.close();
        FakeServer.says(FakeServer.idleInTransaction(11, true), FakeServer.waits(12, true, 11L));
        pool = open("off");
        failure();
        assertThat(FakeServer.LOOKS).isEmpty();
        assertThat(connects).hasValue(0);
    }

    @Test
    void aLookThatFailsChangesNothingForTheCaller() throws Exception {
        FakeServer.answers((own, asked) -> {
            throw new SQLException("no", "42501");
        });
        Throwable thrown = failure();
        assertThat(thrown).isExactlyInstanceOf(SQLTransientConnectionException.class);
        assertThat(thrown.getCause()).isNull();
        assertThat(report(thrown))
                .contains(
                        "the activity of the server is unknown: it refused or could not be reached in time (SQLException,"
                                + " SQLState 42501)");
        Explanation last = Objects.requireNonNull(pool.diagnosis().lastExplanation());
        assertThat(last.cause()).isNotIn(Cause.BLOCKED_BY_HOLDER, Cause.BLOCKED_BY_OTHER);
    }

    /** The numbers of the sessions are of the leases before; a look must not find them on those of now. */
    @Test
    void aNewLeaseInTheSameSlotDoesNotInheritWhatWasSaid() throws Exception {
        FakeServer.says(FakeServer.idleInTransaction(11, true), FakeServer.waits(12, true, 11L));
        ExecutorService worker = Executors.newSingleThreadExecutor();
        try (Connection other = inAnotherThread()) {
            Connection first = worker.submit(() -> pool.getConnection()).get();
            assertThat(other).isNotSameAs(first);
            explained();
            first.close();
            FakeServer.answers((own, asked) -> FakeServer.of().build());
            try (Connection again = worker.submit(() -> pool.getConnection()).get()) {
                assertThat(again.isClosed()).isFalse();
                assertThat(pool.openLeases().get(1).inServer()).isNull();
            }
        } finally {
            worker.shutdown();
        }
    }
}
