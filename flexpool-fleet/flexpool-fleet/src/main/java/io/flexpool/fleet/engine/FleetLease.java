// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.engine;

import io.flexpool.fleet.FleetRules;
import io.flexpool.fleet.FleetStatus.Source;
import io.flexpool.fleet.Grant;
import io.flexpool.fleet.Renewal;
import io.flexpool.spi.Texts;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What one member may hold, as a state machine without a clock, a thread or a store of its own. Used by one thread at a time.
 *
 * <p>The cap holds because of four rules. A lease is counted from the moment at which its renewal was sent, by the member's
 * own clock, and ends a margin before the store's. A member says that it may hold all that it had open, or was allowed to
 * open, within the last second: so it is booked with no less than it can have, also if the answer is lost. Only the last renewal's
 * answer counts. And when its lease ends it drops to the static share at once, but rises to it only when the store has had
 * the time to tell all others.
 *
 * <p>Where others need connections that this member does not need any more, it holds itself to fewer before it has to:
 * so the next renewal gives them back, not the one after it. From when it is sent the member has no more than it reported.
 * A renewal that gives back many, or needs many more, is sent before its time, and the one after it is not: there is never more than
 * one for each interval.
 */
public final class FleetLease {
    private static final long LEASE = FleetRules.TTL.minus(FleetRules.MARGIN).toNanos();
    private static final long RENEW = FleetRules.RENEW.toNanos();
    /** How long after a change what was allowed before may still be open: connects and closes that are on their way. */
    private static final long SETTLES = Duration.ofSeconds(1).toNanos();
    /** From when a lease is found ended until a member with less than the static share rises to it. */
    private static final long RISES = Duration.ofSeconds(6).toNanos();
    /** After the last one, for a renewal before its time. */
    private static final long EARLIEST = Duration.ofSeconds(1).toNanos();
    /** A renewal before its time is worth it for this many connections, or a part of those that were reported, if that is more. */
    private static final int MUCH = 2;

    private static final int MUCH_PART = 4;
    /** A renewal that is not answered for this long is given up. */
    private static final long PATIENCE = Duration.ofSeconds(2).toNanos();

    /** How much larger than the last one a sequence is at most. */
    private static final int STEP = 1 << 20;
    /** How many renewals without an answer are remembered: those of half an hour. */
    private static final int MOST_SENT = 1_000;

    private final Supplier<String> names;
    private final RandomGenerator random;
    private String member;
    /** As this member has them: the cap may be read anew. */
    private FleetRules rules;
    /** The last ones with a cap. */
    private FleetRules knownRules;

    private long sequence;
    /** The last one that was answered; 0 before that. */
    private long acknowledged;
    /** Those that were sent since then. */
    private final Deque<Long> sent = new ArrayDeque<>();

    private boolean registered;
    private @Nullable Grant grant;
    private long leaseEndNanos;
    /** Whether and when the lease was found ended: a member that pauses finds it late. */
    private boolean ended;

    private long endedNanos;
    private long sentNanos;
    private long dueNanos;
    private boolean lastEarly;
    private int sentHeld;
    private int sentWant;
    /** As many as the store books for this member at least, if the last renewal has reached it: not more than that. */
    private int reported = Integer.MAX_VALUE;
    /** What the member holds itself to. */
    private int ownLimit = Integer.MAX_VALUE;

    private boolean inFlight;
    private boolean lastFailed;
    /** What was open, or allowed, lately. */
    private final Deque<Seen> seen = new ArrayDeque<>();

    private record Seen(long nanos, int connections) {}

    /**
     * A member that has nothing yet.
     *
     * @param names gives another name with each call: a second one if another member has the first
     * @param random must not give two copies of this process the same numbers
     */
    public FleetLease(Supplier<String> names, FleetRules rules, RandomGenerator random, long nowNanos) {
        this.names = names;
        this.member = Renewal.name(names.get());
        this.rules = rules;
        this.knownRules = rules;
        this.random = random;
        this.dueNanos = nowNanos;
    }

    public String member() {
        return member;
    }

    /** Takes other rules from the next renewal on. */
    public void rules(FleetRules now) {
        rules = now;
        knownRules = now.known() ? now : knownRules;
    }

    /** The equal part of the smallest cap that the store or this member knows. */
    private int share() {
        Grant last = grant;
        if (last == null || last.cap() == FleetRules.UNKNOWN) {
            return rules.share();
        }
        return knownRules.known() && knownRules.cap() <= last.cap()
                ? knownRules.share()
                : new FleetRules(last.cap(), rules.instancesMax(), last.reserve()).share();
    }

    /** The last answer; null before the first. */
    public @Nullable Grant grant() {
        return grant;
    }

    public Source source(long nowNanos) {
        return leased(nowNanos) ? Source.GRANT : registered ? Source.SHARE : Source.BOOT;
    }

    /** How many connections the member may open now. */
    public int ceiling(long nowNanos) {
        return Math.max(FleetRules.BOOT, Math.min(ownLimit, allowed(nowNanos)));
    }

    private int allowed(long nowNanos) {
        if (!registered) {
            return FleetRules.BOOT;
        }
        int granted = Math.min(reported, grant == null ? FleetRules.BOOT : grant.granted());
        if (leased(nowNanos)) {
            return granted;
        }
        return ended && nowNanos - endedNanos >= RISES ? share() : Math.min(granted, share());
    }

    /** From now on the member opens no more than this, whatever it is granted; {@link Integer#MAX_VALUE} for what it is granted. */
    public void ownLimit(int connections) {
        ownLimit = connections;
    }

    private boolean leased(long nowNanos) {
        return registered && nowNanos - leaseEndNanos < 0;
    }

