// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

import io.flexpool.diagnostics.Decision;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;

/** Several pools of one competitor on one database. Requests go to one after the other, and figures are sums. */
final class Instances implements Entrant {
    private final List<Entrant> pools;
    private final AtomicInteger next = new AtomicInteger();
    private final Map<Lease, Entrant> owners = new ConcurrentHashMap<>();

    /** At least one; closed with this. */
    Instances(List<Entrant> pools) {
        this.pools = List.copyOf(pools);
    }

    @Override
    public Competitor competitor() {
        return pools.get(0).competitor();
    }

    @Override
    public Lease acquire() throws SQLException {
        Entrant pool = pools.get(Math.floorMod(next.getAndIncrement(), pools.size()));
        Lease lease = pool.acquire();
        owners.put(lease, pool);
        return lease;
    }

    @Override
    public void release(Lease lease, boolean failed) throws SQLException {
        Entrant owner = owners.remove(lease);
        if (owner != null) {
            owner.release(lease, failed);
        }
    }

    @Override
    public int limit() {
        return sum(Entrant::limit);
    }

    @Override
    public int held() {
        return sum(Entrant::held);
    }

    @Override
    public int leased() {
        return sum(Entrant::leased);
    }

    @Override
    public int pending() {
        return sum(Entrant::pending);
    }

    private int sum(ToIntFunction<Entrant> figure) {
        return pools.stream().mapToInt(figure).sum();
    }

    @Override
    public List<Decision> decisions() {
        return pools.stream()
                .flatMap(pool -> pool.decisions().stream())
                .sorted(Comparator.comparing(Decision::time))
                .toList();
    }

    @Override
    public void close() throws SQLException {
        for (Entrant pool : pools) {
            pool.close();
        }
    }
}
