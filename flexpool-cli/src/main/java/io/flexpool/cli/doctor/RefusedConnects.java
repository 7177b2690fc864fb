// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Failed connects to any server, from the JVM's log of its last 20 exceptions: {@code jcmd <pid> VM.events}. The log
 * has the threads, but not the servers. Immutable.
 *
 * @param threads the thread of each failed connect, by its address, which thread dumps have too
 */
record RefusedConnects(List<Long> threads) {
    static final RefusedConnects NONE = new RefusedConnects(List.of());
    /** The age up to which failed connects count; HikariCP pauses at most 10 s between attempts. */
    static final int SECONDS = 15;

    private static final int HEX = 16;
    private static final Pattern EVENT = Pattern.compile("(?m)^Event: (?<at>\\d{1,9}\\.\\d{1,9}) (?<rest>.*)$");
    private static final Pattern FAILED = Pattern.compile(
            "Thread 0x(?<id>[0-9a-f]{1,16}) Exception <a 'java/net/(?:ConnectException|NoRouteToHostException|UnknownHostException)'.*");

    /** Reads the failed connects of the last {@link #SECONDS} before the last event; a dump is an event too. */
    static RefusedConnects of(String events) {
        double last = 0;
        for (Matcher each = EVENT.matcher(events); each.find(); ) {
            last = Math.max(last, Double.parseDouble(each.group("at")));
        }
        List<Long> threads = new ArrayList<>();
        for (Matcher each = EVENT.matcher(events); each.find(); ) {
            Matcher failed = FAILED.matcher(each.group("rest"));
            if (failed.matches() && last - Double.parseDouble(each.group("at")) <= SECONDS) {
                threads.add(Long.parseUnsignedLong(failed.group("id"), HEX));
            }
        }
        return new RefusedConnects(List.copyOf(threads));
    }
}