    /** Called often: what is open now. */
    public void opened(long nowNanos, int connections) {
        if (registered && !ended && !leased(nowNanos)) {
            ended = true;
            endedNanos = nowNanos;
        }
        remember(nowNanos, connections);
        remember(nowNanos, ceiling(nowNanos));
    }

    private void remember(long nowNanos, int connections) {
        while (!seen.isEmpty() && seen.getLast().connections() <= connections) {
            seen.removeLast();
        }
        seen.addLast(new Seen(nowNanos, connections));
        while (nowNanos - seen.getFirst().nanos() > SETTLES) {
            seen.removeFirst();
        }
    }

    /**
     * The next renewal, if one is due.
     *
     * @param connections open now
     * @param want how many the member could use
     * @return null if none is due
     */
    public @Nullable Renewal due(long nowNanos, int connections, int want) {
        if (inFlight && nowNanos - sentNanos >= PATIENCE) {
            failed(sequence);
        }
        opened(nowNanos, connections);
        int held = seen.getFirst().connections();
        boolean early = nowNanos - dueNanos < 0;
        if (inFlight || (early && !urgent(nowNanos, held, want))) {
            return null;
        }
        sequence += 1 + random.nextInt(STEP);
        sent.addLast(sequence);
        if (sent.size() > MOST_SENT) {
            sent.removeFirst();
        }
        sentNanos = nowNanos;
        inFlight = true;
        dueNanos = (early ? dueNanos : nowNanos) + RENEW * 4 / 5 + random.nextLong(RENEW * 2 / 5);
        lastEarly = early;
        sentHeld = held;
        sentWant = want;
        reported = held;
        return new Renewal(member, sequence, acknowledged, held, want, rules);
    }

    /** Whether a renewal is worth the place of the next one, and there is none that has taken it already. */
    private boolean urgent(long nowNanos, int held, int want) {
        boolean free = nowNanos - sentNanos >= EARLIEST && !lastEarly;
        boolean less = sentHeld - held >= much(sentHeld);
        boolean more = want > held && want - sentWant >= much(sentWant);
        return free && !lastFailed && leased(nowNanos) && (less || more);
    }

    private static int much(int connections) {
        return Math.max(MUCH, connections / MUCH_PART);
    }

    /**
     * Takes another name, and has nothing until that is answered: the process was restored from a checkpoint, maybe twice, and
     * what it had was another one's.
     */
    public void restored(long nowNanos) {
        renamed();
        registered = false;
        ended = false;
        lastFailed = false;
        grant = null;
        reported = Integer.MAX_VALUE;
        dueNanos = nowNanos;
        seen.clear();
    }

    private void renamed() {
        member = Renewal.name(names.get());
        sequence = 0;
        acknowledged = 0;
        sent.clear();
        inFlight = false;
    }

    /**
     * The store's answer to a renewal; one to any but the last is too late. If another member has renewed under the same name, this
     * one takes another name, and has no more than it reported until that is answered.
     *
     * @return whether it counts
     */
    public boolean answered(long ofSequence, Grant answer) {
        if (ofSequence != sequence || !inFlight) {
            return false;
        }
        if (answer.previousSequence() > acknowledged && !sent.contains(answer.previousSequence())) {
            renamed();
            dueNanos = sentNanos;
            return false;
        }
        inFlight = false;
        lastFailed = false;
        acknowledged = ofSequence;
        sent.clear();
        registered = true;
        grant = answer;
        reported = Integer.MAX_VALUE;
        leaseEndNanos = sentNanos + LEASE;
        ended = false;
        return true;
    }

    /** A renewal has failed, or its outcome is unknown. */
    public void failed(long ofSequence) {
        if (ofSequence != sequence || !inFlight) {
            return;
        }
        inFlight = false;
        lastFailed = true;
    }

    public boolean failing() {
        return lastFailed;
    }

    /**
     * Names for one pool in its fleet, each with 128 random bits: a process has no number of its own in a container, and two copies
     * of a checkpoint have the same one. The generator must give each copy its own numbers, as the system's does. Used by one thread.
     */
    static final class MemberNames implements Supplier<String> {
        private static final int RANDOM_BITS = 128;
        private static final int LONGEST_HOST = 30;

        private final String pool;
        private final String host;
        private final RandomGenerator random;
        private final Supplier<Optional<Instant>> started;
        private Optional<Instant> lastStarted;

        /**
         * The names of a pool.
         *
         * @param started when this process was started, as the system knows it now
         */
        MemberNames(String pool, RandomGenerator random, Supplier<Optional<Instant>> started) {
            this.pool = pool;
            this.host = Texts.line(Objects.requireNonNullElse(System.getenv("HOSTNAME"), ""), LONGEST_HOST)
                    .strip();
            this.random = random;
            this.started = started;
            this.lastStarted = started.get();
        }

        /** When this process was started: not kept in its memory, so that a restored one is another one. */
        static Optional<Instant> processStart() {
            return ProcessHandle.current().info().startInstant();
        }

        /** A new one; never longer than a fleet allows, and never without its random bits. */
        @Override
        public String get() {
            byte[] bits = new byte[RANDOM_BITS / Byte.SIZE];
            random.nextBytes(bits);
            String unique = "@" + (host.isEmpty() ? "" : host + ":")
                    + ProcessHandle.current().pid() + "-" + new BigInteger(1, bits).toString(Character.MAX_RADIX);
            return pool.substring(0, Math.min(pool.length(), Renewal.LONGEST_NAME - unique.length())) + unique;
        }

        /** Whether this process was restored from a checkpoint since the last call. Reads from the system. */
        boolean restored() {
            Optional<Instant> now = started.get();
            boolean another = !now.equals(lastStarted);
            lastStarted = now;
            return another;
        }
    }
}
