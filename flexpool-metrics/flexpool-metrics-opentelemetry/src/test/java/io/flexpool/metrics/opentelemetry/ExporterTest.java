// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.metrics.tck.ScriptedPool;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.exporter.prometheus.PrometheusHttpServer;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.export.PeriodicMetricReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The output of OpenTelemetry's own exporters for pulled figures. */
class ExporterTest {
    private static final String LOOPBACK = "127.0.0.1";
    private static final Pattern LENGTH = Pattern.compile("(?i)content-length: *([0-9]+)");

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

    /** The reason for explicit buckets: the text format supports no others. */
    @Test
    void prometheusTextLosesExponentialBuckets() throws Exception {
        String text = scrape(PoolMetricProducer.create());
        assertThat(text.lines().filter(line -> line.startsWith("db_client_connection_use_time_seconds_bucket{")))
                .singleElement()
                .asString()
                .contains("le=\"+Inf\"")
                .endsWith(" 1000");
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

    private static String export(PoolMetricProducer producer) throws Exception {
        ServerSocket collector = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        CompletableFuture<String> sent = CompletableFuture.supplyAsync(() -> body(collector));
        producer.bind(new ScriptedPool("orders"));
        String endpoint = "http://" + LOOPBACK + ":" + collector.getLocalPort() + "/v1/metrics";
        try (SdkMeterProvider sdk = SdkMeterProvider.builder()
                .registerMetricReader(PeriodicMetricReader.create(
                        OtlpHttpMetricExporter.builder().setEndpoint(endpoint).build()))
                .registerMetricProducer(producer)
                .build()) {
            sdk.forceFlush().join(3, TimeUnit.MINUTES);
            return sent.get(3, TimeUnit.MINUTES);
        } finally {
            collector.close();
        }
    }

    /** The body of the single request; it is answered with success. */
    private static String body(ServerSocket collector) {
        try (Socket socket = collector.accept()) {
            InputStream in = socket.getInputStream();
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                int next = in.read();
                if (next < 0) {
                    throw new EOFException("after " + head);
                }
                head.append((char) next);
            }
            Matcher length = LENGTH.matcher(head);
            assertThat(length.find()).as("%s", head).isTrue();
            byte[] body = in.readNBytes(Integer.parseInt(length.group(1)));
            socket.getOutputStream()
                    .write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.ISO_8859_1));
            return new String(body, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
