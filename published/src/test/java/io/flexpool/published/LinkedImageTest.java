// SPDX-License-Identifier: Apache-2.0
package io.flexpool.published;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An application with a descriptor that requires {@code io.flexpool.core} and HikariCP: started from the module path, and linked
 * with core and its log backend, an adapter, another backend and a fleet into an image. H2, whose module is automatic, cannot be
 * linked and stands on the class path.
 */
class LinkedImageTest {
    private static final String APPLICATION = """
        package shop;

        import com.zaxxer.hikari.HikariDataSource;
        import io.flexpool.FlexPool;
        import io.flexpool.FlexPoolDataSource;
        import java.lang.management.ManagementFactory;
        import java.sql.Connection;
        import java.util.Map;
        import javax.management.ObjectName;

        public final class Shop {
            public static void main(String[] args) throws Exception {
                HikariDataSource pool = new HikariDataSource();
                pool.setDriverClassName("org.h2.Driver");
                pool.setJdbcUrl("jdbc:h2:mem:shop");
                pool.setMaximumPoolSize(3);
                try (FlexPoolDataSource orders = FlexPool.wrap(pool).name("orders")
                                .properties(Map.of("flexpool.metrics", "jmx,jfr,slf4j", "flexpool.fleet", "local", "flexpool.fleet.max", "6", "flexpool.fleet.instances-max", "2"))
                                .build();
                        Connection leased = orders.getConnection()) {
                    System.out.println("named: " + FlexPool.class.getModule().getName());
                    System.out.println("adapter: " + orders.type());
                    ModuleLayer.boot().modules().stream().map(Module::getName).filter(name -> name.startsWith("io.flexpool")).sorted()
                            .forEach(name -> System.out.println("module " + name));
                    System.out.println("beans: " + ManagementFactory.getPlatformMBeanServer()
                            .queryNames(new ObjectName("flexpool:type=Pool,*"), null).size());
                    System.out.println("leased: " + leased.isValid(1) + ", active " + orders.state().leased());
                }
            }
        }
        """;

    @TempDir
    private Path folder;

    /** The jars and folders of the class path with one of these artifacts. */
    private static List<Path> entries(String... artifacts) {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(path -> Stream.of(artifacts)
                        .anyMatch(artifact -> path.getFileName().toString().matches(artifact + "-\\d.*\\.jar")
                                || path.endsWith(Path.of(artifact, "target", "classes"))))
                .toList();
    }

    private static String joined(List<Path> paths) {
        return paths.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    private static void run(String tool, String... arguments) {
        StringWriter said = new StringWriter();
        PrintWriter out = new PrintWriter(said);
        int exit = ToolProvider.findFirst(tool).orElseThrow().run(out, out, arguments);
        assertThat(exit).as("%s: %s", tool, said).isZero();
    }

    private List<Path> application() throws IOException {
        Path sources = Files.createDirectories(folder.resolve("src/shop"));
        Files.writeString(sources.resolve("Shop.java"), APPLICATION);
        Files.writeString(folder.resolve("src/module-info.java"), """
            module shop {
                requires com.zaxxer.hikari;
                requires io.flexpool.core;
                requires java.management;
            }
            """);
        List<Path> modules = new ArrayList<>(entries(
                "flexpool-core",
                "flexpool-adapter-hikaricp",
                "flexpool-metrics-jdk",
                "flexpool-fleet",
                "HikariCP",
                "slf4j-api"));
        assertThat(modules).hasSize(6);
        Path compiled = folder.resolve("shop");
        run(
                "javac",
                "-proc:none",
                "--module-path",
                joined(modules),
                "-d",
                compiled.toString(),
                folder.resolve("src/module-info.java").toString(),
                sources.resolve("Shop.java").toString());
        modules.add(compiled);
        return modules;
    }

    private static void leases(Path java, String... arguments) throws IOException, InterruptedException {
        List<Path> driver = entries("h2");
        assertThat(driver).hasSize(1);
        List<String> command =
                new ArrayList<>(List.of(java.toString(), "-XX:TieredStopAtLevel=1", "-cp", joined(driver)));
        command.addAll(List.of(arguments));
        // The driver is not among the modules that the application requires.
        command.addAll(List.of("--add-modules", "java.compiler,java.logging,java.xml", "-m", "shop/shop.Shop"));
        Process application =
                new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(application.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(application.waitFor(3, TimeUnit.MINUTES)).isTrue();
        assertThat(Objects.requireNonNull(said))
                .contains("named: io.flexpool.core")
                .contains("module io.flexpool.adapter.hikaricp")
                .contains("module io.flexpool.metrics.jdk")
                .contains("module io.flexpool.fleet")
                .containsIgnoringCase("adapter: HikariCP")
                .contains("leased: true, active 1")
                .contains("beans: 1");
        assertThat(application.exitValue()).as(said).isZero();
    }

    /** Adapter, backend and part are resolved because core uses their services. */
    @Test
    void anApplicationStartsFromTheModulePathAndLeasesAConnection() throws IOException, InterruptedException {
        leases(Path.of(System.getProperty("java.home"), "bin", "java"), "-p", joined(application()));
    }

    @Test
    void anApplicationIsLinkedWithAdapterBackendAndPartAndLeasesAConnection() throws IOException, InterruptedException {
        assumeTrue(ToolProvider.findFirst("jlink").isPresent(), "this JDK has no jlink");
        Path image = folder.resolve("image");
        run(
                "jlink",
                "--module-path",
                joined(application()),
                "--add-modules",
                // H2 wants the compiler's interface and the logging of the JDK, as its own descriptor would say.
                "shop,io.flexpool.adapter.hikaricp,io.flexpool.metrics.jdk,io.flexpool.fleet,java.compiler,java.logging,java.xml,jdk.jfr",
                "--output",
                image.toString());
        leases(image.resolve("bin/java"));
    }
}
