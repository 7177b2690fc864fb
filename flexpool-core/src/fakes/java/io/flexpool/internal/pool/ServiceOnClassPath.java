// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/** A provider of a service that is on the class path for as long as something runs. */
public final class ServiceOnClassPath {
    private ServiceOnClassPath() {}

    /** Runs something on this thread while a class provides a service. */
    public static <T> T during(Class<?> service, Class<?> provider, Callable<T> work) throws Exception {
        Path modules = Files.createTempDirectory("modules");
        Path services = Files.createDirectories(modules.resolve("META-INF/services"));
        Files.writeString(services.resolve(service.getName()), provider.getName());
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {modules.toUri().toURL()}, before)) {
            thread.setContextClassLoader(loader);
            return work.call();
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
