// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.database;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Sends back every byte, on 127.0.0.1, and remembers them. */
final class EchoServer implements AutoCloseable {
    private final ServerSocket listening;
    private final Set<Socket> clients = ConcurrentHashMap.newKeySet();
    private final List<Integer> received = new CopyOnWriteArrayList<>();

    EchoServer() throws IOException {
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        daemon(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    /** The bytes that came, one by one as long as they are sent one by one. */
    List<Integer> received() {
        return List.copyOf(received);
    }

    int open() {
        return clients.size();
    }

    void say(int what) throws IOException {
        for (Socket client : clients) {
            client.getOutputStream().write(what);
        }
    }

    void hangUp() throws IOException {
        for (Socket client : clients) {
            client.shutdownOutput();
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket client : clients) {
            client.close();
        }
    }

    private void accept() {
        while (true) {
            try {
                Socket client = listening.accept();
                clients.add(client);
                daemon(() -> echo(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void echo(Socket client) {
        try (client) {
            InputStream from = client.getInputStream();
            byte[] chunk = new byte[8192];
            for (int length; (length = from.read(chunk)) >= 0; ) {
                received.add((int) chunk[0]);
                client.getOutputStream().write(chunk, 0, length);
            }
        } catch (IOException reset) {
            // As the tests want it.
        } finally {
            clients.remove(client);
        }
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "echo");
        thread.setDaemon(true);
        thread.start();
    }
}
