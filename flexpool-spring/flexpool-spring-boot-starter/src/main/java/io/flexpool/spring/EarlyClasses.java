// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import io.flexpool.spi.DaemonThreads;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.core.NativeDetector;

/**
 * Loads the classes of a first pool on another thread, while the application starts its web server: they cause half of
 * flexpool's cost at a start. Also verifies them, but does not initialise them, so that neither thread can wait for the
 * other's static initialisers. Runs once per JVM, and only with a second processor.
 *
 * <p>The file {@value #NAMES} has their names; a test compares it with a start's classes. A missing or unnecessary name
 * costs a fraction of a millisecond.
 */
final class EarlyClasses {
    /** The file beside this class, one name per line. */
    static final String NAMES = "first-pool.txt";

    private static final AtomicBoolean BEGUN = new AtomicBoolean();

    private EarlyClasses() {}

    /** Starts the thread, and returns at once. */
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
            // Without a thread the start loads the classes itself.
            return;
        }
    }

    /**
     * Loads and verifies a class: reading its constructors verifies it. Reads only public ones, because returned
     * constructors stay in memory, with their class, until memory is short.
     */
    private static boolean one(String name) {
        try {
            Class<?> type = Class.forName(name, false, EarlyClasses.class.getClassLoader());
            return type.isInterface() || type.getConstructors().length > 0;
        } catch (ClassNotFoundException | LinkageError missing) {
            // The class needs a library that this application does not have.
            return false;
        }
    }
}
