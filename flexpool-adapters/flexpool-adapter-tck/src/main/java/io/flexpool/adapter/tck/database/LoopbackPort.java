// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.database;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One port of 127.0.0.1, either listening or reserved without listening. The port is never released in between: the
 * system would soon reuse it, perhaps for the client that connects to it. Not thread-safe.
 */
public final class LoopbackPort {
    private static final long BIND_AGAIN_NANOS = 5_000_000_000L;
    private static final long BIND_PAUSE_NANOS = 1_000_000;
    private static final int BACKLOG = 512;

    private final InetSocketAddress address;
    /** Null while connects are refused. */
    private @Nullable ServerSocket listening;
    /** Bound but not listening; null while {@code listening} is open. */
    private @Nullable Socket reservation;

    /** Reserves a port that the system chooses. */
    LoopbackPort() throws IOException {
        Socket deaf = deafAt(new InetSocketAddress(loopback(), 0));
        this.address = (InetSocketAddress) deaf.getLocalSocketAddress();
        this.reservation = deaf;
    }

    int number() {
        return address.getPort();
    }

    /** The listening socket; null while connects are refused. */
    @Nullable
    ServerSocket listening() {
        return listening;
    }

    /** Starts to listen. */
    ServerSocket listen() throws IOException {
        letGo();
        ServerSocket socket = patiently(() -> listeningAt(address));
        listening = socket;
        return socket;
    }

    /** Starts to refuse connects. */
    void refuse() throws IOException {
        letGo();
        reservation = patiently(() -> deafAt(address));
    }

    /** Releases the port. */
    void letGo() {
        ServerSocket socket = listening;
        Socket deaf = reservation;
        listening = null;
        reservation = null;
        if (socket != null) {
            ProxiedConnection.close(socket);
        }
        if (deaf != null) {
            ProxiedConnection.close(deaf);
        }
    }

    private static ServerSocket listeningAt(InetSocketAddress at) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.setReuseAddress(true);
            socket.bind(at, BACKLOG);
            return socket;
        } catch (IOException e) {
            ProxiedConnection.close(socket);
            throw e;
        }
    }

    private static Socket deafAt(InetSocketAddress at) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setReuseAddress(true);
            socket.bind(at);
            return socket;
        } catch (IOException e) {
            ProxiedConnection.close(socket);
            throw e;
        }
    }

    private interface Binding<T> {
        T bind() throws IOException;
    }

    /**
     * Binds with retries: the system frees the port of a closed socket only after the accepting thread has left
     * accept().
     */
    private static <T> T patiently(Binding<T> binding) throws IOException {
        long end = System.nanoTime() + BIND_AGAIN_NANOS;
        while (true) {
            try {
                return binding.bind();
            } catch (BindException e) {
                if (end - System.nanoTime() <= 0) {
                    throw e;
                }
                LockSupport.parkNanos(BIND_PAUSE_NANOS);
            }
        }
    }

    static InetAddress loopback() {
        try {
            return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        } catch (UnknownHostException e) {
            throw new AssertionError("four bytes are an address", e);
        }
    }
}
