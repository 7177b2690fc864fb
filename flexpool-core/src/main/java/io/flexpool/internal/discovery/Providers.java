// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.discovery;

import io.flexpool.internal.event.PrintableFailure;
import java.util.Iterator;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds modules by the service loader, flexpool's own class loader and the thread's, whatever state they are in. */
public final class Providers {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    private static final int MOST = 100;

    private Providers() {}

    /**
     * Gives each provider on the class path to a consumer, some perhaps twice. A broken module is logged and does not keep
     * the others away; so is one for which the consumer throws. A module whose library is not on the class path, or has
     * another version there, throws a {@link LinkageError} when it is used: it is left out without a word.
     *
     * @param service what is looked for
     * @param consumer takes a provider
     * @param <T> the service
     */
    public static <T> void each(Class<T> service, Consumer<T> consumer) {
        each(ServiceLoader.load(service, Providers.class.getClassLoader()).iterator(), consumer);
        each(
                ServiceLoader.load(service, Thread.currentThread().getContextClassLoader())
                        .iterator(),
                consumer);
    }

    private static <T> void each(Iterator<T> found, Consumer<T> consumer) {
        // A loader whose directories cannot be read fails at each call without getting on: not for ever.
        for (int at = 0; at < MOST; at++) {
            try {
                if (!found.hasNext()) {
                    return;
                }
                use(found.next(), consumer);
            } catch (ServiceConfigurationError | RuntimeException | LinkageError broken) {
                LOG.warn("a module is broken and left out", PrintableFailure.of(broken));
            }
        }
    }

    private static <T> void use(T provider, Consumer<T> consumer) {
        try {
            consumer.accept(provider);
        } catch (LinkageError noLibrary) {
            return;
        }
    }
}
