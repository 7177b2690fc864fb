// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

import static io.flexpool.Eventually.eventually;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.flexpool.server.ServerSession;
import io.flexpool.spi.PartContext.Leased;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.slf4j.LoggerFactory;

/** A view of a {@link FakeServer}, with one connection leased. The time is the test's. */
abstract class ServerViewCase {
    static final Duration SECOND = Duration.ofSeconds(1);

    final FakePart part = new FakePart();
    final AtomicInteger connects = new AtomicInteger();
    boolean room = true;
    final List<Leased> leased = new ArrayList<>();
    final Connection own = FakeServer.connection(FakeServer.OWN);
    final ServerView view = view(part);
    final CountDownLatch hangs = new CountDownLatch(1);
    final Logger logger = (Logger) LoggerFactory.getLogger("io.flexpool");
    final ListAppender<ILoggingEvent> log = new ListAppender<>();

    ServerView view(FakePart of) {
        return view(of, false);
    }

    ServerView view(FakePart of, boolean eachMinute) {
        of.fake.connect = () -> {
            connects.incrementAndGet();
            return own;
        };
        of.room = () -> room;
        of.leased = leased;
        return new ServerView(of, eachMinute, List.of(new FakeServer()));
    }

    @BeforeEach
    void oneIsLeased() {
        FakeServer.says(FakeServer.idleInTransaction(11, true));
        leased.add(lease(1, 11));
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void close() {
        hangs.countDown();
        view.close();
        logger.detachAppender(log);
    }

    /** A query has ended before its thread is free: its line of the log comes later, and the next query may find no thread. */
    static void awaitFreeThreads() {
        eventually(() -> Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("flexpool-server-view-part"))
                .allMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING));
    }

    Leased lease(long number, long session) {
        return new Held(number, FakeServer.connection(session), part.ticker.nanos(), true);
    }

    /** A request fails. On a busy machine it may not wait until the query has ended; a second one of the same moment may. */
    @Nullable
    ServerQueryResult failed() {
        return FakeServer.failed(view);
    }

    /** Another request fails, more than a second later. */
    @Nullable
    ServerQueryResult later() {
        ServerQueryResult result;
        do {
            part.ticker.advance(SECOND);
            result = failed();
            // The thread of the query before shows its result before it is free.
        } while (result != null && "no thread could be started for the query".equals(result.missing()));
        return result;
    }

    static ServerQueryResult found(@Nullable ServerQueryResult result) {
        return Objects.requireNonNull(result);
    }

    @Nullable
    ServerSession shown(long lease) {
        return view.session(lease, part.ticker.nanos());
    }

    void hang() {
        FakeServer.answers((connection, sessions) -> {
            try {
                hangs.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw new SQLException("gave up", "57014");
        });
    }

    static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
