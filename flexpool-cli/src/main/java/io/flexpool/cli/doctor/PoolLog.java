// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import io.flexpool.cli.HikariLine;
import io.flexpool.cli.PoolFrames;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads an application's log for its pools: failed requests with the pool's figures, failed connects, and, by
 * {@link LeakReports}, reported leaks. Reads line by line, in constant memory. Not thread-safe.
 */
final class PoolLog {
    private static final int MOST_SOURCES = 1_000;
    private static final int STAMP = 19;
    /**
     * The time without another failed connect after which an outage is over; HikariCP's requests fail after 30 s by
     * default.
     */
    private static final Duration OVER = Duration.ofMinutes(5);

    /** A pool's message of a failed request; groups are its name and its figures, as far as the message has them. */
    private record Timeout(String pool, Pattern message) {
        Timeout(String pool, String message) {
            this(pool, Pattern.compile(message));
        }
    }

    static final String DRUID = "Druid";
    static final String C3P0 = "c3p0";
    static final String TOMCAT = "Tomcat JDBC";

    /** The timeouts of other pools than HikariCP, in the format of their newest versions. */
    private static final List<Timeout> TIMEOUTS = List.of(
            new Timeout(TOMCAT, "PoolExhaustedException: .{0,400}\\[size:(?<max>\\d{1,6}); busy:(?<active>\\d{1,6});"),
            new Timeout(
                    DRUID,
                    "GetConnectionTimeoutException: wait millis \\d+, active (?<active>\\d{1,6}), maxActive (?<max>\\d{1,6})"),
            new Timeout("Commons DBCP 2", "Cannot get a connection, pool error Timeout waiting for idle object"),
            new Timeout(C3P0, "SQLException: An attempt by a client to checkout a Connection has timed out"),
            new Timeout("Agroal", "SQLException: Sorry, acquisition timeout!"),
            // Vibur writes the message in its own log, too.
            new Timeout(
                    "Vibur",
                    "SQLTimeoutException: Pool (?<name>\\w{1,100})@[0-9a-f]+\\((?<active>\\d{1,6})/\\d+/(?<max>\\d{1,6})/.{0,20}, couldn't obtain SQL connection within "),
            new Timeout(
                    "Oracle UCP",
                    "UCP-(?:45064|45069)(?:.{0,100}borrowed:(?<active>\\d{1,6}), total:(?<total>\\d{1,6}),.{0,120} remainingCapacity:(?<rest>\\d{1,6}))?"));
    /** Druid's line at its start, with the name that the application gave the pool. */
    private static final Pattern DRUID_NAME = Pattern.compile("\\{dataSource-\\d+,(?<name>[^}]{1,100})} inited");

    /** The longest name of a pool that Spring Boot's layout truncates. */
    private static final int TRUNCATED = "[pool:housekeeper]".length() - 15;
    /** c3p0 reports a failed connect only after its last attempt, 30 s later by default. */
    private static final Pattern GAVE_UP = Pattern.compile("Acquisition Attempt Failed!!! Clearing pending acquires");

    static final Pattern FRAME = Pattern.compile("\\s*at (?<call>[^\\s(]+)\\((?<place>[^)]*)\\).*");
    /** A line that continues the previous line's trace; Logback's and Log4j's {@code %rEx} begin with the cause. */
    private static final Pattern CONTINUED =
            Pattern.compile("\\s*(?:(?:Caused by|Wrapped by|Causing|Suppressed): |\\.\\.\\. \\d).*");
    /** The begin of each line of a trace in Dropwizard's layout. */
    private static final String DROPWIZARD = "! ";

    /** The first line of a trace, which follows the logger's own line. */
    private static final Pattern TRACE = Pattern.compile(
            "[a-z_$][\\w$.]{0,300}?\\.[A-Z][\\w$]{0,200}?(?:Exception|Error|Throwable|Timeout)(?:: .*)?");

    private final Map<String, PoolFigures> figures = new LinkedHashMap<>();
    /** As {@link #figures}, of pools whose messages have no name, by the kind of pool. */
    private final Map<String, PoolFigures> unnamed = new LinkedHashMap<>();
    /**
     * The max sizes of Tomcat JDBC's pools, whose messages have no name: a pool whose request fails has opened all of
     * its connections.
     */
    private final Set<Integer> sizes = new TreeSet<>();
    /** The names of pools of Druid. */
    private final Set<String> druids = new LinkedHashSet<>();

    private final LeakReports leaks = new LeakReports();
    private final Map<String, Trace> traces = new HashMap<>();
    private Trace trace = new Trace();

    /** The failed requests by pool, as far as their messages have a name. */
    private final Map<String, Integer> failing = new TreeMap<>();

    private int timeouts;
    /** The timeouts of pools without any connection. */
    private int without;

    private int full;
    private int unreachable;
    private int gaveUp;
    /** The time of the last line with a time, and of the last failed connect; empty if unknown. */
    private String stamp = "";

    private String failed = "";
    /**
     * Whether the current event, without a failed connect, shows the only pool with all its connections: then an outage
     * is over.
     */
    private boolean whole;

