// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.contract;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.database.StubDatabase;
import io.flexpool.adapter.tck.database.StubDriver;
import io.flexpool.adapter.tck.faults.Crowd;
import java.lang.reflect.Constructor;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;

/**
 * An application in a separate class loader: it creates a pool like a pool's test, wraps it, makes it grow, closes it
 * during a lease, and ends.
 */
public final class EndedApplication implements Runnable {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final String contract;

    /**
     * Called by reflection, in the application's class loader.
     *
     * @param contract the class name of a {@link PoolAdapterContract} with a constructor without parameters
     */
    public EndedApplication(String contract) {
        this.contract = contract;
    }

    @Override
    public void run() {
        try {
            Constructor<?> constructor =
                    Class.forName(contract, true, getClass().getClassLoader()).getDeclaredConstructor();
            constructor.setAccessible(true);
            use((PoolAdapterContract) constructor.newInstance());
        } catch (ReflectiveOperationException | SQLException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static void use(PoolAdapterContract pools) throws SQLException, InterruptedException {
        StubDatabase database = pools.database;
        FlexPoolDataSource pool = FlexPool.wrap(pools.pool(database.dataSource(), 4, LONG))
                .name("ended")
                .set("base", 2)
                .set("acquisition-timeout", LONG)
                .set("ceiling", 4)
                .set("grow-on-wait.enabled", true)
                .build();
        try (Crowd crowd = new Crowd()) {
            crowd.ask(4, pool);
            crowd.join();
            if (crowd.served() != 4) {
                throw new IllegalStateException("served: " + crowd.served() + ", " + crowd.failures());
            }
        }
        Connection out = pool.getConnection();
        if (pools.quirks().contains(PoolQuirk.LEAVES_LEASED_CONNECTIONS_OPEN)) {
            out.close();
        }
        pool.close();
        close(out, pools.quirks().contains(PoolQuirk.CLOSE_THROWS_AFTER_THE_POOLS));
        if (!Crowd.eventually(LONG, () -> database.open() == 0)) {
            throw new IllegalStateException("physical connections after close: " + database.open());
        }
        StubDriver.deregister();
        if (pools.quirks().contains(PoolQuirk.REGISTERS_EVERY_DRIVER)) {
            deregisterDrivers();
        }
    }

    private static void close(Connection connection, boolean mayThrow) throws SQLException {
        try {
            connection.close();
        } catch (SQLException thrown) {
            if (!mayThrow) {
                throw thrown;
            }
        }
    }

    /**
     * Deregisters the drivers that the application has brought. Lists the drivers only here, because listing registers
     * all drivers of a class loader.
     */
    private static void deregisterDrivers() throws SQLException {
        for (Driver driver : DriverManager.drivers().toList()) {
            if (driver.getClass().getClassLoader() == EndedApplication.class.getClassLoader()) {
                DriverManager.deregisterDriver(driver);
            }
        }
    }
}
