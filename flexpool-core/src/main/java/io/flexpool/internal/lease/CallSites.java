// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lease;

import io.flexpool.diagnostics.CallSiteStatistics;
import io.flexpool.internal.record.LongSum;
import io.flexpool.internal.record.StripedHistogram;
import io.flexpool.internal.shared.PlainText;
import io.flexpool.monitoring.HistogramSnapshot;
import java.lang.StackWalker.StackFrame;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The places in the application that request connections: finds them on the stack, and records statistics of their
 * leases.
 *
 * <p>A call site is the first frame that belongs to none of the layers between an application and its pool: the JDK,
 * drivers, pools, Spring, Hibernate, jOOQ, MyBatis and similar, flexpool, generated classes. Only names are kept, no
 * classes. The table is bounded: a site that does not fit still shows its name while its lease is open, and its
 * statistics go to {@link CallSiteStatistics#OTHER}. A site takes 7 KB.
 */
public final class CallSites {
    static final int MOST = 256;
    /** Frames searched for an application's frame. */
    private static final int DEEPEST = 256;
    /** Beyond this many classes, whether one is a call site is no longer cached. */
    private static final int MOST_CLASSES = 4096;

    private static final StackWalker WALKER = StackWalker.getInstance();

    /** Prefixes of class names between the application and its pool. */
    private static final String[] BETWEEN = {
        // the JDK and what JVM languages add
        "java.",
        "javax.",
        "jakarta.",
        "jdk.",
        "sun.",
        "com.sun.",
        "kotlin.",
        "kotlinx.",
        "scala.",
        "groovy.",
        "org.codehaus.groovy.",
        "org.apache.groovy.",
        // flexpool, the parts that an application's call can pass through
        "io.flexpool.FlexPoolDataSource",
        "io.flexpool.internal.",
        // The starter's, called before Spring's proxy of a pool.
        "io.flexpool.spring.ShortCut",
        // pools
        "com.zaxxer.hikari.",
        "com.mchange.",
        "org.apache.tomcat.",
        "org.apache.catalina.",
        "com.alibaba.druid.",
        "org.apache.commons.dbcp",
        "org.apache.commons.pool",
        "io.agroal.",
        "org.vibur.",
        "oracle.",
        "com.atomikos.",
        "com.jolbox.",
        "bitronix.",
        "org.logicalcobwebs.",
        // drivers
        "org.postgresql.",
        "com.mysql.",
        "org.mariadb.",
        "org.h2.",
        "org.hsqldb.",
        "org.apache.derby.",
        "com.microsoft.sqlserver.",
        "com.ibm.db2.",
        "org.sqlite.",
        // frameworks and mappers
        "org.springframework.",
        "org.hibernate.",
        "org.jooq.",
        "org.apache.ibatis.",
        "org.mybatis.",
        "com.baomidou.",
        "org.eclipse.persistence.",
        "org.apache.openjpa.",
        "io.ebean.",
        "org.jdbi.",
        "com.querydsl.",
        "liquibase.",
        "org.flywaydb.",
        "org.quartz.",
        "io.quarkus.",
        "io.micronaut.",
        "org.jboss.",
        "org.wildfly.",
        "io.smallrye.",
        "com.arjuna.",
        "net.ttddyy.",
        "com.p6spy.",
        "net.bytebuddy.",
        "com.vladmihalcea.",
        "io.hypersistence.",
        "io.opentelemetry.",
        "io.micrometer."
    };

    private final List<String> ignored;
    private final boolean timed;
    private final Map<String, Boolean> between = new ConcurrentHashMap<>();
    private final Map<String, CallSite> sites = new ConcurrentHashMap<>();
    private final AtomicInteger places = new AtomicInteger();
    private final Figures others = new Figures();

    /**
     * An empty table.
     *
     * @param ignored further prefixes of class names that are not call sites
     * @param timed whether the time in the database is measured
     */
    CallSites(List<String> ignored, boolean timed) {
        this.ignored = ignored;
        this.timed = timed;
    }

    /** Statistics of one site's leases. */
    private static final class Figures {
        private final StripedHistogram acquisitions = new StripedHistogram(1);
        private final StripedHistogram leases = new StripedHistogram(1);
        private final AtomicLong inDatabase = new AtomicLong();
        private final LongSum allInDatabase = new LongSum();

        Duration inDatabase() {
            return allInDatabase.of(inDatabase.get());
        }

        /** Keeps the sums from overflowing: {@link LongSum}. */
        void readSums() {
            acquisitions.total();
            leases.total();
            inDatabase();
        }
    }

    /** One call site. Immutable except for its statistics. */
    static final class CallSite {
        private final String name;
        private final Figures figures;

        private CallSite(String name, Figures figures) {
            this.name = name;
            this.figures = figures;
        }

        /** {@code Class.method(File:line)}. */
        String name() {
            return name;
        }

        void ended(long waitedNanos, long heldNanos, long inDatabaseNanos) {
            figures.acquisitions.record(waitedNanos, 0);
            figures.leases.record(heldNanos, 0);
            if (inDatabaseNanos > 0) {
                figures.inDatabase.getAndAdd(inDatabaseNanos);
            }
        }
    }

    /** The calling thread's call site; null if no frame belongs to an application, or the stack cannot be read. */
    @Nullable
    CallSite capture() {
        try {
            StackFrame frame = WALKER.walk(this::firstOfApplication);
            return frame == null ? null : site(words(frame));
        } catch (Throwable unreadable) {
            // A lease without a call site is better than a failed request.
            return null;
        }
    }

    private @Nullable StackFrame firstOfApplication(Stream<StackFrame> frames) {
        return frames.limit(DEEPEST)
                .filter(frame -> !isBetween(frame.getClassName()))
                .findFirst()
                .orElse(null);
    }

    private boolean isBetween(String className) {
        Boolean known = between.get(className);
        if (known != null) {
            return known;
        }
        boolean found = generated(className) || startsLikeOneOf(className);
        if (between.size() < MOST_CLASSES) {
            between.put(className, found);
        }
        return found;
    }

    /** Proxies and accessors of Spring, Hibernate, Javassist and the JDK. */
    private static boolean generated(String className) {
        return className.contains("$$") || className.contains("$Proxy");
    }

    private boolean startsLikeOneOf(String className) {
        for (String prefix : BETWEEN) {
            if (className.startsWith(prefix)) {
                return true;
            }
        }
        return ignored.stream().anyMatch(className::startsWith);
    }

    private static String words(StackFrame frame) {
        String className = frame.getClassName();
        String file = frame.getFileName();
        int line = frame.getLineNumber();
        return className.substring(className.lastIndexOf('.') + 1)
                + '.'
                + frame.getMethodName()
                + '('
                + (file == null ? "unknown" : file)
                + (line > 0 ? ":" + line : "")
                + ')';
    }

    /** The site of that name. */
    CallSite site(String name) {
        CallSite known = sites.get(name);
        if (known != null) {
            return known;
        }
        // Byte code may contain any text as a name.
        String plain = PlainText.line(name);
        if (places.get() >= MOST || places.getAndIncrement() >= MOST) {
            return new CallSite(plain, others);
        }
        boolean taken = false;
        try {
            CallSite fresh = new CallSite(plain, new Figures());
            CallSite before = sites.putIfAbsent(name, fresh);
            taken = before == null;
            return before == null ? fresh : before;
        } finally {
            if (!taken) {
                places.getAndDecrement();
            }
        }
    }

    /** Called by the tick: keeps the sums of all sites from overflowing. */
    void readSums() {
        sites.forEach((name, site) -> site.figures.readSums());
        others.readSums();
    }

    /** All sites with an ended lease, those with the longest total lease time first. */
    List<CallSiteStatistics> statistics() {
        List<CallSiteStatistics> statistics = new ArrayList<>(sites.size() + 1);
        sites.values().forEach(site -> add(site.name, site.figures, statistics));
        add(CallSiteStatistics.OTHER, others, statistics);
        statistics.sort(Comparator.comparing(CallSiteStatistics::held).reversed());
        return List.copyOf(statistics);
    }

    private void add(String name, Figures figures, List<CallSiteStatistics> to) {
        HistogramSnapshot leases = figures.leases.snapshot(figures.leases.peekMax());
        if (leases.count() == 0) {
            return;
        }
        HistogramSnapshot acquisitions = figures.acquisitions.snapshot(figures.acquisitions.peekMax());
        long held = leases.sumNanos();
        double inDatabase = seconds(figures.inDatabase());
        to.add(new Statistics(
                name,
                leases.count(),
                Duration.ofNanos(held),
                Duration.ofNanos(acquisitions.percentileNanos(0.5)),
                Duration.ofNanos(acquisitions.percentileNanos(0.99)),
                Duration.ofNanos(leases.percentileNanos(0.5)),
                Duration.ofNanos(leases.percentileNanos(0.99)),
                timed && held > 0 ? Math.max(0, 1 - inDatabase / leases.sumSeconds()) : Double.NaN));
    }

    /** What one place did until now. */
    public record Statistics(
            String callSite,
            long count,
            Duration held,
            Duration acquisitionP50,
            Duration acquisitionP99,
            Duration leaseP50,
            Duration leaseP99,
            double idleShare)
            implements CallSiteStatistics {}

    private static double seconds(Duration duration) {
        return duration.getSeconds() + duration.getNano() / 1e9;
    }
}
