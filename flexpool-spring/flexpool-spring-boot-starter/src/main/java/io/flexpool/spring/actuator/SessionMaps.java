// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.actuator;

import io.flexpool.internal.shared.PlainText;
import io.flexpool.internal.shared.Words;
import io.flexpool.monitoring.PoolView;
import io.flexpool.server.ServerSnapshot;
import io.flexpool.server.SessionBudget;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a pool's server has for it, as plain maps. */
final class SessionMaps {
    private SessionMaps() {}

    static void add(Map<String, Object> shown, PoolView pool) {
        SessionBudget sessions = pool.sessionBudget();
        if (sessions != null) {
            shown.put("sessions", sessions(sessions));
        }
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
