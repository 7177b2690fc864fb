// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapterProvider;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Which modules are left out, and which of them are worth a line in the log. */
class ProvidersTest {
    private static final List<String> asked = new ArrayList<>();

    private final Logger logger = (Logger) LoggerFactory.getLogger("io.flexpool");
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final ClassLoader before = Thread.currentThread().getContextClassLoader();

    private @Nullable Level level;

    @TempDir
    Path modules;

    /** One that is in order. */
    public static class Present implements PoolAdapterProvider {
        @Override
        public Optional<PoolAdapter> adapt(DataSource dataSource) {
            asked.add(getClass().getSimpleName());
            return Optional.empty();
        }
    }

    /** One whose library is not there. */
    public static final class Absent extends Present {
        @Override
        public Optional<PoolAdapter> adapt(DataSource dataSource) {
            super.adapt(dataSource);
            throw new NoClassDefFoundError("org/example/Pool");
        }
    }

    private static final String BROKEN =
            "skipping a broken module. Check that all flexpool modules have the same version.";

    /** One that is broken. */
    public static final class Broken extends Present {
        @Override
        public Optional<PoolAdapter> adapt(DataSource dataSource) {
            super.adapt(dataSource);
            throw new IllegalStateException("broken");
        }
    }

    /** One that cannot even be made. */
    public static final class Unmade extends Present {
        /** Never ends well. */
        public Unmade() {
            throw new NoClassDefFoundError("org/example/Driver");
        }
    }

    @BeforeEach
    void begin() {
        log.start();
        logger.addAppender(log);
        level = logger.getLevel();
        logger.setLevel(Level.WARN);
        asked.clear();
    }

    @AfterEach
    void end() {
        logger.setLevel(level);
        logger.detachAppender(log);
        Thread.currentThread().setContextClassLoader(before);
    }

    private void find(Class<?>... providers) throws Exception {
        Path services = Files.createDirectories(modules.resolve("META-INF/services"));
        List<String> names = List.of(providers).stream().map(Class::getName).toList();
        Files.write(services.resolve(PoolAdapterProvider.class.getName()), names);
        URL[] found = {modules.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(found, before)) {
            Thread.currentThread().setContextClassLoader(loader);
            assertThat(AdapterFinder.knows(new JdbcDataSource())).isFalse();
        }
    }

    @Test
    void anAbsentLibraryIsSilent() throws Exception {
        find(Absent.class, Present.class);
        assertThat(asked).containsExactly("Absent", "Present");
        assertThat(log.list).isEmpty();
    }

    @Test
    void aBrokenModuleIsLogged() throws Exception {
        find(Broken.class, Unmade.class, Present.class);
        assertThat(asked).containsExactly("Broken", "Present");
        assertThat(log.list).extracting(ILoggingEvent::getFormattedMessage).containsExactly(BROKEN, BROKEN);
    }
}
