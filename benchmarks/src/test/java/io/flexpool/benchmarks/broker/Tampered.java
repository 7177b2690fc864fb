// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Connections to a broker through which some messages are sent never, or twice. */
public final class Tampered {
    private static final List<Class<?>> WRAPPED = List.of(Connection.class, Session.class, MessageProducer.class);

    private final AtomicInteger sent = new AtomicInteger();
    private final int from;
    private final int to;
    private final int times;

    private Tampered(int from, int to, int times) {
        this.from = from;
        this.to = to;
        this.times = times;
    }

    /** One message is never sent, the number from 0 over all senders. */
    public static ConnectionFactory losing(ConnectionFactory connections, int number) {
        return losing(connections, number, number + 1);
    }

    /** Several messages are never sent. */
    public static ConnectionFactory losing(ConnectionFactory connections, int from, int to) {
        return new Tampered(from, to, 0).wrapped(ConnectionFactory.class, connections);
    }

    /** One message is sent twice. */
    public static ConnectionFactory doubling(ConnectionFactory connections, int number) {
        return new Tampered(number, number + 1, 2).wrapped(ConnectionFactory.class, connections);
    }

    private <T> T wrapped(Class<T> type, Object target) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    int calls = method.getName().equals("send") ? times() : 1;
                    @Nullable Object result = null;
                    try {
                        for (int call = 0; call < calls; call++) {
                            result = method.invoke(target, arguments);
                        }
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                    return result != null && WRAPPED.contains(method.getReturnType())
                            ? wrapped(method.getReturnType(), result)
                            : result;
                }));
    }

    private int times() {
        int number = sent.getAndIncrement();
        return number >= from && number < to ? times : 1;
    }
}
