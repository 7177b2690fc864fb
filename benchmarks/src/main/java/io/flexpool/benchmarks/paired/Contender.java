// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.paired;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.StringTokenizer;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongFunction;

/** A variant ready to run: its class loader, its pool and its own threads, which live as long as it does. For use by one thread. */
final class Contender implements Closeable {
    private final String variant;
    private final URLClassLoader loader;
    private final LongFunction<long[]> workload;
    private final ThreadPoolExecutor threads;
    /** Runs nothing unless {@link #openFirst} is called. */
    private final ThreadPoolExecutor first;

    private final Callable<long[]> slice;
    private final int size;
    private volatile long sliceNanos;
    private long figuresRead;

    private Contender(String variant, URLClassLoader loader, LongFunction<long[]> workload, int size) {
        this.variant = variant;
        this.loader = loader;
        this.workload = workload;
        this.size = size;
        this.threads = threads("benchmark-" + variant, size, loader);
        // All at once, so that their ids follow one another: who stripes by thread id then meets the same luck in
        // every variant and every run.
        threads.prestartAllCoreThreads();
        this.first = threads("benchmark-first-" + variant, 1, loader);
        // No thread begins before all are ready: all run the slice at the same time.
        CyclicBarrier together = new CyclicBarrier(size);
        this.slice = () -> {
            together.await();
            return workload.apply(sliceNanos);
        };
    }

    private static ThreadPoolExecutor threads(String name, int size, ClassLoader loader) {
        ThreadFactory daemons = task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            // Libraries look for their providers there.
            thread.setContextClassLoader(loader);
            return thread;
        };
        return new ThreadPoolExecutor(size, size, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), daemons);
    }

    /** What all threads of a contender did in one slice. */
    record Slice(long cycles, long cpuNanos, long bytes) {
        double cpuNanosPerCycle() {
            return (double) cpuNanos / cycles;
        }

        double bytesPerCycle() {
            return (double) bytes / cycles;
        }
    }

    static Contender open(String variant, Trial trial) throws ReflectiveOperationException, IOException {
        URLClassLoader loader = new URLClassLoader(variant, classPath(), ClassLoader.getPlatformClassLoader());
        Thread current = Thread.currentThread();
        ClassLoader before = current.getContextClassLoader();
        // Libraries look for their providers in the context class loader; another loader's would not fit.
        current.setContextClassLoader(loader);
        try {
            return new Contender(variant, loader, workload(loader, variant, trial), trial.threads());
        } catch (ReflectiveOperationException e) {
            loader.close();
            throw e;
        } finally {
            current.setContextClassLoader(before);
        }
    }

    @SuppressWarnings("unchecked") // a SlicedWorkload, though of another loader, is a LongFunction<long[]>
    private static LongFunction<long[]> workload(ClassLoader loader, String variant, Trial trial)
            throws ReflectiveOperationException {
        List<Object> arguments = new ArrayList<>(List.of(variant));
        arguments.addAll(trial.settings());
        return (LongFunction<long[]>) loader.loadClass(trial.workload().getName())
                .getConstructors()[0]
                .newInstance(arguments.toArray());
    }

    private static URL[] classPath() throws MalformedURLException {
        List<URL> urls = new ArrayList<>();
        StringTokenizer entries = new StringTokenizer(System.getProperty("java.class.path", ""), File.pathSeparator);
        while (entries.hasMoreTokens()) {
            urls.add(Path.of(entries.nextToken()).toUri().toURL());
        }
        return urls.toArray(URL[]::new);
    }

    String variant() {
        return variant;
    }

    /** Opens and closes one connection on another thread, which then lives on for as long as this and holds nothing. */
    void openFirst() throws InterruptedException, ExecutionException {
        first.submit((Runnable) workload).get();
    }

    /** Runs one slice on all threads and waits for its end. */
    Slice run(long nanos) throws InterruptedException, ExecutionException {
        sliceNanos = nanos;
        long[] sums = new long[3];
        for (Future<long[]> done : threads.invokeAll(Collections.nCopies(size, slice))) {
            long[] ofThread = done.get();
            for (int at = 0; at < sums.length; at++) {
                sums[at] += ofThread[at];
            }
        }
        return new Slice(sums[0], sums[1], sums[2]);
    }

    /** Reads the variant's figures once; a backend that writes by itself has none to read. */
    void read() {
        figuresRead += ((IntSupplier) workload).getAsInt();
    }

    /** How many figures were read so far. */
    long figuresRead() {
        return figuresRead;
    }

    @Override
    public void close() throws IOException {
        threads.shutdown();
        first.shutdown();
        ((Closeable) workload).close();
        loader.close();
    }
}
