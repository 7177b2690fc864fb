// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.plainjdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;

/** Many threads that want a connection at the same moment, once each. */
final class Burst {
    private Burst() {}

    /**
     * What became of a burst.
     *
     * @param served requests that got a connection and ran their query
     * @param failures what the others got, in the order of the threads
     * @param slowestMillis the longest time from the request to the connection, of those served
     */
    record Result(int served, List<SQLException> failures, long slowestMillis) {}

    /** Runs the query once in each of so many threads. */
    static Result of(int threads, DataSource source, String query) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            CountDownLatch start = new CountDownLatch(1);
            List<Future<Long>> requests = new ArrayList<>();
            for (int at = 0; at < threads; at++) {
                requests.add(executor.submit(() -> {
                    start.await();
                    return waitedMillis(source, query);
                }));
            }
            start.countDown();
            return result(requests);
        } finally {
            executor.shutdownNow();
        }
    }

    private static long waitedMillis(DataSource source, String query) throws SQLException {
        long asked = System.nanoTime();
        try (Connection connection = source.getConnection()) {
            long waited = System.nanoTime() - asked;
            try (Statement statement = connection.createStatement()) {
                statement.execute(query);
            }
            return waited / 1_000_000;
        }
    }

    private static Result result(List<Future<Long>> requests) throws Exception {
        int served = 0;
        long slowest = 0;
        List<SQLException> failures = new ArrayList<>();
        for (Future<Long> request : requests) {
            try {
                slowest = Math.max(slowest, request.get());
                served++;
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof SQLException failure)) {
                    throw e;
                }
                failures.add(failure);
            }
        }
        return new Result(served, failures, slowest);
    }
}
