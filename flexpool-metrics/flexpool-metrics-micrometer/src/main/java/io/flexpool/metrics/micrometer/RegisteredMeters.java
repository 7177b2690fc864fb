// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.micrometer;

import io.flexpool.spi.UniqueNames;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One pool's meters in a registry, all under one unique value of the tag {@code pool}. */
final class RegisteredMeters {
    static final String POOL = "pool";

    private static final Logger LOG = LoggerFactory.getLogger(MicrometerMetrics.class);

    private final MeterRegistry registry;
    private final String shown;
    /** The meters registered before; a registry returns an existing meter on registration under its id. */
    private final Set<Meter> theirs;

    private final Set<Meter> own = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<String> hidden = new TreeSet<>();

    private RegisteredMeters(MeterRegistry registry, String shown) {
        this.registry = registry;
        this.shown = shown;
        this.theirs = present(registry);
    }

    /**
     * A meter to register.
     *
     * @param name without the registry's naming convention
     * @param tags without the common tags
     * @param shareable whether no figure is lost if a filter gives several meters the same id: the recordings of real
     *     timers add up
     * @param register registers the meter
     */
    record Wanted(String name, Tags tags, boolean shareable, Function<MeterRegistry, Meter> register) {}

    /**
     * Registers as {@code pool}, or the first of {@code pool#2}, {@code #3}… that is free.
     *
     * @param wanted the meters for a value of the tag
     */
    static RegisteredMeters register(MeterRegistry registry, String pool, Function<String, List<Wanted>> wanted) {
        RegisteredMeters meters = UniqueNames.first(pool, shown -> {
            RegisteredMeters attempt = new RegisteredMeters(registry, shown);
            return attempt.registerAll(wanted.apply(shown)) ? attempt : null;
        });
        if (!meters.shown.equals(pool)) {
            LOG.warn(
                    "{}: another pool has this name; the meters of this pool have {}={}. Give each pool its own name.",
                    pool,
                    POOL,
                    meters.shown);
        }
        if (!meters.hidden.isEmpty()) {
            LOG.warn(
                    "{}: the meters {} were not registered: a MeterFilter denied them, or other meters have their ids",
                    pool,
                    meters.hidden);
        }
        return meters;
    }

    /** Registers all meters, or none if another pool of this name has one of them. */
    private boolean registerAll(List<Wanted> all) {
        try {
            for (Wanted wanted : all) {
                if (!register(wanted)) {
                    remove();
                    return false;
                }
            }
            return true;
        } catch (RuntimeException | Error e) {
            remove();
            throw e;
        }
    }

    private boolean register(Wanted wanted) {
        if (isAnotherPools(wanted)) {
            return false;
        }
        Meter meter;
        try {
            meter = wanted.register().apply(registry);
        } catch (IllegalArgumentException refused) {
            // The id has a meter of another type, or the registry allows no such meter beside another.
            hidden.add(wanted.name());
            return registry.find(wanted.name()).tags(wanted.tags()).meters().stream()
                    .noneMatch(theirs::contains);
        }
        if (theirs.contains(meter)) {
            if (shown.equals(meter.getId().getTag(POOL))) {
                return false;
            }
            hidden.add(wanted.name());
        } else if (!own.add(meter) && !wanted.shareable()) {
            hidden.add(wanted.name());
        }
        return true;
    }

    /**
     * Checked first, because Micrometer logs a warning if a meter is registered twice. Ignores how filters change the
     * id.
     */
    private boolean isAnotherPools(Wanted wanted) {
        return registry.find(wanted.name()).tags(wanted.tags()).meters().stream()
                .anyMatch(meter ->
                        theirs.contains(meter) && shown.equals(meter.getId().getTag(POOL)));
    }

    /**
     * Registers more meters under the same name. A meter whose id already exists is left out: filters have made it
     * equal to the id of another pool's meter.
     */
    void addLater(Function<String, List<Wanted>> wanted) {
        Set<Meter> before = present(registry);
        for (Wanted one : wanted.apply(shown)) {
            try {
                Meter meter = one.register().apply(registry);
                if (!before.contains(meter)) {
                    own.add(meter);
                }
            } catch (IllegalArgumentException refused) {
                LOG.debug("the registry refuses {}", one.name(), refused);
            }
        }
    }

    /** Removes these meters, except one that the application has replaced. */
    void remove() {
        Set<Meter> present = present(registry);
        List<Meter> leaving = new ArrayList<>(own);
        own.clear();
        for (Meter meter : leaving) {
            if (present.contains(meter)) {
                registry.remove(meter);
            }
        }
    }

    static Set<Meter> present(MeterRegistry registry) {
        Set<Meter> present = Collections.newSetFromMap(new IdentityHashMap<>());
        present.addAll(registry.getMeters());
        return present;
    }
}
