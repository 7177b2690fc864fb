// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lease;

import io.flexpool.diagnostics.CallSiteStatistics;
import io.flexpool.internal.lease.ApplicationCode.Layer;
import io.flexpool.internal.record.LeaseLog;
import io.flexpool.internal.record.LeaseWords;
import io.flexpool.internal.record.LongSum;
import io.flexpool.internal.record.SharedHistogram;
import io.flexpool.internal.shared.PlainText;
import io.flexpool.monitoring.HistogramSnapshot;
import java.lang.StackWalker.StackFrame;
import java.time.Duration;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The places in the application that request connections: finds them on the stack, and counts their leases.
 *
 * <p>A call site is the first frame of the application ({@link ApplicationCode}); without one near, the first frame of
 * a class that may be the application's. Only names are stored, no classes. The table is bounded: a site beyond it
 * still shows its name while its lease is open, and its statistics go to {@link CallSiteStatistics#OTHER}. A site takes
 * 7 KB.
 */
public final class CallSites {
    static final int MOST = 256;
    /** The wrappers of a lease: their caller is the application. */
    private static final String LEASED = "io.flexpool.internal.jdbc.";

    /** Frames searched for an application's frame. */
    private static final int DEEPEST = 256;
    /** After this number of frames below a class that may be a library's, the search for the application's ends. */
    private static final int FURTHER = 32;

    private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    final First first = new First();
    private final ApplicationCode code;
    private final boolean timed;
    private final Map<String, CallSite> sites = new ConcurrentHashMap<>();
    private final AtomicInteger places = new AtomicInteger();
    private final AtomicInteger numbers = new AtomicInteger();
    final CallSite others = new CallSite(CallSiteStatistics.OTHER, 0, new Figures());
    /** The log with the names by number; null while no lease is recorded. */
    private @Nullable LeaseLog log;

    /** Creates the call sites; {@code timed}: whether the time in the database is measured. */
    CallSites(ApplicationCode code, boolean timed) {
        this.code = code;
        this.timed = timed;
    }

    /** Set before the first site is captured. */
    void named(LeaseLog names) {
        log = names;
    }

    static final class Figures {
        private final SharedHistogram acquisitions = new SharedHistogram();
        private final SharedHistogram leases = new SharedHistogram();
        private final AtomicLong inDatabase = new AtomicLong();
        private final LongSum allInDatabase = new LongSum();

        /** Keeps the sums from overflowing: {@link LongSum}. */
        void readSums() {
            acquisitions.total();
            leases.total();
            allInDatabase.of(inDatabase.get());
        }
    }

    /** One call site. Immutable except for its figures. */
    public static class CallSite {
        final String name;
        /** Its number in the log of leases, from 1 on; 0 beyond the size of the table. */
        final int number;
        /** Its counts; all sites beyond the size of the table share them. */
        final Figures figures;

        CallSite(String name, int number, Figures figures) {
            this.name = name;
            this.number = number;
            this.figures = figures;
        }

        /** {@code Class.method(File:line)}; null if no frame belongs to an application. */
        @Nullable
        String name() {
            return name;
        }

        void ended(long waitedNanos, long heldNanos, long inDatabaseNanos) {
            figures.acquisitions.record(waitedNanos);
            figures.leases.record(heldNanos);
            if (inDatabaseNanos > 0) {
                figures.inDatabase.getAndAdd(inDatabaseNanos);
            }
        }
    }

    /** {@code Class.method(File:line)}; null if it was not captured. */
    static @Nullable String name(@Nullable CallSite captured) {
        return captured == null ? null : captured.name();
    }

    /** The calling thread's call site; null if no frame belongs to an application, or the stack cannot be read. */
    @Nullable
    CallSite capture() {
        return walk(first);
    }

    private static @Nullable CallSite walk(Function<Stream<StackFrame>, @Nullable CallSite> search) {
        try {
            return WALKER.walk(search);
        } catch (Throwable unreadable) {
            // A lease without a call site is better than a failed request.
            return null;
        }
    }

    /** The call site of the calling thread's current JDBC call; null without one. */
    @Nullable
    CallSite captureOfCall() {
        return walk(frames ->
                first.apply(frames.dropWhile(frame -> !frame.getClassName().startsWith(LEASED))));
    }

    /** Finds the call site among the frames. A class, not a lambda, because it is created during the first request. */
    final class First implements Function<Stream<StackFrame>, @Nullable CallSite> {
        @Override
        public @Nullable CallSite apply(Stream<StackFrame> frames) {
            Iterator<StackFrame> all = frames.iterator();
            String unknown = null;
            for (int left = DEEPEST; left > 0 && all.hasNext(); left--) {
                StackFrame frame = all.next();
                Layer layer = code.layer(frame);
                if (layer == Layer.APPLICATION) {
                    return site(words(frame));
                }
                if (layer == Layer.UNKNOWN && unknown == null) {
                    unknown = words(frame);
                    left = Math.min(left, FURTHER);
                }
            }
            return unknown == null ? null : site(unknown);
        }
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

    CallSite site(String name) {
        CallSite known = sites.get(name);
        if (known != null) {
            return known;
        }
        // Byte code may contain any text as a name.
        String plain = PlainText.line(name);
        if (places.get() >= MOST || places.getAndIncrement() >= MOST) {
            return new CallSite(plain, 0, others.figures);
        }
        CallSite fresh = new CallSite(plain, number(plain), new Figures());
        CallSite before = sites.putIfAbsent(name, fresh);
        if (before != null) {
            // Two threads added the site: its place is freed again, but not its number, which threads may have read.
            places.getAndDecrement();
        }
        return before == null ? fresh : before;
    }

    /** Called by the tick: keeps the sums of all sites from overflowing. */
    void readSums() {
        for (CallSite site : sites.values()) {
            site.figures.readSums();
        }
        others.figures.readSums();
    }

    private int number(String name) {
        int number = Math.min(numbers.getAndIncrement(), LeaseWords.MOST_SITES) + 1;
        if (number > LeaseWords.MOST_SITES) {
            return 0;
        }
        if (log != null) {
            log.name(number, name);
        }
        return number;
    }

    /** All sites with an ended lease, the longest total lease time first. */
    List<CallSiteStatistics> statistics() {
        return all().flatMap(this::statistics)
                .sorted(Comparator.comparing(CallSiteStatistics::held).reversed())
                .toList();
    }

    private Stream<CallSite> all() {
        return Stream.concat(sites.values().stream(), Stream.of(others));
    }

    private Stream<CallSiteStatistics> statistics(CallSite site) {
        Figures figures = site.figures;
        HistogramSnapshot leases =
                figures.leases.snapshot(figures.leases.shortest(false), figures.leases.longest(false));
        if (leases.count() == 0) {
            return Stream.empty();
        }
        HistogramSnapshot acquisitions = figures.acquisitions.snapshot(
                figures.acquisitions.shortest(false), figures.acquisitions.longest(false));
        long held = leases.sumNanos();
        Duration inDatabase = figures.allInDatabase.of(figures.inDatabase.get());
        double seconds = inDatabase.getSeconds() + inDatabase.getNano() / 1e9;
        return Stream.of(new Statistics(
                site.name,
                leases.count(),
                Duration.ofNanos(held),
                Duration.ofNanos(acquisitions.percentileNanos(0.5)),
                Duration.ofNanos(acquisitions.percentileNanos(0.99)),
                Duration.ofNanos(leases.percentileNanos(0.5)),
                Duration.ofNanos(leases.percentileNanos(0.99)),
                timed && held > 0 ? Math.max(0, 1 - seconds / leases.sumSeconds()) : Double.NaN));
    }

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
}
