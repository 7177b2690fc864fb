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
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An application with a descriptor that requires {@code io.flexpool.core}, linked with it and slf4j-api into an image of its
 * own. Automatic modules cannot be linked: pools, drivers and flexpool's adapters have no descriptor, so they stand on
 * the image's class path, where core's services find them.
 */
class LinkedImageTest {
    private static final String APPLICATION = """
        package shop;

        import io.flexpool.FlexPool;
        import io.flexpool.FlexPoolDataSource;
        import java.sql.Connection;
        import javax.sql.DataSource;

        public final class Shop {
            public static void main(String[] args) throws Exception {
                Class<?> type = Class.forName("com.zaxxer.hikari.HikariDataSource");
                DataSource pool = (DataSource) type.getConstructor().newInstance();
                type.getMethod("setJdbcUrl", String.class).invoke(pool, "jdbc:h2:mem:shop");
                type.getMethod("setMaximumPoolSize", int.class).invoke(pool, 3);
                try (FlexPoolDataSource orders = FlexPool.wrap(pool).name("orders").build();
                        Connection leased = orders.getConnection()) {
                    System.out.println("named: " + FlexPool.class.getModule().getName());
                    System.out.println("adapter: " + orders.type());
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

    @Test
    void anApplicationOnTheModulePathIsLinkedAndLeasesAConnection() throws IOException, InterruptedException {
        assumeTrue(ToolProvider.findFirst("jlink").isPresent(), "this JDK has no jlink");
        Path sources = Files.createDirectories(folder.resolve("src/shop"));
        Files.writeString(sources.resolve("Shop.java"), APPLICATION);
        Files.writeString(folder.resolve("src/module-info.java"), "module shop { requires io.flexpool.core; }\n");
        List<Path> named = entries("flexpool-core", "slf4j-api");
        assertThat(named).hasSize(2);
        run(
                "javac",
                "-proc:none",
                "--module-path",
                joined(named),
                "-d",
                folder.resolve("shop").toString(),
                folder.resolve("src/module-info.java").toString(),
                sources.resolve("Shop.java").toString());

        Path image = folder.resolve("image");
        run(
                "jlink",
                "--module-path",
                joined(named) + File.pathSeparator + folder.resolve("shop"),
                "--add-modules",
                // H2 wants the compiler's interface and the logging of the JDK, as its own descriptor would say.
                "shop,java.compiler,java.management,java.logging,java.xml",
                "--output",
                image.toString());

        List<Path> unnamed = entries("flexpool-adapter-hikaricp", "HikariCP", "h2");
        assertThat(unnamed).hasSize(3);
        Process application = new ProcessBuilder(
                        image.resolve("bin/java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        joined(unnamed),
                        "-m",
                        "shop/shop.Shop")
                .redirectErrorStream(true)
                .start();
        String said = new String(application.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(application.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(Objects.requireNonNull(said))
                .contains("named: io.flexpool.core")
                .containsIgnoringCase("adapter: HikariCP")
                .contains("leased: true, active 1");
        assertThat(application.exitValue()).as(said).isZero();
    }
}
