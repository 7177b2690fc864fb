// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import io.flexpool.cli.PoolFrames;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the reports of leaked connections in an application's log: the pools, the call sites, and the connections that
 * were returned afterwards. In constant memory. Not thread-safe.
 */
final class LeakReports {
    private static final int MOST_SITES = 1_000;

    /** The line before the acquiring stack of a leaked connection: HikariCP, Tomcat JDBC, DBCP 2, Druid, c3p0. */
    private static final Pattern LEAK = Pattern.compile(
            "Connection leak detection triggered for (?>(?<hikari>.{1,300}?)(?: on thread |, stack trace follows))"
                    + "|Connection has been (?:abandoned|marked suspect, possibly abandoned) PooledConnection\\[(?<tomcat>.{0,300}?)]"
                    + "|by the following (?<dbcp>code) has not been returned to the pool:"
                    + "|abandon connection, (?<druid>owner) thread: .{0,500}?, open stackTrace"
                    + "|stack trace by which the overdue (?<cpo>resource) was checked-out");
    /** The kinds of pools by the groups of {@link #LEAK}, as in {@link PoolLog}. HikariCP's have names. */
    static final Map<String, String> KINDS =
            Map.of("tomcat", PoolLog.TOMCAT, "dbcp", "Commons DBCP 2", "druid", PoolLog.DRUID, "cpo", PoolLog.C3P0);
    /** HikariCP's thread, which reports its leaks. Spring Boot's layout truncates it at its begin. */
    private static final Pattern HOUSEKEEPER = Pattern.compile("\\[(?<pool>[^\\[\\]]{1,100}?)[ :]housekeeper]");

    /** Agroal's line of a leak, which contains the stack and is repeated while the leak lasts. */
    private static final Pattern LEAK_WITH_STACK =
            Pattern.compile("Leaked connection (?<connection>.{1,300}) acquired at: \\[(?<stack>.*)");
    /** A line that may be between the leak's line and its stack. */
    private static final Pattern BEFORE_STACK = Pattern.compile(
            "Apparent connection leak detected|CallStack\\$Snapshot|DEBUG STACK TRACE: Overdue resource");
    /** Druid's line between the stack that acquired a connection and the current one of the same thread. */
    private static final Pattern OWNER = Pattern.compile("^ownerThread current state is ");

    private static final String USED_BY_DRUID = "com.alibaba.druid.pool.DruidPooled";

    /** The database in the text of a connection of H2, SQLite, HSQLDB or Derby. */
    private static final Pattern DATABASE =
            Pattern.compile("url=(?<url>[^\\s\\]]{1,200})|DATABASE = (?<derby>[^)]{1,200})");

    private static final Pattern RETURNED = Pattern.compile(
            "Previously reported leaked connection (?>(?<hikari>.{1,300}?) (?:on thread |was returned to the pool))"
                    + "|Connection\\(PooledConnection\\[(?<tomcat>.{0,300}?)]\\) that has been marked suspect was returned");

    private final Map<String, Integer> leaks = new LinkedHashMap<>();
    private final Set<String> methods = new LinkedHashSet<>();
    /** The leaked connections that Agroal has reported. */
    private final Set<String> known = new HashSet<>();
    /** The number of reported leases by pool: its kind, or HikariCP's name, which may be unknown. */
    private final Map<String, Integer> open = new HashMap<>();
    /** The pools of reported connections that are not returned. */
    private final Map<String, String> connections = new HashMap<>();
    /** The connections that Druid has closed, by the method that acquired them. */
    private final Map<String, Abandoned> abandoned = new LinkedHashMap<>();

    /** The failed statements of Druid, by method. */
    private final Map<String, Integer> failures = new HashMap<>();

    /** The databases of Tomcat JDBC's reported connections, as far as the texts of the connections have them. */
    private final Set<String> databases = new HashSet<>();

    private int returned;
    /** The highest number of connections of Tomcat JDBC that were suspect at once in one program. */
    private int mostSuspects;

    /** The report of one program that is read now. */
    static final class Current {
        /** Whether the following frames belong to a leak. */
        private boolean inLeak;

        private String pool = "";
        private String connection = "";
        /** The method of Druid's last leak, while its report is read. */
        private String acquirer = "";
        /** Whether the following frames are of that connection's owner, and whether it requests another one. */
        private boolean inOwner;

        private boolean requests;
        /** Whether a frame of Druid's statements was read, so that a frame of the application uses a connection. */
        private boolean used;
        /** The connections of Tomcat JDBC that are marked suspect. */
        private final Set<String> suspects = new HashSet<>();
    }

    /** The connections that Druid has closed of one method. */
    private static final class Abandoned {
        private final String site;
        private int count;
        /** The owners that were still in the method. */
        private int inMethod;

        Abandoned(String site) {
            this.site = site;
        }
    }

    /** The highest number of connections of Tomcat JDBC that were suspect at once in one program. */
    int mostSuspects() {
        return mostSuspects;
    }

    /** The number of databases of Tomcat JDBC's reported connections; 0 if unknown. */
    int databases() {
        return databases.size();
    }

    /** Whether all reports are of c3p0, which does not report that a connection is returned. */
    boolean hidesReturns() {
        return open.keySet().equals(Set.of(PoolLog.C3P0));
    }

    /** The number of reported leases of some pools that were not returned. */
    int open(Predicate<String> ofPool) {
        int all = -returned;
        for (Map.Entry<String, Integer> each : open.entrySet()) {
            if (ofPool.test(each.getKey())) {
                all += each.getValue() - (each.getKey().equals(PoolLog.DRUID) ? doubtful() : 0);
            }
        }
        return Math.max(0, all);
    }

