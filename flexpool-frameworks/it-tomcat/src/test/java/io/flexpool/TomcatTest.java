// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.event.PoolEvent;
import io.flexpool.pool.AcquisitionOutcome;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.management.ObjectName;
import javax.naming.InitialContext;
import javax.sql.DataSource;
import org.apache.catalina.Context;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.ContextConfig;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.util.ServerInfo;
import org.apache.tomcat.util.scan.StandardJarScanner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application in an embedded Tomcat, whose pool stands in its naming directory, on a real PostgreSQL. */
class TomcatTest {
    private static PostgresServer server;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        assumeTrue(
                PostgresServer.unavailable().isEmpty(),
                () -> PostgresServer.unavailable().orElse(""));
        server = PostgresServer.start();
        settings().forEach(System::setProperty);
    }

    /** What the application's context.xml names. */
    private static Map<String, String> settings() {
        return Map.of(
                "orders.url", server.jdbcUrl(), "orders.user", server.user(), "orders.password", server.password());
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            settings().keySet().forEach(System::clearProperty);
            server.close();
        }
    }

    private Tomcat started() throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(folder.toString());
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.enableNaming();
        Context application = tomcat.addContext("", folder.toString());
        ContextConfig config = new ContextConfig();
        config.setDefaultWebXml(tomcat.noDefaultWebXmlPath());
        application.addLifecycleListener(config);
        application.setConfigFile(TomcatTest.class.getResource("/context.xml"));
        StandardJarScanner none = new StandardJarScanner();
        none.setScanClassPath(false);
        application.setJarScanner(none);
        ((StandardContext) application).getPipeline().addValve(new QueryValve());
        tomcat.start();
        return tomcat;
    }

    private static String answer(Tomcat tomcat) throws Exception {
        URI address = URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/");
        try (InputStream in = address.toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static FlexPoolDataSource onlyPool() {
        assertThat(OpenPools.list()).hasSize(1);
        return OpenPools.list().get(0);
    }

    /** As the application's own code sees its directory. */
    @SuppressWarnings("BanJNDI") // a name of the directory of the test's own container
    private static DataSource lookUp(Tomcat tomcat, String name) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(
                ((Context) tomcat.getHost().findChildren()[0]).getLoader().getClassLoader());
        try {
            return (DataSource) new InitialContext().lookup("java:comp/env/" + name);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Test
    void runsOnTheVersionThatTheBuildSays() {
        assertThat(ServerInfo.getServerInfo()).endsWith("/" + System.getProperty("expected.tomcat"));
    }

    /** Tomcat looks each data source up before its directory can be read, and logged a trace of 73 lines for it. */
    @Test
    void aHealthyStartLogsNoWarning() throws Exception {
        Queue<String> warnings = new ConcurrentLinkedQueue<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                // An embedded Tomcat that stops warns of missing options of the JVM, without an exception.
                if (line.getLevel().intValue() >= Level.WARNING.intValue() && line.getThrown() != null) {
                    warnings.add(line.getMessage() + ": " + line.getThrown());
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger root = Logger.getLogger("");
        root.addHandler(handler);
        try {
            Tomcat tomcat = started();
            try {
                assertThat(warnings).isEmpty();
                assertThat(OpenPools.list()).as("until its first use").isEmpty();
                assertThat(answer(tomcat)).isEqualTo("placed");
                assertThat(onlyPool().name()).isEqualTo("orders");
            } finally {
                tomcat.stop();
                tomcat.destroy();
            }
        } finally {
            root.removeHandler(handler);
        }
        assertThat(warnings).isEmpty();
        assertThat(OpenPools.list()).isEmpty();
    }

    /** A thread of no application, such as one of the JDK's common pool, may be the first that needs a connection. */
    @Test
    void theFirstRequestMayBeThatOfAThreadWithoutADirectory() throws Exception {
        Tomcat tomcat = started();
        try {
            DataSource orders = lookUp(tomcat, "jdbc/orders");
            assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(TomcatTest.class.getClassLoader());
            orders.getConnection().close();
            assertThat(onlyPool().unwrap(HikariDataSource.class)).isNotNull();
        } finally {
            tomcat.stop();
            tomcat.destroy();
        }
    }

    @Test
    void requestsOfAnApplicationUseTheWrappedPoolUntilTheApplicationStops() throws Exception {
        ObjectName beans = new ObjectName("flexpool:*");
        Tomcat tomcat = started();
        FlexPoolDataSource pool;
        HikariDataSource own;
        try {
            assertThat(answer(tomcat)).isEqualTo("placed");
            pool = onlyPool();
            own = pool.unwrap(HikariDataSource.class);
            assertThat(pool.name()).isEqualTo("orders");
            assertThat(pool.type()).isEqualTo("HikariCP");
            assertThat(pool.state().limit()).isEqualTo(5);
            assertThat(pool.statistics()
                            .total()
                            .acquisition(AcquisitionOutcome.OK)
                            .count())
                    .isEqualTo(1);
            assertThat(pool.diagnosis().callSites())
                    .anySatisfy(site -> assertThat(site.callSite()).contains("QueryValve.invoke"));
            assertThat(ManagementFactory.getPlatformMBeanServer().queryNames(beans, null))
                    .anySatisfy(bean -> assertThat(bean.toString()).contains("orders"));
        } finally {
            tomcat.stop();
            tomcat.destroy();
        }
        assertThat(pool.closed()).isTrue();
        assertThat(OpenPools.list()).isEmpty();
        assertThat(own.isClosed()).as("by the container").isTrue();
        assertThat(ManagementFactory.getPlatformMBeanServer().queryNames(beans, null))
                .isEmpty();
    }

    @Test
    void closingTheResourceEndsFlexpoolAndLeavesThePoolToTheContainer() throws Exception {
        Tomcat tomcat = started();
        try {
            DataSource orders = lookUp(tomcat, "jdbc/orders");
            orders.getConnection().close();
            FlexPoolDataSource pool = onlyPool();
            assertThat(lookUp(tomcat, "jdbc/orders")).as("the same each time").isSameAs(orders);
            ((AutoCloseable) orders).close();
            ((AutoCloseable) orders).close();

            assertThat(pool.closed()).isTrue();
            assertThatThrownBy(orders::getConnection).hasMessageContaining("closed");
            lookUp(tomcat, "jdbc/raw").getConnection().close();
        } finally {
            tomcat.stop();
            tomcat.destroy();
        }
    }

    @Test
    void closingTheResourceDrainsIfConfigured() throws Exception {
        try (HikariDataSource own = new HikariDataSource()) {
            own.setDataSource(server.dataSource());
            FlexPoolFactory.ContainerPool resource = new FlexPoolFactory.ContainerPool(
                            "drained", FlexPool.wrap(own).properties(Map.of("flexpool.drain.within", "50s")))
                    .wrapped();
            FlexPoolDataSource pool = resource.unwrap(FlexPoolDataSource.class);
            resource.close();
            assertThat(pool.closed()).isTrue();
            assertThat(pool.diagnosis().recentEvents())
                    .anySatisfy(recent -> assertThat(recent.event()).isInstanceOf(PoolEvent.LifecycleChanged.class));
            assertThat(own.isClosed()).isFalse();
        }
    }

    /** The steps of docs/reference/frameworks.md are this application's. */
    @Test
    void thePageShowsTheResourceThatIsRunHere() throws Exception {
        String page = Files.readString(Path.of("..", "..", "docs", "reference", "frameworks.md"));
        try (InputStream in = TomcatTest.class.getResourceAsStream("/context.xml")) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)
                            .lines()
                            .map(String::strip)
                            .filter(line -> !line.contains("Context>") && !line.contains("sample-every")))
                    .hasSize(4)
                    .allSatisfy(line -> assertThat(page).contains(line));
        }
    }
}
