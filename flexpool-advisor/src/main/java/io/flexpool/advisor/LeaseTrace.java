// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the requests of one pool did, in the order in which they came: when each asked, how long it waited, how long its
 * lease was, and of which class it was where the pool has classes. Immutable and thread-safe. A request takes about 40 bytes.
 */
public final class LeaseTrace {
    /** In place of a request's number: there is none. */
    static final int NONE = -1;

    /** How a request ended. */
    public enum Ending {
        /** It got a connection and gave it back. */
        RELEASED(0),
        /** It got a connection, and had it when the record ended: its lease is known up to then. */
        OPEN(1),
        /** It got none within its timeout: how long its lease would have been is not known. */
        TIMED_OUT(2);

        private static final Ending[] BY_CODE = {RELEASED, OPEN, TIMED_OUT};

        /** In files, too. */
        final byte code;

        Ending(int code) {
            this.code = (byte) code;
        }

        static Ending of(int code) {
            if (code >= BY_CODE.length) {
                throw new IllegalArgumentException("outcome " + code + " does not exist");
            }
            return BY_CODE[code];
        }
    }

    final int size;
    /** Nanoseconds since the first request. */
    final long[] arrival;

    final long[] wait;
    final long[] lease;
    final byte[] ending;
    final int[] site;
    /** The request whose lease the same thread held when it made this one; {@link #NONE} for most. */
    final int[] outer;
    /** The place of its class among the classes. */
    private final byte[] requestClass;

    private final List<String> sites;
    private final List<String> classes;
    private final boolean nested;
    /** The same with each try that was repeated joined to the next one; null if there are none, or it is such a trace. */
    private final @Nullable LeaseTrace joined;

    private LeaseTrace(
            long[] arrival,
            long[] wait,
            long[] lease,
            byte[] ending,
            int[] site,
            int[] outer,
            byte[] requestClass,
            Names names,
            @Nullable LeaseTrace joined) {
        this.size = arrival.length;
        this.arrival = arrival;
        this.wait = wait;
        this.lease = lease;
        this.ending = ending;
        this.site = site;
        this.outer = outer;
        this.requestClass = requestClass;
        this.sites = names.sites();
        this.classes = names.classes();
        this.joined = joined;
        this.nested = Arrays.stream(outer).anyMatch(held -> held != NONE);
    }

    /** What the numbers of call sites and of classes stand for. */
    private record Names(List<String> sites, List<String> classes) {}

    /** {@return how many requests there are} */
    public int requests() {
        return size;
    }

    /** {@return from the first request to the last one} */
    public Duration span() {
        return Duration.ofNanos(size == 0 ? 0 : arrival[size - 1] - arrival[0]);
    }

    /** {@return the call sites, each with its number as index} */
    public List<String> sites() {
        return sites;
    }

    /**
     * The class of a request.
     *
     * @param request its number, from 0
     * @return its name; empty if the pool has one class for all, or that is not known
     */
    public String requestClass(int request) {
        return classes.get(requestClass[request]);
    }

    /** The requests of one class. */
    LeaseTrace inClass(String name) {
        int[] requests = new int[size];
        int count = 0;
        int wanted = classes.indexOf(name);
        for (int at = 0; at < size; at++) {
            if (requestClass[at] == wanted) {
                requests[count++] = at;
            }
        }
        return only(Arrays.copyOf(requests, count));
    }

    /**
     * How many requests ended in a way.
     *
     * @param how the way
     * @return their number
     */
    public int count(Ending how) {
        int count = 0;
        for (byte each : ending) {
            count += each == how.code ? 1 : 0;
        }
        return count;
    }

    /**
     * When a request came.
     *
     * @param request its number, from 0
     * @return nanoseconds since the first one
     */
    public long arrivalNanos(int request) {
        return arrival[request];
    }

    /**
     * How long a request waited.
     *
     * @param request its number, from 0
     * @return nanoseconds
     */
    public long waitNanos(int request) {
        return wait[request];
    }

    /**
     * How long a lease was.
     *
     * @param request its number, from 0
     * @return nanoseconds; 0 for a request that timed out
     */
    public long leaseNanos(int request) {
        return lease[request];
    }

    /**
     * How a request ended.
     *
     * @param request its number, from 0
     * @return its ending
     */
    public Ending ending(int request) {
        return Ending.of(ending[request]);
    }

    /**
     * The same where a request that timed out and was repeated at once by its thread is one request with the next try: it came
     * when the first try came. This trace if none was recognised.
     */
    LeaseTrace withTriesJoined() {
        return joined == null ? this : joined;
    }

    /** Whether a thread held two leases at once. */
    boolean nested() {
        return nested;
    }

