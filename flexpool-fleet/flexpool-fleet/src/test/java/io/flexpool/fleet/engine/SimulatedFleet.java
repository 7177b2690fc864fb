// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.engine;

import io.flexpool.fleet.FleetLedger;
import io.flexpool.fleet.FleetLedger.Outcome;
import io.flexpool.fleet.FleetLedger.Row;
import io.flexpool.fleet.FleetLedger.State;
import io.flexpool.fleet.FleetRules;
import io.flexpool.fleet.Renewal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * Members, a network and a store in virtual time. Members' clocks run up to five per cent fast or slow; messages are late, too late to be of use, or
 * come twice; members crash and leave sockets behind, pause, leave and join; the store stops, loses what it knew, or goes back some seconds.
 * The store fails only while no member is missing: of one that pauses just then, or has left sockets behind, nobody can tell.
 * Everything follows from the seed.
 *
 * <p>If the cap is read, the server has other clients too. Their number jumps each 200 s, up by a tenth of what they leave at most:
 * that is what is kept for them.
 */
final class SimulatedFleet {
    private static final int STEP = 50;
    private static final int TICK = 250;
    private static final int LONGEST_LEASE = 1_000;

    private final Random luck;
    private final FleetRules rules;
    private final boolean faults;
    /** How many sessions the server has, if the cap is read from it; else 0. */
    private final int usable;

    /** How many of them other clients have. */
    private int foreign;

