// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import io.flexpool.cli.doctor.ServerSessions.Session;
import io.flexpool.cli.doctor.Stacks.Role;
import io.flexpool.diagnostics.Explanation.Cause;
import io.flexpool.diagnostics.OpenLease.OtherWork;
import io.flexpool.spi.Texts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds the cause in the evidence; without sufficient evidence the cause stays unknown. For one reading. */
final class Diagnosis {
    /** The share of the holders from which they count as the cause. */
    private static final double HALF = 0.5;

    private static final int MOST_SITES = 4;

    private static final String STARVED =
            "A larger pool would not help while threads wait for a processor. Check the load"
                    + " of this machine, and the limit of the container.";

    private final Evidence evidence;
    private final Outages outages;
    private final Set<String> acquiring = new HashSet<>();
    private final List<Holder> holders = new ArrayList<>();
    private final List<DumpedThread> waiting = new ArrayList<>();
    private final Set<String> kinds = new TreeSet<>();
    private int second;
    /** The number of threads that wait for a second connection, but may have returned their first. */
    private int mayNest;
    /** Whether threads that execute statements hold most connections. */
    private boolean executing;
    /** Whether no request waits, so that nothing needs an explanation. */
    private boolean quiet;

    Diagnosis(Evidence evidence) {
        this.evidence = evidence;
        this.outages = new Outages(evidence);
        this.acquiring.addAll(evidence.log().leaks().methods());
        for (ThreadDump dump : evidence.dumps()) {
            for (DumpedThread thread : dump.threads()) {
                StackTraceElement acquirer = Stacks.acquirer(thread.stack());
                if (acquirer != null) {
                    acquiring.add(Stacks.method(acquirer));
                }
            }
        }
        if (!evidence.dumps().isEmpty()) {
            look(evidence.dumps().get(evidence.dumps().size() - 1));
        }
    }

    /**
     * A thread that certainly or possibly holds a connection.
     *
     * @param site its position; null without a frame of the application
     * @param work its work; null if it executes a statement, or if unknown
     * @param dumps the number of consecutive dumps at the same position
     */
    record Holder(
            DumpedThread thread,
            Role role,
            @Nullable StackTraceElement site,
            @Nullable OtherWork work,
            int dumps) {}

    /**
     * The result.
     *
     * @param cause the cause; null if unknown
     * @param evidence the evidence, as sentences
     * @param quiet whether no request waits, so that nothing needs an explanation
     * @param waiting the number of waiting requests; -1 if unknown
     * @param sites the holders by position and work, with their counts
     * @param measured waits and leases, from a method trace
     * @param missing the missing evidence, as sentences
     */
    record Answer(
            String pool,
            @Nullable Cause cause,
            List<String> evidence,
            boolean quiet,
            int waiting,
            PoolFigures figures,
            Map<String, Integer> sites,
            List<String> server,
            List<String> measured,
            String advice,
            List<String> missing) {}

    private void look(ThreadDump last) {
        for (DumpedThread thread : last.threads()) {
            Role role = Stacks.role(thread.stack(), acquiring);
            String pool = Stacks.pool(thread);
            if (pool != null) {
                kinds.add(pool);
                waiting.add(thread);
            }
            if (role == Role.WAITS_FOR_SECOND) {
                second++;
            } else if (role == Role.MAY_WAIT_FOR_SECOND) {
                mayNest++;
            } else if (role != Role.WAITS && role != Role.NONE) {
                StackTraceElement site = Stacks.site(thread.stack(), role, acquiring);
                OtherWork work = role == Role.EXECUTES ? null : Stacks.work(thread);
                holders.add(new Holder(thread, role, site, work, repeated(thread, role, site)));
            }
        }
    }

    /** The number of consecutive dumps, back from the last, in which a thread has the same position and role. */
    private int repeated(DumpedThread thread, Role role, @Nullable StackTraceElement site) {
        int count = 1;
        for (int at = evidence.dumps().size() - 2; at >= 0; at--) {
            boolean same = false;
            for (DumpedThread each : evidence.dumps().get(at).threads()) {
                same = same
                        || (each.name().equals(thread.name())
                                && Stacks.role(each.stack(), acquiring) == role
                                && site != null
                                && site.equals(Stacks.site(each.stack(), role, acquiring)));
            }
            if (!same) {
                break;
            }
            count++;
        }
        return count;
    }

