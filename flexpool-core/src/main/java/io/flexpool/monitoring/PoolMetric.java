// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import java.util.Locale;

/**
 * Every metric that a backend exports: the only place of its name, unit and meaning. Names follow the OpenTelemetry
 * semantic conventions for database client connections if one exists ({@code db.client.connection.*}); other names
 * start with {@code flexpool.}.
 */
public enum PoolMetric {
    /** Acquisition time, successful. */
    ACQUISITION(
            "acquisition",
            "db.client.connection.wait_time",
            Kind.TIMER,
            Unit.NANOSECONDS,
            "Time from the request to the connection, including waits, growth and retries; one timer per outcome."),
    /** Time of one attempt. */
    ATTEMPT(
            "attempt",
            "flexpool.attempt_time",
            Kind.TIMER,
            Unit.NANOSECONDS,
            "Time of one successful call of the pool's getConnection()."),
    /** Lease time. */
    LEASE(
            "lease",
            "db.client.connection.use_time",
            Kind.TIMER,
            Unit.NANOSECONDS,
            "Time from the hand-over of a connection to its close."),
    /** Time of a physical connect. */
    CONNECT(
            "connect",
            "db.client.connection.create_time",
            Kind.TIMER,
            Unit.NANOSECONDS,
            "Time to open a physical connection, if the pool reports it."),
    /** Distribution of the connections in use. */
    ACTIVE_SAMPLED(
            "active.sampled",
            "flexpool.active_sampled",
            Kind.DISTRIBUTION,
            Unit.CONNECTIONS,
            "Connections in use, sampled every 250 ms."),
    /** Distribution of pending requests. */
    PENDING_SAMPLED(
            "pending.sampled",
            "flexpool.pending_sampled",
            Kind.DISTRIBUTION,
            Unit.REQUESTS,
            "Pending requests, sampled every 250 ms."),
    /** Distribution of the limit. */
    LIMIT_SAMPLED(
            "limit.sampled",
            "flexpool.limit_sampled",
            Kind.DISTRIBUTION,
            Unit.CONNECTIONS,
            "Lease limit (without one, the pool's max size), sampled every 250 ms."),
    /** Distribution of growth above the base. */
    GROWN_BY_SAMPLED(
            "grown.sampled",
            "flexpool.grown_sampled",
            Kind.DISTRIBUTION,
            Unit.CONNECTIONS,
            "Lease limit minus base, sampled every 250 ms."),
    /** Distribution of retries. */
    RETRIES(
            "retries",
            "flexpool.retries",
            Kind.DISTRIBUTION,
            Unit.RETRIES,
            "Retries per request, of the requests that were retried."),
    /** Connections in use now. */
    ACTIVE("active", "db.client.connection.count", Kind.GAUGE, Unit.CONNECTIONS, "Connections in use now."),
    /** Connections in use, over the last minute. */
    ACTIVE_MEAN(
            "active.mean",
            "flexpool.active_mean",
            Kind.GAUGE,
            Unit.CONNECTIONS,
            "Time-weighted mean of the connections in use over the last minute."),
    /** The most connections in use at once, over the last minute. */
    ACTIVE_PEAK(
            "active.peak",
            "flexpool.active_peak",
            Kind.GAUGE,
            Unit.CONNECTIONS,
            "The most connections in use at once in the last minute, including peaks between readings."),
    /** Connections idle now. */
    IDLE(
            "idle",
            "db.client.connection.count",
            Kind.GAUGE,
            Unit.CONNECTIONS,
            "Idle connections, if the pool reports them."),
    /** Pending requests now. */
    PENDING(
            "pending",
            "db.client.connection.pending_requests",
            Kind.GAUGE,
            Unit.REQUESTS,
            "Requests now waiting or inside the pool's getConnection()."),
    /** The most pending requests at once, over the last minute. */
    PENDING_PEAK(
            "pending.peak",
            "flexpool.pending_peak",
            Kind.GAUGE,
            Unit.REQUESTS,
            "The most requests pending at once in the last minute, including peaks between readings."),
    /** The saturation: demand divided by the limit. */
    SATURATION(
            "saturation",
            "flexpool.saturation",
            Kind.GAUGE,
            Unit.RATIO,
            "(in use + pending) / limit. Above 1, requests wait."),
    /** Whether more instances would help. */
    SCALE_OUT_HELPS(
            "scale.out.helps",
            "flexpool.scale_out_helps",
            Kind.GAUGE,
            Unit.RATIO,
            "1 if more instances can help; 0 while requests wait or fail for another reason, such as a slow"
                    + " database."),
    /** The oldest wait. */
    OLDEST_WAIT(
            "oldest.wait",
            "flexpool.oldest_wait",
            Kind.GAUGE,
            Unit.NANOSECONDS,
            "How long the oldest waiting request has waited."),
    /** The lease limit. */
    LIMIT(
            "limit",
            "flexpool.limit",
            Kind.GAUGE,
            Unit.CONNECTIONS,
            "Connections that may be in use at once; without a limit, the pool's max size."),
    /** The pool's max. */
    MAX("max", "db.client.connection.limit", Kind.GAUGE, Unit.CONNECTIONS, "The pool's max size, if it reports it."),
    /** The pool's min idle. */
    MIN_IDLE(
            "min.idle",
            "db.client.connection.idle.min",
            Kind.GAUGE,
            Unit.CONNECTIONS,
            "The pool's min idle, if it reports it."),
    /** Connections borrowed directly from the pool. */
    FOREIGN(
            "foreign",
            "flexpool.foreign",
            Kind.GAUGE,
            Unit.CONNECTIONS,
            "Connections borrowed directly from the pool, if the pool reports its connections."),
    /** Age of the last tick. */
    TICK_AGE(
            "tick.age",
            "flexpool.tick_age",
            Kind.GAUGE,
            Unit.NANOSECONDS,
            "Time since flexpool's last sample of the pool, due every 250 ms. From 2 s on, monitoring is stuck."),
    /** 1 while a part of flexpool hangs, fails or is disabled after a failure. */
    TROUBLE(
            "trouble",
            "flexpool.trouble",
            Kind.GAUGE,
            Unit.RATIO,
            "1 while a part of flexpool hangs, fails or is off after a failure, otherwise 0. The report names the"
                    + " part."),
    /** The connections that a class uses. */
    CLASS_USED(
            "class.used",
            "flexpool.class.used",
            Kind.GAUGE,
            Unit.CONNECTIONS,
            "Connections of the class, including those that its requests are about to receive."),
    /** The requests of a class that wait for a permit. */
    CLASS_WAITING(
            "class.waiting",
            "flexpool.class.waiting",
            Kind.GAUGE,
            Unit.REQUESTS,
            "Requests of the class that wait for a permit."),
    /** The connections that are guaranteed to a class. */
    CLASS_GUARANTEED(
            "class.guaranteed",
            "flexpool.class.guaranteed",
            Kind.GAUGE,
            Unit.CONNECTIONS,
            "Guaranteed connections of the class: its share of the limit, rounded up."),
    /** The maximum number of connections of a class. */
    CLASS_MAX(
            "class.max",
            "flexpool.class.max",
            Kind.GAUGE,
            Unit.CONNECTIONS,
            "Maximum number of connections of the class, if it has one."),
    /** How long requests of a class waited. */
    CLASS_WAIT(
            "class.wait",
            "flexpool.class.wait_time",
            Kind.TIMER,
            Unit.NANOSECONDS,
            "Time from the request to the connection, for successful requests of the class; 0 if served at" + " once."),
    /** Timeouts of a class. */
    CLASS_TIMEOUTS(
            "class.timeouts",
            "flexpool.class.timeouts",
            Kind.COUNTER,
            Unit.TIMEOUTS,
            "Requests of the class that got no connection in time: all were in use, or the class was at its maximum."),
    /** Requests of a class that were shed. */
    CLASS_SHED(
            "class.shed",
            "flexpool.class.shed",
            Kind.COUNTER,
            Unit.REQUESTS,
            "The class's requests that ended early because the class was overloaded, with classes.shed."),
    /** Timeouts. */
    TIMEOUTS(
            "timeouts",
            "db.client.connection.timeouts",
            Kind.COUNTER,
            Unit.TIMEOUTS,
            "Requests that got no connection in time because all were in use."),
    /** Growths. */
    GROWTHS("growths", "flexpool.growths", Kind.COUNTER, Unit.EVENTS, "Increases of the lease limit."),
    /** Shrinks. */
    SHRINKS("shrinks", "flexpool.shrinks", Kind.COUNTER, Unit.EVENTS, "Decreases of the lease limit."),
    /** Refused growths. */
    REFUSED_GROWTHS(
            "growths.refused",
            "flexpool.growths_refused",
            Kind.COUNTER,
            Unit.EVENTS,
            "Requests for which the pool did not grow, for example because connects failed, the ceiling was reached"
                    + " or leases wait for locks in the server."),
    /** Connect failures. */
    CONNECT_FAILURES(
            "connect.failures",
            "flexpool.connect_failures",
            Kind.COUNTER,
            Unit.EVENTS,
            "Attempts that failed because the database refused a connection or was unreachable."),
    /** Leak suspects. */
    LEAKS_SUSPECTED(
            "leaks.suspected",
            "flexpool.leaks_suspected",
            Kind.COUNTER,
            Unit.EVENTS,
            "Leases longer than leak.threshold, each counted once."),
    /** Nested acquisitions. */
    NESTED_ACQUISITIONS(
            "nested.acquisitions",
            "flexpool.nested_acquisitions",
            Kind.COUNTER,
            Unit.REQUESTS,
            "Requests of a thread that already held a connection of the same pool."),
    /** Errors of listeners. */
    LISTENER_ERRORS(
            "listener.errors",
            "flexpool.listener_errors",
            Kind.COUNTER,
            Unit.EVENTS,
            "Exceptions of listeners, observers and adapters that were ignored."),
    /** Events that were dropped. */
    EVENTS_DROPPED(
            "events.dropped",
            "flexpool.events_dropped",
            Kind.COUNTER,
            Unit.EVENTS,
            "Events not delivered because a listener blocked.");

