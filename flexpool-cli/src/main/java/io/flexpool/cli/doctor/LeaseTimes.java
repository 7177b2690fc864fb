// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import io.flexpool.advisor.LeaseTrace.Ending;
import io.flexpool.cli.MethodTrace;
import io.flexpool.spi.Texts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Waits and leases from the method trace of a flight recording. Immutable.
 *
 * @param failed the number of requests without a connection
 * @param ended why the trace ended early; empty if complete
 * @param thrown the exceptions of drivers and pools: class and message, with their counts
 */
record LeaseTimes(List<Duration> waits, List<Site> sites, int failed, String ended, Map<String, Integer> thrown) {
    /**
     * The leases of one call site.
     *
     * @param ended the durations of the ended leases
     * @param open the durations of the open leases so far
     */
    record Site(String name, List<Duration> ended, List<Duration> open) {
        Duration held() {
            Duration sum = Duration.ZERO;
            for (Duration each : ended) {
                sum = sum.plus(each);
            }
            for (Duration each : open) {
                sum = sum.plus(each);
            }
            return sum;
        }
    }

    boolean isEmpty() {
        return waits.isEmpty() && failed == 0;
    }

    /** A copy with the reason why the trace ended early. */
    LeaseTimes endedBy(String reason) {
        return new LeaseTimes(waits, sites, failed, reason, thrown);
    }

    /** Reads a recording. */
    static LeaseTimes of(MethodTrace.Read recording) {
        List<Duration> waits = new ArrayList<>();
        Map<String, Site> sites = new HashMap<>();
        int failed = 0;
        for (MethodTrace.Leases leases : recording.leases().values()) {
            failed += leases.untimed();
            for (MethodTrace.Lease each : leases.leases()) {
                if (each.ending() == Ending.TIMED_OUT) {
                    failed++;
                    continue;
                }
                waits.add(each.waited());
                Site site = sites.computeIfAbsent(
                        name(each), unknown -> new Site(unknown, new ArrayList<>(), new ArrayList<>()));
                (each.ending() == Ending.OPEN ? site.open() : site.ended()).add(each.held());
            }
        }
        List<Site> ordered = new ArrayList<>(sites.values());
        ordered.sort(Comparator.comparing(Site::held).reversed());
        return new LeaseTimes(List.copyOf(waits), List.copyOf(ordered), failed, "", recording.thrown());
    }

    private static String name(MethodTrace.Lease lease) {
        String method = lease.site();
        int dot = method.lastIndexOf('.');
        return dot < 0
                ? "an unknown call site"
                : method.substring(method.lastIndexOf('.', dot - 1) + 1) + "(line " + lease.line() + ")";
    }

    /** The minimum number of failed connects: each may throw an exception of the network and one of the driver. */
    int unreachable() {
        return Math.max(
                count(text -> text.startsWith("java.net.") && DriverMessages.isUnreachable(text)),
                count(text -> !text.startsWith("java.net.") && DriverMessages.isUnreachable(text)));
    }

    /** The number of connects that failed because the server had no session left. */
    int full() {
        return count(DriverMessages::isFull);
    }

    private int count(Predicate<String> which) {
        return thrown.entrySet().stream()
                .filter(each -> which.test(each.getKey()))
                .mapToInt(Map.Entry::getValue)
                .sum();
    }

    /** One line for all requests, then one for each of the sites with the longest leases. */
    List<String> lines(int most) {
        List<String> lines = new ArrayList<>();
        if (waits.isEmpty()) {
            lines.add(failed + (failed == 1 ? " request" : " requests") + " failed, and no other was recorded");
        } else {
            lines.add(Texts.count(waits.size(), "request") + " waited " + quantiles(waits)
                    + (failed == 0 ? "" : ", " + failed + " more failed"));
        }
        for (Site each : sites.subList(0, Math.min(most, sites.size()))) {
            String ended = each.ended().isEmpty()
                    ? ""
                    : Texts.count(each.ended().size(), "lease") + " of " + quantiles(each.ended());
            String open = each.open().isEmpty()
                    ? ""
                    : each.open().size() + " still open, the oldest for "
                            + shown(each.open().stream()
                                    .max(Comparator.naturalOrder())
                                    .orElse(Duration.ZERO));
            lines.add(each.name() + ": " + ended + (ended.isEmpty() || open.isEmpty() ? "" : ", ") + open);
        }
        if (!ended.isEmpty()) {
            lines.add("the trace ended early: " + ended);
        }
        return lines;
    }

    private static String quantiles(List<Duration> durations) {
        List<Duration> sorted = new ArrayList<>(durations);
        sorted.sort(Comparator.naturalOrder());
        if (sorted.isEmpty()) {
            return "for an unknown time";
        }
        return shown(sorted.get(sorted.size() / 2)) + " (median), " + shown(sorted.get((int) (sorted.size() * 0.99)))
                + " (99 of 100)";
    }

    private static String shown(Duration duration) {
        double millis = duration.toNanos() / 1e6;
        return millis < 10 ? String.format(Locale.ROOT, "%.1f ms", millis) : Math.round(millis) + " ms";
    }
}
