// SPDX-License-Identifier: Apache-2.0
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;

/**
 * Six threads share two connections of a pool, six times for 30 ms each, with a statement in each lease and a second close after
 * it. Then one thread holds both for 500 ms, while the request of another fails, and does not return the second. The arguments are
 * the pool, the file and the filter of MethodTrace, for JDK 25.
 */
class RecordMethods {
    static final int TIMEOUT_MS = 400;

    static DataSource pool(String kind) throws Exception {
        String url = "jdbc:h2:mem:" + kind;
        switch (kind) {
            case "hikaricp": { var p = new com.zaxxer.hikari.HikariDataSource(); p.setJdbcUrl(url); p.setMaximumPoolSize(2); p.setConnectionTimeout(TIMEOUT_MS); return p; }
            case "tomcat": { var p = new org.apache.tomcat.jdbc.pool.DataSource(); p.setUrl(url); p.setDriverClassName("org.h2.Driver"); p.setMaxActive(2); p.setMaxIdle(2); p.setMinIdle(0); p.setInitialSize(0); p.setMaxWait(TIMEOUT_MS); return p; }
            case "dbcp2": { var p = new org.apache.commons.dbcp2.BasicDataSource(); p.setUrl(url); p.setMaxTotal(2); p.setMaxWait(Duration.ofMillis(TIMEOUT_MS)); return p; }
            case "druid": { var p = new com.alibaba.druid.pool.DruidDataSource(); p.setUrl(url); p.setMaxActive(2); p.setMaxWait(TIMEOUT_MS); return p; }
            case "c3p0": { var p = new com.mchange.v2.c3p0.ComboPooledDataSource(); p.setJdbcUrl(url); p.setUser("sa"); p.setPassword(""); p.setMinPoolSize(1); p.setInitialPoolSize(1); p.setMaxPoolSize(2); p.setCheckoutTimeout(TIMEOUT_MS); return p; }
            case "ucp": { var p = oracle.ucp.jdbc.PoolDataSourceFactory.getPoolDataSource(); p.setConnectionFactoryClassName("org.h2.jdbcx.JdbcDataSource"); p.setURL(url); p.setUser("sa"); p.setPassword(""); p.setMaxPoolSize(2); p.setConnectionWaitDuration(Duration.ofMillis(TIMEOUT_MS)); return p; }
            case "vibur": { var p = new org.vibur.dbcp.ViburDBCPDataSource(); p.setJdbcUrl(url); p.setUsername("sa"); p.setPassword(""); p.setPoolInitialSize(1); p.setPoolMaxSize(2); p.setConnectionTimeoutInMs(TIMEOUT_MS); p.start(); return p; }
            case "agroal": { return io.agroal.api.AgroalDataSource.from(new io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier().connectionPoolConfiguration(c -> c.maxSize(2).acquisitionTimeout(Duration.ofMillis(TIMEOUT_MS)).connectionFactoryConfiguration(f -> f.jdbcUrl(url)))); }
            default: throw new IllegalArgumentException(kind);
        }
    }

    public static void main(String[] args) throws Exception {
        DataSource pool = pool(args[0]);
        for (int each = 0; each < 3; each++) {
            find(pool);
        }
        Map<String, String> settings = new HashMap<>(Configuration.getConfiguration("default").getSettings());
        settings.put("jdk.MethodTrace#enabled", "true");
        settings.put("jdk.MethodTrace#threshold", "0 ms");
        settings.put("jdk.MethodTrace#stackTrace", "true");
        settings.put("jdk.MethodTrace#filter", args[2]);
        try (Recording recording = new Recording()) {
            recording.setSettings(settings);
            recording.start();
            Thread[] threads = new Thread[6];
            for (int each = 0; each < threads.length; each++) {
                threads[each] = new Thread(() -> { for (int n = 0; n < 6; n++) find(pool); }, "request-" + each);
                threads[each].start();
            }
            for (Thread each : threads) each.join();
            hold(pool);
            recording.stop();
            recording.dump(Path.of(args[1]));
        }
        System.exit(0);
    }

    static void find(DataSource pool) {
        try (Connection connection = pool.getConnection()) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("select 1");
            }
            Thread.sleep(30);
            connection.close();
        } catch (Exception e) {
            e.printStackTrace();
        }
    }

    static void hold(DataSource pool) throws Exception {
        Connection leaked = pool.getConnection();
        try (Connection connection = pool.getConnection()) {
            Thread refused = new Thread(() -> refused(pool), "refused");
            refused.start();
            refused.join();
            Thread.sleep(100);
        }
        leaked.isClosed();
    }

    static void refused(DataSource pool) {
        try (Connection none = pool.getConnection()) {
            System.out.println("was served");
        } catch (SQLException expected) {
            System.out.println("refused: " + expected.getMessage());
        }
    }
}
