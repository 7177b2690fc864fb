// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.internal.shared.Words;
import io.flexpool.monitoring.ConfigKey;
import io.flexpool.monitoring.ConfigKey.Kind;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * The table of core's keys. A constant here is all that a new key needs: it is then read, known to the check for
 * unknown keys, and required in the documentation's table.
 */
@SuppressWarnings("ImmutableEnumChecker") // a record of texts, and functions that capture nothing
public enum CoreKey {
    NAME(
            Kind.TEXT,
            "the kind of pool and a number",
            "1 to 100 characters, not blank, no control or invisible characters",
            "Names the pool in logs, metrics and reports.",
            (draft, value) -> draft.settings().name = (String) value),
    ENABLED(
            Kind.FLAG,
            "true",
            "true or false",
            "If false, flexpool only delegates: no gate, no thread, no change to the pool.",
            (draft, value) -> draft.settings().enabled = (Boolean) value),
    DATA_SOURCE_JNDI_NAME(
            "data-source.jndi-name",
            Kind.TEXT,
            "none",
            "a local JNDI name: java:… or one without a scheme",
            "JNDI name of the data source to wrap, if the application passes none.",
            (draft, value) -> draft.settings().jndiName = (String) value),
    MODE(
            Kind.TEXT,
            "recommend",
            "monitor, recommend or adapt",
            "Whether flexpool only measures, also reports sizing decisions, or also applies them.",
            (draft, value) -> draft.mode((String) value)),
    BASE(
            Kind.COUNT,
            "the pool's own max",
            "from 1 to 10000",
            "The limit at rest: the initial one, restored after growth. Makes flexpool limit the pool.",
            (draft, value) -> draft.settings().base = (Integer) value),
    CEILING(
            Kind.COUNT,
            "that of grow-on-wait; without it adapt is refused",
            "from 2 to 10000, not below the base, the same as grow-on-wait.ceiling where both are given",
            "The highest limit, however the pool grows. Has no effect by itself unless the mode is adapt.",
            (draft, value) -> draft.settings().sizing.ceiling = (Integer) value),
    LIMITS_ALLOW_ABOVE_CEILING(
            "limits.allow-above-ceiling",
            Kind.FLAG,
            "false",
            "true or false",
            "Allows limits set at run time (code, JMX, endpoint) to raise the ceiling above the configured one.",
            (draft, value) -> draft.settings().sizing.allowAboveCeiling = (Boolean) value),
    SIZING_MIN(
            "sizing.min",
            Kind.COUNT,
            "2, or the base if that is less",
            "from 1 to 10000, not above the base",
            "The lowest limit the sizing controller sets for a database that is faster with fewer connections.",
            (draft, value) -> draft.settings().sizing.min = (Integer) value),
    SIZING_WAIT_TARGET(
            "sizing.wait-target",
            Kind.DURATION,
            "10ms",
            "from PT0.001S to PT10S, shorter than the acquisition timeout",
            "The sizing controller's target for the 99th percentile of the wait for a connection.",
            (draft, value) -> draft.settings().sizing.waitTarget = (Duration) value),
    SIZING_INSTANCES(
            "sizing.instances",
            Kind.COUNT,
            "1",
            "from 1 to 1000",
            "How many instances share the database, including this one. The sizing controller uses at most that part of"
                    + " the ceiling, never less than the base, and judges its steps by the database's gain.",
            (draft, value) -> draft.settings().sizing.instances = (Integer) value),
    ACQUISITION_TIMEOUT(
            Kind.DURATION,
            "the pool's own",
            "from PT0.001S to PT1H",
            "How long one attempt waits for a connection. Makes flexpool limit the pool.",
            (draft, value) -> draft.settings().acquisitionTimeout = (Duration) value),
    SLOW_ACQUISITION(
            Kind.DURATION,
            "none",
            "above PT0S and at most P1D",
            "Duration from which a successful acquisition raises an event.",
            (draft, value) -> draft.settings().slowAcquisition = (Duration) value),
    LONG_LEASE(
            Kind.DURATION,
            "none",
            "above PT0S and at most P1D",
            "Duration from which a lease raises an event when it ends.",
            (draft, value) -> draft.settings().longLease = (Duration) value),
    CALL_SITES_CAPTURE(
            "call-sites.capture",
            Kind.TEXT,
            "sampled",
            "off, sampled or always",
            "Which leases record the application's call site.",
            (draft, value) -> draft.callSites((String) value)),
    CALL_SITES_SAMPLE_EVERY(
            "call-sites.sample-every",
            Kind.COUNT,
            "256",
            "from 1 to 1000000",
            "If sampled, one lease in this many records its call site, at most one in 50 ms where leases follow fast;"
                    + " all do while connections are short or leak.",
            (draft, value) -> draft.settings().leases.sampleEvery = (Integer) value),
    CALL_SITES_IGNORE(
            "call-sites.ignore",
            Kind.LIST,
            "none",
            "prefixes of class names, for example com.acme.jdbc.",
            "Classes that are not call sites, besides those of the JDK, drivers, pools and frameworks.",
            (draft, value) -> draft.settings().leases.ignored.addAll(ConfigReader.list(value))),
    STATEMENT_TEXT(
            Kind.FLAG,
            "false",
            "true or false",
            "Shows the shortened SQL that an open lease executes; never bind parameters.",
            (draft, value) -> draft.settings().leases.statementText = (Boolean) value),
    TIME_IN_DATABASE(
            Kind.FLAG,
            "false",
            "true or false",
            "Measures the time a lease spends in the database: two clock reads per execute, commit, rollback,"
                    + " result set end.",
            (draft, value) -> draft.settings().leases.timeInDatabase = (Boolean) value),
    LEAK_THRESHOLD(
            "leak.threshold",
            Kind.DURATION,
            "none: no leak is suspected",
            "from PT30S to P1D, shorter only with leak.allow-short",
            "Age at which an open lease becomes a leak suspect, reported once.",
            (draft, value) -> draft.settings().leases.leakThreshold = (Duration) value),
    LEAK_ALLOW_SHORT(
            "leak.allow-short",
            Kind.FLAG,
            "false",
            "true or false",
            "Allows a leak.threshold below 30 s, which normal work may exceed; for tests.",
            (draft, value) -> draft.settings().leases.allowShort = (Boolean) value),
    LEAK_RECLAIM_AFTER(
            "leak.reclaim-after",
            Kind.DURATION,
            "never",
            "at most P1D, longer than leak.threshold",
            "Age at which a connection is aborted and its place in the pool freed, even if it is still in use.",
            (draft, value) -> draft.settings().leases.reclaimAfter = (Duration) value),
    NESTED(
            Kind.TEXT,
            "count",
            "count or strict",
            "Whether requests of a thread that already holds a connection are counted, or also refused (for tests).",
            (draft, value) -> draft.nested((String) value)),
    CIRCUIT_BREAKER_FAILURES(
            "circuit-breaker.failures",
            Kind.COUNT,
            "no circuit breaker",
            "from 1 to 1000",
            "Connect failures in a row that open the circuit breaker.",
            (draft, value) -> draft.circuitFailures = (Integer) value),
    CIRCUIT_BREAKER_OPEN_FOR(
            "circuit-breaker.open-for",
            Kind.DURATION,
            "5s",
            "from PT0.001S to PT1H",
            "How long the circuit breaker stays open before it lets one request through.",
            (draft, value) -> draft.circuitOpenFor = (Duration) value),
    GROW_ON_WAIT_CEILING(
            "grow-on-wait.ceiling",
            Kind.COUNT,
            "no growth",
            "from 2 to 10000, not below the base",
            "The highest limit while requests wait.",
            (draft, value) -> draft.growthCeiling = (Integer) value),
    GROW_ON_WAIT_AFTER(
            "grow-on-wait.after",
            Kind.DURATION,
            "a tenth of the acquisition timeout",
            "from PT0S to PT10M, shorter than the acquisition timeout",
            "How long a request waits before the pool grows for it.",
            (draft, value) -> draft.growthAfter = (Duration) value),
    GROW_ON_WAIT_KEEP(
            "grow-on-wait.keep",
            Kind.DURATION,
            "gradual decrease: 5s of calm, then 15 % per second",
            "from PT0S to PT10M",
            "How long unneeded growth is kept; then all of it is taken back at once.",
            (draft, value) -> draft.growthKeep = (Duration) value),
    FAIL_FAST_MAX_PENDING(
            "fail-fast.max-pending",
            Kind.COUNT,
            "no limit",
            "from 0 to 100000",
            "How many requests may wait; any further request is rejected at once.",
            (draft, value) -> draft.maxPending = (Integer) value),
    RETRY_ATTEMPTS(
            "retry.attempts",
            Kind.COUNT,
            "no retry",
            "from 2 to 100",
            "Attempts per request, including the first.",
            (draft, value) -> draft.retryAttempts = (Integer) value),
    RETRY_BACKOFF(
            "retry.backoff",
            Kind.DURATION,
            "100ms",
            "from PT0S to PT1M",
            "The longest wait before the second attempt; doubled for each further attempt.",
            (draft, value) -> draft.retryBackoff = (Duration) value),
    RETRY_DEADLINE(
            "retry.deadline",
            Kind.DURATION,
            "none; must be given with retry.attempts",
            "above PT0S and at most PT1H, longer than the acquisition timeout",
            "Time limit of the whole request, all attempts included.",
            (draft, value) -> draft.retryDeadline = (Duration) value),
    RETRY_CONNECT_FAILURES(
            "retry.connect-failures",
            Kind.FLAG,
            "false",
            "true or false",
            "Whether connect failures are retried too, not only exhaustion.",
            (draft, value) -> draft.retryConnectFailures = (Boolean) value),
    LISTENERS(
            Kind.LIST,
            "none",
            "names of classes that implement PoolListener and have a public no-argument constructor",
            "Listeners to create and add, in this order.",
            (draft, value) -> draft.listeners(ConfigReader.list(value))),
    METRICS(
            Kind.LIST,
            "none",
            "names of metrics backends on the class path",
            "Metrics backends to create and bind, for example dropwizard.",
            (draft, value) -> draft.metrics(ConfigReader.list(value)));

    private final ConfigKey key;
    private final BiConsumer<ConfigDraft, Object> applied;

    CoreKey(Kind kind, String fallback, String allowed, String meaning, BiConsumer<ConfigDraft, Object> applied) {
        this.key = new ConfigKey(Words.word(this), kind, fallback, allowed, meaning);
        this.applied = applied;
    }

    CoreKey(
            String name,
            Kind kind,
            String fallback,
            String allowed,
            String meaning,
            BiConsumer<ConfigDraft, Object> applied) {
        this.key = new ConfigKey(name, kind, fallback, allowed, meaning);
        this.applied = applied;
    }

    public ConfigKey key() {
        return key;
    }

    /** Writes a value of the key's kind into the draft. */
    void apply(ConfigDraft draft, Object value) {
        applied.accept(draft, value);
    }

    public static List<ConfigKey> keys() {
        return Arrays.stream(values()).map(CoreKey::key).toList();
    }
}
