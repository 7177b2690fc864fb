// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.adapter.tck.faults.Crowd;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.StringTokenizer;
import java.util.concurrent.atomic.AtomicReference;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * An application server loads and ends an application with this pool. A collected class loader has no thread, MBean,
 * driver or hook left: each would reference it. Counts of threads or MBeans would include parallel tests.
 */
abstract class LeftoversContract extends ContractPart {
    private static final String A_THREAD = "thread ";

    LeftoversContract(PoolAdapterContract contract) {
        super(contract);
    }

    @Test
    void afterCloseNoThreadNoMBeanAndNoClassIsLeft() throws Exception {
        WeakReference<ClassLoader> loader = deploy();
        if (has(PoolQuirk.ITS_THREADS_STAY)) {
            assertThat(holders(loader)).isNotEmpty().allMatch(holder -> holder.startsWith(A_THREAD));
            return;
        }
        if (has(PoolQuirk.ITS_CLASSES_STAY)) {
            assertThat(Crowd.eventually(Duration.ofSeconds(20), () -> noThreadHolds(loader)))
                    .as("held by %s", holders(loader))
                    .isTrue();
            return;
        }
        boolean collected = collected(loader);
        assertThat(collected)
                .as("the application's class loader is collected; it is held by, among others, %s", holders(loader))
                .isTrue();
    }

    private static boolean noThreadHolds(WeakReference<ClassLoader> reference) {
        try {
            return holders(reference).stream().noneMatch(holder -> holder.startsWith(A_THREAD));
        } catch (JMException thrown) {
            throw new AssertionError(thrown);
        }
    }

    /**
     * Whether the class loader is collected within three minutes. Some pools' threads end ten seconds after their last
     * use. Pauses between collections, because each stops the whole JVM.
     */
    private static boolean collected(WeakReference<ClassLoader> loader) throws InterruptedException {
        for (int round = 0; round < 720 && loader.get() != null; round++) {
            System.gc();
            Crowd.eventually(Duration.ofMillis(250), () -> loader.get() == null);
        }
        return loader.get() == null;
    }

    private static List<String> holders(WeakReference<ClassLoader> reference) throws JMException {
        List<String> holders = new ArrayList<>();
        ClassLoader loader = reference.get();
        if (loader == null) {
            return holders;
        }
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getContextClassLoader() == loader || thread.getClass().getClassLoader() == loader) {
                holders.add(A_THREAD + thread.getName());
            }
        }
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        for (ObjectName name : server.queryNames(null, null)) {
            if (loaderOf(name, server) == loader) {
                holders.add("MBean " + name);
            }
        }
        return holders;
    }

    /** The class loader of an MBean; also null if the MBean has been unregistered meanwhile. */
    private static @Nullable ClassLoader loaderOf(ObjectName name, MBeanServer server) {
        try {
            return server.getClassLoaderFor(name);
        } catch (InstanceNotFoundException gone) {
            return null;
        }
    }

    private WeakReference<ClassLoader> deploy() throws Exception {
        URLClassLoader loader = new URLClassLoader("application", classPath(), ClassLoader.getPlatformClassLoader());
        Runnable application = (Runnable) loader.loadClass(EndedApplication.class.getName())
                .getConstructor(String.class)
                .newInstance(contract.getClass().getName());
        AtomicReference<Throwable> failure = new AtomicReference<>();
        // A new thread, so that no surviving thread references the application's classes.
        Thread thread = new Thread(null, application, "application", 0, false);
        thread.setContextClassLoader(loader);
        thread.setUncaughtExceptionHandler((any, thrown) -> failure.set(thrown));
        thread.start();
        thread.join();
        Throwable thrown = failure.get();
        if (thrown != null) {
            throw new AssertionError("the application failed", thrown);
        }
        loader.close();
        return new WeakReference<>(loader);
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
