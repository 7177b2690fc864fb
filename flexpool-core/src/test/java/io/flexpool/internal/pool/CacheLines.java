// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.internal.pool.PoolGraph.Part;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which cache lines of a pool a thread writes in each cycle although other threads need them, after a collection has
 * moved the pool's objects together. A program, because it chooses its JVM's collector; {@link CacheLinesTest} runs it.
 *
 * <p>It knows no field: a word that differs before, within and after each of some cycles of one thread is written in
 * each cycle. (A word that is overwritten by the same value is not found, and needs not be: the lock or the counter
 * beside it is.) An object belongs to a stripe if only that stripe's thread writes in it and in all that it leads to;
 * every other object of the pool counts as read by all threads, for what a collection puts beside a word is chance. So
 * on the line of a written word may be what belongs to the same stripe, padding and nothing else.
 *
 * <p>A line has 64 bytes. Processors fetch lines in pairs of 128 bytes, and two threads on the halves of a pair disturb
 * each other too, but far less than on one line: pairs are counted and shown, and are not refused.
 */
final class CacheLines {
    static final String WRITTEN = "written: ";
    static final String SHARED = "shared: ";
    static final String PAIRED = "paired: ";

    private static final int LINE = 64;
    private static final int PAIR = 128;
    /** Enough stripes to have neighbours. */
    static final int THREADS = 8;

    private static final int WARM_UP = 20;
    private static final int CYCLES = 3;
    /** Some times the heap of the test's JVM, so that its young objects grow old. */
    private static final int GARBAGE = 30_000;

    private static final int GARBAGE_BYTES = 1 << 16;

    /** Keeps the compiler from leaving the garbage out; not private, as nothing reads it. */
    static volatile byte @Nullable [] sink;

    private final StripeThreads threads;
    private final PoolGraph graph;
    /** By thread, the words that it writes in each cycle. */
    private final List<BitSet> written = new ArrayList<>();
    /** By part, the only thread that writes in what it leads to, or one of these. */
    private final int[] owner;

    private static final int ALL = -1;

    private CacheLines(FlexPoolDataSource pool, StripeThreads threads) throws Exception {
        this.threads = threads;
        this.graph = new PoolGraph(pool);
        for (int thread = 0; thread < threads.count(); thread++) {
            written.add(writtenBy(thread, pool));
        }
        this.owner = owners();
    }

    private BitSet writtenBy(int thread, FlexPoolDataSource pool) throws Exception {
        BitSet inEach = new BitSet();
        for (int cycle = 0; cycle < CYCLES; cycle++) {
            // In the same bucket of a histogram and not the same sum: no word gets the value that it had.
            SteadyPool.step(1000 + cycle);
            int[] before = graph.read();
            Connection open = threads.on(thread, pool::getConnection);
            int[] within = graph.read();
            threads.on(thread, () -> {
                open.close();
                return true;
            });
            int[] after = graph.read();
            BitSet now = new BitSet();
            for (int word = 0; word < before.length; word++) {
                now.set(word, before[word] != within[word] || within[word] != after[word]);
            }
            if (cycle == 0) {
                inEach.or(now);
            } else {
                inEach.and(now);
            }
        }
        return inEach;
    }

    /** By part, whose it is. */
    private int[] owners() {
        int[] writers = new int[graph.parts().size()];
        List<List<Part>> referredToBy = new ArrayList<>();
        graph.parts().forEach(part -> referredToBy.add(new ArrayList<>()));
        graph.parts()
                .forEach(part -> part.refersTo.forEach(
                        target -> referredToBy.get(target.number).add(part)));
        for (int thread = 0; thread < threads.count(); thread++) {
            List<Part> leading = new ArrayList<>();
            written.get(thread).stream().forEach(word -> leading.add(graph.of(word)));
            while (!leading.isEmpty()) {
                Part part = leading.remove(leading.size() - 1);
                if ((writers[part.number] & (1 << thread)) == 0) {
                    writers[part.number] |= 1 << thread;
                    leading.addAll(referredToBy.get(part.number));
                }
            }
        }
        int[] owners = new int[writers.length];
        for (int part = 0; part < owners.length; part++) {
            owners[part] = Integer.bitCount(writers[part]) == 1 ? Integer.numberOfTrailingZeros(writers[part]) : ALL;
        }
        return owners;
    }

    /** A line, or a pair of lines, with words that a cycle writes. */
    private static final class Hot {
        final Map<Integer, Part> words = new HashMap<>();
        final BitSet writers = new BitSet();
    }