    Answer answer() {
        List<String> why = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        Cause cause = cause(why, missing);
        ProcessorTime processors = evidence.processors();
        ProcessorTime starved = quiet || processors == null || !processors.isStarved() ? null : processors;
        if (starved != null) {
            why.add(starved.words());
            // If leases are long for lack of processors, a larger pool would only make more threads wait for
            // processors.
            cause = cause == Cause.DEMAND ? null : cause;
        }
        long hidden = evidence.sessions() == null ? 0 : evidence.sessions().count(Session::isHidden);
        if (hidden > 0) {
            missing.add(hidden + (hidden == 1 ? " session" : " sessions")
                    + " of other users: grant pg_monitor to the user that reads pg_stat_activity");
        }
        PoolFigures figures = figures();
        int waits = waiting.isEmpty() ? figures.pending() : waiting.size();
        LeaseTimes times = evidence.times();
        List<String> measured = times == null || times.isEmpty() ? List.of() : times.lines(MOST_SITES);
        return new Answer(
                pool(),
                cause,
                why,
                quiet,
                waits,
                figures,
                sites(cause),
                server(),
                measured,
                cause == null && starved != null ? STARVED : advice(cause),
                missing);
    }

    private @Nullable Cause cause(List<String> why, List<String> missing) {
        // An outage in a long log may be over if threads hold connections.
        boolean over = !waiting.isEmpty() && evidence.log().isOutageOver();
        // One of two pools may have an outage while the other is exhausted.
        boolean held = !holders.isEmpty() || second > 0 || (!waiting.isEmpty() && outages.hasSeveralPools());
        Cause outage = held ? null : outages.thrown(why);
        outage = outage == null && holders.isEmpty() && second == 0 && !over ? outages.logged(why) : outage;
        if (outage != null) {
            return outage;
        }
        if (evidence.dumps().isEmpty()) {
            return withoutDumps(why, missing);
        }
        Cause connecting = held ? null : outages.connecting(why, missing, !waiting.isEmpty());
        if (connecting != null) {
            return connecting;
        }
        if (waiting.isEmpty()
                && evidence.log().timeouts() == 0
                && !figures().isFull()
                && figures().pending() <= 0) {
            if (evidence.dumps().stream().allMatch(ThreadDump::lacksVirtualThreads)) {
                missing.add(
                        "virtual threads, which these dumps leave out: run jcmd <pid> Thread.dump_to_file -format=json dump.json");
                return null;
            }
            why.add("no request waits for a connection in this evidence");
            if (outages.unknownServer(why, missing)) {
                return null;
            }
            quiet = true;
            missing.add("dumps taken while requests wait: run jcmd <pid> Thread.print > dump.txt, three times");
            return null;
        }
        Cause byThreads = byThreads(why, missing);
        // Ignores the server's sessions unless threads wait for the server.
        boolean served = byThreads == Cause.HELD
                || (byThreads == null
                        && (executing || evidence.dumps().stream().allMatch(ThreadDump::lacksVirtualThreads)));
        Cause byServer = served ? byServer(why) : null;
        if (byServer != null) {
            return byServer;
        }
        if (byThreads == Cause.DEMAND && outages.refused() > 0) {
            return outages.full(why);
        }
        if (byThreads == Cause.HELD && evidence.sessions() == null) {
            missing.add("whether the holders wait for locks or the server's work: give --jdbc-url, or run psql --csv -c"
                    + " 'select *, pg_blocking_pids(pid) as blocked_by from pg_stat_activity' > sessions.csv");
        }
        return byThreads;
    }

    private @Nullable Cause withoutDumps(List<String> why, List<String> missing) {
        PoolLog log = evidence.log();
        missing.add("the holders and their work: run jcmd <pid> Thread.print > dump.txt, three times");
        if (hasSeveralFailing()) {
            log.failing().forEach((pool, failed) -> why.add(failing(pool, failed)));
            return null;
        }
        if (PoolLog.TOMCAT.equals(only()) && log.hasSeveralOfTomcat()) {
            why.add("the log has several pools of Tomcat JDBC, without their names"
                    + (log.sizesOfTomcat().size() > 1
                            ? ", of "
                                    + log.sizesOfTomcat().stream()
                                            .map(String::valueOf)
                                            .collect(Collectors.joining(", "))
                                    + " connections"
                            : ""));
            missing.add("which pool of Tomcat JDBC has no connection free: give a scrape of the pools' metrics");
        }
        Cause byServer = byServer(why);
        if (byServer != null) {
            return byServer;
        }
        int open = openLeaks();
        if (open > 0) {
            why.add(
                    log.leaks().hidesReturns()
                            ? open + (open == 1 ? " lease was" : " leases were") + " reported as overdue"
                            : open + " of the reported leases were not returned afterwards");
            return open >= HALF * Math.max(1, figures().active()) && figures().active() > 0 ? Cause.LEAK : null;
        }
        int used = log.leaks().usedLeases().values().stream()
                .mapToInt(Integer::intValue)
                .sum();
        if (used > 0) {
            why.add(used + (used == 1 ? " lease was" : " leases were") + " in use when Druid closed the connection");
        }
        if (log.isOfC3p0()) {
            missing.add("whether c3p0 can connect: it reports failed connects after acquireRetryAttempts x"
                    + " acquireRetryDelay, 30 s by default; give a longer log");
        }
        if (log.timeouts() > 0) {
            why.add(log.timeouts() + (log.timeouts() == 1 ? " request" : " requests")
                    + " failed: no connection was free");
        }
        return null;
    }

