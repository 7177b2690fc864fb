// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.directory;

import io.flexpool.benchmarks.burst.BurstLoad.Arrival;
import io.flexpool.benchmarks.kit.Interrupt;
import io.flexpool.benchmarks.kit.Waiting;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The clients. One thread sends each request at its own time by the next client in turn, whether or not the ones before
 * are answered, and a request's latency counts from when it was meant to be sent: what the service delays is not left
 * out (no coordinated omission).
 */
final class DirectoryClients implements AutoCloseable {
    private static final double NANOS_PER_MS = 1e6;
    /** Longer than any deadline of this scenario. */
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final DirectoryService service;
    private final ExecutorService threads = Executors.newFixedThreadPool(4);
    private final List<HttpClient> clients;

    DirectoryClients(DirectoryService service, int clients) {
        this.service = service;
        this.clients = IntStream.range(0, clients)
                .mapToObj(unused -> HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .executor(threads)
                        .build())
                .toList();
    }

    /**
     * Puts a load on the service, to its end or until a stop is requested.
     *
     * @param begin when it begins, {@link System#nanoTime()}
     * @return what became of it; not complete if a stop was requested
     * @throws InterruptedException if the thread is interrupted
     */
    Answers run(List<Arrival> arrivals, long begin, Interrupt stop) throws InterruptedException {
        Answers answers = new Answers(arrivals);
        CountDownLatch open = new CountDownLatch(arrivals.size());
        for (int n = 0; n < arrivals.size() && !stop.asked(); n++) {
            long due = begin + arrivals.get(n).atNanos();
            Waiting.until(due);
            answers.started(n, (System.nanoTime() - due) / NANOS_PER_MS);
            send(n, due, answers, open);
        }
        // Every request ends: with an answer, or with the client's own patience.
        boolean ended = false;
        while (!ended && !stop.asked()) {
            ended = open.await(100, TimeUnit.MILLISECONDS);
        }
        return answers;
    }

    private void send(int index, long due, Answers answers, CountDownLatch open) {
        int person = index % DirectoryService.PERSONS;
        HttpRequest request =
                HttpRequest.newBuilder(service.person(person)).timeout(PATIENCE).build();
        // Its outcome is reported to the answers.
        var unused = clients.get(index % clients.size())
                .sendAsync(request, BodyHandlers.ofString())
                .whenComplete((response, failure) -> {
                    double latencyMs = (System.nanoTime() - due) / NANOS_PER_MS;
                    try {
                        judge(index, latencyMs, person, response, failure, answers);
                    } catch (IllegalArgumentException e) {
                        answers.broken(index, latencyMs, e.toString());
                    }
                    open.countDown();
                });
    }

    private static void judge(
            int index,
            double latencyMs,
            int person,
            @Nullable HttpResponse<String> response,
            @Nullable Throwable failure,
            Answers answers) {
        if (response == null) {
            answers.broken(index, latencyMs, String.valueOf(failure));
            return;
        }
        String header = response.headers().firstValue(Stages.HEADER).orElse("");
        if (response.statusCode() == 503) {
            answers.refused(index, latencyMs, Stages.of(header), response.body());
        } else if (response.statusCode() == 200 && response.body().equals(DirectoryService.name(person))) {
            answers.served(index, latencyMs, Stages.of(header));
        } else {
            answers.broken(index, latencyMs, response.statusCode() + " " + response.body());
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
