// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import jdk.jfr.EventType;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/**
 * Reads the waits for connections from a flight recording, and reports the recording's gaps. For one reading.
 *
 * <p>The frames of {@link PoolFrames} and the durations come from recordings of each pool by
 * src/test/record/RecordWaits.java.
 */
final class JfrReader {
    private static final String PARK = "jdk.ThreadPark";
    private static final Set<String> EVENTS = Set.of(PARK, "jdk.JavaMonitorWait", "jdk.JavaMonitorEnter");
    /** The longest pause between two parts of one wait; shorter than any relevant lease. */
    private static final Duration AGAIN = Duration.ofMillis(1);

    private static final String SETTING = "jdk.ActiveSetting";
    /** HikariCP's thread names contain the pool's name: "orders housekeeper", since 6.0 "orders:housekeeper". */
    private static final String HOUSEKEEPER = "housekeeper";

    private final List<JfrWaits.Wait> waits = new ArrayList<>();
    /** The thread of each wait. */
    private final List<Long> threads = new ArrayList<>();

    private final MethodTrace methods = new MethodTrace();
    private final Set<String> hikariPools = new TreeSet<>();
    private final Map<Long, Integer> lastOfThread = new HashMap<>();
    private final Map<Long, String> types = new HashMap<>();
    /** The settings by event type; a type may only be known from its events. */
    private final Map<Long, Map<String, String>> settings = new HashMap<>();

    private Instant first = Instant.MAX;
    private Instant last = Instant.MIN;
    private long events;
    private long threadsAtRest;
    private boolean virtual;
    /** Whether a thread or a frame shows that a pool existed. */
    private boolean pooled;

    private static final String MAGIC = "FLR\0";
    private static final String NONE = "it has another format; jcmd <pid> JFR.dump filename=recording.jfr writes one";

    private String damage = "";

    /** Whether a file begins like a flight recording. */
    static boolean isOne(Path file) throws IOException {
        Reasons.checkReadable(file);
        try (InputStream begin =
                Files.isRegularFile(file) ? Files.newInputStream(file) : InputStream.nullInputStream()) {
            return new String(begin.readNBytes(MAGIC.length()), StandardCharsets.ISO_8859_1).equals(MAGIC);
        }
    }

    /**
     * Reads a recording.
     *
     * @param timeout the longest wait of a request; null if unknown
     * @throws IOException if the file is no recording; the message names the file
     */
    static JfrWaits.Recording read(Path file, @Nullable Duration timeout) throws IOException {
        Reasons.checkReadable(file);
        if (!Files.isRegularFile(file)) {
            throw new IOException(file + ": a flight recording must be in a file, and cannot be read from a pipe");
        }
        try (InputStream begin = Files.newInputStream(file)) {
            byte[] head = begin.readNBytes(MAGIC.length());
            if (head.length > 1 && head[0] == 0x1F && head[1] == (byte) 0x8B) {
                throw new IOException(file + ": compressed; unpack it first: gunzip " + file);
            }
            if (!new String(head, StandardCharsets.ISO_8859_1).equals(MAGIC)) {
                throw new IOException(file + ": not a readable flight recording: " + NONE);
            }
        }
        JfrReader reader = new JfrReader();
        try (RecordingFile recording = new RecordingFile(file)) {
            reader.events(recording);
        } catch (IOException | RuntimeException | StackOverflowError | OutOfMemoryError broken) {
            // The JDK's parser fails on damage in many ways, also by a stack overflow or lack of memory.
            String reason = broken instanceof IOException && broken.getMessage() != null
                    ? Reasons.of(broken)
                    : "its content is damaged";
            if (reader.events == 0) {
                throw new IOException(file + ": not a readable flight recording: " + reason, broken);
            }
            reader.damage = file + " ends early: " + reason + "; the first " + reader.events + " events are used.";
        }
        return reader.recording(timeout);
    }

    private void events(RecordingFile recording) throws IOException {
        try {
            for (EventType type : recording.readEventTypes()) {
                types.put(type.getId(), type.getName());
            }
        } catch (IOException cut) {
            // A later chunk is damaged; the events of earlier chunks are usable.
            types.clear();
        }
        while (recording.hasMoreEvents()) {
            RecordedEvent event = recording.readEvent();
            events++;
            String name = event.getEventType().getName();
            types.putIfAbsent(event.getEventType().getId(), name);
            if (name.equals(SETTING)) {
                setting(event);
                continue;
            }
            first = event.getStartTime().isBefore(first) ? event.getStartTime() : first;
            last = event.getEndTime().isAfter(last) ? event.getEndTime() : last;
            thread(event);
            methods.add(event);
            if (EVENTS.contains(name)) {
                threadsAtRest++;
                if (event.getStackTrace() != null) {
                    wait(event);
                }
            }
        }
    }

