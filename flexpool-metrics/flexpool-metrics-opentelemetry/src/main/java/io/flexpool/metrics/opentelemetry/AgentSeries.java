// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.opentelemetry;

import static io.flexpool.monitoring.PoolMetric.ACQUISITION;
import static io.flexpool.monitoring.PoolMetric.ACTIVE;
import static io.flexpool.monitoring.PoolMetric.CONNECT;
import static io.flexpool.monitoring.PoolMetric.IDLE;
import static io.flexpool.monitoring.PoolMetric.LEASE;
import static io.flexpool.monitoring.PoolMetric.MAX;
import static io.flexpool.monitoring.PoolMetric.MIN_IDLE;
import static io.flexpool.monitoring.PoolMetric.PENDING;
import static io.flexpool.monitoring.PoolMetric.TIMEOUTS;

import io.flexpool.monitoring.PoolMetric;
import io.opentelemetry.api.OpenTelemetry;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The metrics that OpenTelemetry's Java agent exports of a pool by its own instrumentation. Series of the same names
 * would count each connection twice. Read from the output of agent 2.33.1; a test compares it with the agent.
 */
final class AgentSeries {
    static final AgentSeries NONE = new AgentSeries(EnumSet.noneOf(PoolMetric.class));

    private static final String AGENT = "io.opentelemetry.javaagent.";
    private static final Pattern MAJOR = Pattern.compile("\\d{1,4}");
    private static final Map<String, Instrumentation> BY_POOL = Map.of(
            "HikariCP",
            new Instrumentation(
                    "hikaricp", "3.0", ACTIVE, IDLE, MIN_IDLE, MAX, PENDING, CONNECT, ACQUISITION, LEASE, TIMEOUTS),
            "c3p0",
            new Instrumentation("c3p0", "0.9", ACTIVE, IDLE, PENDING),
            "Tomcat JDBC",
            new Instrumentation("tomcat-jdbc", "8.5", ACTIVE, IDLE, MIN_IDLE, MAX, PENDING),
            "Druid",
            new Instrumentation("alibaba-druid", "1.0", ACTIVE, IDLE, MIN_IDLE, MAX, PENDING),
            "Commons DBCP 2",
            new Instrumentation("apache-dbcp", "2.0", ACTIVE, IDLE, MIN_IDLE, MAX),
            "Vibur",
            new Instrumentation("vibur-dbcp", "11.0", ACTIVE, IDLE, MAX),
            "Oracle UCP",
            new Instrumentation("oracle-ucp", "11.2", ACTIVE, IDLE, MAX, PENDING));

    private final Set<PoolMetric> metrics;

    private AgentSeries(Set<PoolMetric> metrics) {
        this.metrics = metrics;
    }

    /**
     * What the agent exports of a pool. The settings of the agent that system properties and the environment contain
     * are read; those of a file are not.
     *
     * @param bound the OpenTelemetry that shows the pool: the agent's has a class of the agent
     * @param type the kind of pool
     */
    static AgentSeries of(OpenTelemetry bound, String type) {
        Instrumentation made = BY_POOL.get(type);
        if (made == null || !bound.getClass().getName().startsWith(AGENT) || !usesConventions() || !made.isOn()) {
            return NONE;
        }
        return new AgentSeries(made.metrics);
    }

    boolean isEmpty() {
        return metrics.isEmpty();
    }

    /** The names of the agent's metrics that flexpool leaves to it, sorted, with commas between. */
    String names() {
        Set<String> names = new TreeSet<>();
        metrics.stream()
                .filter(metric -> ownName(metric) == null)
                .forEach(metric -> names.add(metric.conventionName()));
        return String.join(", ", names);
    }

    /** The name by which flexpool shows a metric; null if it leaves the metric to the agent. */
    @Nullable
    String name(PoolMetric metric) {
        return metrics.contains(metric) ? ownName(metric) : metric.conventionName();
    }

    /**
     * The agent sees the pool only: a request that waits for flexpool's limit, or fails there, has not reached the pool
     * yet. So these figures differ and stay, by names of their own.
     */
    private static @Nullable String ownName(PoolMetric metric) {
        return switch (metric) {
            case ACQUISITION -> "flexpool.wait_time";
            case PENDING -> "flexpool.pending_requests";
            case TIMEOUTS -> "flexpool.timeouts";
            default -> null;
        };
    }

    /** Whether the agent uses the names of the conventions: before version 3 only on request. */
    private static boolean usesConventions() {
        String asked = setting("otel.semconv-stability.opt-in");
        if (asked != null) {
            List<String> groups = Arrays.asList(asked.split("\\s*,\\s*"));
            if (groups.contains("database") || groups.contains("database/dup")) {
                return true;
            }
        }
        return majorVersion() >= 3;
    }

    private static int majorVersion() {
        // The agent's first class is loaded before the application's: no class is looked up by its name.
        Package agent = ClassLoader.getSystemClassLoader().getDefinedPackage("io.opentelemetry.javaagent");
        String version = agent == null ? null : agent.getImplementationVersion();
        Matcher major = version == null ? null : MAJOR.matcher(version);
        return major != null && major.lookingAt() ? Integer.parseInt(major.group()) : 0;
    }

    /** A setting of the agent, which reads system properties before the environment; null if there is none. */
    private static @Nullable String setting(String name) {
        String property = System.getProperty(name);
        return property != null
                ? property
                : System.getenv(name.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_'));
    }

    /** The agent's instrumentation of one kind of pool, and its metrics. */
    private static final class Instrumentation {
        private final String name;
        private final String version;
        private final Set<PoolMetric> metrics;

        Instrumentation(String name, String version, PoolMetric first, PoolMetric... others) {
            this.name = name;
            this.version = version;
            this.metrics = EnumSet.of(first, others);
        }

        /** As the agent decides, tried with 2.33.1: the name without a version comes first. */
        boolean isOn() {
            for (String each : List.of(name, name + "-" + version)) {
                String on = setting("otel.instrumentation." + each + ".enabled");
                if (on != null) {
                    return Boolean.parseBoolean(on);
                }
            }
            String all = setting("otel.instrumentation.common.default-enabled");
            return all == null || Boolean.parseBoolean(all);
        }
    }
}
