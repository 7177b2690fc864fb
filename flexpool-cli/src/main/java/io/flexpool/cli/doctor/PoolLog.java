// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import io.flexpool.cli.PoolFrames;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a log of an application shows of its pools: failed requests with the pool's figures, reported leaks with their call sites,
 * and connects that failed. Line by line, in a memory that does not depend on the log's length. Not thread-safe.
 */
final class PoolLog {
    private static final int MOST_SITES = 1_000;

    /** Of each pool as its newest version writes it; HikariCP's figures since 5.1. */
    private static final List<Pattern> TIMEOUTS = List.of(
            Pattern.compile(
                    "(?<pool>[^\\s:]+) - Connection is not available, request timed out after \\d+ms"
                            + "(?:\\.| \\(total=(?<total>\\d+)(?:/(?<max>\\d+))?, (?:active=(?<active>\\d+), idle=\\d+(?:/\\d+)?|idle=\\d+(?:/\\d+)?, active=(?<active2>\\d+)), waiting=(?<waiting>\\d+)\\))?"),
            Pattern.compile(
                    "PoolExhaustedException: \\[(?<thread>[^]]*)] Timeout: Pool empty\\..*\\[size:(?<total>\\d+); busy:(?<active>\\d+);"),
            Pattern.compile("Cannot get a connection, pool error Timeout waiting for idle object"),
            Pattern.compile("wait millis \\d+, active (?<active>\\d+), maxActive (?<max>\\d+)"),
            Pattern.compile("An attempt by a client to checkout a Connection has timed out"),
            Pattern.compile("Sorry, acquisition timeout!"));

    private static final Pattern LEAK =
            Pattern.compile("Connection leak detection triggered for .* on thread (?<thread>.+?), stack trace follows");
    private static final Pattern RETURNED =
            Pattern.compile("Previously reported leaked connection .* was returned to the pool");
    private static final Pattern FRAME = Pattern.compile("\\s*at (?<call>[^\\s(]+)\\((?<place>[^)]*)\\).*");
    private static final Pattern FULL = Pattern.compile(
            "(?i)too many clients already|remaining connection slots are reserved|Too many connections|ORA-00018|ORA-12516|ORA-12519|ORA-12520");
    private static final Pattern UNREACHABLE = Pattern.compile(
            "Connection to \\S+ refused|Communications link failure|The connection attempt failed|UnknownHostException|No route to host"
                    + "|the database system is (?:starting up|shutting down)|ORA-12541|ConnectException: Connection refused|ORA-12514|Socket fail to connect to host");

    private final Map<String, PoolFigures> failures = new LinkedHashMap<>();
    private final Map<String, Integer> leaks = new LinkedHashMap<>();
    private final Set<String> methods = new LinkedHashSet<>();
    private int timeouts;
    private int full;
    private int unreachable;
    private int returned;
    /** Whether the frames that follow are those of a leak. */
    private boolean inLeak;
    /** Whether a pool wrote into the log at all. */
    private boolean ofPool;

    int timeouts() {
        return timeouts;
    }

    int full() {
        return full;
    }

    int unreachable() {
        return unreachable;
    }

    int returned() {
        return returned;
    }

    /** Call sites of reported leaks, each with its count. */
    Map<String, Integer> leaks() {
        return leaks;
    }

    /** The methods in which leaked connections were acquired, with their classes. */
    Set<String> leakingMethods() {
        return methods;
    }

    /** The figures of the last failed request of each pool. */
    Map<String, PoolFigures> failures() {
        return failures;
    }

    boolean isEmpty() {
        return !ofPool && timeouts + full + unreachable == 0 && leaks.isEmpty();
    }

    void line(String line) {
        Matcher frame = FRAME.matcher(line);
        if (frame.matches()) {
            leakFrame(frame.group("call"), frame.group("place"));
            return;
        }
        ofPool = ofPool || line.contains(" stats (total=");
        Matcher leak = LEAK.matcher(line);
        if (leak.find()) {
            inLeak = true;
            return;
        }
        // The exception that has the stack of the leak.
        inLeak = inLeak && line.contains("Apparent connection leak detected");
        returned += RETURNED.matcher(line).find() ? 1 : 0;
        full += FULL.matcher(line).find() ? 1 : 0;
        unreachable += UNREACHABLE.matcher(line).find() ? 1 : 0;
        for (Pattern each : TIMEOUTS) {
            Matcher timeout = each.matcher(line);
            if (timeout.find()) {
                timeouts++;
                String pool = group(timeout, "pool");
                int active = number(timeout, "active");
                active = active < 0 ? number(timeout, "active2") : active;
                int max = number(timeout, "max");
                failures.put(
                        pool,
                        new PoolFigures(max < 0 ? number(timeout, "total") : max, active, number(timeout, "waiting")));
                return;
            }
        }
    }

    private void leakFrame(String call, String place) {
        StackTraceElement frame = inLeak ? ThreadDump.frame(call, place) : null;
        if (frame != null && PoolFrames.isApplication(frame.getClassName())) {
            inLeak = false;
            if (leaks.size() < MOST_SITES) {
                leaks.merge(Stacks.words(frame), 1, Integer::sum);
                methods.add(Stacks.method(frame));
            }
        }
    }

    private static String group(Matcher of, String name) {
        try {
            String value = of.group(name);
            return value == null ? "" : value;
        } catch (IllegalArgumentException none) {
            return "";
        }
    }

    private static int number(Matcher of, String name) {
        String value = group(of, name);
        return value.isEmpty() || value.length() > 6 ? -1 : Integer.parseInt(value);
    }
}
