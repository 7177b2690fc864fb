// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it.drain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real process gets SIGTERM while it answers requests and works with its pool beside them. */
@Timeout(300)
class DrainOnSigtermTest {
    private static final String DRAINS = "--flexpool.drain.within=30s";
    private static final String WARMS_UP = "--flexpool.warm-up.connections=4";

    @Test
    void noRequestFailsAndNoLeaseIsCutOff() throws Exception {
        try (ServiceProcess service = new ServiceProcess(DRAINS, WARMS_UP);
                Clients clients = new Clients(6)) {
            clients.send(service);
            await().atMost(Duration.ofMinutes(3)).until(() -> clients.answered.get() > 30);
            // Requests are in flight: as a balancer does, no further ones are sent, and the process is not waited for.
            clients.sendNoMore(service);
            service.terminate();
            clients.join();
            assertThat(clients.failures).isEmpty();
            assertThat(service.said())
                    .contains("warmed up, 4 of 4 connections open")
                    .contains("drained, every lease has ended")
                    .contains(Service.WORKER + "refused: ")
                    .contains("57P03");
        }
    }

    /** Two processes, one after the other replaced by a new one, under load. */
    @Test
    @Tag("scenario")
    void aRollingRestartFailsNoRequest() throws Exception {
        List<ServiceProcess> all = new ArrayList<>();
        try (Clients clients = new Clients(6)) {
            for (int at = 0; at < 2; at++) {
                all.add(new ServiceProcess(DRAINS, WARMS_UP));
                clients.send(all.get(at));
            }
            for (int at = 0; at < 2; at++) {
                int before = clients.answered.get();
                await().atMost(Duration.ofMinutes(3)).until(() -> clients.answered.get() > before + 30);
                ServiceProcess old = all.get(at);
                clients.sendNoMore(old);
                old.terminate();
                assertThat(old.said())
                        .contains("drained, every lease has ended")
                        .contains(Service.WORKER + "refused: ");
                all.add(new ServiceProcess(DRAINS, WARMS_UP));
                clients.send(all.get(all.size() - 1));
            }
            int before = clients.answered.get();
            await().atMost(Duration.ofMinutes(3)).until(() -> clients.answered.get() > before + 30);
            clients.end();
            clients.join();
            assertThat(clients.failures).isEmpty();
            System.out.println("rolling restart: " + clients.answered.get() + " requests answered, none failed");
        } finally {
            all.forEach(ServiceProcess::close);
        }
    }

    /** Threads that send requests to the processes that a balancer would send them to. */
    private static final class Clients implements AutoCloseable {
        private final List<Integer> ports = new CopyOnWriteArrayList<>();
        private final AtomicInteger answered = new AtomicInteger();
        private final Queue<String> failures = new ConcurrentLinkedQueue<>();
        private final AtomicBoolean over = new AtomicBoolean();
        private final List<Thread> threads = new ArrayList<>();

        Clients(int number) {
            for (int at = 0; at < number; at++) {
                Thread thread = new Thread(this::run, "client-" + at);
                thread.setDaemon(true);
                thread.start();
                threads.add(thread);
            }
        }

        void send(ServiceProcess service) throws Exception {
            ports.add(service.port());
        }

        void sendNoMore(ServiceProcess service) throws Exception {
            ports.remove((Integer) service.port());
        }

        private void run() {
            for (int turn = 0; !over.get(); turn++) {
                List<Integer> now = List.copyOf(ports);
                if (now.isEmpty()) {
                    LockSupport.parkNanos(1_000_000);
                } else {
                    request(now.get(turn % now.size()));
                }
            }
        }

        private void request(int port) {
            try {
                HttpURLConnection request = (HttpURLConnection)
                        URI.create("http://127.0.0.1:" + port + "/work").toURL().openConnection();
                request.setRequestProperty("Connection", "close");
                int status = request.getResponseCode();
                if (status == 200) {
                    answered.incrementAndGet();
                } else {
                    failures.add("status " + status);
                }
            } catch (IOException broken) {
                failures.add(broken.toString());
            }
        }

        void end() {
            over.set(true);
        }

        void join() throws InterruptedException {
            end();
            for (Thread thread : threads) {
                thread.join();
            }
        }

        @Override
        public void close() {
            end();
        }
    }
}
