// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.prometheus;

import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A scrape in the text format. */
record Scrape(List<Sample> samples) {
    static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0";
    static final String TEXT = "text/plain; version=0.0.4";

    private static final Pattern LINE = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? (\\S+)(?: .*)?");
    private static final Pattern LABEL = Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"([^\"]*)\"");

    /** One line. */
    record Sample(String name, Map<String, String> labels, double value) {}

    /** Over HTTP, from the client's own exporter. */
    static String http(PrometheusRegistry registry, String accept) {
        try (HTTPServer server = HTTPServer.builder()
                .inetAddress(InetAddress.getLoopbackAddress())
                .port(0)
                .registry(registry)
                .buildAndStart()) {
            URI uri = URI.create("http://127.0.0.1:" + server.getPort() + "/metrics");
            HttpResponse<String> response = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(uri).header("Accept", accept).build(),
                            HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new IllegalStateException(response.statusCode() + ": " + response.body());
            }
            return response.body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    static Scrape of(String text) {
        List<Sample> samples = new ArrayList<>();
        text.lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            Matcher matcher = LINE.matcher(line);
            if (!matcher.matches()) {
                throw new IllegalArgumentException(line);
            }
            Map<String, String> labels = new TreeMap<>();
            String inBraces = matcher.group(2);
            if (inBraces != null) {
                LABEL.matcher(inBraces).results().forEach(label -> labels.put(label.group(1), label.group(2)));
            }
            samples.add(new Sample(matcher.group(1), labels, value(matcher.group(3))));
        });
        return new Scrape(List.copyOf(samples));
    }

    private static double value(String written) {
        return written.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(written);
    }

    OptionalDouble value(String name, Map<String, String> labels) {
        return samples.stream()
                .filter(sample -> sample.name().equals(name) && sample.labels().equals(labels))
                .mapToDouble(Sample::value)
                .findFirst();
    }
}
