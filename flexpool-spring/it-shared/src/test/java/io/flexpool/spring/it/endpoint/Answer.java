// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it.endpoint;

import com.jayway.jsonpath.JsonPath;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The response to an HTTP request. */
public record Answer(int status, String type, String policy, String text) {
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

    static Answer get(URI address) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(address));
    }

    static Answer get(URI address, String accept) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(address).header("Accept", accept));
    }

    /** Posts JSON. */
    public static Answer post(URI address, String json) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(address)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(json)));
    }

    /** Posts a form of parts that does not say how its parts are separated. */
    static Answer postWithoutBoundary(URI address) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(address)
                .header("Content-Type", "multipart/form-data")
                .POST(BodyPublishers.ofString("x")));
    }

    private static Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> answer =
                CLIENT.send(request.timeout(Duration.ofSeconds(20)).build(), BodyHandlers.ofString());
        return new Answer(
                answer.statusCode(),
                answer.headers().firstValue("Content-Type").orElse(""),
                answer.headers().firstValue("Content-Security-Policy").orElse(""),
                answer.body());
    }

    /** The text at a path. */
    String word(String path) {
        return JsonPath.parse(text).read(path, String.class);
    }

    /** The number at a path. */
    double number(String path) {
        return JsonPath.parse(text).read(path, Double.class);
    }

    /** The boolean at a path. */
    boolean truth(String path) {
        return JsonPath.parse(text).read(path, Boolean.class);
    }

    /** All matches of a path. */
    List<Object> all(String path) {
        return JsonPath.parse(text).read(path);
    }

    /** The object at a path. */
    Map<String, Object> object(String path) {
        return JsonPath.parse(text).read(path);
    }

    /** All objects that match a path. */
    List<Map<String, Object>> objects(String path) {
        return JsonPath.parse(text).read(path);
    }
}
