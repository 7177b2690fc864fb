// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.session.SessionStates.LeftState;
import io.flexpool.spi.PartContext;
import io.flexpool.spi.PoolPart;
import io.flexpool.spi.Texts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reports the session state that the leases of one pool leave. Thread-safe. */
final class SessionPart implements PoolPart {
    /** Keeps the report short. */
    private static final int MOST_LINES = 5;

    private static final int MOST_FINDINGS = 2;

    private final SessionGuard guard;

    SessionPart(PartContext pool, SessionAction action, Set<String> allowed) {
        this.guard = new SessionGuard(pool, action, allowed);
    }

    @Override
    public ReturnCheck returns() {
        return guard;
    }

    @Override
    public <T> Optional<T> view(Class<T> type) {
        return type == SessionStates.class ? Optional.of(type.cast(guard)) : Optional.empty();
    }

    @Override
    public List<PartMetric> metrics() {
        return List.of(
                PartMetric.counter(
                        "session.state.leases",
                        "flexpool.session.state.leases",
                        "{lease}",
                        "Leases that ended with session state on their connection.",
                        guard::leases),
                PartMetric.counter(
                        "session.state.resets",
                        "flexpool.session.state.resets",
                        "{connection}",
                        "Connections whose session state was reset before they went back to the pool.",
                        guard::resets),
                PartMetric.counter(
                        "session.state.discards",
                        "flexpool.session.state.discards",
                        "{connection}",
                        "Connections that were closed because of their session state.",
                        guard::discards),
                PartMetric.counter(
                        "session.state.unknown",
                        "flexpool.session.state.unknown",
                        "{statement}",
                        "Executed statements that may leave session state.",
                        guard::unknownStatements));
    }

    @Override
    public List<String> reportLines() {
        long leases = guard.leases();
        List<String> pooler = guard.poolerLines(MOST_LINES);
        if (leases == 0 && guard.unknownStatements() == 0) {
            return pooler;
        }
        List<String> lines = new ArrayList<>();
        lines.add("session state: " + Texts.count(leases, "lease") + " left session state"
                + switch (guard.action()) {
                    case RESET ->
                        "; flexpool reset " + Texts.count(guard.resets(), "connection") + " and closed "
                                + guard.discards();
                    case DISCARD -> "; flexpool closed " + Texts.count(guard.discards(), "connection");
                    case OFF, REPORT -> "; the next borrowers inherit it";
                }
                + (guard.unknownStatements() == 0
                        ? ""
                        : "; the effect of " + Texts.count(guard.unknownStatements(), "statement") + " is unknown"));
        List<LeftState> all = guard.left();
        for (LeftState left : all.subList(0, Math.min(MOST_LINES, all.size()))) {
            lines.add("  " + left.leases() + " x " + words(left));
        }
        lines.addAll(pooler);
        return lines;
    }

    /** A clause: state, statement and call site. */
    static String words(LeftState left) {
        return new LeftLog.Origin(left.kind(), left.name(), left.statement(), left.callSite()).words();
    }

    /** Reports only locks: no other left state can block another session. */
    @Override
    public List<String> findings() {
        return guard.locks().stream()
                .limit(MOST_FINDINGS)
                .map(lock -> "an earlier lease has left a lock on its connection: " + lock.words())
                .toList();
    }

    @Override
    public Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("action", Texts.word(guard.action()));
        fields.put("leases", guard.leases());
        fields.put("resets", guard.resets());
        fields.put("discards", guard.discards());
        fields.put("unknownStatements", guard.unknownStatements());
        fields.put("kinds", guard.kinds());
        fields.put("left", fields(guard.left()));
        Map<String, Object> pooler = new LinkedHashMap<>();
        pooler.put("fit", Texts.word(guard.poolerFit()));
        pooler.put("leases", guard.allLeases());
        pooler.put("preparesInServer", guard.preparesInServer());
        pooler.put("kept", fields(guard.keptBeyondTransactions()));
        pooler.put("unknown", fields(guard.unknown()));
        fields.put("transactionPooler", pooler);
        return Map.of("session", fields);
    }

    @Override
    public @Nullable String trouble(long nowNanos) {
        return guard.trouble(nowNanos);
    }

    private static List<Map<String, Object>> fields(List<LeftState> all) {
        List<Map<String, Object>> fields = new ArrayList<>();
        for (LeftState each : all) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("kind", each.kind());
            one.put("name", each.name());
            one.put("statement", each.statement());
            one.put("callSite", each.callSite());
            one.put("leases", each.leases());
            fields.add(one);
        }
        return fields;
    }
}