    /** A selection of the requests, given by their numbers in ascending order, each once. */
    LeaseTrace only(int[] requests) {
        int[] position = new int[size];
        Arrays.fill(position, NONE);
        for (int at = 0; at < requests.length; at++) {
            position[requests[at]] = at;
        }
        long[] no = new long[requests.length];
        return copy(requests, no, at -> {
            int held = outer[requests[at]];
            return held == NONE ? NONE : position[held];
        });
    }

    /** Where a request of a copy finds the one that holds the outer lease. */
    @FunctionalInterface
    interface Outer {
        int of(int at);
    }

    /**
     * A copy of some requests.
     *
     * @param requests their numbers
     * @param shift by how much each arrives later, nanoseconds; the arrivals must be in order then
     */
    LeaseTrace copy(int[] requests, long[] shift, Outer held) {
        int count = requests.length;
        long[] arrivals = new long[count];
        long[] waits = new long[count];
        long[] leases = new long[count];
        byte[] endings = new byte[count];
        int[] places = new int[count];
        int[] outers = new int[count];
        byte[] itsClass = new byte[count];
        for (int at = 0; at < count; at++) {
            int from = requests[at];
            arrivals[at] = arrival[from] + shift[at];
            waits[at] = wait[from];
            leases[at] = lease[from];
            endings[at] = ending[from];
            places[at] = site[from];
            outers[at] = held.of(at);
            itsClass[at] = requestClass[from];
        }
        return new LeaseTrace(
                arrivals, waits, leases, endings, places, outers, itsClass, new Names(sites, classes), null);
    }

    /** The same with other lengths of leases, and with all requests released. */
    LeaseTrace withLeases(long[] leases) {
        return new LeaseTrace(
                arrival, wait, leases, new byte[size], site, outer, requestClass, new Names(sites, classes), null);
    }

    /**
     * Begins a trace.
     *
     * @return a builder for one thread
     */
    public static Builder builder() {
        return new Builder();
    }

    /** Collects requests in any order. For one thread. */
    public static final class Builder {
        private static final int FIRST = 1_024;
        private static final int MOST_CLASSES = Byte.MAX_VALUE;

        private final List<String> sites = new ArrayList<>();
        private final Map<String, Integer> numbers = new HashMap<>();
        private long[] arrival = new long[FIRST];
        private long[] wait = new long[FIRST];
        private long[] lease = new long[FIRST];
        private byte[] ending = new byte[FIRST];
        private int[] site = new int[FIRST];
        private long[] thread = new long[FIRST];
        private boolean[] inner = new boolean[FIRST];
        /** The first is that of requests without one. */
        private final List<String> classes = new ArrayList<>(List.of(""));

        private byte[] requestClass = new byte[FIRST];
        private byte currentClass;
        private int size;

        private Builder() {}

        /**
         * The requests that are added from now on are of a class.
         *
         * @param name its name; empty for none, as it is at first
         * @return this
         * @throws IllegalArgumentException if there are more than 126 classes
         */
        public Builder inClass(String name) {
            int known = classes.indexOf(name);
            if (known < 0) {
                if (classes.size() == MOST_CLASSES) {
                    throw new IllegalArgumentException("class " + name + ": a pool cannot have this many classes");
                }
                known = classes.size();
                classes.add(name);
            }
            currentClass = (byte) known;
            return this;
        }

        /**
         * Adds a request.
         *
         * @param arrivalNanos when it asked, on any clock that all requests share
         * @param waitNanos how long it waited, 0 or more
         * @param leaseNanos how long its lease was, 0 or more; up to the end of the record for {@link Ending#OPEN}; not
         *     read for {@link Ending#TIMED_OUT}
         * @param how how it ended
         * @param callSite where it was made; empty if that is not known
         * @param threadNumber identifies the thread that made it among the trace's; 0 if that is not known
         * @return this
         * @throws IllegalArgumentException if a duration is negative
         */
        public Builder add(
                long arrivalNanos, long waitNanos, long leaseNanos, Ending how, String callSite, long threadNumber) {
            return add(arrivalNanos, waitNanos, leaseNanos, how, callSite, threadNumber, true);
        }

