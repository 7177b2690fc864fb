// SPDX-License-Identifier: Apache-2.0
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import javax.sql.DataSource;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;

/** Six threads share two connections of a pool for 60 ms each, while the JDK records with its default settings. */
class RecordWaits {
    static DataSource pool(String kind) throws Exception {
        String url = "jdbc:h2:mem:" + kind;
        switch (kind) {
            case "hikaricp": { var p = new com.zaxxer.hikari.HikariDataSource(); p.setJdbcUrl(url); p.setMaximumPoolSize(2); return p; }
            case "tomcat": { var p = new org.apache.tomcat.jdbc.pool.DataSource(); p.setUrl(url); p.setDriverClassName("org.h2.Driver"); p.setMaxActive(2); p.setMaxIdle(2); p.setMinIdle(0); p.setInitialSize(0); return p; }
            case "dbcp2": { var p = new org.apache.commons.dbcp2.BasicDataSource(); p.setUrl(url); p.setMaxTotal(2); return p; }
            case "druid": { var p = new com.alibaba.druid.pool.DruidDataSource(); p.setUrl(url); p.setMaxActive(2); return p; }
            case "druid-timed": { var p = new com.alibaba.druid.pool.DruidDataSource(); p.setUrl(url); p.setMaxActive(2); p.setMaxWait(5000); return p; }
            case "c3p0": { var p = new com.mchange.v2.c3p0.ComboPooledDataSource(); p.setJdbcUrl(url); p.setUser("sa"); p.setPassword(""); p.setMinPoolSize(1); p.setInitialPoolSize(1); p.setMaxPoolSize(2); return p; }
            case "ucp": { var p = oracle.ucp.jdbc.PoolDataSourceFactory.getPoolDataSource(); p.setConnectionFactoryClassName("org.h2.jdbcx.JdbcDataSource"); p.setURL(url); p.setUser("sa"); p.setPassword(""); p.setMaxPoolSize(2); p.setConnectionWaitDuration(Duration.ofSeconds(5)); return p; }
            case "vibur": { var p = new org.vibur.dbcp.ViburDBCPDataSource(); p.setJdbcUrl(url); p.setUsername("sa"); p.setPassword(""); p.setPoolInitialSize(1); p.setPoolMaxSize(2); p.start(); return p; }
            case "agroal": { return io.agroal.api.AgroalDataSource.from(new io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier().connectionPoolConfiguration(c -> c.maxSize(2).connectionFactoryConfiguration(f -> f.jdbcUrl(url)))); }
            case "atomikos": { var p = new com.atomikos.jdbc.AtomikosNonXADataSourceBean(); p.setUniqueResourceName("shop"); p.setDriverClassName("org.h2.Driver"); p.setUrl(url); p.setUser("sa"); p.setMaxPoolSize(2); p.setMinPoolSize(1); p.setLocalTransactionMode(true); return p; }
            default: throw new IllegalArgumentException(kind);
        }
    }

    public static void main(String[] args) throws Exception {
        DataSource pool = pool(args[0]);
        pool.getConnection().close();
        try (Recording recording = new Recording(Configuration.getConfiguration("default"))) {
            recording.start();
            Thread[] threads = new Thread[6];
            for (int each = 0; each < threads.length; each++) {
                threads[each] = new Thread(() -> { for (int n = 0; n < 6; n++) find(pool); }, "request-" + each);
                threads[each].start();
            }
            for (Thread each : threads) each.join();
            recording.stop();
            recording.dump(Path.of(args[1]));
        }
        System.exit(0);
    }

    static void find(DataSource pool) {
        try (Connection connection = pool.getConnection()) { Thread.sleep(60); } catch (Exception e) { e.printStackTrace(); }
    }
}