    /** What was found in one pool: each written word, and what another thread needs on the same line. */
    private Set<String> shared(int lineSize) {
        TreeMap<Long, Part> byAddress = new TreeMap<>();
        long[] addresses = new long[graph.parts().size()];
        for (Part part : graph.parts()) {
            addresses[part.number] = RawMemory.address(part.object);
            byAddress.put(addresses[part.number], part);
        }
        Map<Long, Hot> lines = new HashMap<>();
        for (int thread = 0; thread < threads.count(); thread++) {
            for (int word : written.get(thread).stream().toArray()) {
                Part part = graph.of(word);
                long line = (addresses[part.number] + part.offset(word)) / lineSize;
                Hot hot = lines.computeIfAbsent(line, none -> new Hot());
                hot.words.put(word, part);
                hot.writers.set(thread);
            }
        }
        Set<String> found = new TreeSet<>();
        lines.forEach((line, hot) -> {
            Set<String> beside = new TreeSet<>();
            if (hot.writers.cardinality() > 1) {
                beside.add("what other threads write");
            }
            long begin = line * lineSize;
            Long first = byAddress.floorKey(begin);
            byAddress
                    .subMap(first == null ? begin : first, begin + lineSize)
                    .forEach((address, part) ->
                            beside.addAll(beside(part, begin - address, lineSize, hot.writers.nextSetBit(0))));
            hot.words.forEach((word, part) ->
                    beside.forEach(other -> found.add(part.at(part.offset(word)) + " beside " + other)));
        });
        return found;
    }

    /** What of an object is on a line from an offset on, is not the writer's own, and is used. */
    private List<String> beside(Part other, long from, int lineSize, int writer) {
        List<String> beside = new ArrayList<>();
        int whose = owner[other.number];
        if (whose == writer || from >= other.end) {
            return beside;
        }
        String of = whose == ALL ? ", which all threads use" : " of another stripe";
        if (from < other.begin) {
            beside.add("the header of a " + other.name() + of);
        } else if (other.object.getClass().isArray() ? !isWritten(other) : other.used(from, from + lineSize)) {
            beside.add("the content of a " + other.name() + of);
        }
        return beside;
    }

    /** An array in which words are written in each cycle; the others between them keep these apart. */
    private boolean isWritten(Part part) {
        return written.stream().flatMapToInt(BitSet::stream).anyMatch(word -> graph.of(word) == part);
    }

    /** How many words each thread writes in each cycle. */
    private List<Integer> counts() {
        return written.stream().map(BitSet::cardinality).toList();
    }

    /** Objects that young collections have moved in the order of their references. */
    private static void collectYoung() {
        for (int round = 0; round < GARBAGE; round++) {
            sink = new byte[GARBAGE_BYTES];
        }
    }

    @SuppressWarnings("SystemGc") // it is what moves objects
    private static void collectAll() {
        System.gc();
        System.gc();
    }

    private static List<FlexPoolDataSource> used(int number, int base, boolean classed, StripeThreads threads)
            throws Exception {
        List<FlexPoolDataSource> pools = new ArrayList<>();
        for (int at = 0; at < number; at++) {
            FlexPoolDataSource pool = SteadyPool.of("pool-" + at, base, classed ? "web, batch" : null);
            pools.add(pool);
            for (int thread = 0; thread < threads.count(); thread++) {
                threads.on(thread, () -> {
                    for (int cycle = 0; cycle < WARM_UP; cycle++) {
                        pool.getConnection().close();
                    }
                    return true;
                });
            }
        }
        return pools;
    }

    private static void check(String when, List<FlexPoolDataSource> pools, StripeThreads threads) throws Exception {
        Map<String, Integer> onOneLine = new TreeMap<>();
        Map<String, Integer> onOnePair = new TreeMap<>();
        int withShared = 0;
        int withPaired = 0;
        for (FlexPoolDataSource pool : pools) {
            CacheLines lines = new CacheLines(pool, threads);
            Set<String> shared = lines.shared(LINE);
            Set<String> paired = lines.shared(PAIR);
            System.out.println(WRITTEN + lines.counts() + " words of "
                    + lines.graph.parts().size() + " objects");
            withShared += shared.isEmpty() ? 0 : 1;
            withPaired += paired.isEmpty() ? 0 : 1;
            shared.forEach(found -> onOneLine.merge(found, 1, Integer::sum));
            paired.forEach(found -> onOnePair.merge(found, 1, Integer::sum));
        }
        onOneLine.forEach((what, times) -> System.out.println(SHARED + what + ": in " + times + " pools, " + when));
        onOnePair.forEach((what, times) -> System.out.println(PAIRED + what + ": in " + times + " pools, " + when));
        System.out.println(when + ": of " + pools.size() + " pools " + withShared + " with a shared line, " + withPaired
                + " with a shared pair of lines");
    }

    /** Arguments: how many pools, and the limit of each, 0 for pools that are only watched. */
    public static void main(String[] arguments) throws Exception {
        int number = Integer.parseInt(arguments[0]);
        int base = Integer.parseInt(arguments[1]);
        boolean classed = Boolean.parseBoolean(arguments[2]);
        StripeThreads threads = new StripeThreads(THREADS);
        List<FlexPoolDataSource> pools = used(number, base, classed, threads);
        collectAll();
        check("moved by a full collection", pools, threads);
        pools.forEach(FlexPoolDataSource::close);
        pools = used(number, base, classed, threads);
        collectYoung();
        check("moved by young collections", pools, threads);
        collectAll();
        check("moved by young collections and a full one", pools, threads);
        pools.forEach(FlexPoolDataSource::close);
    }
}
