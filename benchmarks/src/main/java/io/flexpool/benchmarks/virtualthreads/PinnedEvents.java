// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.virtualthreads;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;

/** How often a virtual thread has kept its carrier while it waited, as the JVM's own recorder counts it. */
final class PinnedEvents implements AutoCloseable {
    private static final String PINNED = "jdk.VirtualThreadPinned";

    private final Recording recording = new Recording();
    private final String event;

    private PinnedEvents(String event) {
        this.event = event;
        // However short: by default only those of 20 ms and more are recorded.
        recording.enable(event).withoutThreshold().withoutStackTrace();
        recording.start();
    }

    /** Begins to count. */
    static PinnedEvents count() {
        return new PinnedEvents(PINNED);
    }

    /** Begins to count another event. */
    static PinnedEvents count(String event) {
        return new PinnedEvents(event);
    }

    /** How many there were until now; ends the counting. */
    long counted() {
        recording.stop();
        try {
            Path file = Files.createTempFile("flexpool-pinned", ".jfr");
            try {
                recording.dump(file);
                return counted(file);
            } finally {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long counted(Path file) throws IOException {
        long count = 0;
        try (RecordingFile events = new RecordingFile(file)) {
            while (events.hasMoreEvents()) {
                count += events.readEvent().getEventType().getName().equals(event) ? 1 : 0;
            }
        }
        return count;
    }

    @Override
    public void close() {
        recording.close();
    }
}
