// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.ownadapter;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.NullUnmarked;

/** What an application holds: the physical connection, until it is closed, which gives it back, once. */
// What passes through is a driver's, which says nothing of null.
@NullUnmarked
final class OwnConnection implements InvocationHandler {
    private final OwnPool pool;
    private final Connection physical;
    private final AtomicBoolean ended = new AtomicBoolean();

    private OwnConnection(OwnPool pool, Connection physical) {
        this.pool = pool;
        this.physical = physical;
    }

    static Connection of(OwnPool pool, Connection physical) {
        return (Connection) Proxy.newProxyInstance(
                OwnConnection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                new OwnConnection(pool, physical));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] args) throws Throwable {
        switch (method.getName()) {
            case "close" -> {
                if (ended.compareAndSet(false, true)) {
                    pool.giveBack(physical);
                }
                return null;
            }
            case "isClosed" -> {
                return ended.get() || physical.isClosed();
            }
            case "equals" -> {
                return proxy == args[0];
            }
            case "hashCode" -> {
                return System.identityHashCode(proxy);
            }
            case "toString" -> {
                return "own " + physical;
            }
            default -> {
                return pass(method, args);
            }
        }
    }

    private Object pass(Method method, Object[] args) throws Throwable {
        if (ended.get()) {
            throw new SQLException("the connection is closed", "08003");
        }
        try {
            return method.invoke(physical, args);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }
}
