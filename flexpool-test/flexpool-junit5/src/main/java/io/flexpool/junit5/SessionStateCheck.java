// SPDX-License-Identifier: Apache-2.0
package io.flexpool.junit5;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.OpenPools;
import io.flexpool.session.SessionStates;
import io.flexpool.session.SessionStates.LeftState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    @Override
    public void beforeEach(ExtensionContext context) {
        context.getStore(NAMESPACE).put(SessionStateCheck.class, left());
    }

    @Override
    @SuppressWarnings("unchecked") // as it was put
    public void afterEach(ExtensionContext context) {
        Map<Origin, Long> before = context.getStore(NAMESPACE).remove(SessionStateCheck.class, Map.class);
        boolean watched = false;
        for (FlexPoolDataSource pool : OpenPools.list()) {
            watched |= pool.view(SessionStates.class).isPresent();
        }
        if (!watched) {
            throw new AssertionError("@NoSessionState: no open pool has flexpool-session active; add"
                    + " flexpool-session, and set flexpool.session-state = report");
        }
        List<String> fresh = new ArrayList<>();
        left().forEach((origin, leases) -> {
            if (leases > before.getOrDefault(origin, 0L)) {
                fresh.add(origin.words());
            }
        });
        if (!fresh.isEmpty()) {
            throw new AssertionError(context.getDisplayName() + " left session state on connections:\n  "
                    + String.join("\n  ", fresh.stream().sorted().toList()));
        }
    }

    private static Map<Origin, Long> left() {
        Map<Origin, Long> all = new HashMap<>();
        for (FlexPoolDataSource pool : OpenPools.list()) {
            Optional<SessionStates> states = pool.view(SessionStates.class);
            for (LeftState left : states.map(SessionStates::left).orElse(List.of())) {
                Origin origin = new Origin(pool.name(), left.kind(), left.name(), left.statement(), left.callSite());
                all.put(origin, left.leases());
            }
        }
        return all;
    }
}
