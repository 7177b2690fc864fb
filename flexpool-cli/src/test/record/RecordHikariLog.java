// SPDX-License-Identifier: Apache-2.0
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes HikariCP of the class path write each line of its log that has the figures of its pool. */
class RecordHikariLog {
    private static final Logger LOG = LoggerFactory.getLogger("shop.Orders");

    public static void main(String[] args) throws Exception {
        String version = args[0];
        run("orders", 3, 3, version);
        run("Reporting DB-2.eu", 4, 1, version);
    }

    private static void run(String name, int max, int minIdle, String version) throws Exception {
        HikariConfig config = new HikariConfig();
        config.setPoolName(name);
        if (version.startsWith("2.0") || version.startsWith("2.1")) {
            config.setDataSourceClassName("org.h2.jdbcx.JdbcDataSource");
            config.addDataSourceProperty("URL", "jdbc:h2:mem:" + max);
        } else {
            config.setJdbcUrl("jdbc:h2:mem:" + max);
        }
        config.setMaximumPoolSize(max);
        config.setMinimumIdle(minIdle);
        config.setConnectionTimeout(1_000);
        HikariDataSource pool = new HikariDataSource(config);
        List<Connection> held = new ArrayList<>();
        for (int each = 0; each < max; each++) {
            held.add(pool.getConnection());
            Thread.sleep(450);
        }
        Thread[] waiting = new Thread[3];
        for (int each = 0; each < waiting.length; each++) {
            waiting[each] = new Thread(() -> {
                try (Connection none = pool.getConnection()) {
                    LOG.info("served");
                } catch (SQLException refused) {
                    LOG.error("order not placed", refused);
                }
            }, "request-" + each);
            waiting[each].start();
            Thread.sleep(100);
        }
        for (Thread each : waiting) {
            each.join();
        }
        for (Connection each : held) {
            each.close();
        }
        Thread.sleep(700);
        pool.close();
    }
}
