// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it.endpoint;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;

/** Users that borrow a connection, hold it for a while and return it, repeatedly, until this is closed. */
public final class Load implements AutoCloseable {
    private final AtomicBoolean over = new AtomicBoolean();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<CompletableFuture<Void>> users = new ArrayList<>();

    /** Starts the users. */
    Load(DataSource pool, int count, Duration lease) {
        for (int at = 0; at < count; at++) {
            users.add(CompletableFuture.runAsync(() -> use(pool, lease), threads));
        }
    }

    private void use(DataSource pool, Duration lease) {
        while (!over.get()) {
            try (Connection connection = pool.getConnection()) {
                connection.getAutoCommit();
                TimeUnit.NANOSECONDS.sleep(lease.toNanos());
            } catch (SQLException late) {
                // Those that got none try again.
                Thread.onSpinWait();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** Stops when the last connection is back. */
    @Override
    public void close() {
        over.set(true);
        threads.shutdown();
        users.forEach(CompletableFuture::join);
    }
}
