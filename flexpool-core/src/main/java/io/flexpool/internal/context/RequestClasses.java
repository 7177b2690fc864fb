// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.context;

import io.flexpool.internal.config.ClassRule;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.PoolConfig;
import io.flexpool.internal.gate.AcquisitionOrder;
import io.flexpool.internal.gate.ClassGate;
import io.flexpool.internal.gate.ClassShare;
import io.flexpool.internal.gate.Gate;
import io.flexpool.internal.record.ClassHistory;
import io.flexpool.internal.record.ClassRecorder;
import io.flexpool.internal.shared.PlainText;
import io.flexpool.internal.shared.Words;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The classes of a pool's requests, by number. Class 0, the first, is the default. Thread-safe. */
public final class RequestClasses {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");

    /** The size of the cache of thread names; other names are matched at each request. */
    private static final int REMEMBERED = 256;

    /** The most unknown names that are logged, each once. */
    private static final int UNKNOWN = 16;

    /** The most waiters that a report counts: thousands of requests may time out together, each with a report. */
    private static final int COUNTED = 100;

    /** How long after its last request a connection stays reserved for the first class. */
    private static final long SPARES_NANOS = Duration.ofMinutes(1).toNanos();

    private final String pool;
    private final Set<String> unknown = ConcurrentHashMap.newKeySet();
    private final List<ClassRule> rules;
    private final String[] names;
    private final @Nullable Pattern[] threads;
    private final boolean byThread;
    private final ClassGate line;
    private final Gate gate;
    private final ClassRecorder recorder;
    private final long[] waitsNanos;
    private final long[] deadlineNanos;
    /** Indexed by thread id, with data races: a thread without its own entry computes it again. */
    private final @Nullable Named[] seen = new @Nullable Named[REMEMBERED];
    /** The first class's acquisitions at the last tick that found a new one, and its time. Used by the tick only. */
    private long firstSeen;

    private long firstNanos;

    /** The class of threads with a name, compared as an object: a thread keeps the object until it is renamed. */
    private record Named(String name, int requestClass) {}

    private RequestClasses(PoolConfig config, ClassGate line) {
        this.pool = config.name();
        this.rules = config.classes();
        this.line = line;
        this.gate = line.gate();
        this.recorder = new ClassRecorder(rules.size());
        this.names = rules.stream().map(ClassRule::name).toArray(String[]::new);
        this.threads = new @Nullable Pattern[names.length];
        this.waitsNanos = new long[names.length];
        this.deadlineNanos = new long[names.length];
        boolean any = false;
        for (int at = 0; at < names.length; at++) {
            ClassRule rule = rules.get(at);
            threads[at] = rule.threadNames();
            any |= threads[at] != null;
            Duration own = rule.timeout();
            boolean retries = config.deadlineNanos() > config.timeoutNanos();
            waitsNanos[at] = own == null ? config.timeoutNanos() : own.toNanos();
            deadlineNanos[at] =
                    own == null || retries ? Math.max(waitsNanos[at], config.deadlineNanos()) : waitsNanos[at];
        }
        this.byThread = any;
    }

    /** Returns the request classes of a gate; null without classes. */
    static @Nullable RequestClasses of(PoolConfig config, @Nullable Gate gate) {
        // Checked first, so that a pool without request classes does not load ClassGate.
        ClassGate line = config.classes().isEmpty() || gate == null ? null : ClassGate.of(gate);
        return line == null ? null : new RequestClasses(config, line);
    }

    /** The gate of a pool: with classes, if there are any. */
    public static Gate gate(PoolConfig config) {
        int limit = Math.min(config.base(), config.firstCap());
        AcquisitionOrder order = config.fair() ? AcquisitionOrder.FAIR : AcquisitionOrder.THROUGHPUT;
        if (config.classes().isEmpty()) {
            return new Gate(limit, config.ticker(), order);
        }
        List<ClassShare> shares = new ArrayList<>();
        for (ClassRule rule : config.classes()) {
            int unlessGiven = shares.isEmpty() ? Integer.MAX_VALUE : ClassShare.SPARING;
            shares.add(new ClassShare(rule.guarantee(), Objects.requireNonNullElse(rule.max(), unlessGiven)));
        }
        return ClassGate.gate(
                limit, config.ticker(), order, shares, config.values().flag(CoreKey.CLASSES_SHED));
    }

    /** Returns the queues of these classes, which contain the gate. */
    public ClassGate line() {
        return line;
    }

    public ClassRecorder recorder() {
        return recorder;
    }

    public List<ClassRule> rules() {
        return rules;
    }

    public List<String> names() {
        return List.of(names);
    }

    /** How long an attempt of a class may wait. */
    public long waitsNanos(int requestClass) {
        return waitsNanos[requestClass];
    }

