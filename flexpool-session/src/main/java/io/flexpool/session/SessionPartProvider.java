// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import io.flexpool.spi.PartContext;
import io.flexpool.spi.PartContext.PartSettings;
import io.flexpool.spi.PartKey;
import io.flexpool.spi.PoolPart;
import io.flexpool.spi.PoolPartProvider;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Lets each wrapped pool detect session state that leases leave. Found by {@link java.util.ServiceLoader}; not meant to
 * be called.
 */
public final class SessionPartProvider implements PoolPartProvider {
    static final PartKey<SessionAction> ACTION = PartKey.choice(
            "session-state",
            SessionAction.REPORT,
            "The action for session state that a lease leaves, such as a role, a variable or a lock. report: flexpool logs it once"
                    + " for each call site. reset: flexpool resets it. discard: flexpool closes the connection.");

    static final PartKey<List<String>> ALLOW = PartKey.list(
                    "session-state.allow",
                    StateKind.words(),
                    "The kinds of session state that may stay on connections.")
            .or(List.of(), "none");

    static final PartKey<Boolean> SERVER_CHECK = PartKey.flag(
            "session-state.server-check",
            false,
            "Whether flexpool queries PostgreSQL for session state after statements of unknown effect, such as DO or CALL.");

    /** Called by the service loader. */
    public SessionPartProvider() {}

    @Override
    public String name() {
        return "session";
    }

    @Override
    public int order() {
        return 30;
    }

    @Override
    public List<PartKey<?>> keys() {
        return List.of(ACTION, ALLOW, SERVER_CHECK);
    }

    @Override
    public void check(PartSettings settings, PartSettings.Refusals refusals) {
        Set<String> known = new TreeSet<>(StateKind.names());
        for (String kind : settings.need(ALLOW)) {
            if (!known.contains(kind)) {
                refusals.refuse(ALLOW, kind, "must be " + StateKind.words());
                return;
            }
        }
    }

    /** Creates no part if the action is OFF. */
    @Override
    public @Nullable PoolPart create(PartContext pool) {
        SessionAction action = pool.settings().need(ACTION);
        return action == SessionAction.OFF
                ? null
                : new SessionPart(pool, action, Set.copyOf(pool.settings().need(ALLOW)));
    }
}
