// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The application's lines in JSON documents of logging layouts, of collectors of logs, and of services. */
final class LogJson {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** The depth of objects and of causes; real ones have three. */
    private static final int DEEPEST = 8;

    /**
     * The JSON paths of the text in the layouts of Logback, Docker, Logstash, ECS, GELF, Log4j, journald, Loki, and
     * Google's and Amazon's agents.
     */
    private static final List<String> TEXTS = List.of(
            "/formattedMessage",
            "/log",
            "/message",
            "/msg",
            "/short_message",
            "/textPayload",
            "/MESSAGE",
            "/_msg",
            "/line",
            "/@message",
            "/_raw");

    /** The objects with the text: of stern, Google Cloud, Elasticsearch, Datadog's two versions, and Splunk. */
    private static final List<String> INNER =
            List.of("/message", "/log", "/jsonPayload", "/_source", "/attributes", "/content", "/result");

    private static final List<String> STACKS = List.of(
            "/stack_trace",
            "/error.stack_trace",
            "/error/stack_trace",
            "/error/stack",
            "/attributes/error/stack",
            "/exception/stacktrace",
            "/exception",
            "/stackTrace",
            "/thrown/extendedStackTrace",
            "/full_message",
            "/_stackTrace");

    /** The exceptions whose frames are an array: of Log4j's JsonLayout, Quarkus, and Logback's JsonEncoder. */
    private static final List<String> THROWN = List.of("/thrown", "/exception", "/throwable");

    private static final List<String> FRAMES = List.of("/extendedStackTrace", "/frames", "/stepArray");
    private static final List<String> CAUSES = List.of("/cause", "/causedBy/exception", "/causedBy");

    /** The names of a program's instance: in CloudWatch, stern, Kubernetes' agents, Google Cloud, Loki, journald. */
    private static final List<String> SOURCES = List.of(
            "/logStreamName",
            "/podName",
            "/pod",
            "/kubernetes/pod_name",
            "/kubernetes/pod/name",
            "/resource/labels/pod_name",
            "/resource/labels/instance_id",
            "/labels/instanceId",
            "/labels/pod",
            "/fields/pod",
            "/labels/instance",
            "/_SYSTEMD_UNIT",
            "/host");

    private static final List<String> TIMES =
            List.of("/timestamp", "/@timestamp", "/attributes/timestamp", "/content/timestamp", "/_source/@timestamp");
    /** The arrays of events: of CloudWatch, Google Cloud, Datadog's two versions, and Elasticsearch. */
    private static final List<String> ARRAYS = List.of("", "/events", "/entries", "/data", "/logs", "/hits/hits");

    private LogJson() {}

    /**
     * A log event of a service that collects logs.
     *
     * @param source the program that wrote it; empty if unknown
     * @param time the time, in a form that is compared as text; empty if unknown
     * @param lines its lines
     */
    record Event(String source, String time, List<String> lines) {}

    /** A JSON document with a text; null for other lines. */
    static @Nullable JsonNode message(String line) {
        if (!line.startsWith("{")) {
            return null;
        }
        try {
            JsonNode root = JSON.readTree(line);
            return has(root, 0) ? root : null;
        } catch (JsonProcessingException cut) {
            return null;
        }
    }

    /**
     * The events of a JSON document of CloudWatch ({@code aws logs filter-log-events}), Google Cloud ({@code gcloud
     * logging read --format=json}), Loki, Datadog, Elasticsearch or Grafana, from the oldest one. Empty if it is another
     * document.
     */
    static List<Event> events(JsonNode root) {
        List<Event> events = new ArrayList<>();
        for (String each : ARRAYS) {
            JsonNode all = root.at(each);
            for (JsonNode event : all.isArray() ? all : List.<JsonNode>of()) {
                if (event.isObject() && has(event, 0)) {
                    events.add(new Event(sourceOf(event), time(event), text(event)));
                }
            }
        }
        for (JsonNode stream : root.at("/data/result")) {
            String source = stream.path("stream").toString();
            for (JsonNode value : stream.path("values")) {
                events.add(new Event(
                        source, value.path(0).asText(), lines(value.path(1).asText())));
            }
        }
        return oldestFirst(events);
    }

