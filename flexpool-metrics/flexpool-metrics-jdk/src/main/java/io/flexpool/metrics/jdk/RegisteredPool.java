// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolView;
import io.flexpool.pool.Ticker;
import io.flexpool.spi.UniqueNames;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanException;
import javax.management.MBeanFeatureInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.ReflectionException;
import javax.management.StandardMBean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One pool's MBean in a server: {@link PoolMXBean} with descriptions, under a unique name. */
final class RegisteredPool extends StandardMBean {
    private static final Logger LOG = LoggerFactory.getLogger(JmxMetrics.class);
    /** The characters with a special meaning in JMX names. */
    private static final String NEEDS_QUOTES = ",=:\"*?\n";

    private static final Set<String> READS = Set.of("report", "decisions");

    private final PoolView pool;
    private final PartAttributes ofParts;
    private final MBeanServer server;
    /** One thread may register this bean, and another thread may remove it. */
    private final AtomicBoolean registered = new AtomicBoolean();

    private RegisteredPool(PoolView pool, MBeanServer server) {
        super(new ShownPool(pool, Ticker.SYSTEM), PoolMXBean.class, true);
        this.pool = pool;
        this.ofParts = new PartAttributes(pool);
        this.server = server;
    }

    /** Registers as {@code name}, or the first of {@code name#2}, {@code name#3}… that is free. */
    static RegisteredPool register(PoolView pool, MBeanServer server) {
        RegisteredPool bean = new RegisteredPool(pool, server);
        String shown =
                UniqueNames.first(pool.name(), name -> bean.register(pool.name(), objectName(name)) ? name : null);
        if (!shown.equals(pool.name())) {
            LOG.warn(
                    "{}: another pool has this name; the MBean of this pool is {}. Give each pool its own name.",
                    pool.name(),
                    objectName(shown));
        }
        return bean;
    }

    /** False if the name is in use. */
    private boolean register(String pool, ObjectName wanted) {
        try {
            server.registerMBean(this, wanted);
            return true;
        } catch (InstanceAlreadyExistsException taken) {
            return false;
        } catch (JMException refused) {
            throw new IllegalStateException(pool + ": cannot be registered as " + wanted, refused);
        }
    }

    private static ObjectName objectName(String pool) {
        boolean plain = pool.chars().noneMatch(letter -> NEEDS_QUOTES.indexOf(letter) >= 0);
        try {
            return new ObjectName("flexpool:type=Pool,name=" + (plain ? pool : ObjectName.quote(pool)));
        } catch (MalformedObjectNameException e) {
            throw new IllegalArgumentException("name = " + pool + ": cannot be part of an object name", e);
        }
    }

    private volatile ObjectName name = ObjectName.WILDCARD;

    @Override
    public ObjectName preRegister(MBeanServer where, ObjectName wanted) throws Exception {
        name = wanted;
        return super.preRegister(where, wanted);
    }

    @Override
    public void postRegister(Boolean done) {
        registered.set(Boolean.TRUE.equals(done));
        super.postRegister(done);
    }

    @Override
    public void postDeregister() {
        registered.set(false);
        super.postDeregister();
    }

    /** Removes this bean, but not another one registered under its name since. */
    void remove() {
        if (!registered.getAndSet(false)) {
            return;
        }
        try {
            server.unregisterMBean(name);
        } catch (InstanceNotFoundException gone) {
            // Already removed.
        } catch (JMException refused) {
            LOG.warn("{}: cannot be removed from JMX", name, refused);
        }
    }

    @Override
    protected String getDescription(MBeanAttributeInfo attribute) {
        String name = attribute.getName();
        if (name.startsWith("Acquisition") && !name.endsWith("Rate")) {
            return PoolMetric.ACQUISITION.meaning();
        }
        for (PoolMetric metric : PoolMetric.values()) {
            if (attributeName(metric).equals(name)) {
                return metric.meaning();
            }
        }
        return switch (name) {
            case "Base" -> "The lease limit at rest; none if flexpool does not limit the pool.";
            case "Ceiling" -> "The highest lease limit; none if flexpool does not limit the pool.";
            case "Classes" -> "The classes of the pool's requests, each with its leases and its waits.";
            case "Mode" -> "The mode, which decides who changes the pool's size: monitor, recommend or adapt.";
            case "Phase" -> "Where the pool is in its life: warming, open, paused, draining or closed.";
            case "State" -> "The current state, in one line.";
            case "Bound" -> "Whether flexpool limits the pool; otherwise it only monitors it.";
            case "AcquisitionRate" -> "Acquisitions that got a connection, per second.";
            case "LeaseRate" -> "Leases that ended, per second.";
            case "PoolType" -> "The kind of the wrapped pool.";
            default -> "The name given to the pool.";
        };
    }

