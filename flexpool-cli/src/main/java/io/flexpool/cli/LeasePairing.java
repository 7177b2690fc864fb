// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import io.flexpool.advisor.LeaseTrace.Ending;
import io.flexpool.cli.MethodTrace.Call;
import io.flexpool.cli.MethodTrace.Lease;
import io.flexpool.cli.MethodTrace.Leases;
import io.flexpool.cli.MethodTrace.Pool;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Pairs the requests and returns of one kind of pool. */
final class LeasePairing {
    /** The longest time between the end of a wait and its request's exception; a slow machine loads classes then. */
    private static final Duration BEFORE_EXCEPTION = Duration.ofMillis(500);
    /**
     * The longest time between the end of a part of a request and the request's exception; below HikariCP's shortest
     * timeout.
     */
    private static final Duration AT_ONCE = Duration.ofMillis(100);

    private final Pool pool;
    private final Map<Long, NavigableMap<Instant, Instant>> waits;
    private final @Nullable Duration timeout;
    private final Map<Long, Deque<Begun>> open = new HashMap<>();
    private final List<Begun> begun = new ArrayList<>();
    private final List<Instant> unmatched = new ArrayList<>();
    private final Map<Long, Instant> failedUntil = new HashMap<>();
    private int earlier;
    private int untimed;

    LeasePairing(
            Pool pool, List<Call> calls, Map<Long, NavigableMap<Instant, Instant>> waits, @Nullable Duration timeout) {
        this.pool = pool;
        this.waits = waits;
        this.timeout = timeout;
        pair(calls);
        pairOthers();
    }

    /** A lease, perhaps without a known end yet. */
    private static final class Begun {
        private final Call request;
        /** Whether an exception was constructed during the request: then it has failed if no return belongs to it. */
        private boolean doubtful;

        private Ending ending = Ending.OPEN;
        private @Nullable Instant end;

        Begun(Call request) {
            this.request = request;
        }

        void end(Instant at) {
            // If a request fails late, the pool may return the connection before the request ends.
            end = at.isBefore(request.end()) ? request.end() : at;
            ending = Ending.RELEASED;
        }
    }

    private void pair(List<Call> calls) {
        Set<String> methods = calls.stream().map(Call::method).collect(Collectors.toCollection(HashSet::new));
        String returns = methods.contains(pool.returns) ? pool.returns : pool.closes;
        boolean marked = methods.contains(Pool.AGROAL_TAKES);
        Map<Long, Call> outer = new HashMap<>();
        Set<Call> taking = new HashSet<>();
        // A call within a request begins after the request, and belongs to it.
        for (Call call : calls) {
            Call around = outer.get(call.thread());
            boolean within = around != null && call.at().isBefore(around.end());
            if (call.method().equals(pool.request) && !within) {
                outer.put(call.thread(), call);
            } else if (within && call.method().equals(Pool.AGROAL_TAKES)) {
                taking.add(around);
            }
        }
        outer.clear();
        for (Call call : calls) {
            Call around = outer.get(call.thread());
            boolean within = around != null && call.at().isBefore(around.end());
            if (call.method().equals(pool.request) && !within) {
                outer.put(call.thread(), call);
                if (!marked || taking.contains(call)) {
                    begin(call);
                }
            } else if (call.method().equals(returns)) {
                end(call);
            } else if (call.method().equals(MethodTrace.CONSTRUCTOR)) {
                failed(call, within);
            }
        }
    }

    private Deque<Begun> of(long thread) {
        return open.computeIfAbsent(thread, unknown -> new ArrayDeque<>());
    }

    private void begin(Call request) {
        Deque<Begun> own = of(request.thread());
        Begun lease = new Begun(request);
        own.push(lease);
        begun.add(lease);
    }

    private void end(Call call) {
        Begun lease = of(call.thread()).poll();
        if (lease == null) {
            unmatched.add(call.at());
        } else {
            lease.end(call.at());
        }
    }

    /** Marks a failed request, which may construct several exceptions, for example a cause and its wrapper. */
    private void failed(Call call, boolean within) {
        Begun lease = of(call.thread()).peek();
        if (lease != null && (within || lease.request.end().plus(AT_ONCE).isAfter(call.at()))) {
            lease.doubtful = true;
        } else if (!within) {
            failed(call);
        }
    }

    private void failed(Call call) {
        Instant until = failedUntil.getOrDefault(call.thread(), Instant.MIN);
        Map.Entry<Instant, Instant> wait =
                waits.getOrDefault(call.thread(), new TreeMap<>()).floorEntry(call.at());
        boolean known = wait != null && wait.getKey().plus(BEFORE_EXCEPTION).isAfter(call.at());
        Instant at =
                known ? wait.getValue() : timeout == null ? null : call.at().minus(timeout);
        if (at == null) {
            untimed += call.at().isAfter(until.plus(BEFORE_EXCEPTION)) ? 1 : 0;
        } else if (at.isBefore(until)) {
            return;
        } else {
            Begun lease = new Begun(new Call(pool, pool.request, at, call.at(), call.thread(), call.site()));
            lease.ending = Ending.TIMED_OUT;
            begun.add(lease);
        }
        failedUntil.put(call.thread(), call.at());
    }

    /**
     * Pairs returns by other threads with the oldest open lease, or with one from before the recording. The choice does
     * not change the number of open leases.
     */
    private void pairOthers() {
        Deque<Begun> left = begun.stream()
                .filter(each -> each.ending == Ending.OPEN && !each.doubtful)
                .sorted(Comparator.comparing((Begun each) -> each.request.end()))
                .collect(Collectors.toCollection(ArrayDeque::new));
        for (Instant at : unmatched) {
            Begun oldest = left.peek();
            if (oldest != null && !oldest.request.end().isAfter(at)) {
                left.remove();
                oldest.end(at);
            } else {
                earlier++;
            }
        }
    }

    Leases leases(Instant last, boolean cut) {
        begun.stream()
                .filter(each -> each.doubtful && each.ending == Ending.OPEN)
                .forEach(each -> each.ending = Ending.TIMED_OUT);
        begun.sort(Comparator.comparing(each -> each.request.at()));
        Map<Long, Instant> heldUntil = new HashMap<>();
        List<Lease> leases = new ArrayList<>(begun.size());
        for (Begun each : begun) {
            Call request = each.request;
            int colon = request.site().lastIndexOf(':');
            Instant end = each.ending == Ending.TIMED_OUT ? request.end() : each.end == null ? last : each.end;
            Instant held = heldUntil.getOrDefault(request.thread(), Instant.MIN);
            leases.add(new Lease(
                    colon < 0 ? "" : request.site().substring(0, colon),
                    colon < 0 ? -1 : Integer.parseInt(request.site().substring(colon + 1)),
                    request.thread(),
                    request.at(),
                    request.end(),
                    end.isBefore(request.end()) ? request.end() : end,
                    each.ending,
                    held.isAfter(request.at())));
            if (each.ending != Ending.TIMED_OUT && end.isAfter(held)) {
                heldUntil.put(request.thread(), end);
            }
        }
        return new Leases(List.copyOf(leases), earlier, untimed, cut);
    }
}
