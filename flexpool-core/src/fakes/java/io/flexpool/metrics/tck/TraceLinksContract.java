// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.pool.AcquisitionOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A long wait links to the traces that held connections meanwhile, and to no other one. */
@Timeout(300)
public abstract class TraceLinksContract {
    private static final int THREADS = 8;
    private static final int REQUESTS = 60;
    /** More than the slots in which leases are kept. */
    private static final int MANY = 600;

    private final Map<String, Request> requests = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final ExecutorService closers = Executors.newFixedThreadPool(2);

    /**
     * A span of a wait, as the tracing library exports it.
     *
     * @param trace its trace id
     * @param links the trace id of each link, with its attributes
     * @param attributes its attributes or tags, as text
     */
    public record Wait(String trace, List<Link> links, Map<String, String> attributes) {}

    /**
     * A link of a span.
     *
     * @param trace the trace id
     * @param attributes its attributes or tags, as text
     */
    public record Link(String trace, Map<String, String> attributes) {}

    /** What a trace did, by the clock of the test, which includes what flexpool measured. */
    private static final class Request {
        private final long requested = System.nanoTime();
        private volatile long acquired;
        private volatile long closed;
    }

    /** {@return what creates spans of waits from this duration on} */
    protected abstract MetricsBinder above(Duration threshold);

    /** {@return a database without a pool} */
    protected abstract DataSource database();

    /** Runs a task in a trace of its own; the task is called with the trace id. */
    protected abstract <T> T inTrace(Task<T> task) throws Exception;

    /** {@return the spans of waits that have ended} */
    protected abstract List<Wait> waits();

    /** Runs in a trace. */
    @FunctionalInterface
    protected interface Task<T> {
        /** Runs with the id of the trace. */
        T run(String trace) throws Exception;
    }

    @AfterEach
    void stop() {
        threads.shutdownNow();
        closers.shutdownNow();
    }

    @Test
    void aWaitLinksToThoseWhoHeldTheConnections() throws Exception {
        run(false);
        assertThat(waits()).as("waits").hasSizeGreaterThan(THREADS);
        long linked = waits().stream().filter(wait -> !wait.links().isEmpty()).count();
        assertThat(linked).as("of %s waits", waits().size()).isGreaterThanOrEqualTo(waits().size() * 95L / 100);
        assertThat(waits()).allSatisfy(this::linksToHoldersOnly);
    }

    @Test
    void aConnectionThatAnotherThreadReturnsIsNotBlamedAfterwards() throws Exception {
        run(true);
        assertThat(waits()).as("waits").hasSizeGreaterThan(THREADS);
        assertThat(waits()).allSatisfy(this::linksToHoldersOnly);
    }

    @Test
    void theSpanOfATimeoutNamesTheHolderAndTheCause() throws Exception {
        try (FlexPoolDataSource pool = pool(1)) {
            List<String> holder = new ArrayList<>();
            Connection held = inTrace(trace -> {
                holder.add(trace);
                return pool.getConnection();
            });
            threads.submit(() -> inTrace(trace -> {
                        assertThatThrownBy(pool::getConnection).isInstanceOf(SQLTransientConnectionException.class);
                        return trace;
                    }))
                    .get(5, TimeUnit.MINUTES);
            held.close();
            assertThat(waits().stream().filter(wait -> wait.attributes().containsValue("timeout")))
                    .singleElement()
                    .satisfies(wait -> {
                        assertThat(wait.attributes())
                                .containsEntry("flexpool.cause", "exhausted")
                                .containsEntry("flexpool.leased", "1")
                                .containsEntry("flexpool.limit", "1")
                                .containsEntry("db.client.connection.pool.name", "orders");
                        assertThat(wait.links()).extracting(Link::trace).isEqualTo(holder);
                        assertThat(Double.parseDouble(
                                        wait.links().get(0).attributes().get("flexpool.held_seconds")))
                                .isPositive();
                    });
        }
    }

    @Test
    void aLeaseInsideAnotherHidesNoHolder() throws Exception {
        try (FlexPoolDataSource pool = pool(2)) {
            inTrace(holder -> {
                try (Connection outer = pool.getConnection()) {
                    assertThat(outer.isValid(1)).isTrue();
                    inTrace(inner -> {
                        lease(pool);
                        return inner;
                    });
                    aWaitLinksTo(pool, holder);
                }
                return holder;
            });
        }
    }

