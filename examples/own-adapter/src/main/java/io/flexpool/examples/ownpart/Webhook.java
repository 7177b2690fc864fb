// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.ownpart;

import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.pool.PoolState;
import io.flexpool.spi.PartContext;
import io.flexpool.spi.PoolPart;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Calls an address once when requests have waited for a pool's connections for some time. */
final class Webhook implements PoolPart {
    private final HttpClient client = HttpClient.newHttpClient();
    private final AtomicLong calls = new AtomicLong();
    private final PartContext pool;
    private final HttpRequest request;
    private final long afterNanos;
    private long lastCalmNanos;
    private boolean called;

    Webhook(PartContext pool, URI address, Duration after) {
        this.pool = pool;
        this.afterNanos = after.toNanos();
        this.lastCalmNanos = pool.nanos();
        this.request = HttpRequest.newBuilder(address)
                .POST(BodyPublishers.ofString("pool " + pool.name() + " is exhausted"))
                .build();
    }

    @Override
    public void tick(PoolState state, long nowNanos) {
        if (state.pending() == 0) {
            lastCalmNanos = nowNanos;
            called = false;
        } else if (!called && nowNanos - lastCalmNanos >= afterNanos) {
            called = true;
            calls.incrementAndGet();
            var unused = client.sendAsync(request, BodyHandlers.discarding()).whenComplete((answer, thrown) -> {
                if (thrown != null) {
                    pool.failed("the webhook", thrown);
                }
            });
        }
    }

    @Override
    public List<PartMetric> metrics() {
        return List.of(PartMetric.counter(
                "webhook.calls", "flexpool.webhook.calls", "{call}", "Calls of the webhook.", calls::get));
    }

    @Override
    public List<String> reportLines() {
        return List.of("Webhook: called " + calls + " times");
    }
}