    /** Reverses events of which the newest one is first. */
    static List<Event> oldestFirst(List<Event> events) {
        if (events.size() > 1
                && events.get(0).time().compareTo(events.get(events.size() - 1).time()) > 0) {
            Collections.reverse(events);
        }
        return events;
    }

    /** The time of a document, in a form that is compared as text; empty without one. */
    static String time(JsonNode document) {
        for (String each : TIMES) {
            JsonNode time = document.at(each);
            if (time.isValueNode()) {
                return time.asText();
            }
        }
        return "";
    }

    /** The program that wrote a document; empty if unknown. */
    static String sourceOf(JsonNode document) {
        String name = first(document, SOURCES);
        if (name != null) {
            return name;
        }
        JsonNode inner = first(document, TEXTS) == null ? inner(document, 0) : null;
        return inner == null ? "" : sourceOf(inner);
    }

    /** The lines within a document, which may contain another one. */
    static List<String> text(JsonNode root) {
        String message = first(root, TEXTS);
        if (message == null) {
            JsonNode inner = inner(root, 0);
            return inner == null ? List.of() : text(inner);
        }
        String stack = stack(root);
        if (stack.isEmpty()) {
            return lines(message);
        }
        // GELF repeats the message in the stack.
        return split(stack.startsWith(message) ? stack : message + "\n" + stack);
    }

    /** The lines of a text, which may be a document. */
    static List<String> lines(String message) {
        JsonNode inner = message(message);
        return inner == null ? split(message) : text(inner);
    }

    private static List<String> split(String text) {
        return text.isEmpty() ? List.of("") : text.lines().map(Wrapping::plain).toList();
    }

    private static boolean has(JsonNode document, int depth) {
        return first(document, TEXTS) != null || inner(document, depth) != null;
    }

    private static @Nullable JsonNode inner(JsonNode document, int depth) {
        for (String each : depth < DEEPEST ? INNER : List.<String>of()) {
            JsonNode inner = document.at(each);
            if (inner.isObject() && has(inner, depth + 1)) {
                return inner;
            }
        }
        return null;
    }

    private static String stack(JsonNode root) {
        String stack = first(root, STACKS);
        if (stack != null) {
            return stack;
        }
        for (String each : THROWN) {
            StringBuilder all = new StringBuilder();
            thrown(root.at(each), "", all, 0);
            if (!all.isEmpty()) {
                return all.toString();
            }
        }
        return "";
    }

    /** Writes an exception whose frames are objects as {@link Throwable#printStackTrace} does. */
    private static void thrown(JsonNode thrown, String caption, StringBuilder into, int depth) {
        for (String each : FRAMES) {
            JsonNode frames = thrown.at(each);
            if (frames.isArray() && depth < DEEPEST) {
                into.append(caption)
                        .append(word(thrown, "name", "exceptionType", "className"))
                        .append(": ")
                        .append(word(thrown, "message", "localizedMessage"))
                        .append('\n');
                for (JsonNode frame : frames) {
                    into.append("\tat ")
                            .append(word(frame, "class", "className"))
                            .append('.')
                            .append(word(frame, "method", "methodName"))
                            .append('(')
                            .append(word(frame, "file", "fileName"))
                            .append(':')
                            .append(word(frame, "line", "lineNumber"))
                            .append(")\n");
                }
                for (String cause : CAUSES) {
                    int before = into.length();
                    thrown(thrown.at(cause), "Caused by: ", into, depth + 1);
                    if (into.length() > before) {
                        return;
                    }
                }
            }
        }
    }

    private static String word(JsonNode of, String... names) {
        for (String each : names) {
            if (of.path(each).isValueNode()) {
                return of.path(each).asText();
            }
        }
        return "";
    }

    private static @Nullable String first(JsonNode root, List<String> pointers) {
        for (String each : pointers) {
            JsonNode value = root.at(each);
            if (value.isTextual()) {
                return value.asText();
            }
            if (value.isArray() && each.equals("/MESSAGE")) {
                return bytes(value);
            }
        }
        return null;
    }

    /** journald writes a text with control characters, such as colours, as an array of its bytes. */
    private static String bytes(JsonNode array) {
        byte[] bytes = new byte[array.size()];
        for (int at = 0; at < bytes.length; at++) {
            bytes[at] = (byte) array.get(at).asInt();
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