    /** The current event of one program: several may write to one log. */
    private static final class Trace {
        private final LeakReports.Current leak = new LeakReports.Current();
        /** The first line of the current trace. */
        private String first = "";
        /** Whether the current trace has frames already. */
        private boolean framed;
        /** The line for which the current trace is counted as a failed connect; empty if it is not. */
        private String counted = "";
        /** Whether the current trace has a failed connect whose target is unknown yet. */
        private boolean undecided;
    }

    int timeouts() {
        return timeouts;
    }

    /** The number of failed requests by pool, as far as their messages have a name. */
    Map<String, Integer> failing() {
        return failing;
    }

    /** The number of failed requests of pools without any connection. */
    int withoutConnection() {
        return whole ? 0 : without;
    }

    int full() {
        return whole ? 0 : full;
    }

    int unreachable() {
        return whole ? 0 : unreachable;
    }

    /** Whether a pool has given up to connect, which it reports less often than failed requests. */
    boolean gaveUp() {
        return gaveUp > 0;
    }

    /** Whether all failed requests are of c3p0, which reports failed connects late. */
    boolean isOfC3p0() {
        return figures.isEmpty() && unnamed.keySet().equals(Set.of(C3P0));
    }

    /**
     * The number of reported leases that were not returned.
     *
     * @param pool the pool; null for all of them
     */
    int openLeaks(@Nullable String pool) {
        return leaks.open(reported -> pool == null || isOf(reported, pool));
    }

    /** Whether a report is of a pool. A report without a pool is of the only one. */
    private boolean isOf(String reported, String pool) {
        if (reported.equals(pool)) {
            return !reported.equals(DRUID) || druids.size() <= 1;
        }
        if (!figures.containsKey(pool) && !unnamed.containsKey(pool)) {
            // Its name is known from metrics.
            return figures.size() + unnamed.size() <= 1;
        }
        if (LeakReports.KINDS.containsValue(reported)) {
            return reported.equals(DRUID) && druids.contains(pool);
        }
        return reported.isEmpty()
                ? figures.size() == 1 && unnamed.isEmpty()
                : reported.length() <= TRUNCATED && pool.endsWith(reported);
    }

    /** The reported leaks. */
    LeakReports leaks() {
        return leaks;
    }

    /** The last figures of each pool with a name. */
    Map<String, PoolFigures> figures() {
        return figures;
    }

    /** The last figures of pools without a name, by the kind of pool. */
    Map<String, PoolFigures> unnamed() {
        return unnamed;
    }

    /** Whether the log is of several pools of Tomcat JDBC, which it does not name. */
    boolean hasSeveralOfTomcat() {
        return sizes.size() > 1
                || leaks.databases() > 1
                || (sizes.size() == 1 && leaks.mostSuspects() > sizes.iterator().next());
    }

    /** The max sizes of Tomcat JDBC's pools, in ascending order; empty if unknown. */
    Set<Integer> sizesOfTomcat() {
        return sizes;
    }

    /** Whether no request that failed for lack of a connection found one in use. */
    boolean showsNoUse() {
        return !(figures.isEmpty() && unnamed.isEmpty())
                && figures.values().stream().allMatch(each -> each.active() == 0)
                && unnamed.values().stream().allMatch(each -> each.active() == 0);
    }

    boolean isEmpty() {
        return figures.isEmpty()
                && unnamed.isEmpty()
                && timeouts + full + unreachable == 0
                && leaks.sites().isEmpty();
    }

    void line(String line) {
        line("", line);
    }

    /**
     * Reads a line.
     *
     * @param source the program that wrote it; its lines are not mixed with those of others
     */
    void line(String source, String line) {
        if (traces.size() >= MOST_SOURCES && !traces.containsKey(source)) {
            // The current events of the others lose their remaining lines.
            traces.clear();
        }
        trace = traces.computeIfAbsent(source, first -> new Trace());
        read(line.startsWith(DROPWIZARD) ? line.substring(DROPWIZARD.length()) : line);
    }

    private void read(String line) {
        if (line.isBlank()) {
            // Spring Boot's layout has an empty line before each exception.
            return;
        }
        Matcher frame = FRAME.matcher(line);
        if (frame.matches()) {
            trace.framed = true;
            leaks.frame(trace.leak, frame.group("call"), frame.group("place"));
            StackTraceElement at = trace.undecided ? ThreadDump.frame(frame.group("call"), frame.group("place")) : null;
            if (at != null && PoolFrames.usesConnection(at.getClassName())) {
                failedConnect(line);
            }
            return;
        }
        if (!CONTINUED.matcher(line).matches()) {
            full = full();
            unreachable = unreachable();
            without = withoutConnection();
            whole = false;
            // A trace is of the line before it.
            trace.counted = !trace.framed && TRACE.matcher(line).matches() ? trace.counted : "";
            trace.framed = false;
            trace.first = line;
            trace.undecided = false;
            stamp = hasDate(line) ? line.substring(0, STAMP) : stamp;
        }
        hikari(line);
        if (leaks.line(trace.leak, line)) {
            return;
        }
        gaveUp += GAVE_UP.matcher(line).find() ? 1 : 0;
        if (DriverMessages.isFullDatabase(line) || (DriverMessages.isFullServer(line) && isOfJdbc(line))) {
            full += isCounted(line) ? 0 : 1;
            whole = false;
        }
        if (DriverMessages.isUnreachableDatabase(line)
                || (DriverMessages.isUnreachableElsewhere(line) && isOfJdbc(line))) {
            failedConnect(line);
        } else if (DriverMessages.isUnreachableServer(line)) {
            trace.undecided = true;
            if (isOfJdbc(line)) {
                failedConnect(line);
            }
        }
        Matcher druid = DRUID_NAME.matcher(line);
        if (druid.find()) {
            druids.add(druid.group("name"));
        }
        for (Timeout each : TIMEOUTS) {
            Matcher timeout = each.message().matcher(line);
            if (timeout.find()) {
                timeout(each.pool(), timeout);
                return;
            }
        }
    }

