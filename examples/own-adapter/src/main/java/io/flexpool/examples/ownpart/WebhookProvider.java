// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.ownpart;

import io.flexpool.spi.PartContext;
import io.flexpool.spi.PartContext.PartSettings;
import io.flexpool.spi.PartKey;
import io.flexpool.spi.PoolPart;
import io.flexpool.spi.PoolPartProvider;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the webhook of each pool that has one. */
public final class WebhookProvider implements PoolPartProvider {
    static final PartKey<String> URL = PartKey.text(
            "webhook.url", "an http or https address", "The address that is called while the pool is exhausted.");

    static final PartKey<Duration> AFTER = PartKey.duration(
                    "webhook.after",
                    Duration.ofMillis(1),
                    Duration.ofHours(1),
                    "How long requests have waited before the webhook is called.")
            .or(Duration.ofSeconds(10), "10s")
            .needing("webhook.url");

    @Override
    public String name() {
        return "webhook";
    }

    @Override
    public List<PartKey<?>> keys() {
        return List.of(URL, AFTER);
    }

    @Override
    public void check(PartSettings settings, PartSettings.Refusals refusals) {
        settings.get(URL)
                .filter(url -> !url.startsWith("http://") && !url.startsWith("https://"))
                .ifPresent(url -> refusals.refuse(URL, url, "must be an http or https address"));
    }

    @Override
    public @Nullable PoolPart create(PartContext pool) {
        return pool.settings()
                .get(URL)
                .map(url -> new Webhook(pool, URI.create(url), pool.settings().need(AFTER)))
                .orElse(null);
    }
}
