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
 * The connections that one member may hold: a state machine without a clock, thread or store. Used by one thread at a
 * time.
 *
 * <p>Four rules guarantee the cap. By the member's clock, a grant lasts from the sending of its renewal; the member
 * gives it up earlier than the store does, by a safety margin. A member reports the most that it had open, or was
 * allowed to open, within the last second: so the store counts enough for it even if the answer is lost. Only the
 * answer to the last renewal counts. When its grant ends, a member above the static share drops to it at once; a member
 * below it rises to it only {@link #RISES} later, when all others have had time to renew.
 *
 * <p>If others need connections that this member does not need, it limits itself early, so that the next renewal
 * already returns them. After sending a renewal, the member has no more than it reported. A renewal that returns or
 * needs many connections is sent early. The next is not, and its due time does not move: the mean stays one renewal per
 * interval.
 */
public final class FleetGrantState {
    private static final long GRANT = FleetRules.TTL.minus(FleetRules.MARGIN).toNanos();
    private static final long RENEW = FleetRules.RENEW.toNanos();
    /**
     * The time for which connections of an earlier allowance may stay open, because connects and closes are in
     * progress.
     */
    private static final long SETTLES = Duration.ofSeconds(1).toNanos();
    /** The time after the end of its grant before a member below the static share rises to that share. */
    private static final long RISES = Duration.ofSeconds(6).toNanos();
    /** The least time between the last renewal and an early one. */
    private static final long EARLIEST = Duration.ofSeconds(1).toNanos();
    /** An early renewal needs at least this many changed connections, and at least a quarter of the reported ones. */
    private static final int MUCH = 2;

    private static final int MUCH_PART = 4;
    /** A renewal without an answer fails after this time. */
    private static final long PATIENCE = Duration.ofSeconds(2).toNanos();

    /** The maximum increase from one sequence to the next. */
    private static final int STEP = 1 << 20;
    /** The number of unanswered renewals that are stored: half an hour's. */
    private static final int MOST_SENT = 1_000;

    private final Supplier<String> names;
    private final RandomGenerator random;
    private String member;
    /** This member's rules: a new reading may change the cap. */
    private FleetRules rules;
    /** The last rules with a known cap. */
    private FleetRules knownRules;

    private long sequence;
    /** The last answered sequence; 0 before the first answer. */
    private long acknowledged;
    /** The sequences sent since then. */
    private final Deque<Long> sent = new ArrayDeque<>();

    private boolean registered;
    private @Nullable Grant grant;
    private long grantEndNanos;
    /** Whether and when this member noticed the end of its grant; after a pause that is late. */
    private boolean ended;

    private long endedNanos;
    private long sentNanos;
    private long dueNanos;
    private boolean lastEarly;
    private int sentHeld;
    private int sentWant;
    /** The connections that the last renewal reported: the member's maximum until the answer. */
    private int reported = Integer.MAX_VALUE;
    /** The member's self-imposed limit. */
    private int ownLimit = Integer.MAX_VALUE;

    private boolean inFlight;
    private boolean lastFailed;
    /** The connections open or allowed within the last second. */
    private final Deque<Seen> seen = new ArrayDeque<>();

    private record Seen(long nanos, int connections) {}

    /**
     * A member without connections.
     *
     * @param names a source of names, a new one per call: the member takes another if its name is in use
     * @param random a generator that must not give two copies of this process the same numbers
     */
    public FleetGrantState(Supplier<String> names, FleetRules rules, RandomGenerator random, long nowNanos) {
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

    /** Sets the rules for the next renewals. */
    public void rules(FleetRules now) {
        rules = now;
        knownRules = now.known() ? now : knownRules;
    }

    /** The static share: an equal part of the smaller of the store's cap and this member's cap. */
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
        return hasGrant(nowNanos) ? Source.GRANT : registered ? Source.SHARE : Source.BOOT;
    }

    /** The number of connections that the member may have open now. */
    public int ceiling(long nowNanos) {
        return Math.max(FleetRules.BOOT, Math.min(ownLimit, allowed(nowNanos)));
    }

    private int allowed(long nowNanos) {
        if (!registered) {
            return FleetRules.BOOT;
        }
        int granted = Math.min(reported, grant == null ? FleetRules.BOOT : grant.granted());
        if (hasGrant(nowNanos)) {
            return granted;
        }
        return ended && nowNanos - endedNanos >= RISES ? share() : Math.min(granted, share());
    }

    /** Limits this member's connections below its grant; {@link Integer#MAX_VALUE} for no further limit. */
    public void ownLimit(int connections) {
        ownLimit = connections;
    }

    private boolean hasGrant(long nowNanos) {
        return registered && nowNanos - grantEndNanos < 0;
    }

    /** Records the open connections; called often. */
    public void opened(long nowNanos, int connections) {
        if (registered && !ended && !hasGrant(nowNanos)) {
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
     * @param connections the open connections
     * @param want the number of connections that the member could use
     * @return the renewal; null if none is due
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

    /** Whether an early renewal is worthwhile, and the last renewal was not early. */
    private boolean urgent(long nowNanos, int held, int want) {
        boolean free = nowNanos - sentNanos >= EARLIEST && !lastEarly;
        boolean less = sentHeld - held >= much(sentHeld);
        boolean more = want > held && want - sentWant >= much(sentWant);
        return free && !lastFailed && hasGrant(nowNanos) && (less || more);
    }

    private static int much(int connections) {
        return Math.max(MUCH, connections / MUCH_PART);
    }

    /**
     * Takes another name, and drops the grant until the next answer. The process was restored from a checkpoint,
     * perhaps more than once, so another process may use the grant.
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
     * Takes the store's answer to a renewal; only the answer to the last renewal counts. If another member has renewed
     * under the same name, this member takes another name, and keeps to its reported number until the next answer.
     *
     * @return whether the answer counts
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
        grantEndNanos = sentNanos + GRANT;
        ended = false;
        return true;
    }

    /** Notes that a renewal has failed, or has an unknown outcome. */
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
     * Names for one pool in its fleet, each with 128 random bits: process ids repeat among containers, and among copies
     * of a checkpoint. The generator must give each copy different numbers, as the system's generator does. Used by one
     * thread.
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
         * @param started supplies the start time of this process, as the system currently reports it
         */
        MemberNames(String pool, RandomGenerator random, Supplier<Optional<Instant>> started) {
            this.pool = pool;
            this.host = Texts.line(Objects.requireNonNullElse(System.getenv("HOSTNAME"), ""), LONGEST_HOST)
                    .strip();
            this.random = random;
            this.started = started;
            this.lastStarted = started.get();
        }

        /** The start time of this process, read from the system, so that a restored process has another value. */
        static Optional<Instant> processStart() {
            return ProcessHandle.current().info().startInstant();
        }

        /** A new name, within the allowed length and with all random bits. */
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
