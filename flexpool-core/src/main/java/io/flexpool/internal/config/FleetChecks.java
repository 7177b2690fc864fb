// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.fleet.FleetRules;
import io.flexpool.internal.config.CoreKey.BudgetUse;
import io.flexpool.internal.config.CoreKey.FleetStore;
import io.flexpool.internal.config.CoreKey.ServerViewUse;
import io.flexpool.internal.discovery.Providers;
import io.flexpool.internal.shared.Words;
import io.flexpool.server.ServerViewProvider;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The checks of the keys about what several pools share: the fleet, and the sessions of the server. Changes nothing. */
final class FleetChecks {
    private final Values values;
    private final Refusal refusal;
    private final Missing missing;

    /** What becomes of a value that is missing. */
    @FunctionalInterface
    interface Missing {
        /** One more problem, as of a refusal: the key has no value, and others need it. */
        void refuse(CoreKey key, String rule, List<CoreKey> neededBy, CoreKey... about);
    }

    /** What becomes of a value that is refused. */
    @FunctionalInterface
    interface Refusal {
        /** One more problem, unless it follows from one with the key itself, or with those that the rule is about. */
        void refuse(CoreKey key, Object value, String rule, CoreKey... about);
    }

    FleetChecks(Values values, Refusal refusal, Missing missing) {
        this.missing = missing;
        this.values = values;
        this.refusal = refusal;
    }

    void check() {
        checkFleet();
        checkBudget();
    }

    private void checkFleet() {
        FleetStore store = values.need(CoreKey.FLEET, FleetStore.class);
        if (store == FleetStore.OFF) {
            return;
        }
        for (CoreKey needed : List.of(CoreKey.FLEET_MAX, CoreKey.FLEET_INSTANCES_MAX)) {
            if (!values.has(needed)) {
                missing.refuse(needed, "must be given with fleet", List.of(CoreKey.FLEET));
            }
        }
        if (store == FleetStore.REDIS && !values.has(CoreKey.FLEET_NAME)) {
            // Other applications use that Redis too.
            missing.refuse(CoreKey.FLEET_NAME, "must be given with fleet = redis", List.of(CoreKey.FLEET));
        }
        String name = values.need(CoreKey.FLEET_NAME, String.class);
        if (!Settings.isName(name)) {
            refusal.refuse(
                    CoreKey.FLEET_NAME,
                    name,
                    "must be " + CoreKey.FLEET_NAME.key().allowed());
        }
        checkMax();
        if (values.has(CoreKey.SIZING_INSTANCES)) {
            String rule = "must be left out beside fleet, which divides what there is";
            refusal.refuse(CoreKey.SIZING_INSTANCES, values.count(CoreKey.SIZING_INSTANCES), rule);
        }
        if (FleetStores.find(store) == null) {
            refusal.refuse(
                    CoreKey.FLEET,
                    Words.word(store),
                    "needs the module flexpool-fleet-" + (store == FleetStore.REDIS ? "redis" : "jdbc")
                            + " on the class path");
        }
    }

    private void checkMax() {
        if (!values.has(CoreKey.FLEET_MAX)) {
            return;
        }
        Integer cap = max(values);
        if (isAuto(values)) {
            checkAuto();
        } else if (cap == null || cap < 2 || cap > FleetRules.MOST) {
            String given = values.need(CoreKey.FLEET_MAX, String.class);
            refusal.refuse(
                    CoreKey.FLEET_MAX,
                    given,
                    "must be " + CoreKey.FLEET_MAX.key().allowed());
        } else if (values.has(CoreKey.FLEET_RESERVE) && values.count(CoreKey.FLEET_RESERVE) >= cap) {
            String rule = "must be less than fleet.max, " + cap;
            refusal.refuse(CoreKey.FLEET_RESERVE, values.count(CoreKey.FLEET_RESERVE), rule, CoreKey.FLEET_MAX);
        }
    }

    /**
     * What the fleet may have open; null if that is read from the server, or is no number, which is refused.
     */
    static @Nullable Integer max(Values values) {
        return Words.wholeNumber(values.need(CoreKey.FLEET_MAX, String.class).strip());
    }

    private static boolean isAuto(Values values) {
        return values.need(CoreKey.FLEET_MAX, String.class).strip().equals("auto");
    }

    /** Whether something will read it can only be seen later; until then nothing is granted. */
    private void checkAuto() {
        if (!serverView()) {
            refusal.refuse(CoreKey.FLEET_MAX, "auto", "needs a module flexpool-server-* on the class path");
        }
        if (values.need(CoreKey.SERVER_VIEW, ServerViewUse.class) == ServerViewUse.OFF) {
            refusal.refuse(CoreKey.FLEET_MAX, "auto", "needs server-view = auto");
        }
        if (values.need(CoreKey.SERVER_VIEW_BUDGET, BudgetUse.class) == BudgetUse.OFF) {
            refusal.refuse(CoreKey.FLEET_MAX, "auto", "needs server-view.budget = auto or always");
        }
    }

    private void checkBudget() {
        if (values.need(CoreKey.SERVER_VIEW_BUDGET, BudgetUse.class) != BudgetUse.ALWAYS) {
            return;
        }
        if (values.need(CoreKey.SERVER_VIEW, ServerViewUse.class) == ServerViewUse.OFF) {
            refusal.refuse(CoreKey.SERVER_VIEW_BUDGET, "always", "must be left out where server-view is off");
        } else if (!serverView()) {
            refusal.refuse(CoreKey.SERVER_VIEW_BUDGET, "always", "needs a module flexpool-server-* on the class path");
        }
    }

    private static boolean serverView() {
        AtomicBoolean found = new AtomicBoolean();
        Providers.each(ServerViewProvider.class, one -> found.set(true));
        return found.get();
    }
}
