// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.server.ServerSession;
import io.flexpool.server.ServerSnapshot;
import io.flexpool.spi.SessionInsight.SessionFindings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a look found, as a test says it. */
public final class FakeLook {
    private final Map<Long, ServerLook.Neighbour> neighbours = new HashMap<>();
    private final List<ServerLook.OpenPool> pools = new ArrayList<>();
    private long beganNanos;

    /** It ended at 0 and took this long. */
    public void took(Duration duration) {
        beganNanos = -duration.toNanos();
    }

    /** The lease of another pool of this JVM, to which a session belongs. */
    public void neighbour(long session, String pool, OpenLease lease) {
        neighbours.put(session, new ServerLook.Neighbour(pool, lease));
    }

    /** Another pool of this JVM. */
    public void pool(String name, int connections, @Nullable Boolean sameServer) {
        pools.add(new ServerLook.OpenPool(name, connections, sameServer));
    }

    /** To which the server gave an answer. */
    public SessionFindings.Query answered(ServerSnapshot snapshot, Map<Long, ServerSession> byLease) {
        return new ServerLook(beganNanos, 0, snapshot, byLease, null, neighbours, pools);
    }

    /** To which it gave none. */
    public SessionFindings.Query missing(String why) {
        return new ServerLook(beganNanos, 0, null, Map.of(), why, Map.of(), pools);
    }
}
