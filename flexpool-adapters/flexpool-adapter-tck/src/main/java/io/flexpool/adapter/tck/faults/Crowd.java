// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.faults;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;

/** Threads that each request a connection. {@link #close()} ends the threads and returns their connections. */
public final class Crowd implements AutoCloseable {
    private static final Duration MOST_PATIENCE = Duration.ofMinutes(2);
    /** Shorter bounds are for conditions that must not become true. */
    private static final Duration A_MOMENT = Duration.ofSeconds(3);
    /**
     * The system property with the patience of {@link #eventually} in seconds. Default 180, enough for any busy
     * machine. A test that breaks an adapter on purpose sets less.
     */
    public static final String PATIENCE = "flexpool.tck.patience-seconds";

    private final List<Thread> threads = new ArrayList<>();
    private final Queue<Connection> held = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    /** Threads freed from the JDK's endless loop: their last failure is the interrupt's. */
    private final Set<Thread> freed = ConcurrentHashMap.newKeySet();

    private final AtomicInteger served = new AtomicInteger();
    private final AtomicInteger broken = new AtomicInteger();

    /** Creates a crowd without threads. */
    public Crowd() {}

    /**
     * Starts threads that each take a connection and keep it until {@link #letGo()} or {@link #close()}.
     *
     * @param number the number of threads
     * @param dataSource the pool
     * @return this crowd
     */
    public Crowd ask(int number, DataSource dataSource) {
        return start(number, () -> {
            held.add(dataSource.getConnection());
            served.incrementAndGet();
        });
    }

    /**
     * Starts threads that repeatedly take, hold and return a connection, until a time has passed.
     *
     * @param number the number of threads
     * @param dataSource the pool
     * @param hold the time for which each connection is held
     * @param time the duration
     * @return this crowd
     */
    public Crowd cycle(int number, DataSource dataSource, Duration hold, Duration time) {
        long end = System.nanoTime() + time.toNanos();
        return start(number, () -> {
            while (end - System.nanoTime() > 0) {
                try {
                    use(dataSource.getConnection(), hold);
                } catch (SQLException e) {
                    failed(e);
                }
            }
        });
    }

    /** Like {@link #cycle}, until a condition is true. */
    public Crowd cycleUntil(int number, DataSource dataSource, Duration hold, BooleanSupplier done) {
        return start(number, () -> {
            while (!done.getAsBoolean()) {
                try {
                    use(dataSource.getConnection(), hold);
                } catch (SQLException e) {
                    failed(e);
                }
            }
        });
    }

    private void use(Connection connection, Duration hold) throws InterruptedException {
        served.incrementAndGet();
        try (connection) {
            connection.getAutoCommit();
            pause(hold.toNanos());
        } catch (SQLException brokenInUse) {
            // This is no failed acquisition: the server may stop during a lease.
            broken.incrementAndGet();
        }
    }

    /**
     * The number of connections that failed in use or on return.
     *
     * @return never negative
     */
    public int broken() {
        return broken.get();
    }

    /** The work of a thread. */
    public interface Work {
        void run() throws Exception;
    }

    /** Starts one thread; its exception is added to the failures. */
    public Crowd call(Work work) {
        return start(1, work);
    }

    /** Whether a thread is still running. */
    public boolean working() {
        return threads.stream().anyMatch(Thread::isAlive);
    }

    /** Whether all running threads sleep or wait. */
    public boolean asleep() {
        return threads.stream()
                .map(Thread::getState)
                .allMatch(state -> state == Thread.State.WAITING
                        || state == Thread.State.TIMED_WAITING
                        || state == Thread.State.TERMINATED);
    }

