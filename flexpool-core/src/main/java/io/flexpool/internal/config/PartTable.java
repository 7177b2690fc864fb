// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.internal.event.ListenerGuard;
import io.flexpool.internal.event.PrintableFailure;
import io.flexpool.internal.shared.Words;
import io.flexpool.monitoring.ConfigKey;
import io.flexpool.spi.PartContext.PartSettings;
import io.flexpool.spi.PartKey;
import io.flexpool.spi.PoolPartProvider;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts on the class path, in their order, and their keys. Without parts, no other class of parts is loaded.
 * Immutable once all parts have been found.
 */
public final class PartTable implements Consumer<PoolPartProvider> {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    private final List<PoolPartProvider> providers = new ArrayList<>();
    /** The keys, by name without prefix. */
    private final Map<String, SettingKey> keys = new LinkedHashMap<>();

    private PartTable() {}

    /** Finds the parts. A part that is broken, or has a key of core or of another part, is left out with a warning. */
    public static PartTable onClassPath() {
        PartTable table = new PartTable();
        Providers.each(PoolPartProvider.class, table);
        return table;
    }

    /** Adds a provider, unless another provider has the same name. */
    @Override
    public void accept(PoolPartProvider provider) {
        int at = 0;
        for (PoolPartProvider before : providers) {
            if (before.name().equals(provider.name())) {
                return;
            }
            at += isBefore(before, provider) ? 1 : 0;
        }
        keys.putAll(keys(provider, keys));
        providers.add(at, provider);
    }

    private static boolean isBefore(PoolPartProvider one, PoolPartProvider other) {
        return one.order() == other.order() ? one.name().compareTo(other.name()) < 0 : one.order() < other.order();
    }

    /** Returns the keys of a provider; empty if a key is invalid. */
    private static Map<String, SettingKey> keys(PoolPartProvider provider, Map<String, SettingKey> before) {
        Map<String, SettingKey> its = new LinkedHashMap<>();
        for (PartKey<?> key : provider.keys()) {
            if (CoreKey.named(key.name()) != null || before.containsKey(key.name())) {
                throw new IllegalStateException(
                        "the part " + provider.name() + ": core or another part already has the key " + key.name());
            }
            its.put(key.name(), PartSettingKey.of(key));
        }
        return its;
    }

    /** The providers in the order in which their parts tick. */
    public List<PoolPartProvider> providers() {
        return List.copyOf(providers);
    }

    /** The key of core or of a part with a name without prefix; null without one. */
    @Nullable
    SettingKey setting(String name) {
        SettingKey core = CoreKey.named(name);
        return core == null ? keys.get(name) : core;
    }

    Collection<SettingKey> keys() {
        return keys.values();
    }

    /** The values of one pool for its parts. */
    public PartSettings settings(Values values) {
        return PartValues.of(this, values);
    }

    /** The key of a name, which a part must have. */
    SettingKey known(String key) {
        SettingKey known = keys.get(key);
        if (known == null) {
            throw new IllegalArgumentException(key + " is not among the keys that the part has named");
        }
        return known;
    }

    /** The first given key of each part that needs a limited pool; a part that throws does not count. */
    List<SettingKey> limiting(Values values) {
        if (providers.isEmpty()) {
            return List.of();
        }
        PartSettings read = settings(values);
        List<SettingKey> limiting = new ArrayList<>();
        each(provider -> {
            if (provider.limits(read)) {
                limiting.add(firstGiven(provider, values));
            }
        });
        return limiting;
    }

    private SettingKey firstGiven(PoolPartProvider provider, Values values) {
        for (PartKey<?> key : provider.keys()) {
            if (values.has(known(key.name()))) {
                return known(key.name());
            }
        }
        return CoreKey.BASE;
    }

    /** The lowest cap of the parts before the first tick; MAX_VALUE without one. A part that throws has none. */
    int firstCap(Values values) {
        if (providers.isEmpty()) {
            return Integer.MAX_VALUE;
        }
        PartSettings read = settings(values);
        AtomicInteger lowest = new AtomicInteger(Integer.MAX_VALUE);
        each(provider -> lowest.accumulateAndGet(provider.firstCap(read).orElse(Integer.MAX_VALUE), Math::min));
        return Math.max(1, lowest.get());
    }