    /** The type of a metric. */
    public enum Kind {
        /** Durations with count, rate and percentiles. */
        TIMER,
        /** Whole numbers with percentiles. */
        DISTRIBUTION,
        /** A value now. */
        GAUGE,
        /** A sum that only grows. */
        COUNTER
    }

    /** The unit of a metric. */
    public enum Unit {
        /** Nanoseconds; backends that show seconds document this. */
        NANOSECONDS("s"),
        /** Connections. */
        CONNECTIONS("{connection}"),
        /** Requests for a connection. */
        REQUESTS("{request}"),
        /** Retries. */
        RETRIES("{retry}"),
        /** Acquisition timeouts. */
        TIMEOUTS("{timeout}"),
        /** Events. */
        EVENTS("{event}"),
        /** A quotient, or 0 for no and 1 for yes. */
        RATIO("1");

        private final String ucum;

        Unit(String ucum) {
            this.ucum = ucum;
        }

        /** {@return the unit as OpenTelemetry's conventions write it, in UCUM; durations are seconds there} */
        public String ucum() {
            return ucum;
        }
    }

    private static final String OF_CLASS = "class.";

    private final String shortName;
    private final String conventionName;
    private final Kind kind;
    private final Unit unit;
    private final String meaning;

    PoolMetric(String shortName, String conventionName, Kind kind, Unit unit, String meaning) {
        this.shortName = shortName;
        this.conventionName = conventionName;
        this.kind = kind;
        this.unit = unit;
        this.meaning = meaning;
    }

