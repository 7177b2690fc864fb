// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/**
 * What an application calls a pool.
 *
 * @param name what properties say, else the name that the application gave the pool itself, so that other metrics of
 *     the pool have the same one, else its bean's
 * @param inProperties the names under which properties may speak of it; the first holds before the other
 * @param bean what its bean is called, or its holder's bean and a key
 */
record NamedPool(String name, List<String> inProperties, String bean) {
    /**
     * Names a pool.
     *
     * @param configured what properties say
     * @param given what the pool itself is called
     * @param bean what its bean is called
     */
    static NamedPool of(Optional<String> configured, Optional<String> given, String bean) {
        if (configured.isPresent()) {
            return new NamedPool(configured.get(), List.of(configured.get()), bean);
        }
        String name = given.orElse(bean);
        return new NamedPool(name, List.copyOf(new LinkedHashSet<>(List.of(name, bean))), bean);
    }
}