    /** Lets each part check its values. If a part throws, none of its values is refused. */
    void check(Values values, Refusals refusals, Problems problems) {
        if (providers.isEmpty()) {
            return;
        }
        PartSettings read = settings(values);
        PartSettings.Refusals refused = PartValues.refusals(this, values, refusals, problems);
        each(provider -> provider.check(read, refused));
    }

    private void each(Consumer<PoolPartProvider> call) {
        for (PoolPartProvider provider : providers) {
            Throwable broken = ListenerGuard.thrownBy(Executors.callable(() -> call.accept(provider)));
            if (broken != null) {
                LOG.warn(
                        "the part {} threw while its values were checked",
                        provider.name(),
                        PrintableFailure.of(broken));
            }
        }
    }

    /** A key of a part, in the form in which core reads and checks keys. Immutable. */
    private record PartSettingKey(PartKey<?> part, ValueRule rule) implements SettingKey {
        static PartSettingKey of(PartKey<?> part) {
            return new PartSettingKey(
                    part,
                    new ValueRule(
                            part.key().kind(),
                            part.min().orElse(null),
                            part.max().orElse(null),
                            part.range(),
                            part.key().allowed(),
                            part.choices(),
                            part.key().fallback(),
                            part.fallback().orElse(null),
                            part.needs().orElse(null)));
        }

        @Override
        public ConfigKey key() {
            return part.key();
        }

        /** Compares names, which are unique among parts. A record's generated method would link method handles. */
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof PartSettingKey key && part.name().equals(key.part.name());
        }

        @Override
        public int hashCode() {
            return part.name().hashCode();
        }
    }

    /** The values of one pool, which its parts read and refuse. */
    private static final class PartValues implements PartSettings {
        private final PartTable table;
        private final Values values;

        private PartValues(PartTable table, Values values) {
            this.table = table;
            this.values = values;
        }

        /** Returns the interface, like {@link #refusals}, so that a table without parts loads no implementation. */
        static PartSettings of(PartTable table, Values values) {
            return new PartValues(table, values);
        }

        @Override
        @SuppressWarnings("unchecked") // the key's rule has converted the value to the key's type
        public <T> Optional<T> get(PartKey<T> key) {
            return Optional.ofNullable((T) values.get(table.known(key.name()), Object.class));
        }

        @Override
        public boolean given(String key) {
            SettingKey known = table.setting(key);
            return known != null && values.has(known);
        }

        @Override
        public Optional<String> words(String key) {
            SettingKey known = table.setting(key);
            Object value = known == null ? null : values.get(known, Object.class);
            return Optional.ofNullable(value)
                    .map(shown -> shown instanceof Enum<?> word ? Words.word(word) : String.valueOf(shown));
        }

        /** Returns the object by which parts refuse values. */
        static PartSettings.Refusals refusals(
                PartTable table, Values values, io.flexpool.internal.config.Refusals refusals, Problems problems) {
            return new PartSettings.Refusals() {
                @Override
                public void refuse(PartKey<?> key, Object value, String rule) {
                    add(table.known(key.name()), value, rule);
                }

                @Override
                public void refuse(String key, String rule) {
                    CoreKey core = CoreKey.named(key);
                    if (core == null) {
                        throw new IllegalArgumentException(key + " is not a key of core");
                    }
                    Object value = values.get(core, Object.class);
                    add(core, value == null ? "none" : value, rule);
                }

                @Override
                public void missing(PartKey<?> key, String rule, PartKey<?> neededBy) {
                    SettingKey known = table.known(key.name());
                    if (!problems.about(known)) {
                        problems.add(known, refusals.ofMissing(known, rule, table.known(neededBy.name())));
                    }
                }

                private void add(SettingKey key, Object value, String rule) {
                    if (!problems.about(key)) {
                        problems.add(key, refusals.of(key, value, rule));
                    }
                }
            };
        }
    }
}
