// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The prefixes or JSON that a container, a service manager or a layout adds to each line of an application's output,
 * also to a thread dump of {@code kill -3}. Recognised in the first lines of a file, and removed from each line.
 * Immutable.
 */
final class Wrapping {
    /** The kinds of prefixes. One file may have two, for example a service's name and a time. */
    private enum Prefix {
        /** The kubelet's log files; F marks a full line. */
        CRI("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[.\\d]*(?:Z|[+-]\\d\\d:\\d\\d) std(?:out|err) [FP] "),
        /** {@code docker compose logs}. */
        COMPOSE("[\\w.-]{1,100} +\\| ?"),
        /** {@code kubectl logs --prefix}. */
        POD("\\[pod/[\\w./-]{1,300}\\] ?"),
        /**
         * {@code docker logs -t}, {@code kubectl logs --timestamps}: recognised by nine digits, which applications do
         * not write.
         */
        TIME("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{7,9}(?:Z|[+-]\\d\\d:\\d\\d) ?"),
        /** {@code journalctl}, its {@code -o short-iso}, and syslog. */
        JOURNAL(
                "(?:\\p{L}{3,4}\\.? +\\d{1,2} \\d\\d:\\d\\d:\\d\\d|\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[.\\d]*[+-]\\d\\d:?\\d\\d)"
                        + " [\\w.-]{1,100} [^\\s:\\[]{1,100}(?:\\[\\d+\\])?: ?");

        private final Pattern pattern;

        Prefix(String pattern) {
            this.pattern = Pattern.compile(pattern);
        }
    }

    /** The minimum share of lines with the prefix; other lines are a launcher's, and parts at both ends of a file. */
    private static final double SHARE = 0.8;

    private static final Pattern CONTROLS = Pattern.compile("\\x1b\\[[0-9;?]*[A-Za-z]|\\r$");
    private static final char ESCAPE = 0x1b;
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * The JSON paths of the text in the layouts of Docker, Logstash, ECS, GELF, Log4j, and Google's and Amazon's
     * agents.
     */
    private static final List<String> TEXTS = List.of(
            "/log", "/message", "/msg", "/short_message", "/textPayload", "/jsonPayload/message", "/MESSAGE", "/_msg");

    private static final List<String> STACKS = List.of(
            "/stack_trace",
            "/error.stack_trace",
            "/error/stack_trace",
            "/exception/stacktrace",
            "/exception",
            "/stackTrace",
            "/thrown/extendedStackTrace",
            "/full_message",
            "/_stackTrace");

    private final List<Prefix> prefixes;
    private final boolean json;

    private Wrapping(List<Prefix> prefixes, boolean json) {
        this.prefixes = prefixes;
        this.json = json;
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
                        && most(lines, line -> each.pattern.matcher(line).lookingAt())) {
                    found.add(each);
                    lines = lines.stream().map(line -> without(each, line)).toList();
                    more = true;
                }
            }
        }
        return new Wrapping(List.copyOf(found), most(lines, line -> text(line).size() > 0));
    }

    private static boolean most(List<String> lines, Predicate<String> is) {
        return lines.size() > 1 && lines.stream().filter(is).count() >= lines.size() * SHARE;
    }

    /** Whether only colours are to be removed. */
    boolean isNone() {
        return prefixes.isEmpty() && !json;
    }

    /** The application's lines: one, or several if a JSON layout has a stack in one line. */
    List<String> lines(String wrapped) {
        String line = plain(wrapped);
        for (Prefix each : prefixes) {
            line = without(each, line);
        }
        List<String> found = json ? text(line) : List.of();
        return found.isEmpty() ? List.of(line) : found;
    }

    /** Removes a terminal's colours. */
    static String plain(String line) {
        // Fast path: most lines have neither.
        return line.indexOf(ESCAPE) < 0 && !line.endsWith("\r")
                ? line
                : CONTROLS.matcher(line).replaceAll("");
    }

    private static String without(Prefix prefix, String line) {
        Matcher matcher = prefix.pattern.matcher(line);
        return matcher.lookingAt() ? line.substring(matcher.end()) : line;
    }

    /** The lines within a JSON document; empty without a text. */
    private static List<String> text(String line) {
        if (!line.startsWith("{")) {
            return List.of();
        }
        try {
            JsonNode root = JSON.readTree(line);
            String message = first(root, TEXTS);
            if (message == null) {
                return List.of();
            }
            String stack = first(root, STACKS);
            // GELF repeats the message in the stack.
            String all = stack == null ? message : stack.startsWith(message) ? stack : message + "\n" + stack;
            return all.isEmpty()
                    ? List.of("")
                    : all.lines().map(Wrapping::plain).toList();
        } catch (JsonProcessingException cut) {
            return List.of();
        }
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
