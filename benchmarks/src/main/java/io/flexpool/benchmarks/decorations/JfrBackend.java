// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.decorations;

import io.flexpool.metrics.jdk.JfrEvents;
import java.util.List;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.Recording;

/**
 * flexpool's events for the flight recorder, with a recording and without. A JVM has one flight recorder for all
 * variants; so a recording here takes the events of its own variant's classes, and these alone: those of all others stay
 * off, and nothing of the JVM is recorded.
 *
 * <p>Nothing reads the recording while it runs, as in production: the recorder's own thread requests the pool's figures
 * every ten seconds and writes everything to its file. So what counts as read here is how many of its events are on.
 */
public final class JfrBackend {
    private static final String PACKAGE = "io.flexpool.metrics.jdk.";
    private static final String CATEGORY = "flexpool.";
    /** The events of each call, which are recorded only if it took long. */
    private static final List<String> CALLS = List.of("ConnectionAcquisition", "ConnectionLease");

    private static final List<String> OTHERS = List.of(
            "AcquisitionTimeout",
            "AcquisitionRejected",
            "ConnectFailed",
            "PoolResized",
            "CircuitChanged",
            "PoolFigures",
            "PoolDurations");
    private static final long MOST_BYTES = 16L << 20;

    private JfrBackend() {}

    /**
     * No recording takes its events.
     *
     * @return the backend
     */
    public static Backend notRecording() {
        return Backend.of(JfrEvents.create(), JfrBackend::recorded);
    }

    /**
     * A recording with the events' own settings: of calls only those of ten milliseconds and more, and leases of 100.
     *
     * @return the backend, with its own recording
     */
    public static Backend recording() {
        return backend(new Recording());
    }

    /**
     * A recording that takes every call, which is two events for each cycle.
     *
     * @return the backend, with its own recording
     */
    public static Backend recordingAll() {
        Recording recording = new Recording();
        CALLS.forEach(event -> recording.enable(type(event)).with("longerThan", "0 ns"));
        return backend(recording);
    }

    private static Backend backend(Recording recording) {
        recording.setMaxSize(MOST_BYTES);
        for (List<String> events : List.of(CALLS, OTHERS)) {
            for (String event : events) {
                // By name: those of all class loaders, which are on unless a recording says otherwise.
                recording.disable(CATEGORY + event);
                recording.enable(type(event));
            }
        }
        recording.start();
        return new Backend(JfrEvents.create(), JfrBackend::recorded, recording);
    }

    /** How many of this class loader's events are being recorded. */
    private static int recorded() {
        int recorded = 0;
        for (List<String> events : List.of(CALLS, OTHERS)) {
            for (String event : events) {
                recorded += EventType.getEventType(type(event)).isEnabled() ? 1 : 0;
            }
        }
        return recorded;
    }

    private static Class<? extends Event> type(String event) {
        try {
            return Class.forName(PACKAGE + event).asSubclass(Event.class);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