        /**
         * Adds a request, where several threads may have one number.
         *
         * @param arrivalNanos as above
         * @param waitNanos as above
         * @param leaseNanos as above
         * @param how as above
         * @param callSite as above
         * @param threadNumber as above
         * @param nested whether its thread held another connection; then that is the youngest lease of this number
         * @return this
         * @throws IllegalArgumentException if a duration is negative
         */
        public Builder add(
                long arrivalNanos,
                long waitNanos,
                long leaseNanos,
                Ending how,
                String callSite,
                long threadNumber,
                boolean nested) {
            if (waitNanos < 0 || leaseNanos < 0) {
                throw new IllegalArgumentException("wait " + waitNanos + " ns and lease " + leaseNanos
                        + " ns of request " + size + ": must be 0 or more");
            }
            if (size == arrival.length) {
                grow();
            }
            arrival[size] = arrivalNanos;
            wait[size] = waitNanos;
            lease[size] = how == Ending.TIMED_OUT ? 0 : leaseNanos;
            ending[size] = how.code;
            site[size] = numbers.computeIfAbsent(callSite, name -> {
                sites.add(name);
                return sites.size() - 1;
            });
            inner[size] = nested;
            requestClass[size] = currentClass;
            thread[size++] = threadNumber;
            return this;
        }

        private void grow() {
            int more = 2 * size;
            arrival = Arrays.copyOf(arrival, more);
            wait = Arrays.copyOf(wait, more);
            lease = Arrays.copyOf(lease, more);
            ending = Arrays.copyOf(ending, more);
            site = Arrays.copyOf(site, more);
            thread = Arrays.copyOf(thread, more);
            inner = Arrays.copyOf(inner, more);
            requestClass = Arrays.copyOf(requestClass, more);
        }

        /** {@return how many requests were added} */
        public int size() {
            return size;
        }

        /** {@return the trace, its first request at 0; later additions do not change it} */
        public LeaseTrace build() {
            int[] order = order();
            long first = size == 0 ? 0 : arrival[order[0]];
            long[] arrivals = new long[size];
            long[] waits = new long[size];
            long[] leases = new long[size];
            byte[] endings = new byte[size];
            int[] places = new int[size];
            long[] threads = new long[size];
            boolean[] inners = new boolean[size];
            byte[] itsClass = new byte[size];
            for (int at = 0; at < size; at++) {
                int from = order[at];
                arrivals[at] = arrival[from] - first;
                waits[at] = wait[from];
                leases[at] = lease[from];
                endings[at] = ending[from];
                places[at] = site[from];
                threads[at] = thread[from];
                inners[at] = inner[from];
                itsClass[at] = requestClass[from];
            }
            LeaseTrace joined = joined(
                    order, Retries.of(arrivals, waits, leases, endings, places, threads, inners, sites.indexOf("")));
            int[] outers = held(arrivals, waits, leases, threads);
            for (int at = 0; at < size; at++) {
                outers[at] = inners[at] ? outers[at] : NONE;
            }
            return new LeaseTrace(
                    arrivals,
                    waits,
                    leases,
                    endings,
                    places,
                    outers,
                    itsClass,
                    new Names(List.copyOf(sites), List.copyOf(classes)),
                    joined);
        }

        /**
         * The same with each repeated try joined to the next one.
         *
         * @param order the requests by arrival
         * @param again for each in that order the next try; its own place where it is the last
         */
        private @Nullable LeaseTrace joined(int[] order, int[] again) {
            if (again.length == 0) {
                return null;
            }
            long[] asked = new long[size];
            for (int at = 0; at < size; at++) {
                asked[at] = arrival[order[at]];
            }
            Builder tries = new Builder();
            for (int at = 0; at < size; at++) {
                int from = order[at];
                if (again[at] == at) {
                    tries.inClass(classes.get(requestClass[from]))
                            .add(
                                    asked[at],
                                    wait[from] + arrival[from] - asked[at],
                                    lease[from],
                                    Ending.of(ending[from]),
                                    sites.get(site[from]),
                                    thread[from],
                                    inner[from]);
                } else {
                    asked[again[at]] = asked[at];
                }
            }
            return tries.build();
        }

        private int[] order() {
            boolean ordered = true;
            int[] order = new int[size];
            for (int at = 0; at < size; at++) {
                order[at] = at;
                ordered &= at == 0 || arrival[at - 1] - arrival[at] <= 0;
            }
            return ordered
                    ? order
                    : Arrays.stream(order)
                            .boxed()
                            .sorted(Comparator.comparingLong(request -> arrival[request]))
                            .mapToInt(Integer::intValue)
                            .toArray();
        }

        /** For each request the youngest lease that its thread, or one of the same number, held when it came. */
        private static int[] held(long[] arrival, long[] wait, long[] lease, long[] thread) {
            int[] held = new int[arrival.length];
            Map<Long, Integer> last = new HashMap<>();
            for (int at = 0; at < held.length; at++) {
                held[at] = NONE;
                if (thread[at] != 0) {
                    Integer before = last.put(thread[at], at);
                    int open = before == null ? NONE : before;
                    while (open != NONE && arrival[open] + wait[open] + lease[open] <= arrival[at]) {
                        open = held[open];
                    }
                    held[at] = open;
                }
            }
            return held;
        }
    }
}
