// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.ownpart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.metrics.jdk.JmxMetrics;
import io.flexpool.monitoring.ConfigKey;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The part with a real pool and a real server: core, the backends and the configuration know nothing of it. */
@Timeout(300)
class WebhookTest {
    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    private ServerSocket server;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        Thread serves = new Thread(this::serve);
        serves.setDaemon(true);
        serves.start();
    }

    /** One request a connection, whose body is noted. */
    private void serve() {
        while (!server.isClosed()) {
            try (Socket socket = server.accept()) {
                InputStream request = socket.getInputStream();
                StringBuilder head = new StringBuilder();
                while (head.indexOf("\r\n\r\n") < 0) {
                    head.append((char) request.read());
                }
                int length = Integer.parseInt(
                        head.toString().toLowerCase(Locale.ROOT).replaceAll("(?s).*content-length: *(\\d+).*", "$1"));
                received.add(new String(request.readNBytes(length), StandardCharsets.UTF_8));
                socket.getOutputStream()
                        .write("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
            } catch (IOException closed) {
                return;
            }
        }
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    private static HikariDataSource hikari() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:mem:webhook");
        config.setMaximumPoolSize(1);
        config.setConnectionTimeout(250_000);
        return new HikariDataSource(config);
    }

    private FlexPoolDataSource pool(Map<String, String> properties) {
        return FlexPool.wrap(hikari())
                .name("orders")
                .metrics(JmxMetrics.create())
                .properties(properties)
                .build();
    }

    @Test
    void anExhaustedPoolCallsTheWebhookOnce() throws Exception {
        String url = "http://" + server.getInetAddress().getHostAddress() + ":" + server.getLocalPort() + "/hook";
        try (FlexPoolDataSource pool = pool(Map.of("flexpool.webhook.url", url, "flexpool.webhook.after", "100ms"))) {
            Thread waits = new Thread(() -> {
                try (Connection second = pool.getConnection()) {
                    assertThat(second).isNotNull();
                } catch (java.sql.SQLException failed) {
                    received.add("failed: " + failed);
                }
            });
            try (Connection first = pool.getConnection()) {
                assertThat(first).isNotNull();
                waits.start();
                assertThat(received.poll(250, TimeUnit.SECONDS)).isEqualTo("pool orders is exhausted");
            }
            waits.join();
            assertThat(received).isEmpty();
            assertThat(pool.report()).contains("\nWebhook: called 1 times\n");
            ObjectName bean = new ObjectName("flexpool:type=Pool,name=orders");
            assertThat(ManagementFactory.getPlatformMBeanServer().getAttribute(bean, "WebhookCalls"))
                    .isEqualTo(1L);
        }
    }

    @Test
    void itsKeysAreReadRefusedAndListedAsThoseOfCore() {
        assertThat(FlexPool.configurationKeys()).extracting(ConfigKey::name).contains("webhook.url", "webhook.after");
        assertThatThrownBy(() -> pool(Map.of("flexpool.webhook.url", "ftp://example.com")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("flexpool.webhook.url = ftp://example.com: must be an http or https address");
        assertThatThrownBy(() -> pool(Map.of("flexpool.webhook.after", "2h")))
                .hasMessageContaining("flexpool.webhook.after = 2h: must be from PT0.001S to PT1H");
        assertThatThrownBy(() -> pool(Map.of("flexpool.webhook.after", "20s")))
                .hasMessageContaining("needs flexpool.webhook.url too, which must be an http or https address");
        assertThatThrownBy(() -> pool(Map.of("flexpool.webhok.url", "http://localhost")))
                .hasMessageContaining("the nearest is flexpool.webhook.url");
    }

    @Test
    void aPoolWithoutAnAddressHasNoWebhook() {
        try (FlexPoolDataSource pool = pool(Map.of())) {
            assertThat(pool.parts()).isEmpty();
            assertThat(pool.report()).doesNotContain("Webhook");
        }
    }
}
