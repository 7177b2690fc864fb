// SPDX-License-Identifier: Apache-2.0
package com.acme.shop;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/** An application whose requests come at random, and hold a connection of HikariCP for random times. flexpool records them. */
public final class SteadyShop {
    private static final int THREADS = 200;
    private static final double MEAN_LEASE_NANOS = 20e6;
    private static final long TIMEOUT_MS = 500;

    private SteadyShop() {}

    /**
     * Runs for some time.
     *
     * @param args the pool's size, the requests per second, the seconds, and the directory of flexpool's record
     */
    public static void main(String[] args) throws Exception {
        HikariConfig config = new HikariConfig();
        config.setPoolName("orders");
        config.setJdbcUrl("jdbc:h2:mem:shop");
        config.setMaximumPoolSize(Integer.parseInt(args[0]));
        config.setConnectionTimeout(TIMEOUT_MS);
        SplittableRandom random = new SplittableRandom(7);
        ExecutorService workers = Executors.newFixedThreadPool(THREADS);
        try (HikariDataSource pool = new HikariDataSource(config);
                FlexPoolDataSource recorded =
                        FlexPool.wrap(pool).set("record", args[3]).build()) {
            // Classes are loaded before the requests come.
            order(recorded, 0);
            double gapNanos = 1e9 / Integer.parseInt(args[1]);
            long begin = System.nanoTime();
            long nanos = TimeUnit.SECONDS.toNanos(Integer.parseInt(args[2]));
            for (long at = begin; at - begin < nanos; at += random(random, gapNanos * (busy(at - begin) ? 1 : 2))) {
                long lease = random(random, MEAN_LEASE_NANOS);
                sleepUntil(at);
                workers.execute(() -> order(recorded, lease));
            }
            workers.shutdown();
            workers.awaitTermination(1, TimeUnit.MINUTES);
        }
    }

    /** Each other second has half the requests: a record of one load does not show what more of it would do. */
    private static boolean busy(long sinceBegin) {
        return TimeUnit.NANOSECONDS.toSeconds(sinceBegin) % 2 == 1;
    }

    private static long random(SplittableRandom random, double mean) {
        return (long) (-Math.log(1 - random.nextDouble()) * mean);
    }

    private static void sleepUntil(long nanos) {
        while (System.nanoTime() - nanos < 0) {
            LockSupport.parkNanos(nanos - System.nanoTime());
        }
    }

    private static void order(DataSource pool, long lease) {
        try (Connection connection = pool.getConnection()) {
            connection.isValid(1);
            sleepUntil(System.nanoTime() + lease);
        } catch (SQLException failed) {
            System.out.println(failed.getMessage());
        }
    }
}
