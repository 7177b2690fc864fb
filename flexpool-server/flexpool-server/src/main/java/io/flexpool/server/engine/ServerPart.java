// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.pool.PoolState;
import io.flexpool.server.ServerSnapshot;
import io.flexpool.server.SessionBudget;
import io.flexpool.spi.PoolPart;
import io.flexpool.spi.SessionInsight;
import io.flexpool.spi.SessionInsight.SessionsLeft;
import io.flexpool.spi.Texts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Adds the server view to a pool. Thread-safe. */
final class ServerPart implements PoolPart {
    private final ServerView view;

    ServerPart(ServerView view) {
        this.view = view;
    }

    @Override
    public void tick(PoolState state, long nowNanos) {
        view.tick(nowNanos, state);
    }

    @Override
    public SessionInsight insight() {
        return view;
    }

    @Override
    public <T> Optional<T> view(Class<T> type) {
        if (type == SessionsLeft.class) {
            return Optional.of(type.cast(view));
        }
        return type == SessionBudget.class ? Optional.ofNullable(budget()).map(type::cast) : Optional.empty();
    }

    private @Nullable SessionBudget budget() {
        return view.budget().budget();
    }

    @Override
    public List<PartMetric> metrics() {
        return view.budget().eachMinute()
                ? List.of(
                        PartMetric.gauge(
                                        "server.usable",
                                        "flexpool.server.usable",
                                        "{session}",
                                        "Sessions that the server allows this pool's user, read once a minute.",
                                        () -> figure(SessionBudget::usable))
                                .nonAdditive(),
                        PartMetric.gauge(
                                        "server.sessions",
                                        "flexpool.server.sessions",
                                        "{session}",
                                        "Sessions of this application on the server, all its instances together.",
                                        () -> figure(SessionBudget::sessions))
                                .nonAdditive())
                : List.of();
    }

    private double figure(ToIntFunction<SessionBudget> which) {
        SessionBudget known = budget();
        int figure = known == null ? ServerSnapshot.UNKNOWN : which.applyAsInt(known);
        return figure == ServerSnapshot.UNKNOWN ? Double.NaN : figure;
    }

    @Override
    public List<String> reportLines() {
        SessionBudget known = budget();
        return known == null ? List.of() : List.of("Server: " + known.describe());
    }

    /**
     * Compares the pool's ceiling with the server's sessions. Not reported as a failure, because the server has not
     * refused anything yet.
     */
    @Override
    public Map<String, String> health() {
        SessionBudget known = budget();
        return known == null ? Map.of() : Map.of("sessions", known.describe());
    }

    @Override
    public Map<String, Object> fields() {
        SessionBudget known = budget();
        return known == null ? Map.of() : Map.of("sessions", shown(known));
    }

    private static Map<String, Object> shown(SessionBudget budget) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("text", Texts.line(budget.describe()));
        shown.put("fit", Texts.word(budget.fit()));
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

    @Override
    public @Nullable String trouble(long nowNanos) {
        return view.trouble(nowNanos);
    }

    @Override
    public void close() {
        view.close();
    }
}
