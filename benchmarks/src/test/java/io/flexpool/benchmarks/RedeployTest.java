// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.StringTokenizer;
import java.util.concurrent.atomic.AtomicReference;
import javax.management.ObjectName;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An application server loads an application, ends it, and wants its memory back. */
@Timeout(300)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RedeployTest {
    private static final int ROUNDS = 100;

    @ParameterizedTest
    @ValueSource(strings = {"watched", "bound", "disabled", "closed-while-out", "failing"})
    void afterCloseNothingIsLeft(String how) throws Exception {
        WeakReference<ClassLoader> loader = deploy(how);
        assertThat(collected(loader))
                .as("the application's class loader is collected")
                .isTrue();
        assertThat(ourThreads()).isEmpty();
        assertThat(ManagementFactory.getPlatformMBeanServer().queryNames(new ObjectName("flexpool*:*"), null))
                .isEmpty();
    }

    /** Else the test above could not fail. The last one, because the threads of this pool stay. */
    @Test
    @Order(Integer.MAX_VALUE)
    void aPoolThatIsForgottenIsSeen() throws Exception {
        WeakReference<ClassLoader> loader = deploy("forgotten");
        System.gc();
        assertThat(loader.get()).isNotNull();
        Runnable close = RedeployedApplication.FORGOTTEN.getAndSet(null);
        assertThat(close)
                .as("the test's own class is another one than the application's")
                .isNull();
    }

    private static WeakReference<ClassLoader> deploy(String how) throws Exception {
        URLClassLoader loader = new URLClassLoader("application", classPath(), ClassLoader.getPlatformClassLoader());
        Runnable application = (Runnable) loader.loadClass(RedeployedApplication.class.getName())
                .getConstructor(String.class)
                .newInstance(how);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        // A separate one, so that no surviving thread has seen the application's classes.
        Thread thread = new Thread(application, "application");
        thread.setContextClassLoader(loader);
        thread.setUncaughtExceptionHandler((any, thrown) -> failure.set(thrown));
        thread.start();
        thread.join();
        assertThat(failure.get()).isNull();
        loader.close();
        return new WeakReference<>(loader);
    }

    private static boolean collected(WeakReference<ClassLoader> loader) throws InterruptedException {
        for (int round = 0; round < ROUNDS && loader.get() != null; round++) {
            System.gc();
            Thread.sleep(50);
        }
        return loader.get() == null;
    }

    private static List<String> ourThreads() throws InterruptedException {
        List<String> names = List.of("?");
        for (int round = 0; round < ROUNDS && !names.isEmpty(); round++) {
            names = Thread.getAllStackTraces().keySet().stream()
                    .map(Thread::getName)
                    .filter(name -> name.startsWith("flexpool"))
                    .toList();
            Thread.sleep(names.isEmpty() ? 0 : 20);
        }
        return names;
    }

    private static URL[] classPath() throws Exception {
        List<URL> urls = new ArrayList<>();
        StringTokenizer entries = new StringTokenizer(System.getProperty("java.class.path", ""), File.pathSeparator);
        while (entries.hasMoreTokens()) {
            urls.add(Path.of(entries.nextToken()).toUri().toURL());
        }
        return urls.toArray(URL[]::new);
    }
}
