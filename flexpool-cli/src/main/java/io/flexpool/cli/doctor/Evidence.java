// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.cli.LogInput;
import io.flexpool.cli.LogLines;
import io.flexpool.cli.MethodTrace;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/** The evidence from an application's saved files, which are recognised by their content. Not thread-safe. */
final class Evidence {
    /** The number of bytes that are read to recognise a file. */
    private static final int HEAD = 1 << 16;
    /** The largest file that is read as a whole; a dump of a hundred thousand threads has 100 MB. */
    private static final int LARGEST = 128 << 20;

    private static final Pattern SCRAPE = Pattern.compile(
            "(?m)^# (?:HELP|TYPE) \\w+ |^(?:hikaricp_|jdbc_connections_|agroal_|db_client_connections?_)\\w+\\{");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final List<ThreadDump> dumps = new ArrayList<>();
    private final Map<String, PoolFigures> scraped = new LinkedHashMap<>();
    private final PoolLog log = new PoolLog();
    private final List<String> problems = new ArrayList<>();
    private RefusedConnects refused = RefusedConnects.NONE;
    private @Nullable ProcessorTime processors;
    private @Nullable ServerSessions sessions;
    private @Nullable LeaseTimes times;

    List<ThreadDump> dumps() {
        return dumps;
    }

    Map<String, PoolFigures> scraped() {
        return scraped;
    }

    PoolLog log() {
        return log;
    }

    @Nullable
    ServerSessions sessions() {
        return sessions;
    }

    /** The unusable files, as sentences. */
    List<String> problems() {
        return problems;
    }

    void add(ThreadDump dump) {
        dumps.add(dump);
    }

    void add(RefusedConnects connects) {
        refused = connects;
    }

    void add(ProcessorTime measured) {
        processors = measured;
    }

    /** The times for which its threads ran and waited for processors; null if unknown. */
    @Nullable
    ProcessorTime processors() {
        return processors;
    }

    /** The failed connects that the JVM logged right before its last dump. */
    RefusedConnects refused() {
        return refused;
    }

    /** The sessions that a server reported. */
    void add(ServerSessions read) {
        sessions = read;
    }

    void problem(String sentence) {
        problems.add(sentence);
    }

    /** Reads a file; an unusable file becomes a problem. */
    void read(Path file, LogInput input) {
        try (InputStream in = new Whole(input.open(file), LogInput.name(file))) {
            byte[] head = in.readNBytes(HEAD);
            String begin = text(head);
            Wrapping wrapping = Wrapping.of(begin);
            if (begin.startsWith("FLR\0")) {
                recording(file);
            } else if (LogTable.isOne(begin)) {
                events(file, LogTable.events(whole(head, in)));
            } else if (!wrapping.isNone() && !ServerSessions.isExpanded(begin)) {
                log(file, head, in, wrapping);
            } else if (isJson(begin) && !ServerSessions.isOne(begin)) {
                json(file, whole(head, in), wrapping);
            } else if (ThreadDump.isText(begin)) {
                dumps.addAll(ThreadDump.ofText(whole(head, in)));
            } else if (ServerSessions.isOne(begin)) {
                sessions = ServerSessions.of(whole(head, in));
                if (sessions.cut()) {
                    problems.add(LogInput.name(file) + ": ends early, after "
                            + sessions.sessions().size() + " sessions");
                }
            } else if (SCRAPE.matcher(begin).find()) {
                scraped.putAll(PoolFigures.ofScrape(whole(head, in)));
            } else {
                log(file, head, in, wrapping);
            }
        } catch (IOException unreadable) {
            String reason = String.valueOf(unreadable.getMessage());
            String name = LogInput.name(file);
            problems.add(reason.startsWith(name) ? reason : name + ": " + reason);
        }
    }

    /** Ends at the damage of a compressed file, so that the part before is used. */
    private final class Whole extends FilterInputStream {
        private final String name;
        private boolean damaged;

        Whole(InputStream in, String name) {
            super(in);
            this.name = name;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            try {
                return damaged ? -1 : super.read(into, offset, length);
            } catch (ZipException | EOFException cut) {
                damaged = true;
                problems.add(name + ": the compressed file is damaged or ends early; its readable part was used");
                return -1;
            }
        }
    }

