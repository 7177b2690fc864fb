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
    /** Null while it is being connected, and for ever if the client came while bytes were swallowed. */
    private volatile @Nullable Socket server;

    private volatile boolean over;
    private volatile boolean requestsEnded;
    private volatile boolean answersEnded;
    private volatile boolean bytesLost;

    ProxiedConnection(TcpProxy proxy, Socket client) {
        this.proxy = proxy;
        this.client = client;
    }

    /** The life of the connection, and its direction from client to server. The other one has a thread of its own. */
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
            // Reset while it connected.
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

    /** Holds a chunk back if that is the proxy's behaviour, and says whether it may go on. */
    private boolean passes() throws InterruptedException {
        proxy.delay();
        if (proxy.swallowing()) {
            lose();
            return false;
        }
        return true;
    }

    /** The switch may come between the look and the note: either it sees the note, or this sees the switch. */
    private void lose() {
        bytesLost = true;
        if (!proxy.swallowing()) {
            reset();
        }
    }

    /** A stream with a hole in it would be no TCP. */
    void resetIfBytesAreLost() {
        if (bytesLost) {
            reset();
        }
    }

    /** The client has ended its direction; mostly that means that it is gone. */
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

    /** The server has ended its direction, or the proxy has. */
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

    /** A connection that the proxy has ended one-sidedly is of no use to the client, whether it closes it or not. */
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
            // It is closed already.
        }
        close(socket);
    }

    static void close(Closeable socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // There is nothing left of it to close.
        }
    }
}
