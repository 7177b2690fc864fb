// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.actuator;

import io.flexpool.fleet.FleetMember;
import io.flexpool.fleet.FleetStatus;
import io.flexpool.internal.shared.PlainText;
import io.flexpool.internal.shared.Words;
import io.flexpool.monitoring.PoolView;
import io.flexpool.server.ServerSnapshot;
import io.flexpool.server.SessionBudget;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a pool shares with others, as plain maps: its fleet's connections, and its server's sessions. */
final class FleetMaps {
    private FleetMaps() {}

    static void add(Map<String, Object> shown, PoolView pool) {
        FleetStatus fleet = pool.fleet();
        if (fleet != null) {
            shown.put("fleet", fleet(fleet));
        }
        SessionBudget sessions = pool.sessionBudget();
        if (sessions != null) {
            shown.put("sessions", sessions(sessions));
        }
    }

    private static Map<String, Object> fleet(FleetStatus fleet) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("name", fleet.fleet());
        shown.put("member", fleet.member());
        shown.put("source", Words.word(fleet.source()));
        shown.put("granted", fleet.granted());
        shown.put("wanted", fleet.wanted());
        shown.put("held", fleet.held());
        shown.put("members", fleet.members());
        shown.put("free", fleet.free());
        shown.put("cap", fleet.cap());
        if (fleet.trouble() != null) {
            shown.put("trouble", fleet.trouble());
        }
        shown.put("shown", fleet.shown().stream().map(FleetMaps::member).toList());
        return shown;
    }

    private static Map<String, Object> member(FleetMember member) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("name", member.name());
        shown.put("granted", member.granted());
        shown.put("held", member.held());
        shown.put("wanted", member.want());
        shown.put("ageMillis", member.age().toMillis());
        shown.put("silent", member.silent());
        return shown;
    }

    private static Map<String, Object> sessions(SessionBudget budget) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("text", PlainText.line(budget.describe()));
        shown.put("fit", Words.word(budget.fit()));
        putIfKnown(shown, "ceiling", budget.ceiling());
        putIfKnown(shown, "usable", budget.usable());
        putIfKnown(shown, "reserved", budget.server().reserved());
        putIfKnown(shown, "used", budget.server().used());
        putIfKnown(shown, "own", budget.sessions());
        putIfKnown(shown, "left", budget.left());
        shown.put("byApplication", budget.byApplication());
        return shown;
    }

    private static void putIfKnown(Map<String, Object> shown, String key, int figure) {
        if (figure != ServerSnapshot.UNKNOWN) {
            shown.put(key, figure);
        }
    }
}