    /** Whether the log has failed requests of several pools, which may have several causes. */
    private boolean hasSeveralFailing() {
        return evidence.scraped().isEmpty() && evidence.log().failing().size() > 1;
    }

    private String failing(String pool, int failed) {
        PoolFigures figures = allFigures().getOrDefault(pool, PoolFigures.NONE);
        int open = evidence.log().openLeaks(pool);
        return pool + ": " + Texts.count(failed, "request") + " failed"
                + (figures.isFull() ? ", " + figures.active() + " of " + figures.max() + " connections in use" : "")
                + (open > 0 ? ", " + open + " reported as leaked and not returned" : "");
    }

    /** The open leaks of the pool whose figures are known, or of all. */
    private int openLeaks() {
        return evidence.log().openLeaks(only());
    }

    private @Nullable Cause byThreads(List<String> why, List<String> missing) {
        int active = figures().active();
        if (openLeaks() > 0 && active > 0 && holders.size() < HALF * active) {
            why.add(openLeaks() + " of " + active + " connections were reported as leaked and not returned");
            return Cause.LEAK;
        }
        Holdings holdings = holdings();
        Holdings.Kind most = holdings.most(active, executed(), evidence.dumps().size());
        executing = most == Holdings.Kind.EXECUTING;
        switch (most) {
            case NONE -> {
                why.add("no stack of the dump shows a thread that holds a connection");
                if (outages.unknownServer(why, missing)) {
                    return null;
                }
                missing.add("the code that took the connections: set"
                        + " spring.datasource.hikari.leak-detection-threshold=10000, and read the log");
                return null;
            }
            case NESTED -> {
                int known = holders.size() + second;
                if (second > 0) {
                    why.add(second + " of " + known
                            + " holders wait for a second connection (seen in their stack traces)");
                }
                add(
                        why,
                        mayNest,
                        " waits for a connection and may hold another one",
                        " wait for a connection and may hold another one");
                return Cause.NESTED;
            }
            case BEHIND -> {
                int behind = holdings.behind() + holdings.mayBehind();
                why.add(behind + (behind == 1 ? " thread waits" : " threads wait")
                        + " for a lock, and the owner of the lock waits for a connection");
                return Cause.LOCK_INVERSION;
            }
            default -> {
                long running = count(Role.EXECUTES);
                add(why, running, " runs a statement", " run a statement");
                add(
                        why,
                        count(Role.HOLDS),
                        " is in a transaction and runs no statement",
                        " are in a transaction and run no statement");
                add(why, count(Role.MAY_HOLD), " may hold a connection", " may hold a connection");
                add(
                        why,
                        mayNest,
                        " waits for a connection and may hold another one",
                        " wait for a connection and may hold another one");
                if (most == Holdings.Kind.OPEN) {
                    missing.add(
                            "how many of these threads hold a connection: give a scrape of the pool's metrics, or its log");
                    return null;
                }
                return executing ? executing(why, missing, running) : Cause.HELD_IDLE;
            }
        }
    }

    private Holdings holdings() {
        int behind = 0;
        int mayBehind = 0;
        int mayIdle = 0;
        int idle = 0;
        for (DumpedThread thread :
                evidence.dumps().get(evidence.dumps().size() - 1).threads()) {
            Role role = Stacks.role(thread.stack(), acquiring);
            boolean waits = waitsForAWaiter(thread);
            behind += waits && role == Role.HOLDS ? 1 : 0;
            mayBehind += waits && (role == Role.MAY_HOLD || role == Role.NONE) ? 1 : 0;
            idle += !waits && role == Role.HOLDS ? 1 : 0;
            mayIdle += !waits && role == Role.MAY_HOLD ? 1 : 0;
        }
        return new Holdings((int) count(Role.EXECUTES), idle, second, behind, mayIdle, mayNest, mayBehind);
    }

