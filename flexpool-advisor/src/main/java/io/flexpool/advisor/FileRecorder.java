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
 * Writes the requests of one pool into a file. A separate thread of the lowest priority writes once a second, so that
 * neither a request nor the tick waits for the disk. Written data survives any end of the program. A failure ends the
 * recording with one log line; after a lack of memory or threads it continues.
 */
final class FileRecorder implements LeaseSink {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** The longest time for which a pool's close waits for the disk. */
    private static final long PATIENCE_MILLIS = 1_000;

    private final RecordRequest request;
    private final ReentrantLock lock = new ReentrantLock();
    private final Thread writer;
    private final long periodNanos;
    /** The requests that the next round writes. Guarded by the lock, which is never held during disk access. */
    private Pending pending = new Pending();

    private boolean begun;
    private volatile boolean closing;
    private volatile boolean ended;
    private volatile @Nullable String trouble;

    FileRecorder(RecordRequest request) {
        this(request, PERIOD_NANOS);
    }

    @SuppressWarnings("ThreadPriorityCheck") // only a hint; correctness does not depend on it
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
                // If no thread could be started, the next block tries again.
                begun = true;
            } else if (pending.size() > Pending.MOST / 4) {
                // With many requests, writes before the second is over.
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

    /** Records into one file until the close. Returns false if memory ran out. */
    private boolean recorded() throws IOException {
        try (TracePlace place = TracePlace.take(request.directory(), request.pool());
                TraceWriter file = new TraceWriter(place.file, header(), request.mostBytes(), request.anonymous())) {
            LOG.info("{}: flexpool records the requests of this pool in {}", request.pool(), place.file);
            Pending spare = new Pending();
            boolean last = false;
            while (!last) {
                LockSupport.parkNanos(this, closing ? 0 : periodNanos);
                // Read before the swap, so that requests taken before the close are still written.
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
