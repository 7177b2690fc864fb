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

/** A result of a query, as a test defines it. */
public final class FakeQueryResult {
    private final Map<Long, ServerQueryResult.Neighbour> neighbours = new HashMap<>();
    private final List<ServerQueryResult.OpenPool> pools = new ArrayList<>();
    private long beganNanos;

    /** It ended at 0 and took this long. */
    public void took(Duration duration) {
        beganNanos = -duration.toNanos();
    }

    /** The lease of another pool of this JVM, to which a session belongs. */
    public void neighbour(long session, String pool, OpenLease lease) {
        neighbours.put(session, new ServerQueryResult.Neighbour(pool, lease));
    }

    /** Another pool of this JVM. */
    public void pool(String name, int connections, @Nullable Boolean sameServer) {
        pools.add(new ServerQueryResult.OpenPool(name, connections, sameServer));
    }

    /** To which the server gave an answer. */
    public SessionFindings.Query answered(ServerSnapshot snapshot, Map<Long, ServerSession> byLease) {
        return new ServerQueryResult(beganNanos, 0, snapshot, byLease, null, neighbours, pools);
    }

    /** To which it gave none. */
    public SessionFindings.Query missing(String why) {
        return new ServerQueryResult(beganNanos, 0, null, Map.of(), why, Map.of(), pools);
    }
}
