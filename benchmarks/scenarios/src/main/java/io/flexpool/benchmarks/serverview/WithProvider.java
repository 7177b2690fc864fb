// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.serverview;

import io.flexpool.server.ServerViewProvider;
import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;

/**
 * Finds PostgreSQL's provider, which the runnable jar has but does not announce: the other scenarios measure flexpool without
 * a server view, as it is without that module.
 */
final class WithProvider extends ClassLoader {
    private static final String SERVICE = "META-INF/services/" + ServerViewProvider.class.getName();

    WithProvider(ClassLoader parent) {
        super(parent);
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        return name.equals(SERVICE)
                ? Collections.enumeration(Collections.singleton(WithProvider.class.getResource("provider")))
                : super.getResources(name);
    }
}