    private void timeout(String pool, Matcher message) {
        timeouts++;
        int active = number(message, "active");
        int total = number(message, "total");
        int max = total < 0 ? number(message, "max") : total + number(message, "rest");
        // A request does not fail while a connection is idle.
        without += active == 0 ? 1 : 0;
        String name =
                pool.equals(DRUID) && druids.size() == 1 ? druids.iterator().next() : group(message, "name");
        PoolFigures last = active < 0 ? PoolFigures.NONE : new PoolFigures(max, active, -1);
        if (pool.equals(TOMCAT) && last.isFull()) {
            sizes.add(max);
        }
        if (name.isEmpty()) {
            unnamed.put(pool, hasSeveralOfTomcat() ? PoolFigures.NONE : last);
        } else {
            figures.put(name, last);
            failing.merge(name, 1, Integer::sum);
        }
    }

    /** Whether a line begins with a time such as {@code 2026-11-27T20:11:05}. */
    private static boolean hasDate(String line) {
        return line.length() > STAMP && line.charAt(4) == '-' && line.charAt(7) == '-' && line.charAt(13) == ':';
    }

    /** Whether the log continues long enough without another failed connect. */
    boolean isOutageOver() {
        LocalDateTime from = ThreadDump.time(failed);
        LocalDateTime to = ThreadDump.time(stamp);
        return from != null && to != null && from.plus(OVER).isBefore(to);
    }

    private boolean isOfJdbc(String line) {
        return DriverMessages.refersToJdbc(line) || DriverMessages.refersToJdbc(trace.first);
    }

    /**
     * Whether the trace of a failed connect is counted: its causes repeat the failure in other words. The same words again are of
     * another trace whose other lines are not in the file.
     */
    private boolean isCounted(String line) {
        boolean before = !trace.counted.isEmpty() && !trace.counted.equals(line);
        trace.counted = before ? trace.counted : line;
        return before;
    }

    private void failedConnect(String line) {
        unreachable += isCounted(line) ? 0 : 1;
        whole = false;
        failed = stamp;
        trace.undecided = false;
    }

    /** Reads HikariCP's figures and timeouts, in the formats of all versions. */
    private void hikari(String line) {
        int timeout = line.indexOf(HikariLine.TIMED_OUT);
        timeouts += timeout >= 0 ? 1 : 0;
        int at = line.indexOf(HikariLine.FIGURES, Math.max(0, timeout));
        HikariLine read;
        try {
            read = at < 0 ? null : HikariLine.at(line, at, null);
        } catch (NumberFormatException none) {
            return;
        }
        if (read != null) {
            // Lines have the max only since 6.0. At a timeout all connections are open, unless there are none, so the
            // total is the max.
            without += timeout >= 0 && read.total() == 0 ? 1 : 0;
            int max = read.max() > 0 ? read.max() : timeout >= 0 && read.total() > 0 ? read.total() : -1;
            figures.put(read.pool(), new PoolFigures(max, read.active(), read.waiting()));
            if (timeout >= 0) {
                failing.merge(read.pool(), 1, Integer::sum);
            }
            whole = figures.size() == 1 && max > 0 && read.active() >= max;
        } else if (timeout >= 0) {
            // Before 5.1 its message has the name alone; a line of level DEBUG may have had the figures.
            String pool = HikariLine.timeoutAt(line, timeout, null).pool();
            // Frameworks write text before the name, such as "Unable to acquire JDBC Connection [".
            pool = pool.substring(
                    1 + Math.max(Math.max(pool.lastIndexOf('['), pool.lastIndexOf('(')), pool.lastIndexOf('\'')));
            String known =
                    figures.keySet().stream().filter(pool::endsWith).findFirst().orElse(pool);
            if (!known.isEmpty()) {
                figures.putIfAbsent(known, PoolFigures.NONE);
                failing.merge(known, 1, Integer::sum);
            }
        }
    }

    static String group(Matcher of, String name) {
        try {
            String value = of.group(name);
            return value == null ? "" : value;
        } catch (IllegalArgumentException none) {
            return "";
        }
    }

    private static int number(Matcher of, String name) {
        String value = group(of, name);
        return value.isEmpty() ? -1 : Integer.parseInt(value);
    }
}
