// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static io.flexpool.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolPhase;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests of a pool that is paused: who waits, who does not, and what the wait looks like. */
@Timeout(300)
class PausedPoolTest {
    /** So long that a request is served by what the test is about, and not because it looks again by itself. */
    private static final Duration LONG = Duration.ofHours(1);

    private final FakePool fake = new FakePool();
    private final ExecutorService other = Executors.newSingleThreadExecutor();
    private final List<FlexPoolDataSource> built = new ArrayList<>();

    /** How flexpool stands to a pool. */
    enum Kind {
        BOUND,
        WITH_CLASSES,
        WATCHED,
        WATCHED_AND_COUNTS_ITS_OWN,
        MONITORED
    }

    private FlexPoolDataSource pool(Kind kind) {
        fake.timeout = LONG;
        if (kind == Kind.WATCHED_AND_COUNTS_ITS_OWN) {
            fake.can(Capability.PENDING_COUNT);
        }
        FlexPoolBuilder builder = FlexPool.wrap(fake.dataSource).name("fake").adapter(fake);
        FlexPoolDataSource pool = switch (kind) {
            case WATCHED, WATCHED_AND_COUNTS_ITS_OWN -> builder.build();
            case BOUND, MONITORED -> builder.set("base", 2).build();
            case WITH_CLASSES ->
                builder.set("base", 2)
                        .set("classes", "web, batch")
                        .set("classes.web.max", 2)
                        .build();
        };
        built.add(pool);
        if (kind == Kind.MONITORED) {
            pool.mode(PoolMode.MONITOR);
        }
        return pool;
    }

    @AfterEach
    void nothingIsLeft() {
        other.shutdownNow();
        for (FlexPoolDataSource pool : built) {
            eventually(() -> pool.state().leased() == 0 && pool.state().pending() == 0);
            pool.close();
        }
    }

    private CompletableFuture<Throwable> asked(FlexPoolDataSource pool) {
        return CompletableFuture.supplyAsync(
                () -> catchThrowable(() -> pool.getConnection().close()), other);
    }

    /** Each thread leaves the permit of its lease parked. */
    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"BOUND", "WITH_CLASSES"})
    void aNestedRequestPassesAHoldThoughOtherThreadsUsedThePoolBefore(Kind kind) throws Exception {
        FlexPoolDataSource pool = pool(kind);
        for (int at = 0; at < 8; at++) {
            Thread user = new Thread(
                    () -> assertThat(catchThrowable(() -> pool.getConnection().close()))
                            .isNull());
            user.start();
            user.join();
        }
        try (Connection held = pool.getConnection()) {
            pool.pause();
            CompletableFuture<Void> late = CompletableFuture.runAsync(
                            () -> eventually(() -> pool.state().waiting() == 1))
                    .thenRun(pool::resume);
            pool.getConnection().close();
            assertThat(late).as("the request waited for the pause to end").isNotDone();
            assertThat(held.isClosed()).isFalse();
            CompletableFuture<Throwable> newcomer = asked(pool);
            late.get();
            assertThat(newcomer.get()).isNull();
        }
    }

    /** Who pauses the pool waits for its leases to end, and this one would not end before the pause. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aNestedRequestGetsWhatAnotherLeaseGivesBackDuringAPause(boolean waitsBefore) throws Exception {
        FlexPoolDataSource pool = pool(Kind.BOUND);
        Connection mine = pool.getConnection();
        CompletableFuture<Connection> outer = CompletableFuture.supplyAsync(() -> connection(pool), other);
        outer.get();
        if (!waitsBefore) {
            pool.pause();
        }
        CompletableFuture<Connection> nested = CompletableFuture.supplyAsync(() -> connection(pool), other);
        eventually(() -> pool.state().waiting() == 1);
        if (waitsBefore) {
            pool.pause();
        }
        mine.close();
        eventually(nested::isDone);
        nested.get().close();
        assertThat(pool.phase()).isEqualTo(PoolPhase.PAUSED);
        outer.get().close();
        assertThat(pool.state().pending()).isZero();
        pool.resume();
        pool.getConnection().close();
    }

    private static Connection connection(FlexPoolDataSource pool) {
        try {
            return pool.getConnection();
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** A drain waits for them, and a person sees them. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void aRequestThatWaitsForTheEndOfAHoldIsPending(Kind kind) throws Exception {
        FlexPoolDataSource pool = pool(kind);
        pool.pause();
        CompletableFuture<Throwable> waits = asked(pool);
        eventually(() -> pool.state().pending() == 1 && pool.state().waiting() == 1);
        eventually(() -> pool.state().oldestWait().toNanos() > 0);
        pool.resume();
        assertThat(waits.get()).isNull();
        assertThat(pool.state().waiting()).isZero();
    }

    /** An instance more would not have them answered. */
    @Test
    void aHoldIsNoReasonToStartMoreInstances() {
        FlexPoolDataSource pool = pool(Kind.BOUND);
        assertThat(pool.diagnosis().scaleOutHelps()).isTrue();
        pool.pause();
        assertThat(pool.diagnosis().scaleOutHelps()).isFalse();
        pool.resume();
        assertThat(pool.diagnosis().scaleOutHelps()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aHeldPoolThatItsOwnerClosesAnswersWhatWaits(Kind kind) throws Exception {
        FlexPoolDataSource pool = pool(kind);
        pool.pause();
        CompletableFuture<Throwable> waits = asked(pool);
        eventually(() -> pool.phase() == PoolPhase.PAUSED && !waits.isDone());
        fake.shownClosed = true;
        eventually(waits::isDone);
        assertThat(waits.get()).hasMessageContaining("closed");
        pool.resume();
    }
}
