// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.scenario;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import redis.embedded.core.ExecutableProvider;

/** A Redis at 127.0.0.1 that keeps what it knows in a file. It ends with this JVM, however that ends. */
final class RedisStore implements Store {
    private static final int TRIES = 100;
    private static final long BETWEEN_MILLIS = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final long END_SECONDS = 10;

    private final Path folder;
    private final File executable;
    private final int port;
    private final RedisClient client;
    private Process process;

    private RedisStore(Path folder) throws IOException {
        this.folder = folder;
        this.executable =
                ExecutableProvider.newJarResourceProvider(folder.toFile()).get();
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            this.port = free.getLocalPort();
        }
        this.client = RedisClient.create(RedisURI.builder()
                .withHost("127.0.0.1")
                .withPort(port)
                .withTimeout(PATIENCE)
                .build());
        this.process = process();
    }

    /** Starts one that knows nothing. */
    static RedisStore start() throws IOException, InterruptedException {
        RedisStore store = new RedisStore(Files.createTempDirectory("fleet-redis"));
        store.awaitAnswer();
        return store;
    }

    /** The shell ends the server as soon as its own input ends, which it does with this JVM. */
    private Process process() throws IOException {
        List<String> command = List.of(
                "sh",
                "-c",
                "\"$0\" \"$@\" & server=$!; cat > /dev/null; kill $server; wait $server",
                executable.toString(),
                "--bind",
                "127.0.0.1",
                "--port",
                String.valueOf(port),
                "--dir",
                folder.toString(),
                "--save",
                "",
                "--appendonly",
                "yes",
                "--appendfsync",
                "no");
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private void awaitAnswer() throws InterruptedException, IOException {
        for (int tries = 0; tries < TRIES; tries++) {
            try {
                flush(false);
                return;
            } catch (RedisConnectionException notYet) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(BETWEEN_MILLIS));
            }
        }
        close();
        throw new IOException("Redis does not answer");
    }

    private void flush(boolean all) {
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            if (all) {
                connection.sync().flushall();
            } else {
                connection.sync().ping();
            }
        }
    }

    @Override
    public String uri() {
        return "redis://127.0.0.1:" + port;
    }

    @Override
    public void reset() {
        flush(true);
    }

    @Override
    public void stop() throws IOException, InterruptedException {
        process.getOutputStream().close();
        if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
            throw new IOException("Redis does not end");
        }
    }

    @Override
    public void startAgain() throws IOException, InterruptedException {
        process = process();
        awaitAnswer();
    }

    @Override
    public void empty() {
        flush(true);
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, PATIENCE);
        try {
            if (process.isAlive()) {
                stop();
            }
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        } catch (IOException notDeleted) {
            throw new UncheckedIOException(notDeleted);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
