// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Recognises stack frames of pools, drivers and frameworks. */
public final class PoolFrames {
    private static final List<String> POOL_CLASSES = List.of(
            "com.zaxxer.hikari.",
            "org.apache.tomcat.jdbc.",
            "org.apache.commons.pool",
            "org.apache.commons.dbcp",
            "com.alibaba.druid.",
            "com.mchange.",
            "io.agroal.",
            "oracle.ucp.",
            "org.vibur.",
            "com.atomikos.",
            "com.jolbox.",
            "org.mariadb.jdbc.pool.",
            "io.flexpool.internal.");

    /** Methods in which a request waits for a connection, not for the network. */
    private static final Map<String, String> POOLS = Map.ofEntries(
            Map.entry("com.zaxxer.hikari.util.ConcurrentBag.borrow", "HikariCP"),
            Map.entry("org.apache.tomcat.jdbc.pool.ConnectionPool.borrowConnection", "Tomcat JDBC"),
            Map.entry("org.apache.commons.pool2.impl.GenericObjectPool.borrowObject", "Commons DBCP 2"),
            Map.entry("org.apache.commons.pool.impl.GenericObjectPool.borrowObject", "Commons DBCP 1.4"),
            Map.entry("com.alibaba.druid.pool.DruidDataSource.getConnectionInternal", "Druid"),
            Map.entry("com.mchange.v2.resourcepool.BasicResourcePool.checkoutResource", "c3p0"),
            Map.entry("io.agroal.pool.ConnectionPool.handlerFromSharedCache", "Agroal"),
            Map.entry("oracle.ucp.common.UniversalConnectionPoolImpl.getAvailableConnection", "Oracle UCP"),
            Map.entry("org.vibur.dbcp.pool.PoolOperations.getConnHolder", "Vibur"),
            Map.entry("com.atomikos.datasource.pool.ConnectionPool.findOrWaitForAnAvailableConnection", "Atomikos"),
            Map.entry("com.jolbox.bonecp.DefaultConnectionStrategy.getConnectionInternal", "BoneCP"),
            Map.entry("org.mariadb.jdbc.pool.Pool.getPoolConnection", "MariaDbPoolDataSource"),
            Map.entry("org.postgresql.ds.PGPoolingDataSource.getPooledConnection", "PGPoolingDataSource"),
            Map.entry("io.flexpool.internal.gate.Gate.enter", "flexpool"));

    /** Methods by which an application requests a connection; their callees wait, connect, validate or fail. */
    private static final Map<String, String> REQUESTS = Map.ofEntries(
            Map.entry("com.zaxxer.hikari.HikariDataSource.getConnection", "HikariCP"),
            Map.entry("org.apache.tomcat.jdbc.pool.DataSourceProxy.getConnection", "Tomcat JDBC"),
            Map.entry("org.apache.commons.dbcp2.BasicDataSource.getConnection", "Commons DBCP 2"),
            Map.entry("org.apache.commons.dbcp2.PoolingDataSource.getConnection", "Commons DBCP 2"),
            Map.entry("org.apache.commons.dbcp.BasicDataSource.getConnection", "Commons DBCP 1.4"),
            Map.entry("com.alibaba.druid.pool.DruidDataSource.getConnection", "Druid"),
            Map.entry("com.mchange.v2.c3p0.impl.AbstractPoolBackedDataSource.getConnection", "c3p0"),
            Map.entry("io.agroal.pool.DataSource.getConnection", "Agroal"),
            Map.entry("oracle.ucp.jdbc.PoolDataSourceImpl.getConnection", "Oracle UCP"),
            Map.entry("org.vibur.dbcp.ViburDBCPDataSource.getConnection", "Vibur"),
            Map.entry("com.jolbox.bonecp.BoneCPDataSource.getConnection", "BoneCP"),
            Map.entry("org.mariadb.jdbc.MariaDbPoolDataSource.getConnection", "MariaDbPoolDataSource"));

    /** Methods by which pools connect; their callees wait for the server. */
    private static final Set<String> CONNECTS = Set.of(
            "com.zaxxer.hikari.pool.PoolBase.newConnection",
            "org.apache.tomcat.jdbc.pool.PooledConnection.connect",
            "org.apache.commons.dbcp2.PoolableConnectionFactory.makeObject",
            "com.alibaba.druid.pool.DruidAbstractDataSource.createPhysicalConnection",
            "com.mchange.v2.resourcepool.BasicResourcePool.doAcquire",
            "io.agroal.pool.ConnectionFactory.createConnection",
            "oracle.ucp.jdbc.DriverConnectionFactoryAdapter.createConnection",
            "oracle.ucp.jdbc.DataSourceConnectionFactoryAdapter.createConnection",
            "org.vibur.dbcp.pool.ConnectionFactory.create");

    /** The names of pools' threads. */
    private static final Pattern THREAD =
            Pattern.compile("(?i)housekeeper|hikari|[ :]connection[ -]adder|tomcat jdbc pool|commons-pool|c3p0"
                    + "|druid-connectionpool|agroal|vibur|\\bucp\\b|oracle\\.ucp|atomikos|bonecp|flexpool");

    /** The names of threads of which each pool has exactly one. */
    private static final Pattern ONLY_THREAD = Pattern.compile(
            ".*[ :]housekeeper|Druid-ConnectionPool-Create-.*|C3P0PooledConnectionPoolManager.*-#0|Tomcat JDBC Pool Cleaner.*");

