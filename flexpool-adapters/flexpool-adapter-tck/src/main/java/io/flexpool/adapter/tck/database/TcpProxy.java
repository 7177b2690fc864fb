// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A proxy between a client and a server that simulates network faults, which can change while connections are open.
 * Listens on a port of 127.0.0.1 that the system chooses and that stays the same. Forwards only to a server on this
 * machine.
 *
 * <p>Starts with {@link #pass()}. The proxy has one behaviour at a time; each switch replaces the previous one, and is
 * in force when its method returns. Thread-safe. Its threads are daemons: one accepts, two serve each connection, and
 * one runs during {@link #flap}.
 */
public final class TcpProxy implements AutoCloseable {
    /** The treatment of a chunk of bytes. */
    private enum Manner {
        PASSING,
        DELAYING,
        SWALLOWING
    }

    private volatile InetSocketAddress target;
    /** Guarded by the lock, except its number. */
    private final LoopbackPort port;

    private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger peak = new AtomicInteger();
    private final AtomicLong accepted = new AtomicLong();

    /** Guards the switches. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition switched = lock.newCondition();
    private volatile Manner manner = Manner.PASSING;
    private volatile long delayNanos;
    /** The number of switches of the behaviour; waiting threads return when it changes. */
    private long switches;

    private boolean closed;

    private TcpProxy(InetSocketAddress target) throws IOException {
        this.target = target;
        this.port = new LoopbackPort();
        acceptAt(port.listen());
    }

    /**
     * Creates a proxy in front of a server.
     *
     * @param target the server's address: a loopback address
     * @return a proxy that forwards everything
     * @throws IllegalArgumentException if the target is not an address of this machine's loopback, or not resolved
     * @throws UncheckedIOException if no port is free
     */
    public static TcpProxy to(InetSocketAddress target) {
        InetAddress host = target.getAddress();
        if (host == null || !host.isLoopbackAddress()) {
            throw new IllegalArgumentException("target = " + target + ": must be a loopback address");
        }
        try {
            return new TcpProxy(target);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Creates a proxy in front of a server on 127.0.0.1.
     *
     * @param port the server's port: 1 to 65,535
     * @return a proxy that forwards everything
     * @throws UncheckedIOException if no port is free
     */
    public static TcpProxy to(int port) {
        return to(new InetSocketAddress(LoopbackPort.loopback(), port));
    }

    /**
     * Forwards new connections to another server on 127.0.0.1, like a changed DNS entry. Open connections stay with
     * their server.
     *
     * @param port the server's port: 1 to 65,535
     */
    public void leadTo(int port) {
        target = new InetSocketAddress(LoopbackPort.loopback(), port);
    }

    /** Forwards every byte at once. Resets connections that have lost bytes in a black hole. */
    public void pass() {
        behave(Manner.PASSING, true);
    }

    /** Resets every open connection once, like a restarted firewall. New connections pass. */
    public void cut() {
        lock.lock();
        try {
            behave(Manner.PASSING, true);
            resetAll();
        } finally {
            lock.unlock();
        }
    }

    /** Stops listening and resets every open connection: connects get "connection refused". Keeps the port reserved. */
    public void refuse() {
        behave(Manner.PASSING, false);
    }

    /**
     * Delays every chunk of bytes in both directions. The chunks of one direction are delayed one after another, so the
     * throughput falls too.
     *
     * @param delay the delay, zero or more
     * @throws IllegalArgumentException if negative
     */
    public void delay(Duration delay) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("delay = " + delay + ": must not be negative");
        }
        lock.lock();
        try {
            delayNanos = delay.toNanos();
            behave(Manner.DELAYING, true);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Keeps open connections, accepts new ones, and drops all bytes of both sides. The next switch resets the
     * connections that have lost bytes.
     */
    public void blackhole() {
        behave(Manner.SWALLOWING, true);
    }

    /**
     * Alternates between refusing, as {@link #refuse()} does, and passing. Starts with refusing.
     *
     * @param period the duration of each state, above zero
     * @throws IllegalArgumentException if zero or negative
     */
    public void flap(Duration period) {
        if (period.isNegative() || period.isZero()) {
            throw new IllegalArgumentException("period = " + period + ": must be above zero");
        }
        lock.lock();
        try {
            refuse();
            long mine = switches;
            daemon("flap", () -> flap(period.toNanos(), mine));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends the direction from server to client of every open connection, once. The client reads the end of the stream,
     * but its data still arrives. New connections pass.
     */
    public void halfClose() {
        lock.lock();
        try {
            behave(Manner.PASSING, true);
            connections.forEach(ProxiedConnection::halfClose);
        } finally {
            lock.unlock();
        }
    }

    /**
     * The port to connect to.
     *
     * @return a port of 127.0.0.1, the same for the proxy's whole life
     */
    public int port() {
        return port.number();
    }

    /**
     * The number of connections that clients have open. A connection counts from its accept until the client has closed
     * its side, or the proxy has ended it by a reset or a half-close.
     *
     * @return never negative
     */
    public int open() {
        return open.get();
    }

    /**
     * The maximum number of connections open at once.
     *
     * @return never negative
     */
    public int peak() {
        return peak.get();
    }

    /**
     * The number of accepted connections.
     *
     * @return never negative
     */
    public long accepted() {
        return accepted.get();
    }

    /** Resets every connection and releases the port. A second call has no effect. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            switches++;
            switched.signalAll();
            port.letGo();
            resetAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        return "proxy at 127.0.0.1:" + port() + " to " + target;
    }

    // ---- the switch ----

    private void behave(Manner next, boolean listen) {
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException(this + " is closed");
            }
            switches++;
            manner = next;
            listening(listen);
            switched.signalAll();
            if (next != Manner.SWALLOWING) {
                connections.forEach(ProxiedConnection::resetIfBytesAreLost);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The caller must hold the lock. */
    private void listening(boolean wanted) {
        if (wanted == (port.listening() != null)) {
            return;
        }
        try {
            if (wanted) {
                acceptAt(port.listen());
            } else {
                port.refuse();
                resetAll();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(this + " cannot take its port again", e);
        }
    }

    /** The caller holds the lock, so every connection is either among these or accepted later. */
    private void resetAll() {
        connections.forEach(ProxiedConnection::reset);
    }

    private void flap(long periodNanos, long mine) {
        boolean refusing = true;
        long turn = mine;
        lock.lock();
        try {
            while (awaitSwitch(periodNanos, turn)) {
                refusing = !refusing;
                behave(Manner.PASSING, !refusing);
                turn = switches;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for a time, or until the behaviour is switched. The caller must hold the lock.
     *
     * @return false if it was switched since {@code turn}
     */
    private boolean awaitSwitch(long nanos, long turn) throws InterruptedException {
        long left = nanos;
        while (switches == turn && left > 0) {
            left = switched.awaitNanos(left);
        }
        return switches == turn;
    }

    // ---- connections ----

    private void acceptAt(ServerSocket socket) {
        daemon("accept", () -> accept(socket));
    }

    private void accept(ServerSocket socket) {
        while (true) {
            Socket client;
            try {
                client = socket.accept();
            } catch (IOException silenced) {
                return;
            }
            admit(socket, client);
        }
    }

    /** Resets a connection that was accepted while its listening socket was being closed. */
    private void admit(ServerSocket acceptedBy, Socket client) {
        ProxiedConnection connection = new ProxiedConnection(this, client);
        lock.lock();
        try {
            accepted.incrementAndGet();
            peak.accumulateAndGet(open.incrementAndGet(), Math::max);
            connections.add(connection);
            if (port.listening() == acceptedBy) {
                daemon("requests", connection::carryRequests);
            } else {
                connection.reset();
            }
        } finally {
            lock.unlock();
        }
    }

    Socket connect() throws IOException {
        Socket server = new Socket();
        try {
            server.connect(target);
            server.setTcpNoDelay(true);
            return server;
        } catch (IOException e) {
            ProxiedConnection.close(server);
            throw e;
        }
    }

    boolean swallowing() {
        return manner == Manner.SWALLOWING;
    }

    /** Delays a chunk as the current behaviour requires. */
    void delay() throws InterruptedException {
        if (manner != Manner.DELAYING) {
            return;
        }
        lock.lockInterruptibly();
        try {
            awaitSwitch(delayNanos, switches);
        } finally {
            lock.unlock();
        }
    }

    void uncount() {
        open.decrementAndGet();
    }

    void over(ProxiedConnection connection) {
        connections.remove(connection);
    }

    void daemon(String what, Runnable work) {
        Thread thread = new Thread(work, "tcp-proxy-" + port() + "-" + what);
        thread.setDaemon(true);
        thread.start();
    }
}