    /** {@return the name in hierarchical backends, after the pool's name: {@code flexpool.<pool>.<shortName>}} */
    public String shortName() {
        return shortName;
    }

    /** {@return the name in backends with attributes: of the OpenTelemetry convention if one exists} */
    public String conventionName() {
        return conventionName;
    }

    /** {@return the metric's type} */
    public Kind kind() {
        return kind;
    }

    /** {@return the metric's unit} */
    public Unit unit() {
        return unit;
    }

    /** {@return the metric's description, a sentence} */
    public String meaning() {
        return meaning;
    }

    /** {@return whether each class of requests has this metric, in {@link RequestClass}, instead of the pool} */
    public boolean perClass() {
        return shortName.startsWith(OF_CLASS);
    }

    /**
     * The name of the metric of one class in hierarchical backends.
     *
     * @param name the name of the class
     * @return for example {@code class.batch.used}
     * @throws IllegalArgumentException if the metric is not {@linkplain #perClass() of classes}
     */
    public String shortName(String name) {
        if (!perClass()) {
            throw new IllegalArgumentException(this + ": not a metric of classes");
        }
        return OF_CLASS + name + shortName.substring(OF_CLASS.length() - 1);
    }

    IllegalArgumentException mustBe(Kind wanted) {
        return new IllegalArgumentException(this + ": is a " + kind + (perClass() ? " of each class" : "")
                + ", must be a " + wanted.name().toLowerCase(Locale.ROOT));
    }
}
