// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.actuator;

import io.flexpool.diagnostics.CallSiteStatistics;
import io.flexpool.diagnostics.Explanation;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.diagnostics.OpenLease.OtherWork;
import io.flexpool.diagnostics.OpenLease.SessionState;
import io.flexpool.spi.Texts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Converts leases, call sites and explanations to plain maps. Thread names and statements come from the application:
 * {@link Texts} cleans them, and they must be shown as text, never as markup.
 */
final class LeaseMaps {
    /** The maximum number of shown leases, the oldest ones. */
    static final int MOST_HOLDERS = 50;

    private LeaseMaps() {}

    /** The oldest leases first, at most {@value #MOST_HOLDERS}. */
    static List<Map<String, Object>> holders(List<OpenLease> oldestFirst) {
        return oldestFirst.stream()
                .limit(MOST_HOLDERS)
                .map(lease -> lease(lease, lease.activity()))
                .toList();
    }

    private static Map<String, Object> lease(OpenLease lease, OpenLease.Activity activity) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("thread", Texts.masked(lease.thread()));
        shown.put("threadId", lease.threadId());
        shown.put("virtualThread", lease.virtualThread());
        words(shown, "callSite", lease.callSite());
        shown.put("ageMillis", FigureMaps.millis(lease.age()));
        shown.put("activity", Texts.word(activity));
        Duration inDatabase = lease.inDatabase();
        if (inDatabase != null) {
            shown.put("inDatabaseMillis", FigureMaps.millis(inDatabase));
            shown.put("idleShare", FigureMaps.round(lease.idleShare()));
        }
        SessionState session = lease.inServer();
        if (session != null) {
            shown.put("inServer", session.fields());
        }
        words(shown, "statement", lease.statement());
        shown.put("leakSuspected", lease.leakSuspected());
        return shown;
    }

    /** The numbers of leaks ever suspected and still suspected, with the holders of the latter. */
    static Map<String, Object> leaks(List<OpenLease> oldestFirst, long everSuspected) {
        List<OpenLease> open =
                oldestFirst.stream().filter(OpenLease::leakSuspected).toList();
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("suspectedTotal", everSuspected);
        shown.put("suspectedNow", open.size());
        shown.put("holders", holders(open));
        return shown;
    }

    /** Ordered by total lease time, longest first. */
    static List<Map<String, Object>> callSites(List<CallSiteStatistics> sites) {
        List<Map<String, Object>> all = new ArrayList<>();
        for (CallSiteStatistics site : sites) {
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("callSite", Texts.masked(site.callSite()));
            shown.put("count", site.count());
            shown.put("heldMillis", FigureMaps.millis(site.held()));
            shown.put("acquisitionP50Millis", FigureMaps.millis(site.acquisitionP50()));
            shown.put("acquisitionP99Millis", FigureMaps.millis(site.acquisitionP99()));
            shown.put("leaseP50Millis", FigureMaps.millis(site.leaseP50()));
            shown.put("leaseP99Millis", FigureMaps.millis(site.leaseP99()));
            if (!Double.isNaN(site.idleShare())) {
                shown.put("idleShare", FigureMaps.round(site.idleShare()));
            }
            all.add(shown);
        }
        return all;
    }

    /** Converts the explanation of a failed request. */
    static Map<String, Object> explanation(Explanation explanation) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("number", explanation.number());
        shown.put("timeEpochMillis", explanation.time().toEpochMilli());
        shown.put("cause", Texts.word(explanation.cause()));
        shown.put("causeInWords", explanation.cause().words());
        shown.put("summary", Texts.masked(explanation.summary()));
        shown.put("evidence", explanation.evidence().stream().map(Texts::masked).toList());
        List<Map<String, Object>> holders = new ArrayList<>();
        for (Explanation.Holder holder : explanation.holders()) {
            Map<String, Object> lease = lease(holder.lease(), holder.activity());
            words(lease, "seen", holder.seen());
            OtherWork work = holder.otherWork();
            if (work != null) {
                lease.put("otherWork", Texts.word(work));
            }
            if (holder.openInView()) {
                lease.put("openInView", true);
            }
            holders.add(lease);
        }
        shown.put("holders", holders);
        shown.put("openLeases", explanation.openLeases());
        shown.put("action", Texts.masked(explanation.action()));
        shown.put("text", Texts.masked(explanation.text()));
        return shown;
    }

    private static void words(Map<String, Object> shown, String key, @Nullable String text) {
        if (text != null) {
            shown.put(key, Texts.masked(text));
        }
    }
}
