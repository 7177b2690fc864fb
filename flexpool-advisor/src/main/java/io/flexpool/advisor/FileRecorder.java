// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.spi.DaemonThreads;
import io.flexpool.spi.LeaseSink;
import io.flexpool.spi.LeaseSink.LeaseBlock;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what the requests of a pool did into a file: each second, by a thread of its own of the lowest priority, so that
 * neither a request nor the tick waits for a disk. What was written is in the file however the program ends. A failure ends
 * the recording with one line in the log; after a lack of memory, or of a thread, it continues.
 */
final class FileRecorder implements LeaseSink {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** How long a pool's close waits for the disk at most. */
    private static final long PATIENCE_MILLIS = 1_000;

    private final RecordRequest request;
    private final ReentrantLock lock = new ReentrantLock();
    private final Thread writer;
    private final long periodNanos;
    /** What the next round writes; under the lock, which is never held while the disk works. */
    private Pending pending = new Pending();

    private boolean begun;
    private volatile boolean closing;
    private volatile boolean ended;
    private volatile @Nullable String trouble;

    FileRecorder(RecordRequest request) {
        this(request, PERIOD_NANOS);
    }

    @SuppressWarnings("ThreadPriorityCheck") // a hint, on which nothing relies
    FileRecorder(RecordRequest request, long periodNanos) {
        this.request = request;
        this.periodNanos = periodNanos;
        this.writer = DaemonThreads.create("flexpool-record-" + request.pool(), this::write);
        writer.setPriority(Thread.MIN_PRIORITY);
    }

    @Override
    public void take(LeaseBlock block) {
        add(to -> to.add(block));
    }

    @Override
    public void takeOpen(List<OpenLease> leases, long nowNanos) {
        add(to -> to.addOpen(leases, nowNanos));
    }

    private void add(Consumer<Pending> what) {
        if (ended) {
            return;
        }
        lock.lock();
        try {
            what.accept(pending);
            if (!begun) {
                writer.start();
                // If there was no thread, the next block starts it.
                begun = true;
            } else if (pending.size() > Pending.MOST / 4) {
                // A fast pool's requests do not wait until the second is over.
                LockSupport.unpark(writer);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        closing = true;
        LockSupport.unpark(writer);
        try {
            writer.join(PATIENCE_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public @Nullable String trouble() {
        return trouble;
    }

    private void write() {
        try {
            while (!recorded() && !closing) {
                LockSupport.parkNanos(this, periodNanos);
            }
        } catch (IOException | RuntimeException | Error failed) {
            trouble = "the recording has ended: " + failed;
            LOG.warn("{}: the recording ends: {}", request.pool(), failed.toString());
        } finally {
            ended = true;
            swap(new Pending());
        }
    }

    /** Records into one file until the end; false if there was no memory for it. */
    private boolean recorded() throws IOException {
        try (TracePlace place = TracePlace.take(request.directory(), request.pool());
                TraceWriter file = new TraceWriter(place.file, header(), request.mostBytes(), request.anonymous())) {
            LOG.info("{}: flexpool records the requests of this pool in {}", request.pool(), place.file);
            Pending spare = new Pending();
            boolean last = false;
            while (!last) {
                LockSupport.parkNanos(this, closing ? 0 : periodNanos);
                // Read before the swap: what was taken before the close is written after it.
                last = closing;
                Pending full = swap(spare);
                full.writeTo(file);
                spare = full;
            }
            return true;
        } catch (VirtualMachineError noMemory) {
            return false;
        }
    }

    private Pending swap(Pending next) {
        lock.lock();
        try {
            Pending full = pending;
            pending = next;
            return full;
        } finally {
            lock.unlock();
        }
    }

    private Map<String, String> header() {
        Map<String, String> header = new HashMap<>(request.facts());
        header.put("pool", request.pool());
        header.put("began", Instant.now().toString());
        header.put("java", Runtime.version().toString());
        return header;
    }
}
