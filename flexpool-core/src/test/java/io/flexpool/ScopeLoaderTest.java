// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static io.flexpool.Eventually.eventually;

import java.io.File;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** flexpool in the class loader of an application, whose scopes and tokens a server's thread has seen: the loader is collected. */
@Timeout(300)
class ScopeLoaderTest {
    private final ExecutorService server = Executors.newSingleThreadExecutor();

    /** What the application leaves on the server's thread. */
    enum Left {
        SCOPE_CLOSED_ELSEWHERE,
        SCOPE_OPEN,
        TOKEN_CLOSED_ELSEWHERE,
        TOKEN_OPEN,
        TOKENS_CLOSED_OUT_OF_ORDER,
        SCOPE_OF_A_TOKEN
    }

    @AfterEach
    void end() {
        server.shutdown();
    }

    @ParameterizedTest
    @EnumSource
    void theServersThreadDoesNotHoldTheApplication(Left left) throws Exception {
        WeakReference<ClassLoader> loader = deployed(left);
        eventually(() -> {
            System.gc();
            return loader.get() == null;
        });
    }

    private WeakReference<ClassLoader> deployed(Left left) throws Exception {
        URLClassLoader loader = new URLClassLoader("application", classPath(), ClassLoader.getPlatformClassLoader());
        server.submit(() -> {
                    leave(loader, left);
                    return null;
                })
                .get();
        loader.close();
        return new WeakReference<>(loader);
    }

    @SuppressWarnings("MustBeClosed") // what the test is about
    private static void leave(ClassLoader loader, Left left) throws Exception {
        switch (left) {
            case SCOPE_CLOSED_ELSEWHERE -> elsewhere(scope(loader));
            case SCOPE_OPEN -> scope(loader);
            case TOKEN_CLOSED_ELSEWHERE -> elsewhere(carried(loader));
            case TOKEN_OPEN -> carried(loader);
            case TOKENS_CLOSED_OUT_OF_ORDER -> {
                AutoCloseable outer = carried(loader);
                AutoCloseable inner = carried(loader);
                outer.close();
                inner.close();
            }
            case SCOPE_OF_A_TOKEN -> {
                AutoCloseable token = carried(loader);
                scope(loader);
                token.close();
            }
        }
    }

    private static AutoCloseable scope(ClassLoader loader) throws Exception {
        Class<?> type = loader.loadClass(PoolScope.class.getName());
        Object scope = type.getMethod("within", Duration.class).invoke(null, Duration.ofSeconds(1));
        return (AutoCloseable) type.getMethod("open").invoke(scope);
    }

    private static AutoCloseable carried(ClassLoader loader) throws Exception {
        Class<?> type = loader.loadClass(OwnerToken.class.getName());
        Object token = type.getMethod("create", String.class).invoke(null, "checkout");
        return (AutoCloseable) type.getMethod("makeCurrent").invoke(token);
    }

    private static void elsewhere(AutoCloseable opened) throws Exception {
        Thread thread = new Thread(() -> {
            try {
                opened.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        thread.start();
        thread.join();
    }

    private static URL[] classPath() throws Exception {
        String[] entries = System.getProperty("java.class.path", "").split(File.pathSeparator);
        URL[] urls = new URL[entries.length];
        for (int at = 0; at < urls.length; at++) {
            urls[at] = Path.of(Arrays.asList(entries).get(at)).toUri().toURL();
        }
        return urls;
    }
}
