// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import static io.flexpool.internal.config.ValueRule.choice;
import static io.flexpool.internal.config.ValueRule.count;
import static io.flexpool.internal.config.ValueRule.duration;
import static io.flexpool.internal.config.ValueRule.flag;
import static io.flexpool.internal.config.ValueRule.list;
import static io.flexpool.internal.config.ValueRule.text;
import static io.flexpool.internal.config.ValueRule.upTo;

import io.flexpool.internal.shared.Words;
import io.flexpool.monitoring.ConfigKey;
import io.flexpool.pool.PoolMode;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The table of core's keys. A new key needs only a constant here. It is then read from properties, checked, refused by
 * name, and named as the nearest key. Tests require it in the documentation's table and in Spring's metadata. Its value
 * is in {@link PoolConfig#values()}.
 */
@SuppressWarnings("ImmutableEnumChecker") // texts, and functions that capture nothing that changes
public enum CoreKey implements SettingKey {
    NAME(
            text("1 to 100 characters, not blank, no control or invisible characters")
                    .orElse("the pool's own name, else the kind of pool and a number"),
            "Names the pool in logs, metrics and reports."),
    ENABLED(flag(true), "If false, flexpool only delegates: no gate, no thread, no change to the pool."),
    DATA_SOURCE_JNDI_NAME(
            "data-source.jndi-name",
            text("a local JNDI name: java:… or one without a scheme"),
            "JNDI name of the data source to wrap, if the application passes none."),
    MODE(
            choice(PoolMode.RECOMMEND),
            "monitor: only measures; limits and strategies are suspended. recommend: they act, and sizes are only"
                    + " recommended. adapt: also changes the size, by limiting the pool."),
    BASE(
            count(1, PoolConfig.LARGEST_LIMIT).orElse("the pool's own max"),
            "The limit at rest: the initial one, restored after growth. Makes flexpool limit the pool."),
    CEILING(
            count(2, PoolConfig.LARGEST_LIMIT)
                    .and("not below the base")
                    .orElse("the base; mode = adapt requires a value"),
            "Upper limit for growth. Growth itself must be enabled: grow-on-wait.enabled = true, or mode = adapt."),
    SIZING_WAIT_TARGET(
            "sizing.wait-target",
            duration(Duration.ofMillis(1), Duration.ofSeconds(10))
                    .and("shorter than the acquisition timeout")
                    .or("10ms", Duration.ofMillis(10)),
            "The wait that 99 % of the requests must not exceed. The sizing controller and a recommended size use it."),
    SIZING_INSTANCES(
            "sizing.instances",
            count(1, 1_000).or("1", 1),
            "How many instances share the database, including this one. The sizing controller uses at most the ceiling"
                    + " divided by this number, never less than the base. It keeps a step only if all instances"
                    + " together complete more requests. Not allowed if an installed part counts the instances."),
    ACQUISITION_TIMEOUT(
            duration(Duration.ofMillis(1), Duration.ofHours(1)).orElse("the pool's timeout"),
            "How long one attempt waits for a connection. Makes flexpool limit the pool."),
    ORDER(
            choice(WaitOrder.FAIR),
            "fair: first come, first served. throughput: a new request may overtake waiting ones for up to"
                    + " 5 ms, so that the mean wait is shorter and the longest waits are longer. Only for limited pools."),
    CLASSES(
            list("1 to 8 names of classes, none twice, each of 1 to 40 letters, digits, hyphens and underscores")
                    .orElse("one class for all requests"),
            "The names of the classes of requests that share the pool. The first class is the most important"
                    + " one; requests without a class belong to it. The keys flexpool.classes.<name>.guarantee, max,"
                    + " timeout and threads configure each class. Makes flexpool limit the pool."),
    CLASSES_SHED(
            "classes.shed",
            flag(false),
            "Whether flexpool rejects requests that would wait too long in an overloaded pool (reason SHED). The last"
                    + " class is rejected first. Only for pools with classes."),
    SLOW_ACQUISITION(upTo(Duration.ofDays(1), "P1D"), "A successful acquisition at least this long raises an event."),
    LONG_LEASE(upTo(Duration.ofDays(1), "P1D"), "A lease at least this long raises an event when it ends."),
    // The cost of a stack walk on a busy machine with JDK 17, by the frames between the application and its pool: 2.1
    // µs and 2.2 KB with 5, 5.8 µs and 4.3 KB with 30, 10 µs and 7 KB with 60. Hence one in 256.
    CALL_SITES_SAMPLE_EVERY(
            "call-sites.sample-every",
            count(0, 1_000_000).or("256", 256),
            "With n, flexpool records the call site of one lease in n, at most one every 50 ms. After a timeout, a"
                    + " wait of 100 ms or a suspected leak it records every lease for a time. 1: every lease. 0: none."),
    CALL_SITES_APPLICATION(
            "call-sites.application",
            list("names of packages, for example com.acme"),
            "Packages of the application that flexpool does not find by itself, because their names begin"
                    + " like a framework's, for example org.springframework."),
    CALL_SITES_IGNORE(
            "call-sites.ignore",
            list("prefixes of class names, for example com.acme.jdbc."),
            "Classes that are not call sites, besides those of the JDK, drivers, pools and frameworks."),
    STATEMENT_TEXT(flag(false), "Shows the shortened SQL that an open lease executes, without bind parameters."),
    TIME_IN_DATABASE(
            flag(false),
            "Measures the time a lease spends in the database. It costs two clock readings for each execute,"
                    + " commit, rollback and close of a result set that was not read to its end."),
    EXPLANATION_FORMAT(
            "explanation.format",
            choice(ExplanationFormat.LINES),
            "lines: the explanation of a failure has several lines in logs and exceptions. line: it has one,"
                    + " for log shippers that read line by line."),
    // No default: any threshold that fits all applications would suspect ordinary reports. Below 30 s ordinary work is
    // suspected too, and the log is soon ignored. Leases are scanned once a second, so a threshold below 100 ms would
    // suspect single statements, without reporting them sooner.
    LEAK_THRESHOLD(
            "leak.threshold",
            duration(Duration.ofMillis(100), Duration.ofDays(1), "P1D").orElse("none: no leak is suspected"),
            "Age at which an open lease becomes a leak suspect, reported once. Below 30 s normal work"
                    + " is reported too: use such a value only in tests; flexpool logs a warning."),
    NESTED(
            choice(NestedPolicy.COUNT),
            "Whether requests of a thread that already holds a connection are counted, or also refused (for tests)."),
    CIRCUIT_BREAKER_FAILURES(
            "circuit-breaker.failures",
            count(1, 1_000).orElse("no circuit breaker"),
            "Connect failures in a row that open the circuit breaker. It stays open for the acquisition timeout, at most"
                    + " 5 s; then one request is let through."),
    GROW_ON_WAIT_ENABLED(
            "grow-on-wait.enabled",
            flag(false),
            "Grows the pool while requests wait, up to the ceiling. Makes flexpool limit the pool."),
    GROW_ON_WAIT_AFTER(
            "grow-on-wait.after",
            duration(Duration.ZERO, Duration.ofMinutes(10))
                    .and("shorter than the acquisition timeout")
                    .orElse("20ms to 250ms, depending on the usual wait; at most a tenth of the acquisition timeout")
                    .needing("grow-on-wait.enabled"),
            "How long a request waits before the pool grows for it."),
    GROW_ON_WAIT_KEEP(
            "grow-on-wait.keep",
            duration(Duration.ZERO, Duration.ofMinutes(10))
                    .orElse("after 5s of lower demand, closes 15 % of the surplus per second")
                    .needing("grow-on-wait.enabled"),
            "If given, the pool shrinks in one step to the highest demand of this period."),
    FAIL_FAST_MAX_PENDING(
            "fail-fast.max-pending",
            count(0, 100_000).orElse("no limit"),
            "How many requests may wait; any further request is rejected at once. Makes flexpool limit the pool."),
    RETRY_DEADLINE(
            "retry.deadline",
            upTo(Duration.ofHours(1), "PT1H")
                    .and("longer than the acquisition timeout")
                    .orElse("no retry"),
            "Time in which flexpool repeats an attempt that found no free connection, up to 100 attempts. With a"
                    + " circuit breaker flexpool also repeats after connect failures. If an attempt fails before its timeout, flexpool pauses: first at most 100 ms, then twice as long each time."),
    WARM_UP_CONNECTIONS(
            "warm-up.connections",
            count(1, PoolConfig.LARGEST_LIMIT).orElse("none: connections are opened as they are needed"),
            "How many connections are opened in the background at the start: at most the limit, within 30 s."
                    + " Spring waits for them before its web server starts."),
    // No drain by default: new requests are refused during a drain, and an application may use its pool while it ends.
    DRAIN_WITHIN(
            "drain.within",
            duration(Duration.ofMillis(1), Duration.ofHours(1)).orElse("close does not wait"),
            "How long the pool's close waits for open leases, while new requests are refused with SQLState 57P03. In"
                    + " Spring the web server ends its requests before the pool refuses new ones."),
    LISTENERS(
            list("names of classes that implement PoolListener and have a public no-argument constructor"),
            "Listeners to create and add, in this order."),
    METRICS(
            list("names of metrics backends on the class path"),
            "Metrics backends to create and bind, for example dropwizard.");

    private final ConfigKey key;
    private final ValueRule rule;

    CoreKey(ValueRule rule, String meaning) {
        this.key = new ConfigKey(Words.word(this), rule.kind(), rule.fallback(), rule.allowed(), meaning);
        this.rule = rule;
    }

    CoreKey(String name, ValueRule rule, String meaning) {
        this.key = new ConfigKey(name, rule.kind(), rule.fallback(), rule.allowed(), meaning);
        this.rule = rule;
    }

    @Override
    public ConfigKey key() {
        return key;
    }

    @Override
    public ValueRule rule() {
        return rule;
    }

    /** The key with a name without prefix; null if core has no such key. */
    static @Nullable CoreKey named(String name) {
        for (CoreKey one : values()) {
            if (one.key.name().equals(name)) {
                return one;
            }
        }
        return null;
    }

    /** The key that this key needs with a value; null without one. */
    @Nullable
    CoreKey needs(String value) {
        String other = rule.needs();
        if (this == GROW_ON_WAIT_ENABLED) {
            return value.equals("true") ? CEILING : null;
        }
        return other == null ? null : named(other);
    }

    /** The keys that enable the strategies, in the order of consultation. */
    static final List<CoreKey> STRATEGIES =
            List.of(CIRCUIT_BREAKER_FAILURES, GROW_ON_WAIT_ENABLED, FAIL_FAST_MAX_PENDING, RETRY_DEADLINE);

    /** The order in which waiting requests are served. */
    public enum WaitOrder {
        FAIR,
        THROUGHPUT
    }

    /** How an explanation is written in logs and exceptions. */
    public enum ExplanationFormat {
        /** A headline and a table. */
        LINES,
        /** The table on one line. */
        LINE
    }

    /** The treatment of a request of a thread that holds a connection of the same pool. */
    public enum NestedPolicy {
        /** Counted; also reported as an event while the pool is nearly exhausted, when a deadlock is possible. */
        COUNT,
        /** Counted, and refused with an exception before the pool is called; for tests. */
        STRICT
    }
}
