// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import io.flexpool.metrics.tck.Figure;
import io.flexpool.metrics.tck.MetricsContract;
import io.flexpool.metrics.tck.Part;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolMetric.Kind;
import io.flexpool.monitoring.PoolMetric.Unit;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;

class JmxContractTest extends MetricsContract {
    private static final double SECOND = 1000;

    private final MBeanServer server = MBeanServerFactory.newMBeanServer();

    @Override
    protected MetricsBinder binder() {
        return JmxMetrics.into(server);
    }

    @Override
    protected Set<Part> shows(PoolMetric metric) {
        return switch (metric.kind()) {
            case GAUGE, COUNTER -> EnumSet.of(Part.VALUE);
            case TIMER, DISTRIBUTION -> EnumSet.complementOf(EnumSet.of(Part.VALUE));
        };
    }

    @Override
    protected OptionalDouble shown(String pool, Figure figure) {
        PoolMetric metric = figure.metric();
        Object value;
        try {
            value = server.getAttribute(new ObjectName("flexpool:type=Pool,name=" + pool), attribute(figure));
        } catch (InstanceNotFoundException gone) {
            return OptionalDouble.empty();
        } catch (JMException e) {
            throw new AssertionError(figure.toString(), e);
        }
        if (value instanceof CompositeData[] classes) {
            value = Stream.of(classes)
                    .filter(one -> figure.requestClass().equals(one.get("name")))
                    .findFirst()
                    .map(one -> one.get(metric.shortName().substring("class.".length())))
                    .orElse(null);
        }
        if (value instanceof CompositeData parts) {
            value = parts.get(item(figure.part()) + (metric.kind() == Kind.TIMER ? unit(figure.part()) : ""));
        }
        boolean millis = metric.unit() == Unit.NANOSECONDS && figure.part() != Part.COUNT;
        return value instanceof Number number
                ? OptionalDouble.of(millis ? number.doubleValue() / SECOND : number.doubleValue())
                : OptionalDouble.empty();
    }

    private static String attribute(Figure figure) {
        if (figure.metric().perClass()) {
            return "Classes";
        }
        if (figure.metric() != PoolMetric.ACQUISITION) {
            return RegisteredPool.attributeName(figure.metric());
        }
        return switch (figure.outcome()) {
            case OK -> "AcquisitionOk";
            case TIMEOUT -> "AcquisitionTimeout";
            case CONNECT_FAILURE -> "AcquisitionConnectFailure";
            case INTERRUPTED -> "AcquisitionInterrupted";
            case REJECTED -> "AcquisitionRejected";
            case ERROR -> "AcquisitionError";
        };
    }

    private static String item(Part part) {
        return switch (part) {
            case COUNT -> "count";
            case SUM -> "sum";
            case RECENT_MEAN -> "recentMean";
            case RECENT_MAX -> "recentMax";
            case RECENT_P50 -> "recentP50";
            case RECENT_P95 -> "recentP95";
            case RECENT_P99 -> "recentP99";
            case VALUE -> throw new IllegalArgumentException("a composite has no value");
        };
    }

    private static String unit(Part part) {
        return part == Part.COUNT ? "" : "Millis";
    }

    @Override
    protected OptionalDouble shown(String pool, PartMetric metric) {
        try {
            Object value = server.getAttribute(
                    new ObjectName("flexpool:type=Pool,name=" + pool), RegisteredPool.camelCase(metric.shortName()));
            return value instanceof Number number ? OptionalDouble.of(number.doubleValue()) : OptionalDouble.empty();
        } catch (InstanceNotFoundException gone) {
            return OptionalDouble.empty();
        } catch (JMException e) {
            throw new AssertionError(metric.shortName(), e);
        }
    }

    @Override
    protected Set<String> described() {
        Set<String> described = new HashSet<>();
        try {
            for (ObjectName bean : server.queryNames(new ObjectName("flexpool:*"), null)) {
                for (MBeanAttributeInfo info : server.getMBeanInfo(bean).getAttributes()) {
                    described.add(info.getName() + " " + bean + " " + info.getType() + " " + info.getDescription() + " "
                            + server.getAttribute(bean, info.getName()));
                }
            }
        } catch (JMException e) {
            throw new AssertionError(e);
        }
        return described;
    }

    @Override
    protected Set<String> registered() {
        try {
            return server.queryNames(new ObjectName("flexpool:*"), null).stream()
                    .map(ObjectName::getCanonicalName)
                    .collect(Collectors.toSet());
        } catch (JMException e) {
            throw new AssertionError(e);
        }
    }
}
