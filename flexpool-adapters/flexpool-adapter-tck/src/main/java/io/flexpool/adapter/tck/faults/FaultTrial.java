// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.faults;

import io.flexpool.adapter.tck.database.TcpProxy;
import io.flexpool.adapter.tck.faults.FaultCase.Fault;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * One pool, a proxy between the pool and the database, and one fault. For a restart the pool connects without the
 * proxy, so that it gets the messages of a stopping server and a port without a listener. All other faults are the
 * proxy's. Used by one thread.
 */
public final class FaultTrial implements AutoCloseable {
    private static final Duration WARM_UP = Duration.ofSeconds(60);
    private static final int WARM = 200;
    private static final Duration RECOVERY = Duration.ofSeconds(15);
    private static final Duration AFTERWARDS = Duration.ofMillis(200);
    private static final Duration BETWEEN_CUTS = Duration.ofMillis(250);
    private static final Duration GLANCE = Duration.ofMillis(20);
    /** Long enough that the pool cannot serve all its threads, short enough for a login of many messages. */
    private static final Duration DELAY = Duration.ofMillis(20);

    private final FaultDatabase database;
    private final Fault fault;
    private final Duration time;
    private final TcpProxy proxy;
    private int seenAtServer;
    private FaultRun.Outage outage = FaultRun.Outage.NONE;

    /**
     * Puts the proxy in front of the database.
     *
     * @param time the duration of the fault
     */
    public FaultTrial(FaultDatabase database, Fault fault, Duration time) {
        this.database = database;
        this.fault = fault;
        this.time = time;
        this.proxy = TcpProxy.to(database.port());
    }

    /** The driver's data source, for the pool. */
    public DataSource driver() {
        return database.dataSourceTo().apply(direct() ? database.port() : proxy.port());
    }

    /** Runs threads on a pool before, during and after the fault. */
    public FaultRun run(DataSource pool, int threads, Duration hold) throws Exception {
        try (FaultLoad load = new FaultLoad(pool, threads, hold)) {
            if (!Crowd.eventually(WARM_UP, () -> load.served() >= WARM)) {
                throw new IllegalStateException("only " + load.served() + " served before the fault");
            }
            load.warm();
            suffer();
            load.mark();
            long end = System.nanoTime() + RECOVERY.toNanos();
            while (load.recoveredNanos().isEmpty() && end - System.nanoTime() > 0) {
                watchFor(GLANCE);
            }
            watchFor(AFTERWARDS);
            load.stop();
            return result(load);
        }
    }

    private FaultRun result(FaultLoad load) {
        OptionalLong recovered = load.recoveredNanos();
        Map<String, Integer> broken = new TreeMap<>();
        load.brokenInUse().forEach((state, times) -> broken.put(state, times.get()));
        return new FaultRun(
                recovered.isEmpty() ? Optional.empty() : Optional.of(Duration.ofNanos(recovered.getAsLong())),
                load.longestWait(),
                load.failures(),
                load.failedBefore(),
                broken,
                direct() ? seenAtServer : proxy.peak(),
                load.servedAt(),
                load.alive(),
                outage);
    }

    /** Causes the fault, and ends it. */
    private void suffer() throws Exception {
        switch (fault) {
            case CUT -> overAndOver(proxy::cut);
            case HALF_CLOSE -> overAndOver(proxy::halfClose);
            case REFUSE -> outage(proxy::refuse, proxy::pass);
            case DELAY -> until(() -> proxy.delay(DELAY), proxy::pass);
            case BLACKHOLE -> until(proxy::blackhole, proxy::pass);
            // A few rounds.
            case FLAP -> until(() -> proxy.flap(time.dividedBy(5)), proxy::pass);
            case RESTART -> {
                watchFor(GLANCE);
                outage(database.stop(), database.startAgain());
            }
        }
    }

    private void until(Runnable begin, Runnable end) {
        begin.run();
        pause(time);
        end.run();
    }

    private void outage(Runnable begin, Runnable end) {
        begin.run();
        long begun = System.nanoTime();
        pause(time);
        outage = new FaultRun.Outage(begun, System.nanoTime());
        end.run();
    }

    private void overAndOver(Runnable blow) {
        for (Duration spent = Duration.ZERO; spent.compareTo(time) < 0; spent = spent.plus(BETWEEN_CUTS)) {
            blow.run();
            pause(BETWEEN_CUTS);
        }
    }

    /** Waits for a time; without a proxy, counts the server's sessions meanwhile. */
    private void watchFor(Duration span) throws Exception {
        long end = System.nanoTime() + span.toNanos();
        do {
            if (direct()) {
                seenAtServer = Math.max(seenAtServer, sessions());
            }
            pause(GLANCE);
        } while (end - System.nanoTime() > 0);
    }

    private static void pause(Duration span) {
        long end = System.nanoTime() + span.toNanos();
        for (long left; (left = end - System.nanoTime()) > 0; ) {
            LockSupport.parkNanos(left);
        }
    }

    private boolean direct() {
        return fault == Fault.RESTART;
    }

    /** The number of sessions, by the server's count. */
    public int sessions() throws Exception {
        return database.sessions().call();
    }

    /** The number of connections, by the proxy's count, or without a proxy by the server's. */
    public int open() throws Exception {
        return direct() ? sessions() : proxy.open();
    }

    @Override
    public void close() {
        proxy.close();
    }
}
