// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The prefixes or JSON that a container, a service manager or a layout adds to each line of an application's output,
 * also to a thread dump of {@code kill -3}. Recognised in the first lines of a file, and removed from each line.
 * For the lines of one file in their order; not thread-safe.
 */
final class Wrapping {
    /** The kinds of prefixes. One file may have two, for example a service's name and a time. */
    private enum Prefix {
        /** The kubelet's log files; P marks a part of a line, F its end. */
        CRI(
                "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[.\\d]*(?:Z|[+-]\\d\\d:\\d\\d) (?<stream>std(?:out|err)) (?<end>[FP]) "),
        /** {@code docker compose logs}. */
        COMPOSE("(?<source>[\\w.-]{1,100}) +\\| ?"),
        /** {@code kubectl logs --prefix}. */
        POD("\\[(?<source>pod/[\\w./-]{1,300})\\] ?"),
        /**
         * {@code stern}: the pod, whose name ends with the letters or the number that Kubernetes adds, the container,
         * and the namespace before them with {@code --all-namespaces}.
         */
        STERN("(?<source>(?:[a-z0-9][a-z0-9-]{0,62} )?[a-z0-9][a-z0-9.-]{0,250}-(?:[a-z0-9]{5}|\\d{1,4})"
                + " [a-z0-9][a-z0-9-]{0,62})(?: |$)"),
        /** {@code heroku logs}; the lines of the platform are not the application's. */
        HEROKU("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?[+-]\\d\\d:\\d\\d"
                + " (?<source>(?:app|heroku)\\[[\\w.-]{1,100}]):(?: |$)"),
        /**
         * {@code docker logs -t}, {@code kubectl logs --timestamps}: recognised by nine digits, which applications do
         * not write.
         */
        TIME("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{7,9}(?:Z|[+-]\\d\\d:\\d\\d) ?"),
        /** RFC 5424. */
        SYSLOG("<\\d{1,3}>1 \\S{19,35} \\S{1,255} \\S{1,48} \\S{1,128} \\S{1,32} (?:-|\\[.{1,1000}?\\]) ?"),
        /** {@code journalctl}, its {@code -o short-iso}, and syslog. */
        JOURNAL(
                "(?:\\p{L}{3,4}\\.? +\\d{1,2} \\d\\d:\\d\\d:\\d\\d|\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[.\\d]*[+-]\\d\\d:?\\d\\d)"
                        + " [\\w.-]{1,100} [^\\s:\\[]{1,100}(?:\\[\\d+\\])?: ?"),
        /** {@code aws logs tail}: the time and the stream, for example {@code ecs/orders/0123abc}. */
        CLOUDWATCH("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?[+-]\\d\\d:\\d\\d"
                + " (?<source>[\\w.$\\[\\]#+=/,@-]{1,512})(?: |$)"),
        /** {@code aws logs filter-log-events} and {@code get-log-events} with {@code --output text}. */
        EVENTS("EVENTS\\t(?:\\d{20,60}\\t\\d{13}\\t(?<source>[^\\t]{1,512})\\t|\\d{13}\\t)"),
        /** CSV of CloudWatch's pages: a time, and the message, in quotes if it has a comma or a quote. */
        CSV("(?:\\d{13}|\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,3})?Z?),\"?"),
        /** {@code aws logs tail --format short}, and CloudWatch's files in S3. */
        SHORT("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{3}Z)? ");

        /** The prefixes that an application may write itself, but not before the frames of a stack. */
        private static final Set<Prefix> WEAK = EnumSet.of(CLOUDWATCH, CSV, SHORT);

        private final Pattern pattern;
        private final boolean hasSource;

        Prefix(String pattern) {
            this.pattern = Pattern.compile(pattern);
            this.hasSource = pattern.contains("(?<source>");
        }

        private boolean isBeforeFrame(String line) {
            Matcher matcher = pattern.matcher(line);
            return matcher.lookingAt()
                    && BEGIN_OF_FRAME.matcher(line.substring(matcher.end())).lookingAt();
        }
    }

    /** The minimum share of lines with the prefix; other lines are a launcher's, and parts at both ends of a file. */
    private static final double SHARE = 0.8;

