// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.plainjdbc;

import io.flexpool.pool.PoolEvent;
import io.flexpool.pool.PoolListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Shows what the pool tells its listeners, and keeps it. */
final class EventLog implements PoolListener {
    private static final Logger STORY = LoggerFactory.getLogger("demo");

    private final List<PoolEvent.Resized> resized = new CopyOnWriteArrayList<>();
    private final List<PoolEvent.ConnectFailed> connectFailures = new CopyOnWriteArrayList<>();

    @Override
    public void onResized(PoolEvent.Resized event) {
        resized.add(event);
        STORY.info("   event: {}", event.describe());
    }

    @Override
    public void onConnectFailed(PoolEvent.ConnectFailed event) {
        connectFailures.add(event);
    }

    List<PoolEvent.Resized> resized() {
        return List.copyOf(resized);
    }

    List<PoolEvent.ConnectFailed> connectFailures() {
        return List.copyOf(connectFailures);
    }
}
