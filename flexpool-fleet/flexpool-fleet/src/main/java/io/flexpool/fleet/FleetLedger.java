// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet;

import io.flexpool.spi.Texts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Computes the shares of a budget for every store, as a pure function of the stored state, the store's clock and a
 * renewal.
 *
 * <p>Free connections are divided by max-min fairness: no member gets more than its demand, and a member below its
 * demand gets at least as much as any other member. A grant rises only by free connections. A member with more than its
 * fair share is granted the smaller number, and its connections stay booked until it reports fewer. A member that stops
 * renewing keeps its connections for {@link FleetRules#PAUSE}, then counts with the static share, and is forgotten
 * after {@link FleetRules#GHOST}. The time in which no member reached the store does not count.
 *
 * <p>Members may have different caps, because each reads its cap from the server at another time, or because their
 * configurations differ. The smallest cap of a live member applies to all. A larger cap applies as soon as the last
 * member with a smaller cap has read again, or is silent. While no member has a cap, no grant grows. The reserve of the
 * member with the smallest cap applies too: the reserve of a larger cap could exceed a smaller cap.
 *
 * <p>The ledger detects that a store has lost its state or the last seconds of it. Signs are: the store has no state; a
 * member's stored renewal is older than its last answered one; another server has written the entries; or no member has
 * renewed for the time of a grant. Then no grant grows for {@link FleetRules#CALM}.
 *
 * <p>A store may contain entries that flexpool has not written, and its clock may be set back. An entry with invalid
 * figures is removed. An entry later than the store's clock counts as current.
 */
public final class FleetLedger {
    private static final long TTL = FleetRules.TTL.toMillis();
    private static final long PAUSE = TTL + FleetRules.PAUSE.toMillis();
    private static final long GHOST = TTL + FleetRules.GHOST.toMillis();
    /** The maximum number of invalid entries that one renewal removes, because it must not take long. */
    private static final int MOST_REMOVED = 1_000;
    /** The largest sequence: stores with floating-point numbers are exact up to it. */
    private static final long MOST_SEQUENCE = 1L << 53;

    private static final Comparator<Row> SMALLEST_CAP =
            Comparator.comparingInt(Row::cap).thenComparing(Row::member);

    private FleetLedger() {}

    /**
     * A stored member. Immutable.
     *
     * @param member its name
     * @param granted the connections last granted to the member
     * @param held the reported number of connections that the member has open, or might open
     * @param want the connections that the member could use
     * @param cap the member's value of the fleet's cap; 0 if unknown
     * @param reserve the member's value of the part of the cap that is never granted; less than the cap
     * @param sequence the sequence of its last renewal
     * @param renewedMillis the time of its last renewal, by the store's clock, milliseconds since the epoch
     */
    public record Row(
            String member, int granted, int held, int want, int cap, int reserve, long sequence, long renewedMillis) {
        /**
         * Whether the figures are valid. A store may contain entries that flexpool has not written.
         *
         * @return false if the entry is to be removed
         */
        public boolean valid() {
            return !member.isBlank()
                    && member.length() <= Renewal.LONGEST_NAME
                    && Texts.isLine(member)
                    && inRange(granted)
                    && inRange(held)
                    && inRange(want)
                    && inRange(cap)
                    && reserve >= 0
                    && reserve < Math.max(1, cap)
                    && sequence > 0
                    && sequence < MOST_SEQUENCE
                    && renewedMillis > 0;
        }

        /** The row; a renewal time after the store's clock is set to the clock. */
        private Row notAfter(long nowMillis) {
            return renewedMillis <= nowMillis
                    ? this
                    : new Row(member, granted, held, want, cap, reserve, sequence, nowMillis);
        }

        private static boolean inRange(int connections) {
            return connections >= 0 && connections <= FleetRules.MOST;
        }

        private boolean differs(Row other) {
            return cap > 0 && other.cap > 0 && (cap != other.cap || reserve != other.reserve);
        }

        private boolean live(long nowMillis) {
            return nowMillis - renewedMillis <= TTL;
        }

        private int booked(long nowMillis, long reachedMillis, int share) {
            int had = Math.max(granted, held);
            if (live(nowMillis)) {
                return had;
            }
            return missed(nowMillis, reachedMillis) <= PAUSE ? Math.max(had, share) : share;
        }

        /** The time in which the member could have renewed and did not. */
        private long missed(long nowMillis, long reachedMillis) {
            return nowMillis - Math.max(renewedMillis, reachedMillis);
        }
    }

    /**
     * The state of a store. Immutable.
     *
     * @param calmUntilMillis the time until which no grant grows, by the store's clock; null if the store has no state
     * of this fleet
     * @param server the server that has written the entries; empty if unknown
     * @param rows the members, in any order; null in place of an entry that cannot be read
     */
    public record State(@Nullable Long calmUntilMillis, String server, List<@Nullable Row> rows) {
        /** A store without state of this fleet. */
        public static final State NONE = new State(null, "", List.of());

        /**
         * Copies.
         *
         * @param calmUntilMillis see {@link #calmUntilMillis()}
         * @param server see {@link #server()}
         * @param rows see {@link #rows()}
         */
        public State {
            Objects.requireNonNull(server, "server is null");
            Objects.requireNonNull(rows, "rows is null");
            rows = Collections.unmodifiableList(new ArrayList<>(rows));
        }
    }

    /**
     * The result of a renewal: the data that a store must write, and the answer. Immutable.
     *
     * @param calmUntilMillis as in {@link State}; to be written if changed
     * @param own the member's row; to be written
     * @param corrected rows of other members, to be written too
     * @param forgotten members whose rows are to be removed
     * @param grant the answer
     */
    public record Outcome(long calmUntilMillis, Row own, List<Row> corrected, List<String> forgotten, Grant grant) {}

    /**
     * Processes a renewal.
     *
     * @param before the stored state
     * @param server the identity of the store's server, for example by its start: another server may have an older
     *     state; empty if unknown
     * @param nowMillis the store's clock, milliseconds since the epoch
     * @param renewal a member's report
     * @return the new state, and the answer
     */
    public static Outcome renew(State before, String server, long nowMillis, Renewal renewal) {
        Objects.requireNonNull(before, "before is null");
        Objects.requireNonNull(server, "server is null");
        Objects.requireNonNull(renewal, "renewal is null");
        Row last = null;
        List<Row> others = new ArrayList<>();
        List<Row> corrected = new ArrayList<>();
        List<String> forgotten = new ArrayList<>();
        int ignored = 0;
        long newest = Long.MIN_VALUE;
        for (Row kept : before.rows()) {
            if (kept == null || !kept.valid()) {
                ignored++;
                if (kept != null && ignored <= MOST_REMOVED && !kept.member().equals(renewal.member())) {
                    forgotten.add(kept.member());
                }
                continue;
            }
            Row row = kept.notAfter(nowMillis);
            newest = Math.max(newest, row.renewedMillis());
            if (row.member().equals(renewal.member())) {
                last = row;
            } else {
                others.add(row);
                if (row.renewedMillis() != kept.renewedMillis()) {
                    corrected.add(row);
                }
            }
        }
        boolean lost = before.calmUntilMillis() == null
                || renewal.acknowledged() > (last == null ? 0 : last.sequence())
                || (!before.server().isEmpty()
                        && !server.isEmpty()
                        && !before.server().equals(server))
                || (newest != Long.MIN_VALUE && nowMillis - newest > TTL);
        long calmUntil = lost ? nowMillis + FleetRules.CALM.toMillis() : calm(before, nowMillis);
        // The earliest time at which a member could renew: a member that stops just then must not be removed while it
        // holds connections.
        long reachedMillis = calmUntil - FleetRules.CALM.toMillis();
        others.removeIf(row -> {
            boolean ghost = row.missed(nowMillis, reachedMillis) > GHOST;
            if (ghost) {
                forgotten.add(row.member());
            }
            return ghost;
        });
        FleetRules rules = rules(others, nowMillis, renewal.rules());
        Row own = last != null && renewal.sequence() <= last.sequence()
                ? last
                : new Row(
                        renewal.member(),
                        granted(others, nowMillis, calmUntil, renewal, rules),
                        held(last, renewal),
                        renewal.want(),
                        Math.max(0, renewal.rules().cap()),
                        renewal.rules().reserve(),
                        renewal.sequence(),
                        nowMillis);
        long previous = last == null ? 0 : last.sequence();
        Grant grant = grant(others, own, previous, nowMillis, calmUntil, rules, ignored);
        return new Outcome(calmUntil, own, corrected, forgotten, grant);
    }

    /** The smallest cap of a live member, including the renewing member, and the largest reserve of these members. */
    private static FleetRules rules(List<Row> others, long nowMillis, FleetRules own) {
        int smallest = own.cap();
        int reserve = own.reserve();
        for (Row row : others) {
            if (row.cap() > 0 && row.live(nowMillis)) {
                if (smallest == FleetRules.UNKNOWN || row.cap() < smallest) {
                    smallest = row.cap();
                    reserve = row.reserve();
                } else if (row.cap() == smallest) {
                    reserve = Math.max(reserve, row.reserve());
                }
            }
        }
        return new FleetRules(smallest, own.instancesMax(), reserve);
    }

    /**
     * The connections that a member may hold. A member that has not sent the last renewal under its name may be a copy
     * of another member: until this is clear, the other member's connections stay booked.
     */
    private static int held(@Nullable Row last, Renewal renewal) {
        return last == null || renewal.acknowledged() >= last.sequence()
                ? renewal.held()
                : Math.max(renewal.held(), Math.max(last.granted(), last.held()));
    }

    /** Limits the time: if it is too far ahead, the clock was changed, or flexpool has not written it. */
    private static long calm(State before, long nowMillis) {
        Long until = before.calmUntilMillis();
        return until == null ? 0 : Math.min(until, nowMillis + FleetRules.CALM.toMillis());
    }

    private static int granted(List<Row> others, long nowMillis, long calmUntil, Renewal renewal, FleetRules rules) {
        if (!rules.known()) {
            return Math.max(FleetRules.BOOT, Math.min(renewal.want(), renewal.held()));
        }
        int share = rules.share();
        long reachedMillis = calmUntil - FleetRules.CALM.toMillis();
        long silent = 0;
        long booked = 0;
        Wish own = Wish.of(renewal.member(), renewal.want(), rules);
        List<Wish> wishes = new ArrayList<>(List.of(own));
        for (Row row : others) {
            int had = row.booked(nowMillis, reachedMillis, share);
            booked += had;
            if (row.live(nowMillis)) {
                wishes.add(Wish.of(row.member(), row.want(), rules));
            } else {
                silent += had;
            }
        }
        long capacity = capacity(rules, others.size() + 1);
        int held = renewal.held();
        int entitled = entitled(wishes, own, capacity - silent);
        // A member with a falling grant keeps its booked connections until it holds fewer.
        long most = nowMillis < calmUntil ? held : Math.max(held, capacity - booked);
        return (int) Math.max(FleetRules.BOOT, Math.min(entitled, most));
    }

    /** The number of connections that a live member could use. */
    private record Wish(String member, int want) {
        static Wish of(String member, int want, FleetRules rules) {
            return new Wish(member, Math.max(FleetRules.BOOT, Math.min(rules.cap(), want)));
        }
    }

    /** The connections that may be granted, leaving one connection for each unknown member. */
    private static long capacity(FleetRules rules, int known) {
        return (long) rules.cap()
                - rules.reserve()
                - (long) FleetRules.BOOT * Math.max(0, rules.instancesMax() - known);
    }

    /**
     * A member's part by max-min fairness: small wants first, then equal parts of the rest. A remainder goes to the
     * members with the last names, so that all connections are granted.
     */
    private static int entitled(List<Wish> wishes, Wish own, long capacity) {
        wishes.sort(Comparator.comparingInt(Wish::want).thenComparing(Wish::member));
        long left = Math.max(0, capacity);
        int sharers = wishes.size();
        for (Wish wish : wishes) {
            long part = Math.min(wish.want(), left / sharers);
            if (wish.member().equals(own.member())) {
                return (int) part;
            }
            left -= part;
            sharers--;
        }
        throw new IllegalStateException("the member has no share");
    }

    private static Grant grant(
            List<Row> others, Row own, long previous, long nowMillis, long calmUntil, FleetRules rules, int ignored) {
        List<Row> all = new ArrayList<>(others);
        all.add(own);
        all.sort(Comparator.comparingInt((Row row) -> -Math.max(row.granted(), row.held()))
                .thenComparing(Row::member));
        long booked = 0;
        int live = 0;
        Row differs = null;
        List<FleetMember> shown = new ArrayList<>();
        for (Row row : all) {
            booked += row.booked(nowMillis, calmUntil - FleetRules.CALM.toMillis(), rules.share());
            live += row.live(nowMillis) ? 1 : 0;
            if (row.live(nowMillis)
                    && row.differs(own)
                    && (differs == null || SMALLEST_CAP.compare(row, differs) < 0)) {
                differs = row;
            }
            if (shown.size() < Grant.MOST_SHOWN) {
                shown.add(shown(row, nowMillis));
            }
        }
        long free = rules.known() ? capacity(rules, all.size()) - booked : 0;
        return new Grant(
                Math.max(FleetRules.BOOT, own.granted()),
                live,
                (int) Math.min(Integer.MAX_VALUE, booked),
                (int) Math.max(Integer.MIN_VALUE, free),
                nowMillis < calmUntil,
                rules.cap(),
                rules.reserve(),
                differs == null ? null : shown(differs, nowMillis),
                previous,
                shown,
                ignored);
    }

    private static FleetMember shown(Row row, long nowMillis) {
        long age = Math.max(0, nowMillis - row.renewedMillis());
        return new FleetMember(
                row.member(),
                row.granted(),
                row.held(),
                row.want(),
                row.cap(),
                row.reserve(),
                Duration.ofMillis(age),
                !row.live(nowMillis));
    }
}
