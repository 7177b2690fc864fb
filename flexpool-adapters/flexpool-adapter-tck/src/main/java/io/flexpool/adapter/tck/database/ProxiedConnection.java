// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.database;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One connection through a {@link TcpProxy}: a client's socket, and the server's once it is connected. Thread-safe. */
public final class ProxiedConnection {
    private static final int CHUNK = 8192;

    private final TcpProxy proxy;
    private final Socket client;
    private final AtomicBoolean uncounted = new AtomicBoolean();
    /** Null until connected; stays null if the proxy discarded bytes when the client connected. */
    private volatile @Nullable Socket server;

    private volatile boolean over;
    private volatile boolean requestsEnded;
    private volatile boolean answersEnded;
    private volatile boolean bytesLost;

    ProxiedConnection(TcpProxy proxy, Socket client) {
        this.proxy = proxy;
        this.client = client;
    }

    /** Runs the connection, and copies bytes from client to server. A second thread copies the other direction. */
    void carryRequests() {
        try {
            client.setTcpNoDelay(true);
            if (proxy.swallowing()) {
                lose();
            } else {
                connect();
            }
            byte[] chunk = new byte[CHUNK];
            InputStream from = client.getInputStream();
            for (int length; (length = from.read(chunk)) >= 0; ) {
                Socket to = server;
                if (passes() && to != null) {
                    to.getOutputStream().write(chunk, 0, length);
                }
            }
            endRequests();
        } catch (IOException | InterruptedException e) {
            reset();
        }
    }

    private void connect() throws IOException {
        Socket connected = proxy.connect();
        server = connected;
        if (over) {
            // The connection was reset while connecting.
            reset(connected);
        } else {
            proxy.daemon("answers", () -> carryAnswers(connected));
        }
    }

    private void carryAnswers(Socket from) {
        try {
            byte[] chunk = new byte[CHUNK];
            InputStream answers = from.getInputStream();
            for (int length; (length = answers.read(chunk)) >= 0; ) {
                if (passes()) {
                    answer(chunk, length);
                }
            }
            endAnswers();
        } catch (IOException | InterruptedException e) {
            reset();
        }
    }

    private void answer(byte[] chunk, int length) throws IOException {
        try {
            client.getOutputStream().write(chunk, 0, length);
        } catch (IOException e) {
            if (!answersEnded) {
                throw e;
            }
        }
    }

    /** Delays a chunk by the proxy's delay, and returns whether to forward it. */
    private boolean passes() throws InterruptedException {
        proxy.delay();
        if (proxy.swallowing()) {
            lose();
            return false;
        }
        return true;
    }

    /**
     * Notes lost bytes. The proxy's behaviour may change at the same time: either the change reads {@code bytesLost},
     * or this method reads the change.
     */
    private void lose() {
        bytesLost = true;
        if (!proxy.swallowing()) {
            reset();
        }
    }

    /** Resets the connection, because TCP never has a gap in a stream. */
    void resetIfBytesAreLost() {
        if (bytesLost) {
            reset();
        }
    }

    /** The client has ended its direction; usually it has disconnected. */
    private void endRequests() throws IOException {
        uncount();
        requestsEnded = true;
        Socket to = server;
        if (to == null || proxy.swallowing()) {
            reset();
        } else if (answersEnded) {
            finish();
        } else {
            shutdownOutput(to);
        }
    }

    /** The server or the proxy has ended the direction to the client. */
    void endAnswers() {
        answersEnded = true;
        try {
            if (requestsEnded) {
                finish();
            } else {
                shutdownOutput(client);
            }
        } catch (IOException e) {
            reset();
        }
    }

    /** The client cannot use a half-closed connection, so the connection is not counted any more. */
    void halfClose() {
        uncount();
        endAnswers();
    }

    /** Both sides get a reset, and data in transit is lost. */
    void reset() {
        over = true;
        reset(client);
        Socket connected = server;
        if (connected != null) {
            reset(connected);
        }
        finish();
    }

    private void finish() {
        over = true;
        uncount();
        close(client);
        Socket connected = server;
        if (connected != null) {
            close(connected);
        }
        proxy.over(this);
    }

    private void uncount() {
        if (!uncounted.getAndSet(true)) {
            proxy.uncount();
        }
    }

    private static void shutdownOutput(Socket socket) throws IOException {
        if (!socket.isOutputShutdown()) {
            socket.shutdownOutput();
        }
    }

    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            // The socket is closed already.
        }
        close(socket);
    }

    static void close(Closeable socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // The socket cannot be closed a second time.
        }
    }
}
