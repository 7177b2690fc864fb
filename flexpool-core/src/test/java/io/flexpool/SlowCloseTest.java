// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.flexpool.internal.pool.FakePool;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A pool whose close takes long, while requests are inside. */
@Timeout(300)
class SlowCloseTest {
    private static final int REQUESTS = 4;

    private final FakePool fake = new FakePool();
    private final CountDownLatch inside = new CountDownLatch(REQUESTS);
    private final CountDownLatch answered = new CountDownLatch(1);
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void end() {
        closed.countDown();
        threads.shutdownNow();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Requests that are inside the pool when its close begins, and get an answer while it goes on. */
    private List<Future<Throwable>> requestsDuringTheClose(boolean fail) {
        fake.max = REQUESTS;
        fake.answer = () -> {
            inside.countDown();
            await(answered);
            if (fail) {
                throw new SQLException("closed meanwhile");
            }
            return fake.connection();
        };
        fake.onClose = () -> {
            closing.countDown();
            await(closed);
        };
        FlexPoolDataSource pool = FlexPool.wrap(fake.dataSource)
                .name("slow")
                .adapter(fake)
                .set("base", REQUESTS)
                .build();
        List<Future<Throwable>> requests = new ArrayList<>();
        for (int at = 0; at < REQUESTS; at++) {
            requests.add(threads.submit(() -> catchThrowable(pool::getConnection)));
        }
        await(inside);
        threads.execute(pool::close);
        await(closing);
        answered.countDown();
        return requests;
    }

    /** Each closed the pool itself, and one sat for 6 s in a close that waited for the others'. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void noRequestWaitsForACloseThatTakesLong(boolean fail) throws Exception {
        for (Future<Throwable> request : requestsDuringTheClose(fail)) {
            assertThat(request.get(3, TimeUnit.MINUTES)).isInstanceOf(SQLException.class);
        }
        assertThat(closed.getCount()).as("the pool's close still runs").isOne();
        assertThat(fake.closed).as("connections given back").hasValue(fail ? 0 : REQUESTS);
        assertThat(fake.poolClosed)
                .as("by its owner, and once for all requests")
                .hasValue(2);
    }

    @Test
    void aPoolThatShowsThatItIsClosedIsNotClosedAgain() throws Exception {
        fake.shownClosed = true;
        for (Future<Throwable> request : requestsDuringTheClose(false)) {
            assertThat(request.get(3, TimeUnit.MINUTES)).isInstanceOf(SQLException.class);
        }
        assertThat(fake.poolClosed).hasValue(1);
    }
}
