// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.engine;

import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import io.flexpool.fleet.FleetStatus;
import io.flexpool.internal.config.ConfigChecks;
import io.flexpool.internal.config.ConfigReader;
import io.flexpool.internal.config.ConfigSource;
import io.flexpool.internal.config.PoolConfig;
import io.flexpool.internal.config.Settings;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.internal.pool.ManualTicker;
import io.flexpool.internal.pool.MonitoredPool;
import io.flexpool.monitoring.PartView.PartMetric;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** A wrapped fake pool whose time and ticks are the test's: nothing happens between two ticks but what the test does. */
final class SizedPool implements AutoCloseable {
    private static final Duration TICK = Duration.ofMillis(250);

    final FakePool fake;
    final ManualTicker ticker = new ManualTicker();
    final MonitoredPool pool;
    final List<PoolEvent.Resized> resized = new CopyOnWriteArrayList<>();

    /** With properties, without their prefix. */
    SizedPool(FakePool fake, Map<String, String> properties) {
        this.fake = fake;
        Settings settings = new Settings();
        settings.ticker = ticker;
        settings.listeners.add(new PoolListener() {
            @Override
            public void onEvent(PoolEvent event) {
                if (event instanceof PoolEvent.Resized resizedEvent) {
                    resized.add(resizedEvent);
                }
            }
        });
        Map<String, String> whole = properties.entrySet().stream()
                .collect(Collectors.toMap(one -> "flexpool." + one.getKey(), Map.Entry::getValue));
        new ConfigReader(settings).read(List.of(ConfigSource.of(whole)));
        PoolConfig config = new ConfigChecks(settings, fake.dataSource, "sized", fake).check();
        if (config.limitsAtFirst()) {
            fake.prepare(config.base(), config.ceiling());
            fake.total = fake.max;
        }
        this.pool = new MonitoredPool(config);
    }

    int limit() {
        return pool.state().limit();
    }

    void tick() {
        ticker.advance(TICK);
        pool.tick();
    }

    FleetStatus status() {
        return pool.view(FleetStatus.class).orElseThrow();
    }

    /** A metric of the fleet, by its short name; NaN if there is none now. */
    double metric(String shortName) {
        return pool.parts().stream()
                .flatMap(part -> part.metrics().stream())
                .filter(metric -> metric.shortName().equals(shortName))
                .mapToDouble(PartMetric::value)
                .findFirst()
                .orElse(Double.NaN);
    }

    @Override
    public void close() {
        pool.close();
    }
}