    /** Libraries whose frames may be between an application and its pool. */
    private static final List<String> LIBRARIES = List.of(
            "java.",
            "javax.",
            "jakarta.",
            "jdk.",
            "sun.",
            "com.sun.",
            "com.zaxxer.hikari.",
            "org.apache.tomcat.",
            "org.apache.catalina.",
            "org.apache.coyote.",
            "org.apache.commons.",
            "com.alibaba.druid.",
            "com.mchange.",
            "io.agroal.",
            "oracle.",
            "org.vibur.",
            "com.atomikos.",
            "com.jolbox.",
            "org.mariadb.",
            "org.postgresql.",
            "com.mysql.",
            "org.h2.",
            "io.flexpool.internal.",
            "io.flexpool.FlexPool",
            "io.flexpool.spring.",
            "io.flexpool.quarkus.",
            "io.flexpool.micronaut.",
            "io.flexpool.dropwizard.",
            "io.flexpool.hibernate.",
            "com.vladmihalcea.",
            "org.hibernate.",
            "org.eclipse.",
            "org.springframework.",
            "org.jooq.",
            "org.apache.ibatis.",
            "org.mybatis.",
            "com.baomidou.",
            "org.jdbi.",
            "com.querydsl.",
            "org.flywaydb.",
            "liquibase.",
            "com.p6spy.",
            "net.ttddyy.",
            "io.opentelemetry.",
            "io.micrometer.",
            "kotlin.",
            "kotlinx.",
            "scala.",
            "groovy.",
            "org.codehaus.groovy.",
            "io.quarkus.",
            "io.smallrye.",
            "io.vertx.",
            "io.netty.",
            "io.undertow.",
            "org.jboss.",
            "com.arjuna.",
            "io.micronaut.",
            "io.dropwizard.",
            "org.glassfish.",
            "reactor.",
            "io.ktor.",
            "org.jetbrains.exposed.",
            "net.bytebuddy.",
            "com.github.gavlyukovskiy.");

    /** Classes between the application and the server: a thread in one of their methods uses a connection. */
    private static final List<String> USES = List.of(
            "com.zaxxer.hikari.pool.Proxy",
            "com.zaxxer.hikari.pool.HikariProxy",
            "org.apache.tomcat.jdbc.pool.ProxyConnection",
            "org.apache.tomcat.jdbc.pool.StatementFacade",
            "org.apache.tomcat.jdbc.pool.interceptor.",
            "org.apache.commons.dbcp2.Delegating",
            "org.apache.commons.dbcp2.PoolGuardConnectionWrapper",
            "com.alibaba.druid.pool.DruidPooled",
            "com.mchange.v2.c3p0.impl.NewProxy",
            "io.agroal.pool.wrapper.",
            "org.vibur.dbcp.proxy.",
            "oracle.ucp.jdbc.proxy.",
            "org.postgresql.jdbc.",
            "org.postgresql.core.",
            "com.mysql.cj.jdbc.",
            "org.mariadb.jdbc.",
            "oracle.jdbc.driver.",
            "com.microsoft.sqlserver.jdbc.",
            "com.ibm.db2.jcc.",
            "org.h2.jdbc.",
            "io.flexpool.internal.jdbc.");

    private PoolFrames() {}

    /**
     * The kind of pool in whose method a request waits.
     *
     * @param method the method with its class, for example {@code com.zaxxer.hikari.util.ConcurrentBag.borrow}
     * @return the kind of pool; null for other methods
     */
    public static @Nullable String waitsIn(String method) {
        return POOLS.get(method);
    }

    /**
     * Whether a frame is a request for a connection.
     *
     * @param method the method with its class
     * @return whether it is a request method of a known pool
     */
    public static boolean isRequest(String method) {
        return REQUESTS.containsKey(method);
    }

    /**
     * The kind of pool from which a method requests a connection.
     *
     * @param method the method with its class
     * @return the kind of pool; null for other methods
     */
    public static @Nullable String requestedOf(String method) {
        return REQUESTS.get(method);
    }

    /**
     * Whether a frame is a pool's attempt to open a connection.
     *
     * @param method the method with its class
     * @return whether it is a connect method of a known pool
     */
    public static boolean connects(String method) {
        return CONNECTS.contains(method);
    }

    /**
     * Whether a pool has started a thread.
     *
     * @param name the thread's name
     * @return whether the name is that of a known pool's thread
     */
    public static boolean isThreadOfPool(String name) {
        return THREAD.matcher(name).find();
    }

    /**
     * Whether a thread is of a kind of which each pool has exactly one.
     *
     * @param name the thread's name
     * @return true if the number of such threads equals the number of pools
     */
    public static boolean isOnlyThreadOfPool(String name) {
        return ONLY_THREAD.matcher(name).matches();
    }

    /**
     * Whether a frame belongs to a pool.
     *
     * @param type the class
     * @return whether the class belongs to a known pool
     */
    public static boolean isOfPool(String type) {
        return POOL_CLASSES.stream().anyMatch(type::startsWith);
    }

    /**
     * Whether a frame uses a connection.
     *
     * @param type the class
     * @return whether the class is a connection or statement of a pool or driver
     */
    public static boolean usesConnection(String type) {
        return USES.stream().anyMatch(type::startsWith);
    }

    /**
     * Whether a frame belongs to the application.
     *
     * @param type the class
     * @return whether the class belongs to no known pool, driver or framework
     */
    public static boolean isApplication(String type) {
        return LIBRARIES.stream().noneMatch(type::startsWith) && !type.contains("$$") && !type.contains("$Proxy");
    }
}
