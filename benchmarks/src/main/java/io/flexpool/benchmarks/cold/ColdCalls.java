// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.cold;

import io.flexpool.benchmarks.decorations.Decorated;
import io.flexpool.benchmarks.kit.AnsweringJvm;
import io.flexpool.benchmarks.kit.FreshJvm;
import io.flexpool.benchmarks.overhead.isolated.Variant;
import io.flexpool.benchmarks.stub.StubConnection;
import io.flexpool.benchmarks.stub.StubDataSource;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import javax.sql.DataSource;

/** What each fresh JVM runs: one variant's first calls, each timed. */
public final class ColdCalls {
    private static final int POOL_SIZE = 2;

    /** Far beyond what a million calls take. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private ColdCalls() {}

    /**
     * What one JVM measured.
     *
     * @param medianNs half of the calls took no longer
     * @param p99Ns 99 of 100 calls took no longer
     * @param sumNs all calls together
     */
    record Calls(long medianNs, long p99Ns, long sumNs) {}

    /**
     * Runs one variant's first calls in a fresh JVM and waits for the end.
     *
     * @throws IOException if the JVM cannot be started, or ends without figures; the message has what it said
     */
    static Calls run(String variant, int calls) throws IOException, InterruptedException {
        FreshJvm jvm = new FreshJvm(ColdCalls.class).arguments(variant, Integer.toString(calls));
        return AnsweringJvm.ask(variant, jvm, Calls.class, PATIENCE);
    }

    /**
     * Runs the calls and says their median, their 99th percentile and their sum, in nanoseconds.
     *
     * @param args the variant's name and the number of calls
     */
    public static void main(String[] args) {
        AnsweringJvm.answerJson(() -> figures(Variant.named(args[0]), new long[Integer.parseInt(args[1])]));
    }

    private static Calls figures(Variant variant, long[] nanos) throws SQLException, IOException {
        Decorated decorated =
                variant.decorator().around(StubDataSource.pool(variant.toString(), StubConnection::new, POOL_SIZE));
        call(decorated.dataSource(), nanos);
        decorated.end().close();
        long sum = Arrays.stream(nanos).sum();
        Arrays.sort(nanos);
        return new Calls(nanos[nanos.length / 2], nanos[nanos.length * 99 / 100], sum);
    }

    private static void call(DataSource dataSource, long[] nanos) throws SQLException {
        for (int at = 0; at < nanos.length; at++) {
            long before = System.nanoTime();
            dataSource.getConnection().close();
            nanos[at] = System.nanoTime() - before;
        }
    }
}
