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
 * The recorded requests of one pool, in the order of their arrival: arrival, wait, lease time, and class if the pool
 * has classes. Immutable and thread-safe. A request takes about 40 bytes.
 */
public final class LeaseTrace {
    /** Stands for "no request". */
    static final int NONE = -1;

    /** The ending of a request. */
    public enum Ending {
        /** The request got a connection and released it. */
        RELEASED(0),
        /** The request got a connection and still had it at the end of the record: its lease is known up to then. */
        OPEN(1),
        /** The request got no connection within its timeout; the length of its lease is unknown. */
        TIMED_OUT(2);

        private static final Ending[] BY_CODE = {RELEASED, OPEN, TIMED_OUT};

        /** The code in memory and in files. */
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
    /** The request whose lease the same thread held at this request; {@link #NONE} for most. */
    final int[] outer;
    /** The index of the request's class. */
    private final byte[] requestClass;

    private final List<String> sites;
    private final List<String> classes;
    private final boolean nested;
    /** The same trace with repeated tries joined to one request; null without repeated tries, and in a joined trace. */
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

    /** The names of call sites and classes, by number. */
    private record Names(List<String> sites, List<String> classes) {}

    /** {@return the number of requests} */
    public int requests() {
        return size;
    }

    /** {@return the time from the first request to the last} */
    public Duration span() {
        return Duration.ofNanos(size == 0 ? 0 : arrival[size - 1] - arrival[0]);
    }

    /** {@return the call sites, by number} */
    public List<String> sites() {
        return sites;
    }

    /**
     * The class of a request.
     *
     * @param request its number, from 0
     * @return the class's name; empty without classes, or if unknown
     */
    public String requestClass(int request) {
        return classes.get(requestClass[request]);
    }

    /** A trace of the requests of one class. */
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
     * Counts the requests with an ending.
     *
     * @param how the ending
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
     * The arrival of a request.
     *
     * @param request its number, from 0
     * @return nanoseconds since the first one
     */
    public long arrivalNanos(int request) {
        return arrival[request];
    }

    /**
     * The wait of a request.
     *
     * @param request its number, from 0
     * @return nanoseconds
     */
    public long waitNanos(int request) {
        return wait[request];
    }

    /**
     * The length of a request's lease.
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
     * This trace with repeated tries joined: a request that timed out and was repeated at once by its thread is one
     * request, which arrives with the first try. Returns this trace if no repetition was recognised.
     */
    LeaseTrace withTriesJoined() {
        return joined == null ? this : joined;
    }

    /** Whether a thread held two leases at once. */
    boolean nested() {
        return nested;
    }

    /** A trace of some requests, given by distinct numbers in ascending order. */
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

    /** Maps a request of a copy to the request with the outer lease. */
    @FunctionalInterface
    interface Outer {
        int of(int at);
    }

    /**
     * A copy of some requests.
     *
     * @param requests their numbers
     * @param shift the shift of each arrival, nanoseconds; the shifted arrivals must be in order
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

    /** The same requests with other lease times, all released. */
    LeaseTrace withLeases(long[] leases) {
        return new LeaseTrace(
                arrival, wait, leases, new byte[size], site, outer, requestClass, new Names(sites, classes), null);
    }

    /**
     * Starts a builder.
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
        /** The first name, empty, is for requests without a class. */
        private final List<String> classes = new ArrayList<>(List.of(""));

        private byte[] requestClass = new byte[FIRST];
        private byte currentClass;
        private int size;

        private Builder() {}

        /**
         * Sets the class of all requests added from here.
         *
         * @param name its name; empty, the initial value, for none
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
         * @param arrivalNanos the arrival, by any clock that all requests share
         * @param waitNanos the wait, 0 or more
         * @param leaseNanos the length of the lease, 0 or more; up to the end of the record for {@link Ending#OPEN};
         *     ignored for {@link Ending#TIMED_OUT}
         * @param how the ending
         * @param callSite the call site; empty if unknown
         * @param threadNumber identifies the requesting thread within the trace; 0 if unknown
         * @return this
         * @throws IllegalArgumentException if a duration is negative
         */
        public Builder add(
                long arrivalNanos, long waitNanos, long leaseNanos, Ending how, String callSite, long threadNumber) {
            return add(arrivalNanos, waitNanos, leaseNanos, how, callSite, threadNumber, true);
        }

        /**
         * Adds a request in a trace in which several threads may have the same number.
         *
         * @param arrivalNanos as above
         * @param waitNanos as above
         * @param leaseNanos as above
         * @param how as above
         * @param callSite as above
         * @param threadNumber as above
         * @param nested whether the thread held another connection: then the outer lease is the youngest lease with
         *     this thread number
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

        /** {@return the number of added requests} */
        public int size() {
            return size;
        }

        /** {@return the trace, with its first request at 0; later additions do not change it} */
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
         * A trace with each repeated try joined to the next one.
         *
         * @param order the requests by arrival
         * @param again the index of each request's next try, in that order; its own index for the last try
         */
        private @Nullable LeaseTrace joined(int[] order, int[] again) {
            if (again.length == 0) {
                return null;
            }
            long[] arrivals = new long[size];
            for (int at = 0; at < size; at++) {
                arrivals[at] = arrival[order[at]];
            }
            Builder tries = new Builder();
            for (int at = 0; at < size; at++) {
                int from = order[at];
                if (again[at] == at) {
                    tries.inClass(classes.get(requestClass[from]))
                            .add(
                                    arrivals[at],
                                    wait[from] + arrival[from] - arrivals[at],
                                    lease[from],
                                    Ending.of(ending[from]),
                                    sites.get(site[from]),
                                    thread[from],
                                    inner[from]);
                } else {
                    arrivals[again[at]] = arrivals[at];
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

        /**
         * For each request, the youngest lease held at its arrival by its thread, or by a thread with the same number.
         */
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