    private static final Pattern BEGIN_OF_FRAME = Pattern.compile("\\s*at [\\w$.@/]{1,300}\\([^)]{1,200}\\)");
    private static final Pattern TIME_BEHIND = Pattern.compile("\\t\\d{13}$");
    private static final Pattern CONTROLS = Pattern.compile("\\x1b\\[[0-9;?]*[A-Za-z]|\\r$");
    private static final char ESCAPE = 0x1b;
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * The JSON paths of the text in the layouts of Docker, Logstash, ECS, GELF, Log4j, and Google's and Amazon's
     * agents.
     */
    private static final List<String> TEXTS = List.of(
            "/log",
            "/message",
            "/msg",
            "/short_message",
            "/textPayload",
            "/jsonPayload/message",
            "/MESSAGE",
            "/_msg",
            "/line",
            "/@message");

    private static final List<String> STACKS = List.of(
            "/stack_trace",
            "/error.stack_trace",
            "/error/stack_trace",
            "/exception/stacktrace",
            "/exception",
            "/stackTrace",
            "/thrown/extendedStackTrace",
            "/full_message",
            "/jsonPayload/stack_trace",
            "/jsonPayload/exception",
            "/_stackTrace");

    /** The names of a program's instance in JSON of CloudWatch, stern, Kubernetes' agents and Google Cloud. */
    private static final List<String> SOURCES = List.of(
            "/logStreamName",
            "/podName",
            "/kubernetes/pod_name",
            "/resource/labels/pod_name",
            "/resource/labels/instance_id");

    /** The most characters of a line whose parts are joined. */
    private static final int LONGEST = 1 << 20;

    private final List<Prefix> prefixes;
    private final boolean json;
    /** Whether JSON documents have the end of the application's line, so that one without it has a part of a line. */
    private final boolean ends;
    /** The begins of unfinished lines, by the stream. */
    private final Map<String, StringBuilder> parts = new HashMap<>();

    /** The program of the last line; empty if unknown. */
    private String source = "";

    private Wrapping(List<Prefix> prefixes, boolean json, boolean ends) {
        this.prefixes = prefixes;
        this.json = json;
        this.ends = ends;
    }

    /** Recognises the common wrapping of a file's first lines; the last line may be truncated. */
    static Wrapping of(String begin) {
        List<String> lines = begin.lines()
                .filter(line -> !line.isBlank())
                .map(Wrapping::plain)
                .toList();
        List<Prefix> found = new ArrayList<>();
        for (boolean more = true; more; ) {
            more = false;
            for (Prefix each : Prefix.values()) {
                if (!found.contains(each)
                        && most(lines, line -> each.pattern.matcher(line).lookingAt())
                        && (!Prefix.WEAK.contains(each) || lines.stream().anyMatch(each::isBeforeFrame))) {
                    found.add(each);
                    Wrapping one = new Wrapping(List.of(each), false, false);
                    lines = lines.stream()
                            .map(line -> one.unprefixed(each, line))
                            .flatMap(Optional::stream)
                            .toList();
                    more = true;
                }
            }
        }
        return new Wrapping(
                List.copyOf(found),
                most(lines, line -> message(line) != null),
                lines.stream().anyMatch(Wrapping::hasEnd));
    }

    /** Whether a JSON document of Docker has the end of the application's line. */
    private static boolean hasEnd(String line) {
        JsonNode document = message(line);
        return document != null && document.path("log").asText().endsWith("\n");
    }

    private static boolean most(List<String> lines, Predicate<String> is) {
        return lines.size() > 1 && lines.stream().filter(is).count() >= lines.size() * SHARE;
    }

    /** Whether only colours are to be removed. */
    boolean isNone() {
        return prefixes.isEmpty() && !json;
    }

    /** The program that wrote the last line, for example a pod; empty if unknown. */
    String source() {
        return source;
    }

    /**
     * A log event of a service that collects logs.
     *
     * @param source the program that wrote it; empty if unknown
     * @param lines its lines
     */
    record Event(String source, List<String> lines) {}

    /**
     * The events of a JSON document of CloudWatch ({@code aws logs filter-log-events}) or Google Cloud ({@code gcloud
     * logging read --format=json}, whose first event is the newest). Empty if it is another document.
     */
    static List<Event> events(JsonNode root) {
        JsonNode all =
                root.isArray() ? root : root.path("events").isArray() ? root.path("events") : root.path("entries");
        List<Event> events = new ArrayList<>();
        for (JsonNode each : all.isArray() ? all : List.<JsonNode>of()) {
            if (each.isObject() && first(each, TEXTS) != null) {
                events.add(new Event(sourceOf(each), text(each)));
            }
        }
        if (events.size() > 1 && time(all.get(0)).compareTo(time(all.get(all.size() - 1))) > 0) {
            Collections.reverse(events);
        }
        return events;
    }

