// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.faults;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;

/** Threads that want a connection each. Threads are ended by {@link #close()}, which gives back what they hold. */
public final class Crowd implements AutoCloseable {
    private static final Duration MOST_PATIENCE = Duration.ofMinutes(2);
    /** A shorter bound is for something that must not come meanwhile. */
    private static final Duration A_MOMENT = Duration.ofSeconds(3);
    /**
     * The system property with the seconds that {@link #eventually} waits. Default 180: no machine is so busy that it takes longer.
     * A test that breaks an adapter on purpose sets less.
     */
    public static final String PATIENCE = "flexpool.tck.patience-seconds";

    private final List<Thread> threads = new ArrayList<>();
    private final Queue<Connection> held = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger served = new AtomicInteger();
    private final AtomicInteger broken = new AtomicInteger();

    /** Empty. */
    public Crowd() {}

    /**
     * Starts threads that each take a connection and keep it until the crowd is closed or lets go.
     *
     * @param number how many threads
     * @param dataSource where they ask
     * @return this crowd
     */
    public Crowd ask(int number, DataSource dataSource) {
        return start(number, () -> {
            held.add(dataSource.getConnection());
            served.incrementAndGet();
        });
    }

    /**
     * Starts threads that take a connection, hold it and give it back, over and over, until a time has passed.
     *
     * @param number how many threads
     * @param dataSource where they ask
     * @param hold how long each connection is held
     * @param time how long they go on
     * @return this crowd
     */
    public Crowd cycle(int number, DataSource dataSource, Duration hold, Duration time) {
        long end = System.nanoTime() + time.toNanos();
        return start(number, () -> {
            while (end - System.nanoTime() > 0) {
                try {
                    use(dataSource.getConnection(), hold);
                } catch (SQLException e) {
                    failures.add(e);
                }
            }
        });
    }

    /** As {@link #cycle}, until something is true. */
    public Crowd cycleUntil(int number, DataSource dataSource, Duration hold, BooleanSupplier done) {
        return start(number, () -> {
            while (!done.getAsBoolean()) {
                try {
                    use(dataSource.getConnection(), hold);
                } catch (SQLException e) {
                    failures.add(e);
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
            // Not a failed acquisition: the server may die during a lease.
            broken.incrementAndGet();
        }
    }

    /**
     * How many connections failed in use, or when they were given back.
     *
     * @return never negative
     */
    public int broken() {
        return broken.get();
    }

    /** What a thread does. */
    public interface Work {
        void run() throws Exception;
    }

    /** Starts one thread that does something; what it throws is among the failures. */
    public Crowd call(Work work) {
        return start(1, work);
    }

    /** Whether a thread is still running. */
    public boolean working() {
        return threads.stream().anyMatch(Thread::isAlive);
    }

    /** Whether everybody who has not ended sleeps or waits for something. */
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
                    failures.add(thrown);
                }
            });
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
        return this;
    }

    /**
     * How many acquisitions succeeded.
     *
     * @return never negative
     */
    public int served() {
        return served.get();
    }

    /**
     * What the others got.
     *
     * @return a copy
     */
    public List<Throwable> failures() {
        return List.copyOf(failures);
    }

    /** How many of the connections that are held answer. */
    public int alive() throws SQLException {
        int alive = 0;
        for (Connection connection : held) {
            if (connection.isValid(1)) {
                alive++;
            }
        }
        return alive;
    }

    /** Gives back every connection that is held; those that are broken may say so. */
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
     * @throws AssertionError if one does not end within two minutes, with its stack; it is interrupted
     * @throws InterruptedException if the calling thread is interrupted
     */
    public void join() throws InterruptedException {
        long end = System.nanoTime() + MOST_PATIENCE.toNanos();
        for (Thread thread : threads) {
            thread.join(Math.max(1, Duration.ofNanos(end - System.nanoTime()).toMillis()));
            if (thread.isAlive()) {
                StackTraceElement[] stack = thread.getStackTrace();
                threads.forEach(Thread::interrupt);
                AssertionError hanging = new AssertionError(thread.getName() + " does not end: its stack is below");
                hanging.setStackTrace(stack);
                throw hanging;
            }
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
     * Waits until something is true that must become true. Three seconds or more are patience: on a busy machine it is three minutes.
     *
     * @param most how long to wait
     * @param what what is to be true
     * @return whether it became true
     * @throws InterruptedException if the calling thread is interrupted
     */
    public static boolean eventually(Duration most, BooleanSupplier what) throws InterruptedException {
        Duration patience = Duration.ofSeconds(Long.getLong(PATIENCE, 180));
        boolean patient = most.compareTo(A_MOMENT) >= 0 && most.compareTo(patience) < 0;
        return within(patient ? patience : most, what);
    }

    /**
     * Waits for so long at most, however busy the machine is: for something that must not become true.
     *
     * @param most how long to wait
     * @param what what is not to be true
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

    /** Ends early only by an interrupt, as a sleep would. */
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
