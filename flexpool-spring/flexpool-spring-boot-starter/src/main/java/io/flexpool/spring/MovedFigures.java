// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import io.flexpool.FlexPoolDataSource;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.BeanWrapperImpl;

/**
 * Names a bound pool's own figures of waiting requests. They show only requests inside the pool, but requests wait at
 * flexpool's gate, so users of these figures must know.
 */
final class MovedFigures {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool.spring");

    private MovedFigures() {}

    /**
     * Logs one line if the pool publishes such figures.
     *
     * @param bound the wrapped pool
     * @param pool the raw pool
     * @param fed whether {@link OwnMeters} corrects its meters
     */
    static void log(FlexPoolDataSource bound, DataSource pool, boolean fed) {
        List<String> moved = of(bound.type(), pool, fed);
        if (!moved.isEmpty()) {
            LOG.info(
                    "{}: requests wait in flexpool, not inside the pool, and are missing in {}. See"
                            + " db.client.connection.pending_requests, .wait_time and .timeouts, and flexpool.oldest_wait (docs/reference/spring.md, The pool's own metrics)",
                    bound.name(),
                    String.join(" and ", moved));
        }
    }

    /**
     * The published figures of a pool. Reads properties by name, because these pools may be absent from the class path.
     */
    private static List<String> of(String type, DataSource pool, boolean fed) {
        BeanWrapperImpl properties = new BeanWrapperImpl(pool);
        List<String> moved = new ArrayList<>();
        switch (type) {
            case "HikariCP" -> {
                boolean metered = value(properties, "metricRegistry") != null
                        || value(properties, "metricsTrackerFactory") != null;
                if (!fed && metered) {
                    moved.add("HikariCP's meters of pending, acquisition and timeout");
                }
                if (Boolean.TRUE.equals(value(properties, "registerMbeans"))) {
                    moved.add("ThreadsAwaitingConnection of HikariCP's MBean");
                }
            }
            case "Tomcat JDBC" -> {
                if (Boolean.TRUE.equals(value(properties, "jmxEnabled"))) {
                    moved.add("WaitCount of Tomcat's MBean");
                }
            }
            case "Commons DBCP 2" -> {
                if (value(properties, "jmxName") != null) {
                    moved.add("NumWaiters and the BorrowWaitTime of DBCP's MBean");
                }
            }
            default -> {
                // Other pools are not known to publish such figures by default.
            }
        }
        return moved;
    }

    private static @Nullable Object value(BeanWrapperImpl properties, String name) {
        return properties.isReadableProperty(name) ? properties.getPropertyValue(name) : null;
    }
}