    /** Whether a thread ran a statement in one of the dumps. */
    private boolean executed() {
        return evidence.dumps().stream()
                .flatMap(dump -> dump.threads().stream())
                .anyMatch(thread -> Stacks.role(thread.stack(), acquiring) == Role.EXECUTES);
    }

    private @Nullable Cause executing(List<String> why, List<String> missing, long executing) {
        if (evidence.dumps().size() < 2) {
            missing.add("whether the same statements run for long: take two more dumps, 1 s apart");
            return null;
        }
        long same = holders.stream()
                .filter(each -> each.role() == Role.EXECUTES
                        && each.dumps() == evidence.dumps().size())
                .count();
        why.add(same + " of " + executing + " run the same statement in all "
                + evidence.dumps().size() + " dumps");
        return same >= HALF * executing ? Cause.HELD : Cause.DEMAND;
    }

    private static void add(List<String> why, long threads, String one, String several) {
        if (threads > 0) {
            why.add(threads + (threads == 1 ? " thread" + one : " threads" + several));
        }
    }

    private long count(Role role) {
        return holders.stream().filter(each -> each.role() == role).count();
    }

    /**
     * Whether a thread waits for a lock at a place that the lock's owner has passed, so that it has not requested a
     * connection yet.
     */
    private boolean waitsForAWaiter(DumpedThread thread) {
        String lock = thread.waitsFor();
        StackTraceElement at = Stacks.requester(thread.stack());
        return lock != null
                && waiting.stream()
                        .anyMatch(each -> each.owns().contains(lock)
                                && (at == null
                                        || each.stack().stream()
                                                .noneMatch(frame ->
                                                        Stacks.method(frame).equals(Stacks.method(at)))));
    }

    private @Nullable Cause byServer(List<String> why) {
        ServerSessions server = evidence.sessions();
        if (server == null) {
            return null;
        }
        long locked = server.count(Session::waitsForLock);
        long busy = server.count(each -> each.runs() && !each.waitsForLock());
        if (locked > 0 && locked >= HALF * (locked + busy)) {
            why.add(locked + " sessions of the server wait for locks");
            Session blocker = server.firstBlocker();
            if (blocker == null) {
                return Cause.BLOCKED;
            }
            boolean own = server.sessions().stream()
                    .anyMatch(each -> each.waitsForLock()
                            && !each.application().isEmpty()
                            && each.application().equals(blocker.application())
                            && each.client().equals(blocker.client()));
            return own ? Cause.BLOCKED_BY_HOLDER : Cause.BLOCKED_BY_OTHER;
        }
        // Otherwise these may be sessions of any application.
        if (busy > 0
                && (executing
                        || (figures().active() > 0 && busy >= HALF * figures().active()))) {
            why.add(busy + " sessions of the server run a statement, and do not wait for locks");
            return Cause.SLOW_DATABASE;
        }
        return null;
    }

    private List<String> server() {
        ServerSessions server = evidence.sessions();
        List<String> lines = new ArrayList<>();
        if (server != null) {
            lines.add(server.count(Session::runs) + " active, " + server.count(Session::waitsForLock)
                    + " of them wait for locks, " + server.count(Session::isIdleInTransaction)
                    + " idle in transaction");
            Session blocker = server.firstBlocker();
            if (blocker != null) {
                lines.add("first blocker: pid " + blocker.pid() + ", " + blocker.state()
                        + (blocker.application().isEmpty() ? "" : ", application " + blocker.application()));
            }
        }
        return lines;
    }

    private String pool() {
        String one = only();
        if (PoolLog.TOMCAT.equals(one) && evidence.log().hasSeveralOfTomcat()) {
            return "several pools of " + one;
        }
        if (one == null && hasSeveralFailing()) {
            return String.join(", ", evidence.log().failing().keySet());
        }
        return one != null ? one : kinds.isEmpty() ? "the pool" : String.join(", ", kinds);
    }

    /** The only pool with waiting requests, or the only full pool; null without one, or with several. */
    private static @Nullable String exhausted(Map<String, PoolFigures> all) {
        List<String> waitedFor = all.entrySet().stream()
                .filter(each -> each.getValue().pending() > 0)
                .map(Map.Entry::getKey)
                .toList();
        List<String> full = all.entrySet().stream()
                .filter(each -> each.getValue().isFull())
                .map(Map.Entry::getKey)
                .toList();
        List<String> found = waitedFor.isEmpty() ? full : waitedFor;
        return found.size() == 1 ? found.get(0) : null;
    }