    private long jumpsAt;
    private final List<Member> members = new ArrayList<>();
    /** When sockets that crashed members left behind are closed. */
    private final List<long[]> lingering = new ArrayList<>();

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparingLong(Event::order));
    private long order;
    private long now = 1_000_000;
    private int born;
    private State store = State.NONE;
    /** What the store was at each renewal of the last seconds, as replicas know it. */
    private final ArrayDeque<Kept> kept = new ArrayDeque<>();

    private int servers;
    private long storeDownUntil;
    private long lostAt;
    int most;
    /** How many sessions were above what the server has, at most; 0 or less if that was never so. */
    int above = Integer.MIN_VALUE;

    private long served;
    private long servable;
    private long servedByShares;

    private record Kept(long at, State state) {}

    private record Event(long at, long order, Runnable what) {}

    private final class Member {
        private final int number = ++born;
        private final double speed = 0.95 + 0.1 * luck.nextDouble();
        private final long phase = luck.nextInt(1 << 30);
        private final FleetGrantState lease =
                new FleetGrantState(() -> "m" + number, rules, new Random(luck.nextLong()), nanos());
        private final List<Long> leasedUntil = new ArrayList<>();
        private final FleetCap cap = new FleetCap(usable > 0 ? null : (Integer) rules.cap(), rules.instancesMax());
        private long looksAt = now;
        private int idle;
        private int connecting;
        private int demand = 1 + luck.nextInt(8);
        private long pausedUntil;
        private boolean gone;

        private long nanos() {
            return Long.MAX_VALUE - 5_000_000_000L + (long) ((now + phase) * speed * 1e6);
        }

        private int open() {
            return idle + leasedUntil.size();
        }

        private void tick() {
            if (gone || now < pausedUntil) {
                return;
            }
            if (luck.nextInt(40) == 0) {
                demand = luck.nextInt(4) == 0 ? luck.nextInt(3 * rules.cap() / 4) : luck.nextInt(6);
            }
            look();
            lease.rules(cap.rules(nanos()));
            if (luck.nextInt(8) == 0) {
                lease.ownLimit(luck.nextBoolean() ? Math.max(1, demand) : Integer.MAX_VALUE);
            }
            lease.opened(nanos(), open());
            work(lease.ceiling(nanos()));
            Renewal renewal = lease.due(nanos(), open(), Math.max(1, demand + demand / 4));
            if (renewal != null) {
                cap.sent(nanos());
                send(renewal);
            }
        }

        /** What the server says may be late, too, but not long. */
        private void look() {
            if (usable == 0 || now < looksAt) {
                return;
            }
            looksAt = now + 60_000;
            int own = SimulatedFleet.this.open();
            long nanos = nanos();
            Left left = new Left(nanos, own + foreign, usable, Math.max(1, own), null);
            at(now + luck.nextInt(200), () -> cap.looked(left));
        }

        private void work(int ceiling) {
            leasedUntil.removeIf(until -> {
                idle += until <= now ? 1 : 0;
                return until <= now;
            });
            while (leasedUntil.size() < Math.min(demand, ceiling) && idle > 0) {
                idle--;
                leasedUntil.add(now + luck.nextInt(LONGEST_LEASE));
            }
            while (idle > 0 && open() > ceiling) {
                idle--;
                // A pool forgets a connection before the server does.
                lingering.add(new long[] {now + luck.nextInt(100), 1});
            }
            while (open() + connecting < Math.min(demand, ceiling)) {
                connecting++;
                at(now + luck.nextInt(400), () -> {
                    connecting--;
                    if (!gone) {
                        idle++;
                    }
                });
            }
        }

        private void send(Renewal renewal) {
            int copies = faults && luck.nextInt(20) == 0 ? 2 : 1;
            for (int copy = 0; copy < copies; copy++) {
                at(now + delay(), () -> renew(this, renewal));
            }
        }

        /** One that has paused can have renewed: else it is missing for longer than what it had stays booked. */
        private boolean settled() {
            return now >= pausedUntil + FleetRules.TTL.toMillis();
        }

        private void pause() {
            if (settled()) {
                pausedUntil = now + luck.nextInt(30_000);
            }
        }

        private void end(boolean crashed) {
            if (gone || now < pausedUntil || (crashed && !settled())) {
                return;
            }
            gone = true;
            if (open() > 0) {
                lingering.add(new long[] {now + (crashed ? luck.nextInt(35_000) : 50), open()});
            }
            if (!crashed) {
                at(
                        now + 60,
                        () -> store = new State(
                                store.calmUntilMillis(),
                                store.server(),
                                store.rows().stream()
                                        .filter(row ->
                                                row != null && !row.member().equals(lease.member()))
                                        .toList()));
            }
        }
    }

    SimulatedFleet(long seed, boolean faults) {
        this(seed, faults, false);
    }

    /** With a cap that is read from a server with other clients. */
    static SimulatedFleet reading(long seed, boolean faults) {
        return new SimulatedFleet(seed, faults, true);
    }

    private SimulatedFleet(long seed, boolean faults, boolean reading) {
        this.luck = new Random(seed);
        this.faults = faults;
        int count = 2 + luck.nextInt(11);
        int cap = 4 * count + luck.nextInt(150);
        this.usable = reading ? cap : 0;
        this.foreign = reading ? luck.nextInt(cap / 2) : 0;
        this.jumpsAt = now + luck.nextInt(200_000);
        this.rules = new FleetRules(cap, count, Math.max(1, cap / 20));
        int begin = 1 + luck.nextInt(count);
        for (int at = 0; at < begin; at++) {
            members.add(new Member());
        }
    }

    FleetRules rules() {
        return rules;
    }

    private void at(long when, Runnable what) {
        events.add(new Event(when, order++, what));
    }

    private long delay() {
        return faults && luck.nextInt(15) == 0 ? luck.nextInt(3_000) : luck.nextInt(20);
    }

    private void renew(Member from, Renewal renewal) {
        if (now < storeDownUntil) {
            at(now + delay(), () -> from.lease.failed(renewal.sequence()));
            return;
        }
        kept.addLast(new Kept(now, store));
        Outcome outcome = FleetLedger.renew(store, server(), now, renewal);
        List<Row> rows = new ArrayList<>();
        for (Row row : store.rows()) {
            if (row != null
                    && !row.member().equals(renewal.member())
                    && !outcome.forgotten().contains(row.member())) {
                rows.add(row);
            }
        }
        rows.add(outcome.own());
        store = new State(outcome.calmUntilMillis(), server(), rows);
        int copies = faults && luck.nextInt(20) == 0 ? 2 : 1;
        for (int copy = 0; copy < copies; copy++) {
            at(now + delay(), () -> hear(from, renewal, outcome));
        }
    }

    private void hear(Member member, Renewal renewal, Outcome outcome) {
        if (member.gone) {
            return;
        }
        if (now < member.pausedUntil) {
            at(member.pausedUntil, () -> hear(member, renewal, outcome));
            return;
        }
        if (member.lease.answered(renewal.sequence(), outcome.grant())) {
            member.cap.answered(outcome.grant());
        }
    }

    /** Runs for a time, and remembers how many connections were open at most. */
    void run(int seconds) {
        long end = now + seconds * 1_000L;
        while (now < end) {
            now += STEP;
            while (!events.isEmpty() && events.peek().at() <= now) {
                events.poll().what().run();
            }
            if (faults) {
                fault();
            }
            for (Member member : members) {
                if ((now + member.phase) % TICK < STEP) {
                    member.tick();
                }
            }
            lingering.removeIf(socket -> socket[0] <= now);
            int open = open();
            most = Math.max(most, open);
            if (usable > 0) {
                above = Math.max(above, open + foreign - usable);
                jump();
            }
            count();
        }
    }

    private void jump() {
        if (now >= jumpsAt) {
            jumpsAt += 200_000;
            int more = Math.min((usable - foreign) / 10, usable / 2 - foreign);
            foreign = luck.nextBoolean() ? luck.nextInt(foreign + 1) : foreign + Math.max(0, more);
        }
    }

    /** What was served of what the budget could serve at best. */
    double used() {
        return (double) served / servable;
    }

    /** The same if each member had an equal part. */
    double usedByShares() {
        return (double) servedByShares / servable;
    }

    private void count() {
        int wanted = 0;
        for (Member member : members) {
            if (!member.gone) {
                wanted += member.demand;
                served += Math.min(member.demand, member.open());
                servedByShares += Math.min(member.demand, rules.share());
            }
        }
        servable += Math.min(usable > 0 ? usable - foreign : rules.cap() - rules.reserve(), wanted);
    }

    private int open() {
        int open = 0;
        for (Member member : members) {
            open += member.gone ? 0 : member.open();
        }
        for (long[] socket : lingering) {
            open += (int) socket[1];
        }
        return open;
    }

    private void fault() {
        switch (luck.nextInt(1_200)) {
            case 0 -> missing(() -> any().end(true));
            case 1 -> any().end(false);
            case 2 -> missing(() -> any().pause());
            case 3 -> store(this::stop);
            case 4, 5 -> store(this::lose);
            case 6, 7, 8, 9 -> join();
            case 10, 11 -> store(this::promote);
            default -> {}
        }
        members.removeIf(member -> member.gone && members.size() > 1);
    }

    private void missing(Runnable fault) {
        if (now - lostAt > 2 * FleetRules.TTL.toMillis() && now >= storeDownUntil) {
            fault.run();
        }
    }

    private void store(Runnable fault) {
        if (lingering.isEmpty() && members.stream().allMatch(Member::settled)) {
            fault.run();
        }
    }

    private void stop() {
        boolean emptied = lostAt > now;
        storeDownUntil = now + luck.nextInt(90_000);
        lostAt = emptied ? storeDownUntil : lostAt;
    }

    /** What a store loses while nobody reaches it is missed from when it is back. */
    private void lose() {
        store = State.NONE;
        lostAt = Math.max(now, storeDownUntil);
    }

    private String server() {
        return "server " + servers;
    }

    /** A replica becomes the store, without the last seconds. */
    private void promote() {
        long from = now - luck.nextInt(5_000);
        while (kept.size() > 1 && kept.getFirst().at() < from) {
            kept.removeFirst();
        }
        if (!kept.isEmpty()) {
            store = kept.getFirst().state();
            kept.clear();
            servers++;
            lostAt = Math.max(now, storeDownUntil);
        }
    }

    private Member any() {
        return members.get(luck.nextInt(members.size()));
    }

    /** Sockets of the crashed count as instances: an instance is not replaced before they are closed. */
    private void join() {
        if (members.stream().filter(member -> !member.gone).count() + lingering.size() < rules.instancesMax()) {
            members.add(new Member());
        }
    }
}
