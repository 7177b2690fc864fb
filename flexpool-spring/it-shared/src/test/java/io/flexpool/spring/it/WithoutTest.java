// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.spring.FlexPools;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** Applications with fewer jars on their class path: each is started from the jars that it has. */
class WithoutTest {
    /** Irrelevant here, and slow to start. */
    private static final String NEVER = "hibernate|flyway|liquibase|jackson|tomcat-embed|playwright"
            + "|spring-(orm|data|cloud|web|boot-devtools|boot-(starter-)?(web|servlet|tomcat|jpa|data|http|jackson))";

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    /** Reloaded for each class path. */
    public static final class Start implements Supplier<String> {
        /** Called by the test. */
        public Start() {}

        @Override
        public String get() {
            try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                    .web(WebApplicationType.NONE)
                    .properties("spring.datasource.url=jdbc:h2:mem:without", "flexpool.base=2")
                    .run()) {
                return seen(context);
            } catch (SQLException failed) {
                throw new AssertionError(failed);
            }
        }

        private static String seen(ConfigurableApplicationContext context) throws SQLException {
            context.getBean(DataSource.class).getConnection().close();
            FlexPoolDataSource pool = Objects.requireNonNull(
                    context.getBean(FlexPools.class).byName().get("dataSource"));
            long served =
                    pool.statistics().total().acquisition(AcquisitionOutcome.OK).count();
            StringBuilder seen = new StringBuilder(pool.type() + (served > 0 ? "" : ", but not used"));
            for (String bean : List.of("flexPoolMicrometer", "flexPoolOpenTelemetry", "flexpoolHealthIndicator")) {
                seen.append(context.containsBean(bean) ? " " + bean : "");
            }
            return seen.toString();
        }
    }

    private static URL[] classPathWithout(String jars) throws MalformedURLException {
        Pattern left = Pattern.compile(".*/(" + NEVER + "|" + jars + ")[^/]*\\.jar");
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            URL url = new File(entry).toURI().toURL();
            if (!left.matcher(url.getPath()).matches()) {
                urls.add(url);
            }
        }
        return urls.toArray(URL[]::new);
    }

    @ParameterizedTest
    @CsvSource(delimiterString = " -> ", textBlock = """
                    micrometer-(core|tracing)                   -> HikariCP flexPoolOpenTelemetry flexpoolHealthIndicator
                    HikariCP|opentelemetry                      -> Tomcat JDBC flexPoolMicrometer flexpoolHealthIndicator
                    spring-boot-(starter-)?(actuator|health|micrometer)|micrometer-core|opentelemetry -> HikariCP
                    """)
    void missingLibrariesAreNotNeeded(String jars, String seen) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(classPathWithout(jars), ClassLoader.getPlatformClassLoader())) {
            thread.setContextClassLoader(loader);
            Object start =
                    loader.loadClass(Start.class.getName()).getConstructor().newInstance();
            assertThat(((Supplier<?>) start).get()).isEqualTo(seen);
        } catch (IOException failed) {
            throw new AssertionError(failed);
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
