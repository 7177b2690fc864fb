// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.diagnostics.OpenLease.Activity;
import io.flexpool.diagnostics.OpenLease.OtherWork;
import io.flexpool.internal.context.OpenInView;
import io.flexpool.internal.failure.ThreadSample.Place;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.pool.AcquiringPool;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class ThreadSampleTest {
    private static StackTraceElement frame(String type, String method) {
        return new StackTraceElement(type, method, type.substring(type.lastIndexOf('.') + 1) + ".java", 12);
    }

    @Test
    void aCallThroughTheWrapperIsInTheDatabase() {
        ThreadSample seen = ThreadSample.of(Thread.State.RUNNABLE, new StackTraceElement[] {
            frame("sun.nio.ch.SocketDispatcher", "read0"),
            frame("com.acme.driver.Wire", "receive"),
            frame("io.flexpool.internal.jdbc.LeasedStatement", "executeQuery"),
            frame("com.acme.OrderService", "place")
        });
        assertThat(seen.place()).isEqualTo(Place.IN_DATABASE);
        assertThat(seen.words()).isEqualTo("inside executeQuery");
    }

    @Test
    void aSocketReadOfTheApplicationsOwnIsNotTheDatabase() {
        ThreadSample seen = ThreadSample.of(Thread.State.RUNNABLE, new StackTraceElement[] {
            frame("sun.nio.ch.SocketDispatcher", "read0"),
            frame("java.net.http.HttpClient", "send"),
            frame("com.acme.PaymentClient", "charge"),
            frame("com.acme.OrderService", "place")
        });
        assertThat(seen.place()).isEqualTo(Place.IN_APPLICATION);
        assertThat(seen.words()).isEqualTo("at PaymentClient.charge(PaymentClient.java:12)");
        assertThat(seen.work()).isEqualTo(OtherWork.HTTP_CALL);
        assertThat(seen.viewEnds()).isNull();
    }

    private static @Nullable String viewEnds(String... types) {
        return ThreadSample.of(
                        Thread.State.RUNNABLE,
                        Stream.of(types).map(type -> frame(type, "run")).toArray(StackTraceElement[]::new))
                .viewEnds();
    }

    /** Spring's interceptor has returned when the controller runs; its filters have not. */
    @Test
    void aRequestInNoTransactionIsHeldByAnOpenView() {
        String dispatcher = "org.springframework.web.servlet.DispatcherServlet";
        String transaction = "org.springframework.transaction.interceptor.TransactionAspectSupport";
        String filter = "org.springframework.orm.jpa.support.OpenEntityManagerInViewFilter";
        assertThat(viewEnds("com.acme.Controller", dispatcher)).isNull();
        assertThat(viewEnds("com.acme.Controller", dispatcher, filter))
                .isEqualTo("an application without OpenEntityManagerInViewFilter");
        Runnable end = OpenInView.begin();
        try {
            assertThat(viewEnds("com.acme.Controller", dispatcher)).isEqualTo("spring.jpa.open-in-view=false");
            assertThat(viewEnds("com.acme.Service", transaction, "com.acme.Controller", dispatcher, filter))
                    .isNull();
            assertThat(viewEnds("com.acme.Job", "java.lang.Thread")).isNull();
        } finally {
            end.run();
            end.run();
        }
        assertThat(viewEnds("com.acme.Controller", dispatcher)).isNull();
    }

    @Test
    void aThreadInGetConnectionWaitsForAConnection() {
        ThreadSample seen = ThreadSample.of(Thread.State.RUNNABLE, new StackTraceElement[] {
            frame("com.zaxxer.hikari.pool.HikariPool", "getConnection"),
            frame(ThreadSample.POOL, ThreadSample.ACQUIRE),
            frame("com.acme.OrderService", "place")
        });
        assertThat(seen.place()).isEqualTo(Place.WAITS_FOR_CONNECTION);
    }

    /** A frame of another name would make every nested request look like the application's own work. */
    @Test
    void theFrameThatIsLookedForIsThePools() {
        assertThat(ThreadSample.POOL).isEqualTo(AcquiringPool.class.getName());
        assertThat(AcquiringPool.class.getMethods()).extracting(Method::getName).contains(ThreadSample.ACQUIRE);
    }

    private static OpenLease lease(long threadId, Activity activity, boolean virtual) {
        return new LeaseTracker.Open(
                "t", threadId, virtual, null, Duration.ofNanos(5), activity, null, null, false, null, null);
    }

    @Test
    void idleWorkersAndEndedThreadsAreRecognised() throws Exception {
        ThreadPoolExecutor executor = new ThreadPoolExecutor(1, 1, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>());
        Thread ended = new Thread(() -> {});
        CountDownLatch holds = new CountDownLatch(1);
        Thread application = new Thread(() -> {
            try {
                holds.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        try {
            long worker = executor.submit(() -> Thread.currentThread().getId()).get();
            ended.start();
            ended.join();
            application.start();
            while (application.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            // The worker has answered, and is about to wait for its next task.
            long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
            Map<Long, ThreadSample> seen;
            do {
                seen = ThreadSample.ofOldest(List.of(
                        lease(worker, Activity.UNKNOWN, false),
                        lease(ended.getId(), Activity.UNKNOWN, false),
                        lease(application.getId(), Activity.IDLE, false)));
            } while (at(seen, worker).place() == Place.IN_APPLICATION && end - System.nanoTime() > 0);
            assertThat(at(seen, worker).place()).isEqualTo(Place.WAITS_FOR_WORK);
            assertThat(at(seen, ended.getId()).place()).isEqualTo(Place.ENDED);
            assertThat(at(seen, application.getId()).place()).isEqualTo(Place.IN_APPLICATION);
            assertThat(at(seen, application.getId()).words()).contains("ThreadSampleTest");
        } finally {
            holds.countDown();
            executor.shutdownNow();
        }
    }

    /** "More connections would be held as well", although the requester itself had the lock for which all holders waited. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLockOfTheRequesterIsRecognised(boolean monitor) throws Exception {
        ReentrantLock lock = new ReentrantLock();
        Object mutex = new Object();
        Thread holder = new Thread(
                () -> {
                    if (monitor) {
                        synchronized (mutex) {
                            assertThat(mutex).isNotNull();
                        }
                    } else {
                        lock.lock();
                        try {
                            assertThat(lock.isHeldByCurrentThread()).isTrue();
                        } finally {
                            lock.unlock();
                        }
                    }
                },
                "holder");
        ThreadSample seen;
        lock.lock();
        try {
            synchronized (mutex) {
                holder.start();
                while (holder.getState() != Thread.State.WAITING && holder.getState() != Thread.State.BLOCKED) {
                    Thread.onSpinWait();
                }
                seen = at(
                        ThreadSample.ofOldest(List.of(lease(holder.getId(), Activity.UNKNOWN, false))), holder.getId());
            }
        } finally {
            lock.unlock();
        }
        holder.join();
        assertThat(seen.work()).isEqualTo(OtherWork.LOCK);
        assertThat(seen.inverted()).isTrue();
        assertThat(Objects.requireNonNull(seen.lockOwner()).thread())
                .isEqualTo(Thread.currentThread().getName());
    }

    @Test
    void aThreadThatHasLeftTheMethodOfTheCallSiteIsRecognised() {
        ThreadSample seen = ThreadSample.of(Thread.State.TIMED_WAITING, new StackTraceElement[] {
            frame("java.lang.Thread", "sleep"), frame("com.acme.Reports", "write"), frame("com.acme.Web", "handle")
        });
        assertThat(seen.hasLeft("OrderService.place(OrderService.java:42)")).isTrue();
        assertThat(seen.hasLeft("Web.handle(Web.java:9)")).isFalse();
        assertThat(seen.hasLeft(null)).as("unknown").isFalse();
        assertThat(new ThreadSample(Place.ENDED, "").hasLeft("Web.handle(Web.java:9)"))
                .as("nothing on its stack is known")
                .isFalse();
    }

    private static ThreadSample at(Map<Long, ThreadSample> seen, long thread) {
        return Objects.requireNonNull(seen.get(thread));
    }

    @Test
    void onlyTheOldestThatNeedItAreSampled() {
        long me = Thread.currentThread().getId();
        assertThat(ThreadSample.ofOldest(List.of(
                        lease(1, Activity.IN_DATABASE, false),
                        lease(me, Activity.UNKNOWN, true),
                        lease(me, Activity.UNKNOWN, false),
                        lease(4, Activity.UNKNOWN, false))))
                .containsOnlyKeys(me);
        assertThat(ThreadSample.ofOldest(
                        List.of(lease(1, Activity.IN_DATABASE, false), lease(me, Activity.UNKNOWN, true))))
                .isEmpty();
    }
}