    private Crowd start(int number, Work work) {
        for (int at = 0; at < number; at++) {
            Thread thread = new Thread(() -> {
                try {
                    work.run();
                } catch (Throwable thrown) {
                    failed(thrown);
                }
            });
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
        return this;
    }

    /**
     * The number of successful acquisitions.
     *
     * @return never negative
     */
    public int served() {
        return served.get();
    }

    /**
     * The exceptions of failed acquisitions.
     *
     * @return a copy
     */
    public List<Throwable> failures() {
        return List.copyOf(failures);
    }

    /** The number of held connections that are valid. */
    public int alive() throws SQLException {
        int alive = 0;
        for (Connection connection : held) {
            if (connection.isValid(1)) {
                alive++;
            }
        }
        return alive;
    }

    /** Returns every held connection; ignores exceptions of broken ones. */
    public void letGo() {
        for (Connection connection; (connection = held.poll()) != null; ) {
            try {
                connection.close();
            } catch (SQLException brokenWhileOut) {
                broken.incrementAndGet();
            }
        }
    }

    /**
     * Waits until every thread has ended.
     *
     * @throws AssertionError if a thread does not end within two minutes; has its stack, and the thread is interrupted
     * @throws InterruptedException if the calling thread is interrupted
     */
    public void join() throws InterruptedException {
        long end = System.nanoTime() + MOST_PATIENCE.toNanos();
        for (Thread thread : threads) {
            thread.join(Math.max(1, Duration.ofNanos(end - System.nanoTime()).toMillis()));
            if (thread.isAlive() && spinsInTheQueue(thread)) {
                freed.add(thread);
                thread.interrupt();
                thread.join(MOST_PATIENCE.toMillis());
            }
            if (thread.isAlive()) {
                StackTraceElement[] stack = thread.getStackTrace();
                threads.forEach(Thread::interrupt);
                AssertionError hanging = new AssertionError(thread.getName() + " does not end: its stack is below");
                hanging.setStackTrace(stack);
                throw hanging;
            }
        }
    }

    /**
     * Whether a thread runs in the loop that a timed poll before JDK 21.0.2 may never leave (JDK-8301341). Agroal's
     * requests wait in such polls. A thread that waits regularly is parked.
     */
    private static boolean spinsInTheQueue(Thread thread) {
        StackTraceElement[] stack = thread.getStackTrace();
        return stack.length > 0
                && stack[0].getClassName().equals(LinkedTransferQueue.class.getName())
                && stack[0].getMethodName().equals("awaitMatch");
    }

    private void failed(Throwable thrown) {
        if (!freed.contains(Thread.currentThread())) {
            failures.add(thrown);
        }
    }

    /** Interrupts the waiting threads. */
    public void interrupt() {
        threads.forEach(Thread::interrupt);
    }

    @Override
    public void close() {
        // Waiting threads get the connections returned here, or their timeout.
        while (threads.stream().anyMatch(Thread::isAlive)) {
            letGo();
            LockSupport.parkNanos(1_000_000);
        }
        letGo();
    }

    /**
     * Waits for a condition that must become true. A bound of three seconds or more is extended to three minutes, for
     * busy machines.
     *
     * @param most the longest wait
     * @param what the condition
     * @return whether it became true
     * @throws InterruptedException if the calling thread is interrupted
     */
    public static boolean eventually(Duration most, BooleanSupplier what) throws InterruptedException {
        Duration patience = Duration.ofSeconds(Long.getLong(PATIENCE, 180));
        boolean patient = most.compareTo(A_MOMENT) >= 0 && most.compareTo(patience) < 0;
        return within(patient ? patience : most, what);
    }

    /**
     * Executes a call that must end, on another thread, and waits as patiently as {@link #eventually}.
     *
     * @param call the call
     * @throws AssertionError if the call does not end
     * @throws Exception if the call throws
     */
    public static void ends(Runnable call) throws Exception {
        FutureTask<?> task = new FutureTask<>(call, null);
        Thread thread = new Thread(task, "ends");
        thread.setDaemon(true);
        thread.start();
        if (!eventually(A_MOMENT, task::isDone)) {
            AssertionError hanging = new AssertionError("the call does not end: its stack is below");
            hanging.setStackTrace(thread.getStackTrace());
            throw hanging;
        }
        task.get();
    }

    /**
     * Waits exactly up to a time, even on a busy machine, for a condition that must not become true.
     *
     * @param most the wait
     * @param what the condition
     * @return whether it became true
     * @throws InterruptedException if the calling thread is interrupted
     */
    public static boolean within(Duration most, BooleanSupplier what) throws InterruptedException {
        long end = System.nanoTime() + most.toNanos();
        while (!what.getAsBoolean()) {
            if (end - System.nanoTime() <= 0) {
                return false;
            }
            pause(2_000_000);
        }
        return true;
    }

    /** Pauses; only an interrupt ends it early. */
    private static void pause(long nanos) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        long left = nanos;
        while (left > 0) {
            LockSupport.parkNanos(left);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            left = end - System.nanoTime();
        }
    }
}
