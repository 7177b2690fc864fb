// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.diagnostics.Decision;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import io.flexpool.internal.config.ConfigChecks;
import io.flexpool.internal.config.PoolConfig;
import io.flexpool.internal.config.Settings;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.context.RequestClasses;
import io.flexpool.internal.gate.Gate;
import io.flexpool.internal.record.SlotRecords;
import io.flexpool.internal.record.StripedCounter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What the parts of a fake pool share, for the test of one part. Time is the test's. */
public final class TestContext {
    public final FakePool fake = new FakePool();
    public final ManualTicker ticker = new ManualTicker();
    public final List<PoolEvent.Resized> resized = new ArrayList<>();
    public final List<Decision> decided = new ArrayList<>();
    public final List<PoolEvent.NestedAcquisition> nested = new ArrayList<>();
    public final PoolContext context;

    /** A pool with a gate if a base is set. */
    public TestContext(Consumer<Settings> set) {
        this(set, null);
    }

    /** Of a pool without a gate, whose requests are counted. */
    public TestContext(Consumer<Settings> set, @Nullable StripedCounter requests) {
        Settings settings = new Settings();
        settings.ticker = ticker;
        settings.listeners.add(new PoolListener() {
            @Override
            public void onEvent(PoolEvent event) {
                if (event instanceof PoolEvent.Resized resizedEvent) {
                    resized.add(resizedEvent);
                } else if (event instanceof PoolEvent.SizingDecided decidedEvent) {
                    decided.add(decidedEvent.decision());
                } else if (event instanceof PoolEvent.NestedAcquisition nestedEvent) {
                    nested.add(nestedEvent);
                }
            }
        });
        set.accept(settings);
        PoolConfig config = new ConfigChecks(settings, fake.dataSource, "part", fake).check();
        if (config.limitsAtFirst()) {
            fake.prepare(config.base(), config.ceiling());
            fake.total = fake.max;
        }
        Gate gate = config.gated() ? RequestClasses.gate(config) : null;
        this.context = PoolContext.of(config, gate, requests);
    }

    /** The gate of a pool that has one. */
    public Gate gate() {
        Gate gate = context.gate();
        if (gate == null) {
            throw new AssertionError("no gate");
        }
        return gate;
    }

    /** As many permits are taken and become leases. */
    public void lease(int number) {
        for (int at = 0; at < number; at++) {
            if (!gate().tryEnter(ticker.nanos())) {
                throw new AssertionError("no permit");
            }
            context.recorder().add(new SlotRecords()).acquired(0);
        }
    }
}
