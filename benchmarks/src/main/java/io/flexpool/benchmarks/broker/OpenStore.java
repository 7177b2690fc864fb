// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.benchmarks.kit.DurablePostgres;
import io.flexpool.benchmarks.kit.OpenPool;
import java.nio.file.Path;
import java.sql.SQLException;
import org.apache.activemq.store.PersistenceAdapter;
import org.apache.activemq.store.jdbc.JDBCPersistenceAdapter;
import org.apache.activemq.store.jdbc.adapter.PostgresqlJDBCAdapter;
import org.apache.activemq.store.kahadb.KahaDBPersistenceAdapter;
import org.apache.activemq.store.memory.MemoryPersistenceAdapter;
import org.jspecify.annotations.Nullable;

/**
 * Where a broker keeps its messages. To be closed after the broker.
 *
 * @param adapter for the broker
 * @param durable whether messages survive the broker
 * @param asked what the broker asks for connections; null where it needs none
 * @param connects what the pool asks the driver for; null where it needs none, or where that cannot be counted
 * @param pool where it has its connections from; null where it needs none
 */
record OpenStore(
        PersistenceAdapter adapter,
        boolean durable,
        @Nullable MeteredDataSource asked,
        @Nullable MeteredDataSource connects,
        @Nullable OpenPool pool)
        implements AutoCloseable {
    /** In this JVM's heap: nothing survives the broker. */
    static OpenStore none() {
        return new OpenStore(new MemoryPersistenceAdapter(), false, null, null, null);
    }

    /** The broker's own files in an empty folder, every write of them synchronous. */
    static OpenStore kahaDb(Path folder) {
        KahaDBPersistenceAdapter adapter = new KahaDBPersistenceAdapter();
        adapter.setDirectory(folder.toFile());
        return new OpenStore(adapter, true, null, null, null);
    }

    /** A durable PostgreSQL of its own, which runs. */
    static OpenStore postgres(Backend backend) throws SQLException {
        PostgresServer server = DurablePostgres.start();
        OpenPool opened = new OpenPool(server.dataSource(), server);
        try {
            MeteredDataSource connects = new MeteredDataSource(server.dataSource());
            OpenPool pool = Pool.of(backend, server, connects);
            opened = new OpenPool(pool.source(), () -> {
                try (server) {
                    pool.close();
                }
            });
            opened.fill(() -> (int) connects.reading().connections(), Pool.keeps(backend));
            MeteredDataSource asked = new MeteredDataSource(pool.source());
            return new OpenStore(jdbc(asked), true, asked, backend == Backend.PGPOOLING ? null : connects, opened);
        } catch (SQLException | RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    private static JDBCPersistenceAdapter jdbc(MeteredDataSource source) {
        JDBCPersistenceAdapter adapter = new JDBCPersistenceAdapter();
        adapter.setDataSource(source);
        adapter.setAdapter(new PostgresqlJDBCAdapter());
        // A lock against other brokers would take its own connection; there are none.
        adapter.setUseLock(false);
        return adapter;
    }

    /** Resets the counts. Must not run during requests. */
    void resetMeters() {
        if (asked != null) {
            asked.reset();
        }
        if (connects != null) {
            connects.reset();
        }
    }

    @Override
    public void close() throws SQLException {
        if (pool != null) {
            pool.close();
        }
    }
}