    /** The attribute for a figure. */
    static String attributeName(PoolMetric metric) {
        return switch (metric) {
            case GROWN_BY_SAMPLED -> "GrownBySampled";
            case REFUSED_GROWTHS -> "RefusedGrowths";
            case OLDEST_WAIT -> "OldestWaitMillis";
            case TICK_AGE -> "TickAgeMillis";
            default -> camelCase(metric.shortName());
        };
    }

    static String camelCase(String dotted) {
        StringBuilder name = new StringBuilder();
        for (String word : dotted.split("\\.", -1)) {
            name.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1));
        }
        return name.toString();
    }

    @Override
    protected String getDescription(MBeanOperationInfo operation) {
        return switch (operation.getName()) {
            case "report" ->
                "State, statistics, holders, call sites, the last explained failure, decisions and events, as text.";
            case "decisions" -> "The recent sizing decisions and their reasons, one per line.";
            case "warmUp" ->
                "Opens connections before requests need them; returns how many connections were open at the same time.";
            case "drain" ->
                "Refuses new requests, waits for open leases, and closes the pool; returns the number of leases left open.";
            case "evict" ->
                "Closes every connection that is open now; leased connections are closed when they are returned.";
            case "pause" -> "Pauses the pool: new requests wait until it is resumed.";
            case "resume" -> "Resumes a paused pool: waiting requests are served.";
            default -> "Changes base and ceiling until the pool is closed.";
        };
    }

    @Override
    public MBeanInfo getMBeanInfo() {
        return ofParts.in(super.getMBeanInfo());
    }

    @Override
    public @Nullable Object getAttribute(String attribute)
            throws AttributeNotFoundException, MBeanException, ReflectionException {
        return ofParts.has(attribute) ? ofParts.value(attribute) : super.getAttribute(attribute);
    }

    @Override
    public AttributeList getAttributes(String[] attributes) {
        AttributeList all = new AttributeList();
        for (String attribute : attributes) {
            if (ofParts.has(attribute)) {
                all.add(new Attribute(attribute, ofParts.value(attribute)));
            } else {
                all.addAll(super.getAttributes(new String[] {attribute}));
            }
        }
        return all;
    }

    /**
     * Refuses null arguments: a null text would reach the pool, and a null number would cause an error of the MBean
     * server without a reason.
     */
    @Override
    public Object invoke(String operation, Object[] arguments, String[] signature)
            throws MBeanException, ReflectionException {
        for (int at = 0; arguments != null && at < arguments.length; at++) {
            if (arguments[at] == null) {
                throw new IllegalArgumentException(pool.name() + ": " + operation + ": " + parameterName(operation, at)
                        + " = null: must be given");
            }
        }
        return super.invoke(operation, arguments, signature);
    }

    @Override
    protected int getImpact(MBeanOperationInfo operation) {
        return READS.contains(operation.getName()) ? MBeanOperationInfo.INFO : MBeanOperationInfo.ACTION;
    }

    @Override
    protected String getParameterName(MBeanOperationInfo operation, MBeanParameterInfo parameter, int at) {
        return parameterName(operation.getName(), at);
    }

    private static String parameterName(String operation, int at) {
        return switch (operation) {
            case "warmUp" -> at == 0 ? "connections" : "withinMillis";
            case "drain" -> "withinMillis";
            case "evict" -> "reason";
            default -> at == 0 ? "base" : "ceiling";
        };
    }

    @Override
    protected String getDescription(MBeanOperationInfo operation, MBeanParameterInfo parameter, int at) {
        return switch (getParameterName(operation, parameter, at)) {
            case "connections" -> "Number of connections, 1 to 10000.";
            case "withinMillis" -> "Timeout in milliseconds.";
            case "reason" -> "The reason, for the log and the events.";
            case "base" -> "The lease limit at rest, 1 to 10000.";
            default -> "The highest lease limit, at least the base.";
        };
    }

    @Override
    protected String getDescription(MBeanFeatureInfo feature) {
        return "One pool that flexpool monitors or limits.";
    }
}
