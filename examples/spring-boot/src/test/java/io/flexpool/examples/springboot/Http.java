// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.springboot;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An application's customer, its operator and its Prometheus. */
final class Http {
    private static final Duration AT_MOST = Duration.ofMinutes(2);
    /** After a connect that hung, flexpool asks the server again after a minute. */
    private static final Duration EVENTUALLY = Duration.ofMinutes(2);

    private static final String A_BOOK = "{\"article\": \"book\", \"quantity\": 1}";
    private static final JsonMapper JSON = JsonMapper.shared();

    private final HttpClient client = HttpClient.newBuilder()
            .version(Version.HTTP_1_1)
            .connectTimeout(AT_MOST)
            .build();
    private final String base;

    /** As in {@code http://127.0.0.1:8080}. */
    Http(String base) {
        this.base = base;
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(request(path).build(), BodyHandlers.ofString());
    }

    static JsonNode parsed(String json) {
        return JSON.readTree(json);
    }

    JsonNode json(String path) throws IOException, InterruptedException {
        return JSON.readTree(get(path).body());
    }

    HttpResponse<String> post(String path, String json) throws IOException, InterruptedException {
        return client.send(posting(path, json), BodyHandlers.ofString());
    }

    JsonNode posted(String path, String json) throws IOException, InterruptedException {
        return JSON.readTree(post(path, json).body());
    }

    /** Orders a book; is answered later. */
    CompletableFuture<HttpResponse<String>> ordering() {
        return client.sendAsync(posting("/orders", A_BOOK), BodyHandlers.ofString());
    }

    private HttpRequest posting(String path, String json) {
        return request(path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(json))
                .build();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(base + path)).timeout(AT_MOST);
    }

    /** Whether something happens within a generous time. */
    static boolean eventually(Callable<Boolean> happened) throws Exception {
        long deadline = System.nanoTime() + EVENTUALLY.toNanos();
        while (!happened.call()) {
            if (System.nanoTime() - deadline >= 0) {
                return false;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
        return true;
    }
}
