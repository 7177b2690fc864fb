// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpenConnectionsTest {
    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    @Test
    void oneThatCannotBeClosedKeepsNoOtherOpen() throws JMSException {
        List<String> closes = new ArrayList<>();
        Connection stubborn = proxy(Connection.class, (proxy, method, arguments) -> {
            if (method.getName().equals("close")) {
                closes.add("close");
                throw new JMSException("no " + closes.size());
            }
            return null;
        });
        OpenConnections open =
                new OpenConnections(proxy(ConnectionFactory.class, (proxy, method, arguments) -> stubborn), "test.");
        open.another("a");
        open.another("b");

        assertThatExceptionOfType(JMSException.class)
                .isThrownBy(open::close)
                .withMessage("no 1")
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
        assertThat(closes).hasSize(2);
    }
}