    @Test
    void leasesOfManyThreadsHideNoHolder() throws Exception {
        try (FlexPoolDataSource pool = pool(2)) {
            inTrace(holder -> {
                try (Connection held = pool.getConnection()) {
                    assertThat(held.isValid(1)).isTrue();
                    for (int at = 0; at < MANY; at++) {
                        // Its number is one more than that of the thread before.
                        FutureTask<String> other = new FutureTask<>(() -> inTrace(trace -> {
                            lease(pool);
                            return trace;
                        }));
                        new Thread(other).start();
                        other.get(5, TimeUnit.MINUTES);
                    }
                    aWaitLinksTo(pool, holder);
                }
                return holder;
            });
        }
    }

    private static void lease(FlexPoolDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            assertThat(connection.isValid(1)).isTrue();
        }
    }

    /** Another trace takes the second connection; a third one waits for it. */
    private void aWaitLinksTo(FlexPoolDataSource pool, String holder) throws Exception {
        Connection second =
                threads.submit(() -> inTrace(trace -> pool.getConnection())).get(5, TimeUnit.MINUTES);
        Future<String> waiter = threads.submit(() -> inTrace(trace -> {
            lease(pool);
            return trace;
        }));
        while (pool.state().pending() == 0) {
            Thread.onSpinWait();
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        second.close();
        String waited = waiter.get(5, TimeUnit.MINUTES);
        assertThat(waits().stream().filter(wait -> wait.trace().equals(waited)))
                .singleElement()
                .satisfies(
                        wait -> assertThat(wait.links()).extracting(Link::trace).contains(holder));
    }

    @Test
    void aHandOverIsNoFreeConnection() throws Exception {
        // A connection that was handed over counts twice for a moment, or in no lease.
        assertThat(figures(5, 3, 4)).containsExactly("4", "exhausted");
        assertThat(figures(3, 9, 4)).containsExactly("3", "exhausted");
        assertThat(figures(3, 0, 4)).containsExactly("3", "unknown");
        // One is still being opened.
        assertThat(figures(3, 9, 3)).containsExactly("3", "unknown");
        // The application holds none: something in the pool is slow.
        assertThat(figures(0, 9, 4)).containsExactly("0", "unknown");
    }

    /** The leases and the cause of a wait for a pool of four connections. */
    private List<String> figures(int leased, int entering, int total) throws Exception {
        MetricsBinder.Binding binding =
                above(Duration.ofMillis(1)).bind(new ScriptedPool("orders").watched(leased, entering, 4, total));
        String waited = inTrace(trace -> {
            binding.observer().acquired(0, Duration.ofMillis(1).toNanos(), AcquisitionOutcome.OK);
            return trace;
        });
        binding.unbind();
        return waits().stream()
                .filter(wait -> wait.trace().equals(waited))
                .flatMap(wait -> Stream.of("flexpool.leased", "flexpool.cause").map(wait.attributes()::get))
                .toList();
    }

    private FlexPoolDataSource pool(int size) {
        return FlexPool.wrap(database())
                .name("orders")
                .set("base", size)
                .set("acquisition-timeout", size == 1 ? Duration.ofMillis(250) : Duration.ofMinutes(5))
                .metrics(above(Duration.ofMillis(1)))
                .build();
    }

    /** Requests, each in a trace of its own, for two connections. */
    private void run(boolean othersClose) throws Exception {
        try (FlexPoolDataSource pool = pool(2)) {
            List<Future<?>> running = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                Random random = new Random(thread);
                running.add(threads.submit(() -> {
                    for (int request = 0; request < REQUESTS; request++) {
                        request(pool, othersClose && random.nextInt(3) == 0, random.nextInt(4_000_000));
                    }
                    return null;
                }));
            }
            for (Future<?> each : running) {
                each.get(5, TimeUnit.MINUTES);
            }
        }
    }

    private void request(FlexPoolDataSource pool, boolean otherCloses, long holdNanos) throws Exception {
        inTrace(trace -> {
            Request request = new Request();
            requests.put(trace, request);
            Connection connection = pool.getConnection();
            request.acquired = System.nanoTime();
            LockSupport.parkNanos(holdNanos);
            Callable<Void> close = () -> {
                connection.close();
                return null;
            };
            if (otherCloses) {
                closers.submit(close).get(5, TimeUnit.MINUTES);
            } else {
                close.call();
            }
            request.closed = System.nanoTime();
            return request;
        });
    }

    private void linksToHoldersOnly(Wait wait) {
        Request waiter = requests.get(wait.trace());
        assertThat(waiter).isNotNull();
        for (Link link : wait.links()) {
            Request holder = requests.get(link.trace());
            assertThat(holder).isNotNull().isNotSameAs(waiter);
            assertThat(holder.closed - waiter.requested)
                    .as("closed before the wait")
                    .isPositive();
            assertThat(waiter.acquired - holder.requested)
                    .as("requested after the wait")
                    .isPositive();
        }
    }
}
