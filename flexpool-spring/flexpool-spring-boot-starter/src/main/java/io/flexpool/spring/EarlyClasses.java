// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import io.flexpool.spi.DaemonThreads;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.core.NativeDetector;

/**
 * Loads the classes of a first pool on another thread, while the application starts its web server: they are half of
 * what flexpool costs a start. They are verified too, but not initialised, so that neither thread can wait for the
 * other's static initialisers. Once per JVM, and only with a second processor.
 *
 * <p>Their names stand in {@value #NAMES}, which a test compares with a start's classes. One that is missing or no longer
 * needed costs a fraction of a millisecond.
 */
final class EarlyClasses {
    /** Beside this class, one name in a line. */
    static final String NAMES = "first-pool.txt";

    private static final AtomicBoolean BEGUN = new AtomicBoolean();

    private EarlyClasses() {}

    /** Begins, and returns at once. */
    static void load() {
        if (Runtime.getRuntime().availableProcessors() > 1
                && !NativeDetector.inNativeImage()
                && BEGUN.compareAndSet(false, true)) {
            DaemonThreads.create("flexpool-start", EarlyClasses::all).start();
        }
    }

    private static void all() {
        try (InputStream names = EarlyClasses.class.getResourceAsStream(NAMES)) {
            if (names != null) {
                new String(names.readAllBytes(), StandardCharsets.UTF_8).lines().forEach(EarlyClasses::one);
            }
        } catch (IOException unreadable) {
            // The start loads them itself.
            return;
        }
    }

    /**
     * Asking a class for its constructors verifies it. Only for the public ones: each that is returned stays in memory, with its
     * class, until memory is short.
     */
    private static boolean one(String name) {
        try {
            Class<?> type = Class.forName(name, false, EarlyClasses.class.getClassLoader());
            return type.isInterface() || type.getConstructors().length > 0;
        } catch (ClassNotFoundException | LinkageError missing) {
            // Of a library that this application does not have.
            return false;
        }
    }
}
