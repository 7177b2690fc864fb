// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One query of the server, from its start. Thread-safe. */
final class ServerQuery {
    private static final long HANGS_NANOS = ServerView.HANGS_SECONDS * 1_000_000_000L;

    private final long beganNanos;
    private final boolean forBudget;
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile @Nullable ServerQueryResult result;
    private volatile boolean connecting;
    /** Whether the log has reported that the query hangs. Used by the tick's thread only. */
    private boolean reported;

    ServerQuery(long beganNanos, boolean forBudget) {
        this.beganNanos = beganNanos;
        this.forBudget = forBudget;
    }

    long beganNanos() {
        return beganNanos;
    }

    /** Whether the query serves the session budget. Then it runs even without leased connections. */
    boolean forBudget() {
        return forBudget;
    }

    /** Sets whether the query is opening its connection. */
    void connecting(boolean connects) {
        connecting = connects;
    }

    void end(ServerQueryResult given) {
        result = given;
        done.countDown();
    }

    /** Waits for the end of the query. Returns false if the time passes first. */
    boolean await(long nanos) throws InterruptedException {
        return done.await(nanos, TimeUnit.NANOSECONDS);
    }

    /** {@return the result; null while the query runs} */
    @Nullable
    ServerQueryResult result() {
        return result;
    }

    boolean running() {
        return done.getCount() > 0;
    }

    boolean hangs(long nowNanos) {
        return running() && nowNanos - beganNanos >= HANGS_NANOS;
    }

    /** Marks the query as reported; returns true the first time. For the tick's thread only. */
    boolean markReported() {
        boolean first = !reported;
        reported = true;
        return first;
    }

    /** Describes the hanging query in a clause. */
    String words(long nowNanos) {
        return (connecting ? "the connection to the database server" : "the query of the database server")
                + " has not returned for " + (nowNanos - beganNanos) / 1_000_000 + " ms";
    }
}
