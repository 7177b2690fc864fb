// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static io.flexpool.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.internal.pool.FakePool;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.ref.WeakReference;
import java.util.Objects;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** flexpool in a class loader that several applications share, as a container's own libraries are. */
@Timeout(300)
class SharedLoaderTest {
    /** The application: its class comes from a loader of its own. */
    public static final class Application implements Function<FakePool, FlexPoolDataSource> {
        @Override
        public FlexPoolDataSource apply(FakePool fake) {
            return FlexPool.wrap(fake.dataSource).adapter(fake).build();
        }
    }

    private static final class ApplicationLoader extends ClassLoader {
        ApplicationLoader() {
            super("application", SharedLoaderTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            return name.equals(Application.class.getName()) ? defined(name) : super.loadClass(name, resolve);
        }

        private Class<?> defined(String name) {
            try (InputStream bytes = Objects.requireNonNull(getResourceAsStream(name.replace('.', '/') + ".class"))) {
                byte[] all = bytes.readAllBytes();
                return defineClass(name, all, 0, all.length);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private record Deployed(WeakReference<ClassLoader> loader, FlexPoolDataSource pool) {}

    @Test
    void threadsDoNotHoldTheFirstApplication() throws Exception {
        awaitNoThreads();
        Deployed first = deployed();
        FakePool fake = new FakePool();
        try (FlexPoolDataSource another =
                FlexPool.wrap(fake.dataSource).adapter(fake).build()) {
            first.pool().close();
            for (int round = 0; round < 200 && first.loader().get() != null; round++) {
                System.gc();
                Thread.sleep(20);
            }
            assertThat(another.closed()).isFalse();
            assertThat(first.loader().get())
                    .as("the application's class loader")
                    .isNull();
        }
    }

    @SuppressWarnings("unchecked") // The class is found by its name.
    private static Deployed deployed() throws Exception {
        FakePool fake = new FakePool();
        ClassLoader loader = new ApplicationLoader();
        Function<FakePool, FlexPoolDataSource> application = (Function<FakePool, FlexPoolDataSource>)
                loader.loadClass(Application.class.getName()).getConstructor().newInstance();
        FlexPoolDataSource[] built = new FlexPoolDataSource[1];
        // Of its own, so that no thread that goes on has seen the application's class.
        Thread thread = new Thread(() -> built[0] = application.apply(fake), "application");
        thread.setContextClassLoader(loader);
        thread.start();
        thread.join();
        return new Deployed(new WeakReference<>(loader), built[0]);
    }

    private static void awaitNoThreads() {
        eventually(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("flexpool-")));
    }
}
