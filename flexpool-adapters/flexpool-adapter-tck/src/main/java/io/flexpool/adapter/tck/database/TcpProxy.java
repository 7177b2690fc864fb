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
 * The network between a client and a server, with faults that can be switched while connections are open. It listens on
 * 127.0.0.1, on a port that the system chooses and that stays the same, and forwards to a server on this machine; any
 * other target is refused.
 *
 * <p>It begins with {@link #pass()}. Each switch ends what was before: there is one behaviour at a time. When a switch
 * returns, the new behaviour is in force. Thread-safe. Its threads are daemons: one that accepts, two for each
 * connection, and one while it flaps.
 */
public final class TcpProxy implements AutoCloseable {
    /** What happens to a chunk of bytes. */
    private enum Manner {
        PASSING,
        DELAYING,
        SWALLOWING
    }

    private volatile InetSocketAddress target;
    /** Guarded by the lock, but for its number. */
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
    /** How often the behaviour was switched: waiting threads give up when it changes. */
    private long switches;

    private boolean closed;

    private TcpProxy(InetSocketAddress target) throws IOException {
        this.target = target;
        this.port = new LoopbackPort();
        acceptAt(port.listen());
    }

    /**
     * Stands in front of a server.
     *
     * @param target where it listens: a loopback address
     * @return a proxy that passes everything on
     * @throws IllegalArgumentException if the target is not an address of this machine's loopback, or not resolved
     * @throws UncheckedIOException if there is no port to listen on
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
     * Stands in front of a server on 127.0.0.1.
     *
     * @param port where it listens: 1 to 65,535
     * @return a proxy that passes everything on
     * @throws UncheckedIOException if there is no port to listen on
     */
    public static TcpProxy to(int port) {
        return to(new InetSocketAddress(LoopbackPort.loopback(), port));
    }

    /**
     * From now on leads new connections to another server on 127.0.0.1, as a name does that was moved. Open ones stay with
     * the server that they have.
     *
     * @param port where it listens: 1 to 65,535
     */
    public void leadTo(int port) {
        target = new InetSocketAddress(LoopbackPort.loopback(), port);
    }

    /** Passes every byte on at once. Connections of which a black hole has swallowed something are reset: their bytes are lost. */
    public void pass() {
        behave(Manner.PASSING, true);
    }

    /** Resets every open connection, once, as a firewall does that has restarted. New connections pass. */
    public void cut() {
        lock.lock();
        try {
            behave(Manner.PASSING, true);
            resetAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Stops listening and resets every open connection: connects get "connection refused". The port is kept meanwhile,
     * so that no other process takes it.
     */
    public void refuse() {
        behave(Manner.PASSING, false);
    }

    /**
     * Passes every chunk of bytes on later than it came, in both directions. Chunks of one direction wait one after the
     * other, so a delayed connection is a slow one too.
     *
     * @param delay how much later, zero or more
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
     * Accepts connections, the open ones and new ones, swallows what comes from either side, and answers nothing. Ends
     * like a network whose memory is lost: connections of which something was swallowed are reset.
     */
    public void blackhole() {
        behave(Manner.SWALLOWING, true);
    }

    /**
     * Refuses for a period, as {@link #refuse()} does, passes for a period, and so on. Begins by refusing.
     *
     * @param period how long each lasts, above zero
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
     * Ends the direction from server to client of every open connection, once: the client reads the end of the stream,
     * what it writes still arrives. New connections pass.
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
     * Connections that a client has open now: each counts from its accept until the client has closed its side, as soon
     * as that has come through, or the proxy has ended it by a reset or a half-close.
     *
     * @return never negative
     */
    public int open() {
        return open.get();
    }

    /**
     * The most that were ever open at once.
     *
     * @return never negative
     */
    public int peak() {
        return peak.get();
    }

    /**
     * Connections that were accepted since the beginning.
     *
     * @return never negative
     */
    public long accepted() {
        return accepted.get();
    }

    /** Resets every connection and gives the port back. Without effect the second time. */
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

    /** The lock is held. */
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

    /** The lock is held, so a connection is either among these or accepted later. */
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
     * Waits for a time, less if the behaviour is switched. The lock is held.
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

    /** A connection that was accepted while its listening socket was being closed does not live on. */
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

    /** Holds a chunk back as long as the behaviour asks for. */
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
