// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.cold;

import io.flexpool.benchmarks.decorations.Decorated;
import io.flexpool.benchmarks.kit.AnsweringJvm;
import io.flexpool.benchmarks.overhead.isolated.Variant;
import io.flexpool.benchmarks.stub.StubConnection;
import io.flexpool.benchmarks.stub.StubDataSource;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Arrays;
import javax.sql.DataSource;

/** What each fresh JVM runs: one variant's first calls, each timed. */
public final class ColdCalls {
    private static final int POOL_SIZE = 2;

    private ColdCalls() {}

    /**
     * Runs the calls and says their median, their 99th percentile and their sum, in nanoseconds.
     *
     * @param args the variant's name and the number of calls
     */
    public static void main(String[] args) {
        AnsweringJvm.answer(() -> figures(Variant.named(args[0]), new long[Integer.parseInt(args[1])]));
    }

    private static String figures(Variant variant, long[] nanos) throws SQLException, IOException {
        Decorated decorated =
                variant.decorator().around(StubDataSource.pool(variant.toString(), StubConnection::new, POOL_SIZE));
        call(decorated.dataSource(), nanos);
        decorated.end().close();
        long sum = Arrays.stream(nanos).sum();
        Arrays.sort(nanos);
        return nanos[nanos.length / 2] + " " + nanos[nanos.length * 99 / 100] + " " + sum;
    }

    private static void call(DataSource dataSource, long[] nanos) throws SQLException {
        for (int at = 0; at < nanos.length; at++) {
            long before = System.nanoTime();
            dataSource.getConnection().close();
            nanos[at] = System.nanoTime() - before;
        }
    }
}
