// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A pool's figures at one moment, from a log or a scrape; each is -1 if unknown. Immutable.
 *
 * @param max the pool's max size
 * @param active the connections in use
 * @param pending the number of waiting requests
 */
record PoolFigures(int max, int active, int pending) {
    private static final int UNKNOWN = -1;
    private static final Pattern SAMPLE = Pattern.compile(
            "(?<name>[a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(?<labels>[^}]*)})?\\s+(?<value>[0-9.eE+]+)(?:\\s+[0-9]+)?\\s*");
    private static final Pattern POOL = Pattern.compile(
            "(?:^|,)\\s*(?:pool|name|datasource|db_client_connection_pool_name|pool_name)=\"(?<pool>[^\"]*)\"");
    private static final Pattern STATE =
            Pattern.compile("(?:^|,)\\s*(?:db_client_connection_state|state)=\"(?<state>[^\"]*)\"");

    static final PoolFigures NONE = new PoolFigures(UNKNOWN, UNKNOWN, UNKNOWN);

    boolean isFull() {
        return active >= 0 && active >= max && max > 0;
    }

    /**
     * Reads the pools of a Prometheus scrape, by name. Supports Micrometer's metrics of HikariCP and of JDBC,
     * HikariCP's own, Quarkus' metrics of Agroal, and OpenTelemetry's old and new ones.
     */
    static Map<String, PoolFigures> ofScrape(String text) {
        Map<String, PoolFigures> pools = new LinkedHashMap<>();
        Map<String, PoolFigures> dataSources = new LinkedHashMap<>();
        text.lines().forEach(line -> {
            Matcher sample = SAMPLE.matcher(line);
            if (sample.matches()) {
                String labels = sample.group("labels") == null ? "" : sample.group("labels");
                Matcher pool = POOL.matcher(labels);
                Matcher state = STATE.matcher(labels);
                String name = pool.find() ? pool.group("pool") : "";
                String metric = sample.group("name") + (state.find() ? " " + state.group("state") : "");
                int value = (int) Math.min(Integer.MAX_VALUE, Double.parseDouble(sample.group("value")));
                Map<String, PoolFigures> own = metric.startsWith("jdbc_") ? dataSources : pools;
                PoolFigures before = own.getOrDefault(name, NONE);
                PoolFigures now = before.with(metric, value);
                if (!now.equals(before)) {
                    own.put(name, now);
                }
            }
        });
        // Spring Boot reports a pool of HikariCP twice: by the pool's name and by the bean's.
        dataSources.values().removeIf(each -> pools.values().stream().anyMatch(each::isSameAs));
        dataSources.forEach(pools::putIfAbsent);
        return pools;
    }

    private boolean isSameAs(PoolFigures other) {
        return max == other.max && active == other.active;
    }

    private PoolFigures with(String metric, int value) {
        return switch (metric) {
            case "hikaricp_connections_max",
                    "hikaricp_max_connections",
                    "jdbc_connections_max",
                    "db_client_connection_limit",
                    "db_client_connection_max",
                    "db_client_connections_max" -> new PoolFigures(value, active, pending);
            case "hikaricp_connections_active",
                    "hikaricp_active_connections",
                    "jdbc_connections_active",
                    "agroal_active_count",
                    "db_client_connection_count used",
                    "db_client_connections_usage used" -> new PoolFigures(max, value, pending);
            case "hikaricp_connections_pending",
                    "hikaricp_pending_threads",
                    "agroal_awaiting_count",
                    "db_client_connection_pending_requests",
                    "db_client_connections_pending_requests" -> new PoolFigures(max, active, value);
            default -> this;
        };
    }
}
