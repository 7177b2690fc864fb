// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.plainjdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.event.PoolEvent;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A burst that fails requests on a bare pool of five, and none on the same pool with flexpool. */
final class BurstStep {
    private static final Logger STORY = LoggerFactory.getLogger("demo");
    private static final int THREADS = 30;
    private static final int HOLD_MILLIS = 300;
    private static final int CALM_SECONDS = 60;

    private final DemoDatabase database;
    private final OrdersPool orders;

    BurstStep(DemoDatabase database, OrdersPool orders) {
        this.database = database;
        this.orders = orders;
    }

    void run(Summary summary) throws Exception {
        STORY.info("");
        STORY.info(
                "2. A burst: {} threads at once, each holds a connection for {} ms, timeout {} s, {} connections",
                THREADS,
                holdMillis(),
                orders.timeoutSeconds(),
                OrdersPool.BASE);
        Burst.Result bare = bare();
        STORY.info("   bare HikariCP, size {}: {}", OrdersPool.BASE, describe(bare));

        STORY.info(
                "   HikariCP + flexpool, base {}, up to {} while threads wait ...",
                OrdersPool.BASE,
                OrdersPool.CEILING);
        FlexPoolDataSource pool = orders.dataSource();
        pool.getConnection().close();
        Burst.Result wrapped = Burst.of(THREADS, pool, database.slowQuery(holdMillis()));
        int most = orders.events().resized().stream()
                .mapToInt(PoolEvent.Resized::to)
                .max()
                .orElse(OrdersPool.BASE);
        STORY.info("   HikariCP + flexpool: {}", describe(wrapped));
        STORY.info("   after the burst: {}", pool.state().describe());
        summary.burst("bare HikariCP, size " + OrdersPool.BASE, bare);
        summary.burst("HikariCP + flexpool, base " + OrdersPool.BASE + ", grew to " + most, wrapped);
        summary.check(
                "the burst fails requests of the bare pool", !bare.failures().isEmpty());
        summary.check("flexpool serves the whole burst", wrapped.failures().isEmpty());
        summary.check("the pool grew, and not above its ceiling", most > OrdersPool.BASE && most <= OrdersPool.CEILING);
        summary.check("after calm the pool is back at its base", backToBase(pool));
        STORY.info(
                "   the limits that the listener received: {}",
                limits(orders.events().resized()));
    }

    /** For a part of the timeout, so that five connections never serve the burst. */
    private int holdMillis() {
        return HOLD_MILLIS * orders.timeoutSeconds();
    }

    private Burst.Result bare() throws Exception {
        try (HikariDataSource pool = database.hikari("bare", OrdersPool.BASE, orders.timeoutSeconds())) {
            // Started and full, so that only its size is on trial.
            pool.getConnection().close();
            Waiting.until(10, () -> pool.getHikariPoolMXBean().getTotalConnections() == OrdersPool.BASE);
            return Burst.of(THREADS, pool, database.slowQuery(holdMillis()));
        }
    }

    private boolean backToBase(FlexPoolDataSource pool) throws Exception {
        STORY.info("   calm: waiting for the growth to be taken back ...");
        long begin = System.nanoTime();
        boolean back = Waiting.until(
                CALM_SECONDS,
                () -> pool.state().limit() == OrdersPool.BASE && database.sessionsOfPools() == OrdersPool.BASE);
        STORY.info(
                "   {} after {} s: {}; the database counts {} sessions of the pool",
                back ? "back at the base" : "NOT back at the base",
                (System.nanoTime() - begin) / 1_000_000_000,
                pool.state().describe(),
                database.sessionsOfPools());
        return back;
    }

    private static String limits(List<PoolEvent.Resized> events) {
        return OrdersPool.BASE
                + events.stream().map(event -> " -> " + event.to()).collect(Collectors.joining());
    }

    private static String describe(Burst.Result result) {
        String served = result.served() + " served (slowest after " + result.slowestMillis() + " ms), "
                + result.failures().size() + " failed";
        return result.failures().isEmpty()
                ? served
                : served + ", the first with: " + firstLine(result.failures().get(0));
    }

    private static String firstLine(SQLException failure) {
        return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    }
}