    private void setting(RecordedEvent event) {
        settings.computeIfAbsent(event.getLong("id"), id -> new HashMap<>())
                .put(event.getString("name"), event.getString("value"));
    }

    private void thread(RecordedEvent event) {
        RecordedThread thread = event.getThread();
        if (thread == null) {
            return;
        }
        if (!virtual && thread.hasField("virtual") && thread.getBoolean("virtual")) {
            virtual = true;
        }
        String name = thread.getJavaName();
        pooled = pooled || (name != null && PoolFrames.isThreadOfPool(name));
        if (name != null && name.endsWith(HOUSEKEEPER) && name.length() > HOUSEKEEPER.length() + 1) {
            hikariPools.add(Reasons.printable(name.substring(0, name.length() - HOUSEKEEPER.length() - 1)));
        }
    }

    private void wait(RecordedEvent event) {
        RecordedStackTrace stack = event.getStackTrace();
        String pool = null;
        for (RecordedFrame frame : stack.getFrames()) {
            String type = frame.getMethod().getType().getName();
            String name = frame.getMethod().getName();
            pooled = pooled || PoolFrames.isOfPool(type);
            if (pool == null) {
                pool = PoolFrames.waitsIn(type + "." + name);
            } else if (PoolFrames.isApplication(type)) {
                String site =
                        type.substring(type.lastIndexOf('.') + 1) + "." + name + "(" + frame.getLineNumber() + ")";
                add(event, pool, Reasons.printable(site));
                return;
            }
        }
        if (pool != null) {
            add(event, pool, "an unknown call site");
        }
    }

    /**
     * Adds a wait. Parts of one wait are joined: a request may be woken, lose the connection to another, and wait
     * again.
     */
    private void add(RecordedEvent event, String pool, String site) {
        RecordedThread thread = event.getThread();
        long id = thread == null ? -1 : thread.getId();
        Integer before = lastOfThread.get(id);
        if (id >= 0 && before != null) {
            JfrWaits.Wait wait = waits.get(before);
            Duration gap = Duration.between(wait.begin().plus(wait.length()), event.getStartTime());
            if (wait.pool().equals(pool) && !gap.isNegative() && gap.compareTo(AGAIN) < 0) {
                waits.set(
                        before,
                        new JfrWaits.Wait(
                                pool, site, wait.begin(), Duration.between(wait.begin(), event.getEndTime())));
                return;
            }
        }
        lastOfThread.put(id, waits.size());
        waits.add(new JfrWaits.Wait(pool, site, event.getStartTime(), event.getDuration()));
        threads.add(id);
    }

    private JfrWaits.Recording recording(@Nullable Duration timeout) {
        Duration span = first.isAfter(last) ? Duration.ZERO : Duration.between(first, last);
        return new JfrWaits.Recording(
                waits,
                span,
                blind(),
                virtual,
                hikariPools,
                damage,
                methods.leases(ofThreads(), timeout),
                methods.thrown());
    }

    /** The waits of each thread, by their ends. */
    private Map<Long, NavigableMap<Instant, Instant>> ofThreads() {
        Map<Long, NavigableMap<Instant, Instant>> all = new HashMap<>();
        for (int at = 0; at < waits.size(); at++) {
            JfrWaits.Wait wait = waits.get(at);
            all.computeIfAbsent(threads.get(at), thread -> new TreeMap<>())
                    .put(wait.begin().plus(wait.length()), wait.begin());
        }
        return all;
    }

    /** Why the recording cannot show waits; null if it can. */
    private @Nullable String blind() {
        Map<String, String> parkSettings = new HashMap<>();
        settings.forEach((id, of) -> {
            if (PARK.equals(types.get(id))) {
                parkSettings.putAll(of);
            }
        });
        if ("false".equals(parkSettings.get("enabled"))) {
            return PARK + " was off in this recording: record with the settings 'default' or 'profile'";
        }
        if ("false".equals(parkSettings.get("stackTrace"))) {
            return PARK + " was recorded without stack traces";
        }
        if (threadsAtRest == 0) {
            return "the recording has no thread that waited, not even an idle one";
        }
        return pooled ? null : "the recording has no pool thread and no request for a connection";
    }
}
