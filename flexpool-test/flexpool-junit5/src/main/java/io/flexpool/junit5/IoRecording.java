// SPDX-License-Identifier: Apache-2.0
package io.flexpool.junit5;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/**
 * A recording of all threads' I/O while a test runs. The virtual machine records each event, not samples; begins and
 * ends of leases are events of the same recording, with the same clock.
 */
final class IoRecording {
    private final Recording recording;

    private IoRecording(Recording recording) {
        this.recording = recording;
    }

    /**
     * I/O of a thread while it held a lease.
     *
     * @param what the I/O in words, with the place
     * @param lease the lease held meanwhile
     */
    record Found(String what, TakenLease lease) {
        String describe() {
            return "lease open " + what + ": " + lease.describe();
        }
    }

    static IoRecording start() {
        if (!isAvailable()) {
            throw new IllegalStateException("@NoIoWhileHeld or " + LeaseRules.NO_IO_PARAMETER
                    + ": needs the Flight Recorder (module jdk.jfr), which this Java runtime does not have");
        }
        Recording recording = new Recording();
        recording.setName("io.flexpool.junit5");
        for (String event : IoKind.EVENTS.keySet()) {
            // By default newer JDKs record only some reads and writes.
            recording
                    .enable(event)
                    .withStackTrace()
                    .withThreshold(Duration.ZERO)
                    .with("throttle", "off");
        }
        recording.enable(LeaseMark.class);
        recording.start();
        return new IoRecording(recording);
    }

    private static boolean isAvailable() {
        try {
            return FlightRecorder.isAvailable();
        } catch (NoClassDefFoundError withoutModule) {
            return false;
        }
    }

    /** Ends the recording, and returns the I/O of threads during their leases, in the order of time. */
    List<Found> stop(List<TakenLease> taken) {
        try (recording) {
            recording.stop();
            return taken.isEmpty() ? List.of() : found(taken);
        }
    }

    private List<Found> found(List<TakenLease> taken) {
        Path file = null;
        try {
            file = Files.createTempFile("flexpool-junit5", ".jfr");
            recording.dump(file);
            return found(taken, RecordingFile.readAllEvents(file));
        } catch (IOException failed) {
            throw new UncheckedIOException("the recording of the test cannot be read", failed);
        } finally {
            delete(file);
        }
    }

    private static void delete(@Nullable Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException remains) {
            file.toFile().deleteOnExit();
        }
    }

    private static List<Found> found(List<TakenLease> taken, List<RecordedEvent> events) {
        Map<Long, Instant> begins = new HashMap<>();
        Map<Long, Instant> ends = new HashMap<>();
        for (RecordedEvent event : events) {
            if (event.getEventType().getName().equals(LeaseMark.NAME)) {
                (event.getBoolean("begins") ? begins : ends).put(event.getLong("lease"), event.getStartTime());
            }
        }
        List<Found> found = new ArrayList<>();
        List<RecordedEvent> inOrder = new ArrayList<>(events);
        inOrder.sort(Comparator.comparing(RecordedEvent::getStartTime));
        for (RecordedEvent event : inOrder) {
            String name = event.getEventType().getName();
            if (!IoKind.EVENTS.containsKey(name)) {
                continue;
            }
            // The first lease of the thread, if it holds several.
            taken.stream()
                    .filter(lease -> lease.threadId() == threadOf(event)
                            && within(event.getStartTime(), begins.get(lease.id()), ends.get(lease.id())))
                    .findFirst()
                    .flatMap(lease -> io(name, event).map(what -> new Found(what, lease)))
                    .ifPresent(found::add);
        }
        return found;
    }

    private static long threadOf(RecordedEvent event) {
        RecordedThread thread = event.getThread();
        return thread == null ? -1 : thread.getJavaThreadId();
    }

    private static boolean within(Instant at, @Nullable Instant begin, @Nullable Instant end) {
        return begin != null && !at.isBefore(begin) && (end == null || at.isBefore(end));
    }

    private static Optional<String> io(String name, RecordedEvent event) {
        RecordedStackTrace stack = event.getStackTrace();
        StackTraceElement[] frames = stack == null
                ? new StackTraceElement[0]
                : stack.getFrames().stream().map(IoRecording::element).toArray(StackTraceElement[]::new);
        return IoKind.of(name, event.getDuration().toMillis(), frames);
    }

    private static StackTraceElement element(RecordedFrame frame) {
        return new StackTraceElement(
                frame.getMethod().getType().getName(), frame.getMethod().getName(), null, frame.getLineNumber());
    }
}
