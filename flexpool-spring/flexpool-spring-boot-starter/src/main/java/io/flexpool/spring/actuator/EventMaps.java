// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.actuator;

import io.flexpool.diagnostics.Explanation;
import io.flexpool.event.PoolEvent;
import io.flexpool.pool.PoolState;
import io.flexpool.spi.Texts;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts an event to a plain map. Texts that may come from a driver are cleaned by {@link Texts}. */
final class EventMaps {
    private EventMaps() {}

    static Map<String, Object> of(PoolEvent.Recent recent) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("number", recent.number());
        shown.put("kind", recent.event().kind().toString());
        shown.put("timeEpochMillis", recent.first().toEpochMilli());
        shown.put("count", recent.count());
        if (recent.count() > 1) {
            shown.put("lastTimeEpochMillis", recent.last().toEpochMilli());
        }
        Duration longest = recent.longest();
        if (longest != null) {
            shown.put("longestMillis", FigureMaps.millis(longest));
        }
        shown.put("text", Texts.masked(recent.event().describe()));
        addDetails(shown, recent.event());
        return shown;
    }

    /** The current circuit phase; later rejections may have displaced its event. */
    static Map<String, Object> circuit(PoolEvent.CircuitChanged circuit) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("phase", Texts.word(circuit.phase()));
        shown.put("sinceEpochMillis", circuit.time().toEpochMilli());
        if (!circuit.reason().isEmpty()) {
            shown.put("reason", Texts.masked(circuit.reason()));
        }
        return shown;
    }

    private static void addDetails(Map<String, Object> shown, PoolEvent event) {
        if (event instanceof PoolEvent.AcquisitionTimedOut timeout) {
            shown.put("attempts", timeout.attempts());
            putIfKnown(shown, "traceId", timeout.traceId());
            explained(shown, timeout.explanation());
            state(shown, timeout.state());
        } else if (event instanceof PoolEvent.ConnectFailed failed) {
            putIfKnown(shown, "sqlState", failed.sqlState());
            shown.put("reason", Texts.masked(failed.reason()));
            explained(shown, failed.explanation());
            state(shown, failed.state());
        } else if (event instanceof PoolEvent.AcquisitionRejected rejected) {
            state(shown, rejected.state());
        } else if (event instanceof PoolEvent.AcquisitionSlow slow) {
            state(shown, slow.state());
        } else {
            addChange(shown, event);
        }
    }

    /** Adds the details of events that are not aggregated. */
    private static void addChange(Map<String, Object> shown, PoolEvent event) {
        if (event instanceof PoolEvent.CircuitChanged circuit) {
            shown.put("phase", Texts.word(circuit.phase()));
            shown.put("openForMillis", FigureMaps.millis(circuit.openFor()));
            shown.put("reason", Texts.masked(circuit.reason()));
            state(shown, circuit.state());
        } else if (event instanceof PoolEvent.Resized resized) {
            shown.put("from", resized.from());
            shown.put("to", resized.to());
            shown.put("cause", resized.causeWord());
            state(shown, resized.state());
        } else if (event instanceof PoolEvent.GrowthRefused refused) {
            shown.put("reason", refused.refused().word());
            putIfKnown(shown, "key", refused.refused().key());
            state(shown, refused.state());
        } else if (event instanceof PoolEvent.SizingDecided decided) {
            shown.put("decision", decided.decision().number());
            DecisionMaps.addVerdict(shown, decided.decision());
            state(shown, decided.state());
        } else if (event instanceof PoolEvent.LeakSuspected leak) {
            putIfKnown(shown, "callSite", leak.lease().callSite());
            putIfKnown(shown, "thread", leak.lease().thread());
            state(shown, leak.state());
        } else if (event instanceof PoolEvent.LeakResolved leak) {
            putIfKnown(shown, "callSite", leak.callSite());
            shown.put("reclaimed", leak.reclaimed());
        } else if (event instanceof PoolEvent.LifecycleChanged lifecycle) {
            shown.put("action", lifecycle.action().toString());
            shown.put("reason", Texts.masked(lifecycle.reason()));
            state(shown, lifecycle.state());
        } else if (event instanceof PoolEvent.NestedAcquisition nested) {
            putIfKnown(shown, "callSite", nested.callSite());
            putIfKnown(shown, "thread", nested.thread());
            putIfKnown(shown, "callSiteOfHeld", nested.callSiteOfHeld());
            state(shown, nested.state());
        } else if (event instanceof PoolEvent.PartReported part) {
            shown.put("name", part.name());
            Map<String, Object> facts = new LinkedHashMap<>();
            part.facts().forEach((name, fact) -> putIfKnown(facts, name, fact));
            shown.put("facts", facts);
        }
    }

    /** Adds only the summary: the text has the whole paragraph. */
    private static void explained(Map<String, Object> shown, @Nullable Explanation explanation) {
        if (explanation != null) {
            shown.put("report", explanation.number());
            shown.put("explained", explanation.cause().words());
            shown.put("summary", Texts.masked(explanation.summary()));
        }
    }

    private static void state(Map<String, Object> shown, PoolState state) {
        shown.put("state", state.describe());
    }

    private static void putIfKnown(Map<String, Object> shown, String key, @Nullable String text) {
        if (text != null) {
            shown.put(key, Texts.masked(text));
        }
    }
}
