// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import io.flexpool.internal.pool.ManualTicker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Requests at a gate with classes, in virtual time: who is woken runs at once, and leases last as they would on a database with
 * room for all. The same for each run.
 */
final class GateSimulation {
    private static final double NANOS_OF_A_SECOND = 1e9;

    /**
     * Requests that arrive independently of each other.
     *
     * @param patience how long each waits
     * @param deadline how long the caller of each has a use for its answer; null for any time
     */
    record Load(
            int requestClass,
            int tenant,
            double perSecond,
            Duration lease,
            Duration patience,
            @Nullable Duration deadline,
            long fromNanos,
            long untilNanos) {
        /** Of requests whose callers have a use for an answer at any time. */
        Load(
                int requestClass,
                int tenant,
                double perSecond,
                Duration lease,
                Duration patience,
                long fromNanos,
                long untilNanos) {
            this(requestClass, tenant, perSecond, lease, patience, null, fromNanos, untilNanos);
        }
    }

    /** One request and what became of it. */
    static final class Request {
        final Load load;
        final long arrivedNanos;
        /** How long its lease lasts if it gets one. */
        final long leaseNanos;

        long waitedNanos = -1;
        boolean shed;

        Request(Load load, long arrivedNanos, long leaseNanos) {
            this.load = load;
            this.arrivedNanos = arrivedNanos;
            this.leaseNanos = leaseNanos;
        }

        boolean served() {
            return waitedNanos >= 0;
        }

        /** Whether it was answered in time, and its lease ended in time too. */
        boolean goodWithin(Duration deadline) {
            return served() && waitedNanos + leaseNanos <= deadline.toNanos();
        }
    }

    private record Step(long atNanos, long number, Runnable run) implements Comparable<Step> {
        @Override
        public int compareTo(Step other) {
            int byTime = Long.compare(atNanos, other.atNanos);
            return byTime == 0 ? Long.compare(number, other.number) : byTime;
        }
    }

    private record Waiting(Request request, ClassWaiter waiter) {}

    private final ManualTicker ticker = new ManualTicker();
    private final long originNanos = ticker.nanos();
    private final PriorityQueue<Step> steps = new PriorityQueue<>();
    private final Set<Waiting> waiting = new LinkedHashSet<>();
    private final Random random = new Random(24);
    private final int limit;
    final ClassGate gate;
    final List<Request> requests = new ArrayList<>();
    private long number;

    GateSimulation(int limit, boolean sheds, ClassShare... shares) {
        this.limit = limit;
        this.gate = new ClassGate(limit, ticker, AcquisitionOrder.FAIR, List.of(shares), sheds);
    }

    private long now() {
        return ticker.nanos() - originNanos;
    }

    private void at(long nanos, Runnable run) {
        steps.add(new Step(nanos, number++, run));
    }

    private long about(double meanNanos) {
        return (long) (-Math.log(1 - random.nextDouble()) * meanNanos);
    }

    GateSimulation with(Load load) {
        next(load, load.fromNanos());
        return this;
    }

    private void next(Load load, long fromNanos) {
        long at = fromNanos + about(NANOS_OF_A_SECOND / load.perSecond());
        if (at < load.untilNanos()) {
            at(at, () -> {
                arrives(new Request(load, now(), about((double) load.lease().toNanos())));
                next(load, at);
            });
        }
    }

    /** Runs until the last request has ended. */
    GateSimulation run() {
        while (!steps.isEmpty()) {
            Step step = steps.remove();
            ticker.advance(Duration.ofNanos(step.atNanos() - now()));
            step.run().run();
            // Who was woken looks at once.
            gate.gate().limit(limit, ticker.nanos());
            for (Iterator<Waiting> all = waiting.iterator();
                    waiting.size() > gate.gate().waitingCount() && all.hasNext(); ) {
                Waiting one = all.next();
                if (one.waiter().granted()) {
                    all.remove();
                    serve(one.request());
                }
            }
        }
        return this;
    }

    private void arrives(Request request) {
        Load load = request.load;
        requests.add(request);
        if (gate.gate().tryEnter(ticker.nanos(), load.requestClass(), false)) {
            serve(request);
            return;
        }
        long until = load.patience().toNanos();
        Duration deadline = load.deadline();
        long answer = deadline == null ? Long.MAX_VALUE : ticker.nanos() + deadline.toNanos();
        ClassWaiter waiter =
                gate.join(ticker.nanos(), load.requestClass(), load.tenant(), false, ticker.nanos() + until, answer);
        long shed = waiter.shed() ? waiter.shedNanos() - ticker.nanos() : Long.MAX_VALUE;
        Waiting one = new Waiting(request, waiter);
        waiting.add(one);
        at(now() + Math.min(until, shed), () -> {
            if (waiting.contains(one) && gate.gate().leave(waiter, ticker.nanos())) {
                waiting.remove(one);
                request.shed = shed < until;
            }
        });
    }

    private void serve(Request request) {
        Load load = request.load;
        request.waitedNanos = now() - request.arrivedNanos;
        at(now() + request.leaseNanos, () -> {
            gate.ended(request.leaseNanos, load.requestClass(), load.tenant());
            gate.gate().exit(ticker.nanos(), request.leaseNanos, load.requestClass());
        });
    }

    // ---- what became of them ----

    /**
     * How many of the same requests an oracle answers in time. It does not know how long a lease will last, else it would serve short
     * ones only; of those that wait it serves the newest, whose lease has the longest time, and none whose time is over.
     */
    long oracle(Duration deadline) {
        PriorityQueue<Long> free = new PriorityQueue<>(Collections.nCopies(limit, 0L));
        Deque<Request> newest = new ArrayDeque<>();
        long answered = 0;
        int next = 0;
        while (next < requests.size() || !newest.isEmpty()) {
            long at = free.remove();
            while (next < requests.size() && requests.get(next).arrivedNanos <= at) {
                newest.push(requests.get(next++));
            }
            Request request = newest.isEmpty() ? requests.get(next++) : newest.pop();
            long begins = Math.max(at, request.arrivedNanos);
            boolean inTime = begins - request.arrivedNanos < deadline.toNanos();
            long ends = inTime ? begins + request.leaseNanos : at;
            free.add(ends);
            answered += inTime && ends - request.arrivedNanos <= deadline.toNanos() ? 1 : 0;
        }
        return answered;
    }

    List<Request> of(Predicate<Request> which) {
        return requests.stream().filter(which).toList();
    }

    /** The wait that so many of those that were served did not exceed, nanoseconds. */
    static long waitNanos(List<Request> requests, double part) {
        long[] sorted = requests.stream()
                .filter(Request::served)
                .flatMapToLong(one -> LongStream.of(one.waitedNanos))
                .sorted()
                .toArray();
        return sorted.length == 0 ? 0 : sorted[(int) Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
    }
}
