// SPDX-License-Identifier: Apache-2.0
package io.flexpool.junit5;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.OpenPools;
import io.flexpool.session.SessionStates;
import io.flexpool.session.SessionStates.LeftState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/** Compares the state that leases have left before and after a test method: see {@link NoSessionState}. */
final class SessionStateCheck implements BeforeEachCallback, AfterEachCallback {
    private static final Namespace NAMESPACE = Namespace.create(SessionStateCheck.class);

    /**
     * The origin of a state in one pool.
     *
     * @param pool the pool's name
     */
    private record Origin(
            String pool,
            String kind,
            @Nullable String name,
            String statement,
            @Nullable String callSite) {
        String words() {
            return pool + ": " + kind + (name == null ? "" : " " + name) + " by \"" + statement + "\""
                    + (callSite == null ? "" : " at " + callSite);
        }
    }

    /**
     * What the leases of all open pools have left.
     *
     * @param leases their number in all, because the lists are limited
     */
    private record Figures(long leases, Map<Origin, Long> left, Map<Origin, Long> unknown) {
        static Figures now() {
            long leases = 0;
            Map<Origin, Long> left = new HashMap<>();
            Map<Origin, Long> unknown = new HashMap<>();
            for (FlexPoolDataSource pool : OpenPools.list()) {
                SessionStates states = pool.view(SessionStates.class).orElse(null);
                if (states != null) {
                    leases += states.leases();
                    add(pool, states.left(), left);
                    add(pool, states.unknown(), unknown);
                }
            }
            return new Figures(leases, left, unknown);
        }

        private static void add(FlexPoolDataSource pool, List<LeftState> states, Map<Origin, Long> all) {
            for (LeftState state : states) {
                all.put(
                        new Origin(pool.name(), state.kind(), state.name(), state.statement(), state.callSite()),
                        state.leases());
            }
        }

        /** The origins in {@code now} that have more leases than in {@code before}, in words. */
        static List<String> more(Map<Origin, Long> now, Map<Origin, Long> before) {
            return now.entrySet().stream()
                    .filter(origin -> origin.getValue() > before.getOrDefault(origin.getKey(), 0L))
                    .map(origin -> origin.getKey().words())
                    .sorted()
                    .toList();
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        context.getStore(NAMESPACE).put(SessionStateCheck.class, Figures.now());
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (OpenPools.list().stream()
                .allMatch(pool -> pool.view(SessionStates.class).isEmpty())) {
            throw new AssertionError("@NoSessionState: no open pool has flexpool-session active; add"
                    + " flexpool-session, and set flexpool.session-state = report");
        }
        Figures before = context.getStore(NAMESPACE).remove(SessionStateCheck.class, Figures.class);
        Figures now = Figures.now();
        Figures.more(now.unknown(), before.unknown())
                .forEach(statement -> context.publishReportEntry("effect on session state", statement));
        List<String> fresh = Figures.more(now.left(), before.left());
        if (!fresh.isEmpty()) {
            throw new AssertionError(
                    context.getDisplayName() + " left session state on connections:\n  " + String.join("\n  ", fresh));
        }
        if (now.leases() > before.leases()) {
            throw new AssertionError(context.getDisplayName() + " left session state on connections: the log names it");
        }
    }
}
