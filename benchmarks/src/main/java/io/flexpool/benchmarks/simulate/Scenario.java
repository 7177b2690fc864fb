// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import java.util.List;

/**
 * What happens to a simulated pool, or to several of the same size on one database, in one run.
 *
 * @param name what the report and the command line call it
 * @param curve the database
 * @param base the size at the start, all instances together; at least one connection for each
 * @param ceiling the size that no instance passes
 * @param seconds how long the run is, seconds
 * @param phases what the load and the database are like; the first begins at 0, in ascending order
 * @param bursts requests that arrive at the same instant
 * @param leakSeconds when a lease begins that never ends, seconds, ascending
 * @param timeoutSeconds how long a request waits for a connection before it gives up, seconds
 * @param mix how long requests are beside each other
 * @param instances how many pools share the database, and the requests with it, at least 1; each has a controller
 * @param speed how the speed of the database varies
 */
public record Scenario(
        String name,
        Usl curve,
        int base,
        int ceiling,
        double seconds,
        List<Phase> phases,
        List<Burst> bursts,
        List<Double> leakSeconds,
        double timeoutSeconds,
        Mix mix,
        int instances,
        Speed speed) {
    /** How long a request waits for a connection before it gives up, unless the scenario says otherwise, seconds. */
    public static final double ACQUISITION_TIMEOUT_SECONDS = 1;
    /** What a failed request counts in the mean end-to-end time, but never less than it waited, seconds. */
    public static final double FAILURE_SECONDS = 5;

    /** One pool, requests of one kind, and the usual timeout. */
    public Scenario(
            String name,
            Usl curve,
            int base,
            int ceiling,
            double seconds,
            List<Phase> phases,
            List<Burst> bursts,
            List<Double> leakSeconds) {
        this(
                name,
                curve,
                base,
                ceiling,
                seconds,
                phases,
                bursts,
                leakSeconds,
                ACQUISITION_TIMEOUT_SECONDS,
                Mix.ALL_ALIKE,
                1,
                Speed.CONSTANT);
    }

    /** Copies the lists. */
    public Scenario {
        if (instances < 1 || base < instances) {
            throw new IllegalArgumentException(instances + " instances with " + base + " connections");
        }
        phases = List.copyOf(phases);
        bursts = List.copyOf(bursts);
        leakSeconds = List.copyOf(leakSeconds);
    }

    /** The same with another acquisition timeout. */
    public Scenario withTimeout(double timeout) {
        return with(base, timeout, mix, instances, speed);
    }

    /** The same with requests of two kinds. */
    public Scenario withMix(Mix kinds) {
        return with(base, timeoutSeconds, kinds, instances, speed);
    }

    /** The same with another size at the start and so many instances. */
    public Scenario withInstances(int size, int count) {
        return with(size, timeoutSeconds, mix, count, speed);
    }

    /** The same on a database whose speed varies. */
    public Scenario withSpeed(Speed varying) {
        return with(base, timeoutSeconds, mix, instances, varying);
    }

    private Scenario with(int size, double timeout, Mix kinds, int count, Speed varying) {
        return new Scenario(
                name, curve, size, ceiling, seconds, phases, bursts, leakSeconds, timeout, kinds, count, varying);
    }

    /** The size of one instance at the start: the connections are dealt out evenly, the first ones get what is left. */
    public int base(int instance) {
        return base / instances + (instance < base % instances ? 1 : 0);
    }

    /** Whether some requests are far longer than the others. */
    boolean ofTwoKinds() {
        return mix.longShare() > 0 || bursts.stream().anyMatch(burst -> burst.holdSeconds() > 0);
    }

    /** What a failed request counts, seconds. */
    public double failureSeconds() {
        return Math.max(FAILURE_SECONDS, timeoutSeconds);
    }

    /**
     * Requests of two kinds, in no order.
     *
     * @param longShare how many of all are long, 0 to 1
     * @param shortFactor the work of a short one, in multiples of the usual work
     * @param longFactor the work of a long one, likewise
     */
    public record Mix(double longShare, double shortFactor, double longFactor) {
        /** Requests of one kind. */
        public static final Mix ALL_ALIKE = new Mix(0, 1, 1);
    }

    /**
     * How the speed of the database varies, as on a shared machine or a cloud disk: a factor drawn anew at fixed
     * intervals, each value within the spread as likely, with a mean of 1.
     *
     * @param spread the largest deviation from 1, 0 to below 1
     * @param seconds how long a factor lasts, seconds
     */
    public record Speed(double spread, double seconds) {
        /** The speed never changes. */
        public static final Speed CONSTANT = new Speed(0, Double.POSITIVE_INFINITY);
    }

    /**
     * A stretch of time.
     *
     * @param fromSecond when it begins
     * @param rate mean arrivals a second, Poisson, all instances together
     * @param workFactor how many times the usual work a request is to the database: it contends with all others
     * @param delayFactor time per request that contends with nothing, in multiples of its work
     * @param holdSeconds time for which the application keeps each connection beside that, seconds
     * @param up whether the database answers; if not, all connections are lost and none can be opened
     */
    public record Phase(
            double fromSecond, double rate, double workFactor, double delayFactor, double holdSeconds, boolean up) {
        /** The usual database. */
        public static Phase load(double fromSecond, double rate) {
            return new Phase(fromSecond, rate, 1, 0, 0, true);
        }
    }

    /**
     * Requests that arrive at the same instant.
     *
     * @param second when
     * @param requests how many, all instances together
     * @param holdSeconds time for which each of them keeps its connection beside its work, as a batch job does, seconds;
     *     the mean end-to-end time leaves it out
     */
    public record Burst(double second, int requests, double holdSeconds) {
        /** Requests like all others. */
        public Burst(double second, int requests) {
            this(second, requests, 0);
        }
    }
}
