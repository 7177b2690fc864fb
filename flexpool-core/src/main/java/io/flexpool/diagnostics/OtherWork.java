// SPDX-License-Identifier: Apache-2.0
package io.flexpool.diagnostics;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a thread does instead of using the connection that it holds, as far as its stack shows it. A connection that is held
 * meanwhile serves no request, so it is what should move before the acquisition or behind the close.
 *
 * <p>Read from the frames above the first one of the application: the clients of HTTP, object stores, message brokers, mail and
 * other servers by the names of their packages, the rest by the JDK's classes and the thread's state. A client that flexpool
 * does not know shows as what it does in the JDK, mostly {@link #NETWORK}. A stack is one moment: work that is rarely met there
 * takes a small share of the time.
 */
public enum OtherWork {
    /** A client of HTTP: the JDK's, Apache's, OkHttp, Jetty's, Reactor Netty, those of Spring, JAX-RS, Feign and others. */
    HTTP_CALL("during an HTTP call", true),
    /** A client of an object store: Amazon S3, Google Cloud Storage, Azure Blob Storage, MinIO and others. */
    OBJECT_STORE("during a call to an object store", true),
    /** A client of a message broker: Kafka, RabbitMQ, JMS, Pulsar, NATS, the queues of cloud providers and others. */
    MESSAGE_BROKER("during a call to a message broker", true),
    /** A client of a mail server. */
    MAIL("during a call to a mail server", true),
    /** A client of another remote service: gRPC, Dubbo, Thrift, RMI, LDAP, services of cloud providers. */
    REMOTE_CALL("during a remote call", true),
    /** A client of another data store, also by JDBC past flexpool: Redis, MongoDB, Elasticsearch, drivers and others. */
    DATA_STORE("during a call to another data store", true),
    /** {@code Thread.sleep}. */
    SLEEP("while sleeping", false),
    /** A monitor, a {@code Lock} or a {@code Semaphore} that another thread has. */
    LOCK("while waiting for a lock", false),
    /** A future, a latch, a queue, a condition, the end of a thread or of a process. */
    OTHER_THREAD("while waiting for another thread", false),
    /** Sockets, without a client that is known. */
    NETWORK("during network input or output", true),
    /** Files. */
    FILE("during file input or output", true),
    /** The thread runs and does none of the above: on a processor, or ready to be. */
    CPU("while computing", false);

    private final String words;
    private final boolean io;

    OtherWork(String words, boolean io) {
        this.words = words;
        this.io = io;
    }

    /** {@return the work for people, to follow "held": for example {@code during an HTTP call}} */
    public String words() {
        return words;
    }

    /** {@return whether the thread waits for something outside of the JVM: a server, a network or a file} */
    public boolean io() {
        return io;
    }

    /**
     * What a thread does.
     *
     * @param state the thread's state, read with the stack
     * @param stack its stack, the most recent call first, as {@link Thread#getStackTrace()} gives it
     * @return null if the stack is empty, the thread is inside a call of one of flexpool's connections, or waits for something
     *     unknown
     */
    public static @Nullable OtherWork of(Thread.State state, StackTraceElement[] stack) {
        Objects.requireNonNull(stack, "stack is null");
        Objects.requireNonNull(state, "state is null");
        return WorkFrames.work(state, stack);
    }

    /**
     * The application's own frame that is nearest to the top of a stack: the call that does the work. It is the first one of a
     * class that is neither the JDK's nor one of a framework, driver or client that flexpool knows.
     *
     * @param stack a stack, the most recent call first
     * @return null if there is none
     */
    public static @Nullable StackTraceElement caller(StackTraceElement[] stack) {
        Objects.requireNonNull(stack, "stack is null");
        return WorkFrames.caller(stack);
    }
}