    /** The number of Druid's reports of methods whose leases were in use: whether the other ones leaked is unknown. */
    private int doubtful() {
        Map<String, Integer> used = usedLeases();
        return abandoned.values().stream()
                .filter(each -> used.containsKey(each.site))
                .mapToInt(each -> each.count)
                .sum();
    }

    /** The call sites of reported leaks, with their counts. */
    Map<String, Integer> sites() {
        Map<String, Integer> all = new LinkedHashMap<>(leaks);
        usedLeases().forEach((site, used) -> all.merge(site, -used, Integer::sum));
        all.values().removeIf(count -> count <= 0);
        return all;
    }

    /** The call sites of leases that Druid has closed while they were used, with their counts. */
    Map<String, Integer> usedLeases() {
        Map<String, Integer> all = new LinkedHashMap<>();
        abandoned.forEach((method, each) -> {
            int used = Math.min(each.count, Math.max(each.inMethod, failures.getOrDefault(method, 0)));
            if (used > 0) {
                all.merge(each.site, used, Integer::sum);
            }
        });
        return all;
    }

    /** The methods that acquired leaked connections, with their classes. */
    Set<String> methods() {
        return methods;
    }

    /**
     * Reads a line without a frame.
     *
     * @return whether it begins a report
     */
    boolean line(Current current, String line) {
        current.used = false;
        current.inOwner = !current.acquirer.isEmpty() && OWNER.matcher(line).find();
        current.acquirer = current.inOwner ? current.acquirer : "";
        Matcher leak = LEAK.matcher(line);
        if (leak.find()) {
            begin(current, leak, line);
            return true;
        }
        current.inLeak = current.inLeak && BEFORE_STACK.matcher(line).find();
        Matcher inLine = LEAK_WITH_STACK.matcher(line);
        if (inLine.find() && known.size() < MOST_SITES && known.add(inLine.group("connection"))) {
            current.inLeak = true;
            current.pool = "Agroal";
            current.connection = "";
            for (String call : inLine.group("stack").split(", ", -1)) {
                Matcher each = PoolLog.FRAME.matcher("at " + call);
                if (each.matches()) {
                    leakFrame(current, each.group("call"), each.group("place"));
                }
            }
        }
        Matcher back = RETURNED.matcher(line);
        if (back.find()) {
            current.suspects.remove(PoolLog.group(back, "tomcat"));
            String pool = connections.remove(connection(back));
            if (pool == null) {
                returned++;
            } else {
                open.merge(pool, -1, Integer::sum);
            }
        }
        return false;
    }

    /** Reads a line with a frame. */
    void frame(Current current, String call, String place) {
        leakFrame(current, call, place);
        useFrame(current, call, place);
    }

    private void begin(Current current, Matcher leak, String line) {
        current.inLeak = true;
        current.acquirer = "";
        current.connection = connection(leak);
        current.pool = "";
        KINDS.forEach((group, kind) -> current.pool = leak.group(group) == null ? current.pool : kind);
        Matcher thread = HOUSEKEEPER.matcher(line);
        String tomcat = PoolLog.group(leak, "tomcat");
        if (!line.contains("marked suspect") || tomcat.isEmpty()) {
            current.suspects.remove(tomcat);
        } else if (current.suspects.size() < MOST_SITES) {
            current.suspects.add(tomcat);
        }
        mostSuspects = Math.max(mostSuspects, current.suspects.size());
        Matcher database = DATABASE.matcher(tomcat);
        if (database.find() && databases.size() < MOST_SITES) {
            databases.add(database.group());
        }
        if (leak.group("hikari") != null && thread.find()) {
            current.pool = thread.group("pool");
        }
    }

    /** The text of a connection; empty if the message has none. */
    private static String connection(Matcher of) {
        return PoolLog.group(of, "hikari") + PoolLog.group(of, "tomcat");
    }

    private void leakFrame(Current current, String call, String place) {
        StackTraceElement frame = current.inLeak ? ThreadDump.frame(call, place) : null;
        if (frame != null && PoolFrames.isApplication(frame.getClassName())) {
            current.inLeak = false;
            open.merge(current.pool, 1, Integer::sum);
            if (!current.connection.isEmpty() && connections.size() < MOST_SITES) {
                connections.put(current.connection, current.pool);
            }
            if (leaks.size() < MOST_SITES) {
                leaks.merge(Stacks.words(frame), 1, Integer::sum);
                methods.add(Stacks.method(frame));
            }
            if (current.pool.equals(PoolLog.DRUID) && abandoned.size() < MOST_SITES) {
                current.acquirer = Stacks.method(frame);
                abandoned.computeIfAbsent(current.acquirer, method -> new Abandoned(Stacks.words(frame))).count++;
                current.requests = false;
            }
        }
    }

    /** A frame that shows a connection of Druid in use: its owner is in the method, or the method's statement fails. */
    private void useFrame(Current current, String call, String place) {
        StackTraceElement frame = ThreadDump.frame(call, place);
        if (frame == null) {
            return;
        }
        if (current.inOwner) {
            current.requests |= PoolFrames.isRequest(Stacks.method(frame));
            if (Stacks.method(frame).equals(current.acquirer)) {
                Abandoned of = abandoned.get(current.acquirer);
                if (of != null && !current.requests) {
                    of.inMethod++;
                }
                current.inOwner = false;
                current.acquirer = "";
            }
        } else if (current.acquirer.isEmpty()) {
            if (frame.getClassName().startsWith(USED_BY_DRUID)) {
                current.used = true;
            } else if (current.used && PoolFrames.isApplication(frame.getClassName()) && failures.size() < MOST_SITES) {
                current.used = false;
                failures.merge(Stacks.method(frame), 1, Integer::sum);
            }
        }
    }
}
