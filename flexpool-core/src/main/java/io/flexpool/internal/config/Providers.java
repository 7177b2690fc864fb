// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.internal.event.PrintableFailure;
import java.util.Iterator;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Loads modules by the service loader, from flexpool's class loader and the thread's; tolerates broken ones. */
public final class Providers {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    private static final int MOST = 100;

    private Providers() {}

    /**
     * Passes each provider on the class path to a consumer, some perhaps twice. A broken module, or one for which the
     * consumer throws, is logged and skipped. A module with a missing library, or another version of it, throws a
     * {@link LinkageError} when it is used: it is skipped without a log line.
     */
    public static <T> void each(Class<T> service, Consumer<T> consumer) {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        ClassLoader own = Providers.class.getClassLoader();
        each(ServiceLoader.load(service, own).iterator(), consumer);
        if (context != own) {
            each(ServiceLoader.load(service, context).iterator(), consumer);
        }
    }

    private static <T> void each(Iterator<T> found, Consumer<T> consumer) {
        // Bounded: a loader with unreadable directories fails at each call without advancing.
        for (int at = 0; at < MOST; at++) {
            try {
                if (!found.hasNext()) {
                    return;
                }
                T provider = found.next();
                try {
                    consumer.accept(provider);
                } catch (LinkageError noLibrary) {
                    // Skipped in silence: an application need not have every library.
                }
            } catch (Exception | Error broken) {
                LOG.warn(
                        "skipping a broken module. Check that all flexpool modules have the same version.",
                        PrintableFailure.of(broken));
            }
        }
    }
}