    /** The figures of all pools; a scrape overrides a log, because it is newer. */
    private Map<String, PoolFigures> allFigures() {
        Map<String, PoolFigures> all = new HashMap<>(evidence.log().figures());
        // A scrape has their names.
        if (evidence.scraped().isEmpty()) {
            all.putAll(evidence.log().unnamed());
        }
        all.putAll(evidence.scraped());
        return all;
    }

    private PoolFigures figures() {
        Map<String, PoolFigures> all = allFigures();
        String one = only();
        return one == null ? PoolFigures.NONE : all.getOrDefault(one, PoolFigures.NONE);
    }

    /** The only pool, or the only exhausted one; null without one. */
    private @Nullable String only() {
        Map<String, PoolFigures> all = allFigures();
        return all.size() == 1 ? all.keySet().iterator().next() : hasSeveralFailing() ? null : exhausted(all);
    }

    private Map<String, Integer> sites(@Nullable Cause cause) {
        Map<String, Integer> sites = new LinkedHashMap<>();
        for (Holder each : holders) {
            String at = each.site() == null ? "an unknown call site" : Stacks.words(each.site());
            String what = switch (each.role()) {
                case EXECUTES -> "runs a statement";
                case HOLDS ->
                    "in a transaction"
                            + (each.work() == null ? "" : " " + each.work().words());
                default ->
                    "may hold a connection"
                            + (each.work() == null ? "" : " " + each.work().words());
            };
            sites.merge(at + ": " + what, 1, Integer::sum);
        }
        for (DumpedThread each : waiting) {
            Role role = Stacks.role(each.stack(), acquiring);
            if (role == Role.WAITS_FOR_SECOND || (role == Role.MAY_WAIT_FOR_SECOND && cause == Cause.NESTED)) {
                StackTraceElement site = Stacks.requester(each.stack());
                sites.merge(
                        (site == null ? "an unknown call site" : Stacks.words(site))
                                + ": waits for a second connection",
                        1,
                        Integer::sum);
            }
        }
        if (holders.isEmpty() && !evidence.dumps().isEmpty()) {
            for (DumpedThread each :
                    evidence.dumps().get(evidence.dumps().size() - 1).threads()) {
                StackTraceElement site = waitsForAWaiter(each) ? Stacks.requester(each.stack()) : null;
                if (site != null) {
                    sites.merge(
                            Stacks.words(site) + ": may hold a connection while waiting for a lock", 1, Integer::sum);
                }
            }
        }
        evidence.log()
                .leaks()
                .sites()
                .forEach((site, count) -> sites.merge(site + ": reported as leaked", count, Integer::sum));
        evidence.log()
                .leaks()
                .usedLeases()
                .forEach((site, count) ->
                        sites.merge(site + ": in use when the pool closed its connection", count, Integer::sum));
        return sites;
    }

    private String advice(@Nullable Cause cause) {
        if (cause == null) {
            return "none while the cause is unknown";
        }
        return switch (cause) {
            case DEMAND -> "More connections may help. Measure how many with 'flexpool advise'.";
            case CONNECT_FAILURE, OPENING ->
                "A larger pool would not help. Check that the database runs, can be reached, and accepts the user.";
            case SERVER_FULL -> "A larger pool would make it worse. Add up all pools with 'flexpool budget'.";
            case NESTED -> "A larger pool does not remove the cause. Use the connection that the thread already holds.";
            case LEAK -> "A larger pool would fill up too. Close the connection in the code above.";
            case LOCK_INVERSION -> "A larger pool would not help. Request the connection before the lock.";
            case BLOCKED, BLOCKED_BY_HOLDER, BLOCKED_BY_OTHER, BLOCKED_BY_DDL ->
                "A larger pool would not help. To free the lock now, end the session that blocks the others; in the code,"
                        + " shorten its transaction.";
            case SLOW_DATABASE, SERVER_BUSY -> "A larger pool adds load. Find the statements that run longest.";
            case HELD_IDLE ->
                "A larger pool would not help. Do not hold the connection during other work (call sites above).";
            default ->
                "A larger pool is unlikely to help. "
                        + (evidence.sessions() == null
                                ? "Give --jdbc-url, so that doctor reads the sessions of the database server."
                                : "Check the sessions of the database server.");
        };
    }
}