    /** The time, in a form that is compared as text. */
    private static String time(JsonNode event) {
        JsonNode time = event.has("timestamp") ? event.path("timestamp") : event.path("@timestamp");
        return time.asText();
    }

    private static String sourceOf(JsonNode document) {
        String name = first(document, SOURCES);
        return name == null ? "" : name;
    }

    /** The application's lines: one, several if a JSON layout has a stack in one line, or none if more of the line follows. */
    List<String> lines(String wrapped) {
        String line = plain(wrapped);
        source = "";
        for (Prefix each : prefixes) {
            Optional<String> whole = unprefixed(each, line);
            if (whole.isEmpty()) {
                return List.of();
            }
            line = whole.get();
        }
        if (source.startsWith("heroku[")) {
            return List.of();
        }
        JsonNode document = json ? message(line) : null;
        if (document == null) {
            return List.of(line);
        }
        source = source.isEmpty() ? sourceOf(document) : source;
        JsonNode log = ends ? document.path("log") : MissingNode.getInstance();
        if (!log.isTextual()) {
            return text(document);
        }
        String stream = document.path("stream").asText();
        Optional<String> whole = joined(stream, log.asText(), !log.asText().endsWith("\n"));
        if (whole.isEmpty()) {
            return List.of();
        }
        JsonNode inner = message(whole.get());
        return inner == null ? split(whole.get()) : text(inner);
    }

    /** Removes a terminal's colours. */
    static String plain(String line) {
        // Fast path: most lines have neither.
        return line.indexOf(ESCAPE) < 0 && !line.endsWith("\r")
                ? line
                : CONTROLS.matcher(line).replaceAll("");
    }

    private Optional<String> unprefixed(Prefix prefix, String line) {
        Matcher matcher = prefix.pattern.matcher(line);
        if (!matcher.lookingAt()) {
            return Optional.of(line);
        }
        String rest = prefix == Prefix.EVENTS || prefix == Prefix.CSV
                ? field(line.substring(matcher.end()), matcher.group())
                : line.substring(matcher.end());
        source = prefix.hasSource && matcher.group("source") != null ? source + matcher.group("source") : source;
        return prefix == Prefix.CRI
                ? joined(matcher.group("stream"), rest, matcher.group("end").equals("P"))
                : Optional.of(rest);
    }

    /** A line without the field behind it, or without the quotes around it. */
    private static String field(String rest, String prefix) {
        if (prefix.endsWith("\"")) {
            return (rest.endsWith("\"") ? rest.substring(0, rest.length() - 1) : rest).replace("\"\"", "\"");
        }
        return TIME_BEHIND.matcher(rest).replaceFirst("");
    }

    /** The line with its parts before; empty if more of it follows. */
    private Optional<String> joined(String stream, String part, boolean more) {
        StringBuilder before = parts.remove(stream);
        if (!more && before == null) {
            return Optional.of(part);
        }
        StringBuilder all = before == null ? new StringBuilder() : before;
        all.append(part);
        if (more && all.length() < LONGEST) {
            parts.put(stream, all);
            return Optional.empty();
        }
        return Optional.of(all.toString());
    }

    /** A JSON document with a text; null for other lines. */
    private static @Nullable JsonNode message(String line) {
        if (!line.startsWith("{")) {
            return null;
        }
        try {
            JsonNode root = JSON.readTree(line);
            return first(root, TEXTS) == null ? null : root;
        } catch (JsonProcessingException cut) {
            return null;
        }
    }

    /** The lines within a JSON document, which may contain another one. */
    private static List<String> text(JsonNode root) {
        String message = String.valueOf(first(root, TEXTS));
        JsonNode inner = message(message);
        if (inner != null) {
            return text(inner);
        }
        String stack = first(root, STACKS);
        // GELF repeats the message in the stack.
        return split(stack == null ? message : stack.startsWith(message) ? stack : message + "\n" + stack);
    }

    private static List<String> split(String text) {
        return text.isEmpty() ? List.of("") : text.lines().map(Wrapping::plain).toList();
    }

    private static @Nullable String first(JsonNode root, List<String> pointers) {
        for (String each : pointers) {
            JsonNode value = root.at(each);
            if (value.isTextual()) {
                return value.asText();
            }
        }
        return null;
    }
}
