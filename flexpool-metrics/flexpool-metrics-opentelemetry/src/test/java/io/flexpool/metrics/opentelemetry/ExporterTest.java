// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.flexpool.metrics.tck.ScriptedPool;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.exporter.prometheus.PrometheusHttpServer;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.export.PeriodicMetricReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What OpenTelemetry's own exporters make of pulled figures. */
class ExporterTest {
    private static final String LOOPBACK = "127.0.0.1";

    @Test
    void prometheusShowsExplicitBuckets() throws Exception {
        String text = scrape(PoolMetricProducer.explicitBuckets());
        assertThat(text)
                .contains("# TYPE db_client_connection_use_time_seconds histogram")
                .containsPattern("db_client_connection_use_time_seconds_bucket\\{[^}]*le=\"0\\.5\"[^}]*} 160\n")
                .containsPattern("db_client_connection_use_time_seconds_count\\{[^}]*} 1000\n")
                .containsPattern("db_client_connection_use_time_seconds_sum\\{[^}]*} 1515\\.")
                .contains("db_client_connection_pool_name=\"orders\"")
                .containsPattern("db_client_connection_count\\{[^}]*state=\"used\"[^}]*} 7\\.0\n")
                .containsPattern("db_client_connection_timeouts_total\\{[^}]*} 1000\\.0\n")
                .containsPattern("db_client_connection_wait_time_seconds_count\\{[^}]*outcome=\"ok\"[^}]*} 1000\n");
    }

    /** Why explicit buckets are there: the text knows no others. */
    @Test
    void prometheusTextLosesExponentialBuckets() throws Exception {
        String text = scrape(PoolMetricProducer.create());
        assertThat(text).contains("db_client_connection_count").doesNotContain("use_time_seconds_bucket{");
    }

    @Test
    void otlpTakesBothHistograms() throws Exception {
        for (PoolMetricProducer producer :
                new PoolMetricProducer[] {PoolMetricProducer.create(), PoolMetricProducer.explicitBuckets()}) {
            String sent = export(producer);
            assertThat(sent)
                    .contains("io.flexpool", "db.client.connection.pool.name", "orders")
                    .contains("db.client.connection.use_time", "db.client.connection.count", "flexpool.active_mean")
                    .contains("{connection}", "error.type");
        }
    }

    private static String scrape(PoolMetricProducer producer) throws IOException, InterruptedException {
        int port = freePort();
        producer.bind(new ScriptedPool("orders"));
        try (SdkMeterProvider sdk = SdkMeterProvider.builder()
                .registerMetricReader(PrometheusHttpServer.builder()
                        .setHost(LOOPBACK)
                        .setPort(port)
                        .build())
                .registerMetricProducer(producer)
                .build()) {
            assertThat(sdk).isNotNull();
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + LOOPBACK + ":" + port + "/metrics"))
                    .build();
            return HttpClient.newHttpClient()
                    .send(request, HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static String export(PoolMetricProducer producer) throws IOException, InterruptedException {
        BlockingQueue<String> bodies = new LinkedBlockingQueue<>();
        HttpServer collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/v1/metrics", exchange -> {
            bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        collector.start();
        producer.bind(new ScriptedPool("orders"));
        String endpoint = "http://" + LOOPBACK + ":" + collector.getAddress().getPort() + "/v1/metrics";
        try (SdkMeterProvider sdk = SdkMeterProvider.builder()
                .registerMetricReader(PeriodicMetricReader.create(
                        OtlpHttpMetricExporter.builder().setEndpoint(endpoint).build()))
                .registerMetricProducer(producer)
                .build()) {
            sdk.forceFlush().join(30, TimeUnit.SECONDS);
            String body = bodies.poll(30, TimeUnit.SECONDS);
            assertThat(body).isNotNull();
            return body;
        } finally {
            collector.stop(0);
        }
    }
}
