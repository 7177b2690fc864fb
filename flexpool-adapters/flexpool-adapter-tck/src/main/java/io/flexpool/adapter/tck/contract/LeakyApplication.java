// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.contract;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;

/** Leaks connections by three methods, and records the line of each leak. */
final class LeakyApplication implements AutoCloseable {
    private final DataSource pool;
    private final Queue<Connection> forgotten = new ConcurrentLinkedQueue<>();
    private final Map<String, String> placeOfThread = new ConcurrentHashMap<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    LeakyApplication(DataSource pool) {
        this.pool = pool;
    }

    private interface Place {
        void forget() throws SQLException;
    }

    /** Leaks twelve connections, each in a separate thread, and returns when all these threads have ended. */
    void forgetsTwelve() throws InterruptedException {
        for (int at = 0; at < 12; at++) {
            Place place = at < 5 ? this::orders : at < 9 ? this::invoices : new Nightly()::run;
            Thread thread = new Thread(() -> forget(place), "teller-" + at);
            thread.start();
            thread.join();
        }
        if (!failures.isEmpty()) {
            throw new AssertionError("not all twelve got a connection", failures.peek());
        }
    }

    private void forget(Place place) {
        try {
            place.forget();
        } catch (Throwable thrown) {
            failures.add(thrown);
        }
    }

    // Each of these methods records its position on the line that requests the connection.

    private void orders() throws SQLException {
        took(here(), pool.getConnection());
    }

    private void invoices() throws SQLException {
        took(here(), pool.getConnection());
    }

    private final class Nightly {
        private void run() throws SQLException {
            took(here(), pool.getConnection());
        }
    }

    private static StackTraceElement here() {
        return new Throwable().getStackTrace()[1];
    }

    private void took(StackTraceElement place, Connection connection) {
        forgotten.add(connection);
        placeOfThread.put(Thread.currentThread().getName(), words(place));
    }

    static String words(StackTraceElement place) {
        String name = place.getClassName();
        return name.substring(name.lastIndexOf('.') + 1) + "." + place.getMethodName() + "(" + place.getFileName() + ":"
                + place.getLineNumber() + ")";
    }

    /** The place where each thread requested its connection, by the thread's name. */
    Map<String, String> places() {
        return Map.copyOf(placeOfThread);
    }

    /** Closes the leaked connections. */
    @Override
    public void close() throws SQLException {
        for (Connection connection; (connection = forgotten.poll()) != null; ) {
            connection.close();
        }
    }
}