    private void recording(Path file) throws IOException {
        MethodTrace.Read recording = MethodTrace.read(file);
        LeaseTimes read = LeaseTimes.of(recording);
        if (!recording.damage().isEmpty()) {
            problems.add(recording.damage());
        }
        if (read.isEmpty() && read.unreachable() + read.full() == 0) {
            problems.add(LogInput.name(file)
                    + ": a flight recording without a method trace; 'flexpool advise --jfr' reads" + " its waits");
        } else {
            times = read;
        }
    }

    /** Adds the measurements of a method trace. */
    void measured(LeaseTimes measured) {
        times = measured;
    }

    /** The measurements of a method trace; null without one. */
    @Nullable
    LeaseTimes times() {
        return times;
    }

    private static String whole(byte[] head, InputStream rest) throws IOException {
        byte[] more = rest.readNBytes(LARGEST);
        if (more.length == LARGEST) {
            throw new IOException("has more than " + (LARGEST >> 20) + " MB");
        }
        byte[] all = Arrays.copyOf(head, head.length + more.length);
        System.arraycopy(more, 0, all, head.length, more.length);
        return text(all);
    }

    private static String text(byte[] bytes) {
        return Wrapping.plain(new String(bytes, StandardCharsets.UTF_8)).replace("\ufeff", "");
    }

    private static boolean isJson(String begin) {
        String text = begin.stripLeading();
        return text.startsWith("{") || text.startsWith("[{") || text.startsWith("[\n") || text.startsWith("[\r\n");
    }

    private void json(Path file, String text, Wrapping wrapping) throws IOException {
        String whole = JsonEnd.of(text);
        try {
            JsonNode root = JSON.readTree(whole);
            ThreadDump dump = root == null ? null : ThreadDump.ofJson(root);
            if (dump != null) {
                dumps.add(dump);
                if (!whole.equals(text)) {
                    problems.add(LogInput.name(file) + ": ends early, after "
                            + dump.threads().size() + " threads");
                }
                return;
            }
            List<LogJson.Event> events = root == null ? List.of() : LogJson.events(root);
            if (!events.isEmpty()) {
                if (!whole.equals(text)) {
                    problems.add(LogInput.name(file) + ": ends early, after " + events.size() + " log events");
                }
                events(file, events);
                return;
            }
        } catch (JsonProcessingException lines) {
            // No single document: a log may have a JSON document on each line.
        }
        log(file, text.getBytes(StandardCharsets.UTF_8), InputStream.nullInputStream(), wrapping);
    }

    private void events(Path file, List<LogJson.Event> events) {
        Lines lines = new Lines();
        events.forEach(event -> event.lines().forEach(line -> lines.line(event.source(), line)));
        lines.end(file);
    }

    /** Reads a log, which may contain thread dumps of a signal or a monitor. */
    private void log(Path file, byte[] head, InputStream rest, Wrapping wrapping) throws IOException {
        InputStream all = wrapping.isNewestFirst()
                ? new ByteArrayInputStream(reversed(whole(head, rest)))
                : new SequenceInputStream(new ByteArrayInputStream(head), rest);
        LogLines from = new LogLines(all);
        Lines lines = new Lines();
        while (from.next()) {
            for (String line : wrapping.lines(from.text())) {
                lines.line(wrapping.source(), line);
            }
        }
        wrapping.rest().forEach(line -> lines.line(wrapping.source(), line));
        lines.end(file);
    }

    private static byte[] reversed(String text) {
        List<String> lines = new ArrayList<>(text.lines().toList());
        Collections.reverse(lines);
        return String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
    }

    /** The lines of a log. */
    private final class Lines {
        private final boolean before = log.isEmpty();
        private final int dumped = dumps.size();
        private @Nullable StringBuilder dump;

        void line(String source, String line) {
            if (line.contains(ThreadDump.TITLE)) {
                flush();
                dump = new StringBuilder();
            }
            if (dump != null && dump.length() < LARGEST) {
                dump.append(line).append('\n');
            }
            log.line(source, line);
        }

        void end(Path file) {
            flush();
            if (before && log.isEmpty() && dumped == dumps.size()) {
                problems.add(LogInput.name(file)
                        + ": has no thread dump, no sessions, no metrics and no log line of a pool");
            }
        }

        private void flush() {
            if (dump != null) {
                dumps.addAll(ThreadDump.ofText(dump.toString()));
                dump = null;
            }
        }
    }
}
