// SPDX-License-Identifier: Apache-2.0
package io.flexpool.diagnostics;

import static io.flexpool.diagnostics.OpenLease.OtherWork.CPU;
import static io.flexpool.diagnostics.OpenLease.OtherWork.DATA_STORE;
import static io.flexpool.diagnostics.OpenLease.OtherWork.FILE;
import static io.flexpool.diagnostics.OpenLease.OtherWork.HTTP_CALL;
import static io.flexpool.diagnostics.OpenLease.OtherWork.LOCK;
import static io.flexpool.diagnostics.OpenLease.OtherWork.MAIL;
import static io.flexpool.diagnostics.OpenLease.OtherWork.MESSAGE_BROKER;
import static io.flexpool.diagnostics.OpenLease.OtherWork.NETWORK;
import static io.flexpool.diagnostics.OpenLease.OtherWork.OBJECT_STORE;
import static io.flexpool.diagnostics.OpenLease.OtherWork.OTHER_THREAD;
import static io.flexpool.diagnostics.OpenLease.OtherWork.REMOTE_CALL;
import static io.flexpool.diagnostics.OpenLease.OtherWork.SLEEP;

import io.flexpool.diagnostics.OpenLease.OtherWork;
import io.flexpool.internal.shared.FrameworkPackages;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Maps frames to work. Each row has prefixes of {@code package.Class.method}; the first row with a matching prefix
 * counts for a frame.
 *
 * <p>Between the top of a stack and the first frame of the application several rows may match: an upload to S3 reads a
 * socket, in a client of HTTP, in a client of S3. The lowest client counts, because the application calls it. Without a
 * client the highest frame counts, where the thread stops: a future's {@code get} parks, and a lock's {@code lock}
 * parks too. Frames below the application's frames belong to its caller, a server or a listener, and are ignored.
 */
final class WorkFrames {
    private static final int DEEPEST = 512;
    /** flexpool's wrapper: the thread uses a connection. */
    private static final String CALLS = "io.flexpool.internal.jdbc.";

    private record Row(OtherWork work, List<String> beginnings) {}

    private static final List<Row> CLIENTS = List.of(
            row(OBJECT_STORE, """
                    software.amazon.awssdk.services.s3. software.amazon.awssdk.transfer.s3. com.amazonaws.services.s3.
                    io.awspring.cloud.s3. com.google.cloud.storage. com.azure.storage. com.microsoft.azure.storage.
                    io.minio. com.aliyun.oss. com.aliyun.sdk.service.oss org.jclouds.blobstore. com.oracle.bmc.objectstorage.
                    """),
            row(MESSAGE_BROKER, """
                    org.apache.kafka.clients. org.springframework.kafka.core. com.rabbitmq.client.
                    org.springframework.amqp.rabbit.core. org.springframework.jms.core. org.apache.activemq.
                    com.ibm.mq. com.ibm.msg.client. org.apache.qpid.jms. org.apache.pulsar.client.
                    org.apache.rocketmq.client. io.nats.client. software.amazon.awssdk.services.sqs.
                    software.amazon.awssdk.services.sns. com.amazonaws.services.sqs. com.amazonaws.services.sns.
                    io.awspring.cloud.sqs. io.awspring.cloud.sns. com.google.cloud.pubsub. com.azure.messaging.
                    org.eclipse.paho.
                    """),
            row(MAIL, """
                    jakarta.mail. javax.mail. com.sun.mail. org.eclipse.angus.mail. org.springframework.mail.
                    org.apache.commons.mail.
                    """),
            row(REMOTE_CALL, """
                    io.grpc.stub.ClientCalls io.grpc.internal.ClientCallImpl org.apache.dubbo. com.alibaba.dubbo.
                    org.apache.thrift. java.rmi. sun.rmi. com.sun.jndi.ldap. software.amazon.awssdk.services.
                    com.amazonaws.services.
                    """),
            row(DATA_STORE, """
                    redis.clients.jedis. io.lettuce. org.redisson. org.springframework.data.redis. com.mongodb.
                    org.springframework.data.mongodb. org.elasticsearch. co.elastic. org.opensearch. com.datastax.
                    net.spy.memcached. com.hazelcast. org.postgresql. com.mysql. org.mariadb.jdbc. oracle.jdbc.
                    com.microsoft.sqlserver.jdbc. com.ibm.db2. org.h2. org.hsqldb. org.sqlite.
                    """),
            row(HTTP_CALL, """
                    java.net.http. jdk.internal.net.http. java.net.HttpURLConnection sun.net.www.protocol.http
                    org.apache.http. org.apache.hc. org.apache.commons.httpclient. okhttp3. retrofit2.
                    reactor.netty.http.client. org.eclipse.jetty.client. org.springframework.web.client.
                    org.springframework.http.client. org.springframework.web.reactive.function.client. feign.
                    org.asynchttpclient. io.micronaut.http.client. io.vertx.ext.web.client. io.helidon.webclient.
                    io.ktor.client. com.linecorp.armeria.client. com.google.api.client.http. org.glassfish.jersey.client.
                    org.jboss.resteasy.client. org.apache.cxf.transport.http. com.sun.xml.ws.transport.http.client
                    kong.unirest.
                    """));

