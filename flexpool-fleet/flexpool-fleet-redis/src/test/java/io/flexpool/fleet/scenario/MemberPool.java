// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.scenario;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.fleet.FleetRules;
import io.flexpool.fleet.FleetStatus;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A member's pool.
 *
 * @param pool where its requests get their connections
 * @param flexpool the same if it is flexpool's, else null
 * @param fixed how many connections it may have if nothing moves that
 * @param close ends it
 */
record MemberPool(DataSource pool, @Nullable FlexPoolDataSource flexpool, int fixed, Runnable close) {
    /** What the server counts. */
    static final String APPLICATION = "fleet";

    private static final int BASE = 2;
    private static final long IDLE_MILLIS = 10_000;
    private static final long PATIENCE_MILLIS = 1_000;

    static MemberPool of(MemberSetup setup, int number, Runnable refused) {
        DataSource driver = driver(setup, refused);
        FleetRules rules = new FleetRules(setup.cap(), setup.instancesMax(), setup.reserve());
        return switch (setup.variant()) {
            case FLEXPOOL -> flexpool(driver, number, fleet(setup));
            case EACH_ALONE -> flexpool(driver, number, Map.of());
            case FIXED_SHARE -> fixed(driver, rules.share());
        };
    }

    private static DataSource driver(MemberSetup setup, Runnable refused) {
        PGSimpleDataSource driver = new Reporting(refused);
        driver.setServerNames(new String[] {"127.0.0.1"});
        driver.setPortNumbers(new int[] {setup.port()});
        driver.setDatabaseName(setup.user());
        driver.setUser(setup.user());
        driver.setPassword(setup.password());
        driver.setApplicationName(APPLICATION);
        return driver;
    }

    /** Reports each connect that the server refuses because it has too many. */
    private static final class Reporting extends PGSimpleDataSource {
        private static final long serialVersionUID = 1;

        private final transient Runnable refused;

        Reporting(Runnable refused) {
            this.refused = refused;
        }

        @Override
        public Connection getConnection(@Nullable String user, @Nullable String password) throws SQLException {
            try {
                return super.getConnection(user, password);
            } catch (SQLException failure) {
                if ("53300".equals(failure.getSQLState())) {
                    refused.run();
                }
                throw failure;
            }
        }
    }

    private static HikariDataSource hikari(DataSource driver, int most) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(driver);
        config.setMaximumPoolSize(most);
        config.setMinimumIdle(0);
        config.setIdleTimeout(IDLE_MILLIS);
        config.setConnectionTimeout(PATIENCE_MILLIS);
        // A database that refuses more connections does not keep the program from starting.
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    private static MemberPool fixed(DataSource driver, int most) {
        HikariDataSource pool = hikari(driver, most);
        return new MemberPool(pool, null, most, pool::close);
    }

    private static Map<String, String> fleet(MemberSetup setup) {
        Map<String, String> keys = new HashMap<>(Map.of(
                "flexpool.fleet", setup.store().toString(),
                "flexpool.fleet.name", "benchmark",
                "flexpool.fleet.max", String.valueOf(setup.cap()),
                "flexpool.fleet.instances-max", String.valueOf(setup.instancesMax())));
        if (!setup.uri().isEmpty()) {
            keys.put("flexpool.fleet.uri", setup.uri());
        }
        return keys;
    }

    private static MemberPool flexpool(DataSource driver, int number, Map<String, String> keys) {
        FlexPoolDataSource pool = FlexPool.wrap(hikari(driver, BASE))
                .name("member-" + number)
                .set("base", BASE)
                .set("ceiling", Plan.MOST)
                .set("grow-on-wait.enabled", true)
                .properties(keys)
                .build();
        return new MemberPool(pool, pool, Plan.MOST, pool::close);
    }

    /** How many connections it may have now. */
    int allowed() {
        return flexpool == null
                ? fixed
                : flexpool.view(FleetStatus.class).map(FleetStatus::granted).orElse(fixed);
    }
}
