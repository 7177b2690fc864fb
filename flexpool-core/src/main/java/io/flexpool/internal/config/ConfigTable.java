// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.monitoring.ConfigKey;
import io.flexpool.monitoring.MetricsProvider;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** All keys that can be given, of core and of the parts and metrics backends on the class path; and these backends. */
public final class ConfigTable implements Consumer<MetricsProvider> {
    /** Precedes a backend's name and key; no core key begins with it. */
    static final String BACKENDS = CoreKey.METRICS.key().name() + ".";

    final Map<String, ConfigKey> keys = new LinkedHashMap<>();
    final Map<String, MetricsProvider> providers = new LinkedHashMap<>();

    final PartTable parts;

    /** The given backends replace backends of the same name on the class path. */
    public ConfigTable(PartTable parts, List<MetricsProvider> given) {
        this.parts = parts;
        for (SettingKey setting : settings()) {
            keys.put(setting.key().name(), setting.key());
        }
        for (MetricsProvider provider : given) {
            accept(provider);
        }
        Providers.each(MetricsProvider.class, this);
    }

    /** If a provider throws, none of its keys is kept, and {@link Providers} skips it with a warning. */
    @Override
    public void accept(MetricsProvider provider) {
        String backend = provider.name();
        if (providers.containsKey(backend)) {
            return;
        }
        Map<String, ConfigKey> its = new LinkedHashMap<>();
        for (ConfigKey key : provider.keys()) {
            String name = prefix(backend) + key.name();
            its.put(name, new ConfigKey(name, key.kind(), key.fallback(), key.allowed(), key.meaning()));
        }
        keys.putAll(its);
        providers.put(backend, provider);
    }

    /** All keys with values that core reads: core's keys in their order, then the keys of parts. */
    List<SettingKey> settings() {
        List<SettingKey> all = new ArrayList<>(List.of(CoreKey.values()));
        all.addAll(parts.keys());
        return all;
    }

    static String prefix(String backend) {
        return BACKENDS + backend + ".";
    }

    public Collection<ConfigKey> keys() {
        return List.copyOf(keys.values());
    }
}