    /** How long a request of a class may take, all attempts together. */
    public long deadlineNanos(int requestClass) {
        return deadlineNanos[requestClass];
    }

    public boolean isAtMaximum(int requestClass) {
        return line.isAtMaximum(requestClass);
    }

    /**
     * Whether waiting requests of a class can only wait for leases of that class: it is at its maximum, or the gate has
     * free permits.
     */
    public boolean limitedByOwnMaximum(int requestClass) {
        return line.isAtMaximum(requestClass) || gate.usedCount() < gate.limit();
    }

    /**
     * Reserves a connection for the first class while that is in use: otherwise, after a burst of another class, its
     * next request would wait for the end of a lease. Not while it has no requests: the connection would be idle.
     */
    public void tick(long nowNanos) {
        long first = recorder.acquired(0);
        if (first != firstSeen) {
            firstSeen = first;
            firstNanos = nowNanos;
        }
        line.spares(first > 0 && nowNanos - firstNanos < SPARES_NANOS);
    }

    public void acquired(int requestClass, boolean atOnce, long waitedNanos) {
        if (atOnce) {
            recorder.acquiredAtOnce(requestClass);
        } else {
            recorder.acquired(requestClass, waitedNanos);
        }
    }

    public List<ClassHistory.State> states() {
        List<ClassHistory.State> states = new ArrayList<>();
        for (int at = 0; at < names.length; at++) {
            Integer most = rules.get(at).max();
            states.add(new ClassHistory.State(
                    names[at],
                    (int) Math.ceil(rules.get(at).guarantee() * gate.limit()),
                    most == null ? OptionalInt.empty() : OptionalInt.of(most),
                    gate.usedCount(at),
                    line.waitingCount(at, Integer.MAX_VALUE)));
        }
        return List.copyOf(states);
    }

    /** Describes in one clause which classes hold connections, for the failure of a request. */
    public String describe(int requestClass) {
        StringBuilder words = new StringBuilder();
        boolean spares = !isAtMaximum(requestClass) && gate.usedCount(requestClass) >= line.mostNow(requestClass);
        words.append(
                spares
                        ? "the last free connection is reserved for " + names[0]
                        : isAtMaximum(requestClass)
                                ? "class " + names[requestClass] + " is at its maximum"
                                : "exhausted");
        for (int at = 0; at < names.length; at++) {
            Integer most = rules.get(at).max();
            int waiting = line.waitingCount(at, COUNTED);
            words.append(at == 0 ? ": " : ", ")
                    .append(names[at])
                    .append(" holds ")
                    .append(gate.usedCount(at));
            words.append(most == null ? "" : " of " + most);
            words.append(
                    waiting == 0
                            ? " and no request waits"
                            : " and " + waiting + (waiting < COUNTED ? "" : " or more") + " wait");
        }
        return words.toString();
    }

    /** Returns the gate's index of the calling thread's tenant; a separate index for no tenant. */
    public int currentTenant() {
        return line.place(RequestScope.currentTenant());
    }

    /** Returns how long a caller should wait before it retries a shed request. */
    public Duration retryAfter(int requestClass) {
        return Duration.ofNanos(line.retryAfterNanos(requestClass));
    }

    /**
     * Returns the class of the calling thread, which holds no connection: the class of its scope, otherwise the class
     * that its name matches. A scope with an unknown name gives the last class.
     */
    public int currentClass() {
        String said = RequestScope.currentClass();
        if (said != null) {
            for (int at = 0; at < names.length; at++) {
                if (names[at].equals(said)) {
                    return at;
                }
            }
            return unknown(said);
        }
        return byThread ? byName(Thread.currentThread()) : 0;
    }

    /** Logs an unknown name; returns the last class, because a misspelt name must not give the rights of the first. */
    private int unknown(String name) {
        int last = names.length - 1;
        if (unknown.size() < UNKNOWN && unknown.add(name)) {
            try {
                LOG.warn(
                        "{}: no class '{}': its requests get the class '{}'. Did you mean '{}'?",
                        pool,
                        PlainText.line(name),
                        names[last],
                        Words.nearest(name, names()));
            } catch (RuntimeException ofTheLog) {
                return last;
            }
        }
        return last;
    }

    @SuppressWarnings("ReferenceEquality") // two equal names that are different objects are only matched again
    private int byName(Thread thread) {
        int place = (int) thread.getId() & (REMEMBERED - 1);
        String name = thread.getName();
        Named known = seen[place];
        if (known == null || known.name() != name) {
            known = new Named(name, matching(name));
            seen[place] = known;
        }
        return known.requestClass();
    }

    private int matching(String name) {
        for (int at = 0; at < threads.length; at++) {
            Pattern pattern = threads[at];
            if (pattern != null && pattern.matcher(name).matches()) {
                return at;
            }
        }
        return 0;
    }
}
