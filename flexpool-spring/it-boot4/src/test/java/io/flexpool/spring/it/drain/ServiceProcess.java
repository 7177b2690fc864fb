// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it.drain;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A {@link Service} in a process, and what it says. */
final class ServiceProcess implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 180;

    private final Process process;
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Integer> port = new CompletableFuture<>();

    ServiceProcess(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-Xmx256m",
                // As an argument it is not read, and modules that are folders would be loaded twice.
                "-Dspring.devtools.restart.enabled=false",
                "-cp",
                System.getProperty("java.class.path"),
                Service.class.getName(),
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--server.shutdown=graceful",
                "--spring.main.banner-mode=off",
                "--logging.level.io.flexpool=info",
                "--spring.flyway.enabled=false",
                "--spring.liquibase.enabled=false",
                "--spring.data.jpa.repositories.enabled=false",
                "--spring.autoconfigure.exclude="
                        + "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration,"
                        // It ends the database before the pool, with which late work goes on until then.
                        + "org.springframework.boot.devtools.autoconfigure.DevToolsDataSourceAutoConfiguration",
                "--spring.datasource.url=jdbc:h2:mem:service;DB_CLOSE_ON_EXIT=FALSE",
                "--spring.datasource.hikari.maximum-pool-size=8"));
        command.addAll(List.of(arguments));
        this.process = new ProcessBuilder(command).redirectErrorStream(true).start();
        Thread reader = new Thread(this::read, "service-output");
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line; (line = output.readLine()) != null; ) {
                lines.add(line);
                if (line.startsWith(Service.PORT)) {
                    port.complete(Integer.valueOf(line.substring(Service.PORT.length())));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            port.completeExceptionally(new IllegalStateException("it ended: " + said()));
        }
    }

    /** Where it listens, once it does. */
    int port() throws Exception {
        return port.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /** Sends SIGTERM, and waits until it has ended. */
    void terminate() throws InterruptedException {
        // Not the process itself, whose method also closes what it says.
        process.toHandle().destroy();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("it does not end: " + said());
        }
    }

    /** All that it has said. */
    String said() {
        return String.join("\n", lines);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
