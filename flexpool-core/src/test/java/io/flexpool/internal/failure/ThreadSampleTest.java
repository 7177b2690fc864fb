// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.internal.AcquiringPool;
import io.flexpool.internal.failure.ThreadSample.Place;
import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;

class ThreadSampleTest {
    private static StackTraceElement frame(String type, String method) {
        return new StackTraceElement(type, method, type.substring(type.lastIndexOf('.') + 1) + ".java", 12);
    }

    @Test
    void aCallThroughTheWrapperIsInTheDatabase() {
        ThreadSample seen = ThreadSample.of(new StackTraceElement[] {
            frame("sun.nio.ch.SocketDispatcher", "read0"),
            frame("com.acme.driver.Wire", "receive"),
            frame("io.flexpool.internal.jdbc.LeasedStatement", "executeQuery"),
            frame("com.acme.OrderService", "place")
        });
        assertThat(seen.place()).isEqualTo(Place.IN_DATABASE);
        assertThat(seen.words()).isEqualTo("inside executeQuery");
    }

    @Test
    void aSocketReadOfTheApplicationsOwnIsNotTheDatabase() {
        ThreadSample seen = ThreadSample.of(new StackTraceElement[] {
            frame("sun.nio.ch.SocketDispatcher", "read0"),
            frame("java.net.http.HttpClient", "send"),
            frame("com.acme.PaymentClient", "charge"),
            frame("com.acme.OrderService", "place")
        });
        assertThat(seen.place()).isEqualTo(Place.IN_APPLICATION);
        assertThat(seen.words()).isEqualTo("at PaymentClient.charge(PaymentClient.java:12)");
    }

    @Test
    void aThreadInGetConnectionWaitsForAConnection() {
        ThreadSample seen = ThreadSample.of(new StackTraceElement[] {
            frame("com.zaxxer.hikari.pool.HikariPool", "getConnection"),
            frame(ThreadSample.POOL, ThreadSample.ACQUIRE),
            frame("com.acme.OrderService", "place")
        });
        assertThat(seen.place()).isEqualTo(Place.WAITS_FOR_CONNECTION);
    }

    /** A frame of another name would make every nested request look like the application's own work. */
    @Test
    void theFrameThatIsLookedForIsThePools() {
        assertThat(ThreadSample.POOL).isEqualTo(AcquiringPool.class.getName());
        assertThat(AcquiringPool.class.getMethods()).extracting(Method::getName).contains(ThreadSample.ACQUIRE);
    }
}
