// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.paired;

import io.flexpool.adapter.tck.database.MinimalDataSource;
import io.flexpool.benchmarks.decorations.Decorated;
import io.flexpool.benchmarks.paired.isolated.SlicedWorkload;
import io.flexpool.benchmarks.stub.StubConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Queue;
import javax.sql.DataSource;

/** Opens one connection per batch, and records which thread opened it. */
public final class RecordingWorkload extends SlicedWorkload {
    public RecordingWorkload(String variant, Queue<String> opened) {
        super(
                variant,
                StubConnection::new,
                2,
                pool -> new Decorated(new Recording(variant, pool, opened), () -> 1, pool));
    }

    @Override
    protected Slice begin(DataSource dataSource) {
        return new Slice() {
            @Override
            public void batch() throws SQLException {
                dataSource.getConnection().close();
            }

            @Override
            public void close() {}
        };
    }

    private static final class Recording extends MinimalDataSource {
        private final String variant;
        private final DataSource target;
        private final Queue<String> opened;

        Recording(String variant, DataSource target, Queue<String> opened) {
            this.variant = variant;
            this.target = target;
            this.opened = opened;
        }

        @Override
        public Connection getConnection() throws SQLException {
            opened.add(variant + " by " + Thread.currentThread().getName());
            return target.getConnection();
        }
    }
}
