// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.shared;

/** Name prefixes of classes between an application and its pool, of its callers, and of its libraries. */
public final class FrameworkPackages {
    /** The parts of flexpool that an application's call passes through; never an application's own. */
    private static final String[] OF_FLEXPOOL = prefixes("""
            io.flexpool.FlexPoolDataSource
            io.flexpool.internal. io.flexpool.spi.
            io.flexpool.hibernate.FlexPoolConnectionProvider
            io.flexpool.hibernate.PoolBehind
            io.flexpool.spring.ShortCut
            io.flexpool.spring.WrappedBean
            """);

    /** Names end with a dot, except prefixes of several packages. */
    private static final String[] KNOWN = prefixes("""
            java. javax. jakarta. jdk. sun. com.sun. kotlin. kotlinx. scala. groovy. clojure.
            org.codehaus.groovy. org.apache.groovy.

            com.zaxxer.hikari. com.mchange. org.apache.tomcat. com.alibaba.druid. org.apache.commons.dbcp
            org.apache.commons.pool io.agroal. org.vibur. oracle. com.atomikos. com.jolbox. bitronix.
            org.logicalcobwebs.

            org.postgresql. com.mysql. org.mariadb. org.h2. org.hsqldb. org.apache.derby. com.microsoft.sqlserver.
            com.ibm.db2. org.sqlite.

            org.springframework. org.hibernate. org.jooq. org.apache.ibatis. org.mybatis. com.baomidou.
            org.eclipse.persistence. org.apache.openjpa. io.ebean. org.jdbi. com.querydsl. liquibase. org.flywaydb.
            org.apache.shardingsphere. com.github.pagehelper. net.ttddyy. com.p6spy. com.vladmihalcea.
            io.hypersistence. com.blazebit.

            org.apache.catalina. org.apache.coyote. org.apache.jasper. org.apache.tomee. org.apache.openejb.
            io.undertow. org.xnio. org.eclipse.jetty. io.netty. reactor. io.reactivex. org.reactivestreams.
            org.jboss. org.wildfly. io.smallrye. com.arjuna. org.glassfish. fish.payara. weblogic. com.ibm.ws.
            com.ibm.websphere. io.openliberty. io.vertx. io.helidon. com.linecorp.armeria. io.javalin.
            io.dropwizard. io.quarkus. io.micronaut. ratpack. play.api. play.core. play.mvc. akka.
            org.apache.pekko. org.apache.cxf. org.apache.wicket. org.apache.struts2. com.vaadin. com.opensymphony.

            io.grpc. org.apache.dubbo. com.alibaba.dubbo. org.apache.thrift. com.netflix. feign. okhttp3. okio.
            org.apache.http. org.apache.hc. io.github.resilience4j.
            org.apache.kafka. org.apache.camel. org.apache.activemq. org.apache.pulsar. org.apache.rocketmq.
            com.rabbitmq. io.nats. io.awspring. software.amazon. com.amazonaws.
            com.google.api. com.google.auth. com.google.cloud. com.azure. com.microsoft.azure. io.minio. com.aliyun.
            retrofit2. org.asynchttpclient. redis.clients. io.lettuce. org.redisson. com.mongodb. com.datastax.
            org.elasticsearch. co.elastic. org.opensearch. io.ktor.
            org.quartz. org.jobrunr. com.github.kagkarlsson. net.javacrumbs.shedlock. com.hazelcast. org.ehcache.
            com.github.benmanes.caffeine. com.google.common. com.google.inject. org.apache.aries. org.osgi.

            net.bytebuddy. javassist. org.aspectj. io.opentelemetry. io.micrometer. com.codahale. io.prometheus.
            com.fasterxml.jackson.

            org.apache.maven. org.codehaus.plexus. org.gradle. worker.org.gradle. com.intellij.
            org.eclipse.jdt.internal. org.openjdk.jmh.
            """);

    private FrameworkPackages() {}

    private static String[] prefixes(String words) {
        return words.strip().split("\\s+");
    }

    /** Whether a class, named with its package, is a class of flexpool on the path of an application's call. */
    public static boolean isOfFlexpool(String className) {
        return startsWithAny(OF_FLEXPOOL, className);
    }

    /** Whether a class, named with its package, is of the JDK or a known framework, driver or client. */
    public static boolean knows(String className) {
        return startsWithAny(KNOWN, className);
    }

    public static boolean startsWithAny(String[] prefixes, String className) {
        for (String prefix : prefixes) {
            if (className.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }
}
