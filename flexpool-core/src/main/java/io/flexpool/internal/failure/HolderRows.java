// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.diagnostics.OpenLease.Activity;
import io.flexpool.diagnostics.OpenLease.OtherWork;
import io.flexpool.diagnostics.OpenLease.SessionState;
import io.flexpool.internal.failure.Diagnosis.Situation;
import io.flexpool.internal.shared.Words;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The holders of the connections as rows: one row per call site, the blocking holder first, then by age. A row has the
 * count and the call site, the age of its oldest lease, its thread's activity, and its thread.
 */
final class HolderRows {
    private static final String NO_SITE = "call site not captured";
    private static final int LONGEST_TEXT = 120;
    /** The maximum number of activities in a row. */
    private static final int MOST_ACTIVITIES = 2;

    private final Situation situation;
    private final @Nullable OpenLease blocker;

    HolderRows(Situation situation, @Nullable OpenLease blocker) {
        this.situation = situation;
        this.blocker = blocker;
    }

    /** The rows as at most {@code most} aligned lines. If leases are omitted, the last line counts them. */
    List<String> lines(int most) {
        Map<String, List<OpenLease>> bySite = new LinkedHashMap<>();
        if (blocker != null) {
            // In a separate row: other leases of its call site may wait for it.
            bySite.put("", List.of(blocker));
        }
        for (OpenLease lease : situation.leases()) {
            if (lease != blocker) {
                bySite.computeIfAbsent(site(lease), site -> new ArrayList<>()).add(lease);
            }
        }
        List<List<OpenLease>> groups = new ArrayList<>(bySite.values());
        int shown = groups.size() <= most ? groups.size() : most - 1;
        List<List<String>> rows = new ArrayList<>();
        groups.subList(0, shown).forEach(group -> rows.add(row(group)));
        List<String> lines = ExplanationTable.aligned(rows);
        if (shown < groups.size()) {
            List<List<OpenLease>> rest = groups.subList(shown, groups.size());
            int leases = rest.stream().mapToInt(List::size).sum();
            lines.add(
                    "and " + Words.count(leases, "other connection") + " at " + Words.count(rest.size(), "call site"));
        }
        return lines;
    }

    private static String site(OpenLease lease) {
        String site = lease.callSite();
        return site == null ? NO_SITE : site;
    }

    private List<String> row(List<OpenLease> group) {
        OpenLease oldest = group.get(0);
        int others = group.size() - 1;
        return List.of(
                group.size() + " x " + site(oldest),
                oldest.age().toMillis() + " ms",
                (oldest == blocker ? "blocks others, " : "") + activities(group),
                "in " + shortened(oldest.thread()) + (others == 0 ? "" : " and " + Words.count(others, "other")));
    }

    /** The activities of a row's threads, the most frequent first, with counts if they differ. */
    private String activities(List<OpenLease> group) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (OpenLease lease : group) {
            counts.merge(activity(lease), 1, Integer::sum);
        }
        Integer unknown = counts.size() > 1 ? counts.remove("") : null;
        StringBuilder all = new StringBuilder();
        counts.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .limit(MOST_ACTIVITIES)
                .forEach(one -> all.append(all.length() == 0 ? "" : ", ")
                        .append(counts.size() == 1 && unknown == null ? "" : one.getValue() + " ")
                        .append(one.getKey()));
        String details = details(group.get(0));
        if (details.isEmpty()) {
            return all.length() == 0 ? "activity unknown" : all.toString();
        }
        return all.append(all.length() == 0 ? "" : group.size() == 1 ? ", " : "; ")
                .append(group.size() == 1 ? "" : "the oldest: ")
                .append(details)
                .toString();
    }

    /** The activity in words; empty if unknown. */
    private String activity(OpenLease lease) {
        ThreadSample seen = situation.samples().get(lease.threadId());
        Activity activity = Diagnosis.activity(lease, seen);
        String words = activity == Activity.UNKNOWN ? "" : activity.words();
        if (seen == null) {
            return words;
        }
        String before = words.isEmpty() ? "" : words + (activity == Activity.IDLE ? ": " : ", ");
        if (seen.place() != ThreadSample.Place.IN_APPLICATION) {
            return before + seen.words();
        }
        OtherWork work = seen.work();
        String place = place(lease, seen.words());
        String does = work == null ? place : briefly(work) + " " + place;
        return before + does + (seen.viewEnds() == null ? "" : ", held by open-in-view");
    }

    /** Figures and texts that differ from lease to lease. */
    private String details(OpenLease lease) {
        Activity activity = Diagnosis.activity(lease, situation.samples().get(lease.threadId()));
        List<String> details = new ArrayList<>();
        Duration inDatabase = lease.inDatabase();
        if (inDatabase != null && activity == Activity.IDLE) {
            long outside = lease.age().toMillis() - inDatabase.toMillis();
            details.add(Math.max(0, outside) + " ms outside the database");
        }
        SessionState session = ExplanationWriter.agreeing(lease, activity).inServer();
        if (session != null) {
            details.add("session " + session.describe());
        }
        if (lease.statement() != null) {
            details.add("statement: " + shortened(lease.statement()));
        }
        if (lease.leakSuspected()) {
            details.add("leak suspected");
        }
        return String.join(", ", details);
    }

    /** The thread's place: only the line if the thread is still in the method that requested the connection. */
    private static String place(OpenLease lease, String seen) {
        String frame = seen.startsWith("at ") ? seen.substring(3) : seen;
        int open = frame.indexOf('(');
        String site = lease.callSite();
        boolean same = open > 0 && site != null && site.startsWith(frame.substring(0, open + 1));
        return same ? frame.substring(open) : "at " + frame;
    }

    /** The work in a few words, to follow "without a statement: ". */
    static String briefly(OtherWork work) {
        String words = work.words();
        return words.startsWith("while ")
                ? words.substring("while ".length())
                : words.startsWith("during ") ? "in " + words.substring("during ".length()) : words;
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "…";
    }
}