    private static final List<Row> PLACES =
            List.of(row(SLEEP, """
                    java.lang.Thread.sleep java.lang.VirtualThread.sleep
                    """), row(LOCK, """
                    java.util.concurrent.locks.ReentrantLock java.util.concurrent.locks.ReentrantReadWriteLock
                    java.util.concurrent.locks.StampedLock java.util.concurrent.Semaphore
                    """), row(OTHER_THREAD, """
                    java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject
                    java.util.concurrent.CompletableFuture java.util.concurrent.FutureTask.awaitDone
                    java.util.concurrent.FutureTask.get java.util.concurrent.ForkJoinTask.get
                    java.util.concurrent.ForkJoinTask.join java.util.concurrent.ForkJoinTask.awaitDone
                    java.util.concurrent.CountDownLatch java.util.concurrent.CyclicBarrier java.util.concurrent.Phaser
                    java.util.concurrent.Exchanger java.util.concurrent.SynchronousQueue
                    java.util.concurrent.LinkedTransferQueue java.lang.Thread.join java.lang.Object.wait
                    java.lang.ProcessImpl.waitFor java.lang.Process.waitFor reactor.core.publisher.Blocking
                    """), row(FILE, """
                    java.io.FileInputStream java.io.FileOutputStream java.io.RandomAccessFile java.io.UnixFileSystem
                    java.io.WinNTFileSystem sun.nio.fs. sun.nio.ch.FileChannelImpl
                    """), row(NETWORK, """
                    sun.nio.ch.NioSocketImpl sun.nio.ch.Socket sun.nio.ch.Net. sun.nio.ch.EPoll sun.nio.ch.KQueue
                    sun.nio.ch.WEPoll sun.nio.ch.Selector sun.nio.ch.Datagram java.net.Socket java.net.Inet
                    java.net.Datagram sun.security.ssl.
                    """));

    private WorkFrames() {}

    private static Row row(OtherWork work, String beginnings) {
        return new Row(work, List.of(beginnings.strip().split("\\s+")));
    }

    static @Nullable OtherWork work(Thread.State state, StackTraceElement[] stack) {
        if (stack.length == 0) {
            return null;
        }
        OtherWork client = null;
        OtherWork place = null;
        for (int at = 0; at < Math.min(stack.length, DEEPEST); at++) {
            String name = stack[at].getClassName() + "." + stack[at].getMethodName();
            if (name.startsWith(CALLS)) {
                return null;
            }
            OtherWork found = find(CLIENTS, name);
            if (found != null) {
                client = found;
            } else if (!isLibrary(stack[at])) {
                break;
            } else if (place == null) {
                place = find(PLACES, name);
            }
        }
        if (client != null) {
            return client;
        }
        if (state == Thread.State.BLOCKED) {
            return LOCK;
        }
        return place == null && state == Thread.State.RUNNABLE ? CPU : place;
    }

    static @Nullable StackTraceElement caller(StackTraceElement[] stack) {
        for (StackTraceElement frame : stack) {
            if (!isLibrary(frame) && find(CLIENTS, frame.getClassName() + ".") == null) {
                return frame;
            }
        }
        return null;
    }

    private static @Nullable OtherWork find(List<Row> rows, String name) {
        for (Row row : rows) {
            if (row.beginnings().stream().anyMatch(name::startsWith)) {
                return row.work();
            }
        }
        return null;
    }

    /** Proxies that a framework generates count as the framework. */
    private static boolean isLibrary(StackTraceElement frame) {
        String type = frame.getClassName();
        return FrameworkPackages.knows(type) || type.contains("$$") || type.contains("$Proxy");
    }
}
