// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

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
        /**
         * {@code journalctl} with its {@code short} forms and {@code with-unit}, and syslog: the time, the host, the
         * program and its process.
         */
        JOURNAL("(?:\\p{L}{3,4}\\.? +\\d{1,2} \\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,6})?"
                + "|\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[.\\d]*[+-]\\d\\d:?\\d\\d"
                + "|\\p{L}{2,4}\\.? \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,6})? [\\w+-]{1,9}"
                + "|\\d{10}\\.\\d{6}"
                + "|\\[ {0,5}\\d{1,10}\\.\\d{6}(?: <[ \\d.*]{12,20}>| {16})?\\])"
                + " (?<source>[\\w.-]{1,100} \\(?[^\\s:\\[(]{1,200}(?:\\[\\d+\\])?): ?"),
        /** {@code logcli}: the time, and the labels of Loki, filled up to one width. */
        LOKI("(?<time>\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?(?:Z|[+-]\\d\\d:\\d\\d))"
                + " (?<source>\\{(?:\\w{1,100}=\"[^\"]{0,1000}\"(?:, )?){0,50}+\\}) *"),
        /** The text that Grafana exports: the time twice, or once in older versions. */
        GRAFANA(
                "(?<time>\\d{13}\\t\\d{4}-\\d\\d-\\d\\dT[\\d:.]{8,18}Z|\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3})\\t"),
        /** The standard output of Fluent Bit: a number, the tag, the time, and the fields until the text. */
        FLUENT_BIT(
                "\\[\\d{1,9}\\] (?<source>\\S{1,300}): \\[(?:\\[[\\d.]{1,30}, \\{[^{}]{0,500}\\}\\]|[\\d.]{1,30}), \\{"
                        + "(?:\"(?!log\"|message\")[^\"]{1,100}\"=>(?:\"[^\"]{0,500}\"|[\\w.]{1,30}), ){0,20}+\"(?:log|message)\"=>\""),
        /** The standard output of Fluentd: the time, the tag, and a JSON document. */
        FLUENTD("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})? [+-]\\d{4} (?<source>\\S{1,300}): (?=\\{)"),
        /** {@code aws logs tail}: the time and the stream, for example {@code ecs/orders/0123abc}. */
        CLOUDWATCH("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?[+-]\\d\\d:\\d\\d"
                + " (?<source>[\\w.$\\[\\]#+=/,@-]{1,512})(?: |$)"),
        /** {@code aws logs filter-log-events} and {@code get-log-events} with {@code --output text}. */
        EVENTS("EVENTS\\t(?:\\d{20,60}\\t\\d{13}\\t(?<source>[^\\t]{1,512})\\t|\\d{13}\\t)"),
        /** CSV of CloudWatch's pages: a time, and the message, in quotes if it has a comma or a quote. */
        CSV("(?:\\d{13}|\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,3})?Z?),\"?"),
        /** {@code aws logs tail --format short}, CloudWatch's files in S3, and {@code logcli --no-labels}. */
        SHORT("(?<time>\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{3,9})?(?:Z|[+-]\\d\\d:\\d\\d)?) ");

        /** The prefixes that an application may write itself, but not before the frames of a stack. */
        private static final Set<Prefix> WEAK = EnumSet.of(CLOUDWATCH, CSV, SHORT);

        private final Pattern pattern;
        private final boolean hasSource;
        /** Whether it has a time, which may decrease from line to line. */
        private final boolean hasTime;

        Prefix(String pattern) {
            this.pattern = Pattern.compile(pattern);
            this.hasSource = pattern.contains("(?<source>");
            this.hasTime = pattern.contains("(?<time>");
        }

        private String time(String line) {
            Matcher matcher = pattern.matcher(line);
            return matcher.lookingAt() ? matcher.group("time") : "";
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
    /** The lines of stacks whose white space {@code logcli} has removed. */
    private static final Pattern TRIMMED = Pattern.compile("at [\\w$.@/]{1,300}\\(|- |java\\.lang\\.Thread\\.State: ");
    /** The end of the text in the standard output of Fluent Bit. */
    private static final Pattern NEXT_FIELD = Pattern.compile("\", \"[^\"]{1,100}\"=>");

    /** The most characters of a line whose parts are joined. */
    private static final int LONGEST = 1 << 20;

    private final List<Prefix> prefixes;
    private final boolean json;
    /** Whether JSON documents have the end of the application's line, so that one without it has a part of a line. */
    private final boolean ends;
    /** The begins of unfinished lines, by the stream. */
    private final Map<String, StringBuilder> parts = new HashMap<>();

    private final boolean newestFirst;
    /** The begin of a JSON document on several lines. */
    private final StringBuilder document = new StringBuilder();

    /** The program of the last line; empty if unknown. */
    private String source = "";

    private Wrapping(List<Prefix> prefixes, boolean json, boolean ends, boolean newestFirst) {
        this.prefixes = prefixes;
        this.json = json;
        this.ends = ends;
        this.newestFirst = newestFirst;
    }

    /** Recognises the common wrapping of a file's first lines; the last line may be truncated. */
    static Wrapping of(String begin) {
        List<String> lines = begin.lines()
                .filter(line -> !line.isBlank())
                .map(Wrapping::plain)
                .toList();
        List<Prefix> found = new ArrayList<>();
        List<String> times = new ArrayList<>();
        for (boolean more = true; more; ) {
            more = false;
            for (Prefix each : Prefix.values()) {
                if (!found.contains(each)
                        && most(lines, line -> each.pattern.matcher(line).lookingAt())
                        && (!Prefix.WEAK.contains(each) || lines.stream().anyMatch(each::isBeforeFrame))) {
                    found.add(each);
                    if (each.hasTime) {
                        lines.forEach(line -> times.add(each.time(line)));
                    }
                    Wrapping one = new Wrapping(List.of(each), false, false, false);
                    lines = lines.stream()
                            .map(line -> one.unprefixed(each, line))
                            .flatMap(Optional::stream)
                            .toList();
                    more = true;
                }
            }
        }
        boolean json = most(lines, line -> LogJson.message(line) != null);
        if (json && times.isEmpty()) {
            for (String line : lines) {
                JsonNode message = LogJson.message(line);
                times.add(message == null ? "" : LogJson.time(message));
            }
        }
        return new Wrapping(List.copyOf(found), json, lines.stream().anyMatch(Wrapping::hasEnd), isNewestFirst(times));
    }

    /** Whether no time is later than the one before. */
    private static boolean isNewestFirst(List<String> all) {
        List<String> times = all.stream().filter(each -> !each.isEmpty()).toList();
        for (int at = 1; at < times.size(); at++) {
            if (times.get(at).compareTo(times.get(at - 1)) > 0) {
                return false;
            }
        }
        return times.size() > 1 && times.get(0).compareTo(times.get(times.size() - 1)) > 0;
    }

    /** Whether a JSON document of Docker has the end of the application's line. */
    private static boolean hasEnd(String line) {
        JsonNode document = LogJson.message(line);
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

    /** Whether the newest line is the first one. */
    boolean isNewestFirst() {
        return newestFirst;
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
        if (document.isEmpty() ? line.equals("{") : document.length() < LONGEST) {
            document.append(line).append('\n');
            return line.equals("}") ? rest() : List.of();
        }
        List<String> before = rest();
        List<String> own = inside(line);
        return before.isEmpty()
                ? own
                : Stream.concat(before.stream(), own.stream()).toList();
    }

    /** The lines of a JSON document on several lines as far as it was read, or these lines if it has no text. */
    List<String> rest() {
        if (document.isEmpty()) {
            return List.of();
        }
        String all = document.toString();
        document.setLength(0);
        JsonNode whole = LogJson.message(all);
        if (whole == null) {
            return all.lines().toList();
        }
        source = source.isEmpty() ? LogJson.sourceOf(whole) : source;
        return LogJson.text(whole);
    }

    /** The lines within a line, which is a JSON document if most lines are. */
    private List<String> inside(String line) {
        JsonNode one = json ? LogJson.message(line) : null;
        if (one == null) {
            return List.of(line);
        }
        source = source.isEmpty() ? LogJson.sourceOf(one) : source;
        JsonNode log = ends ? one.path("log") : MissingNode.getInstance();
        if (!log.isTextual()) {
            return LogJson.text(one);
        }
        String stream = one.path("stream").asText();
        return joined(stream, log.asText(), !log.asText().endsWith("\n"))
                .map(LogJson::lines)
                .orElse(List.of());
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
        String rest = line.substring(matcher.end());
        if (prefix == Prefix.EVENTS || prefix == Prefix.CSV) {
            rest = field(rest, matcher.group());
        } else if (prefix == Prefix.FLUENT_BIT) {
            Matcher next = NEXT_FIELD.matcher(rest);
            rest = next.find() ? rest.substring(0, next.start()) : rest.replaceFirst("\"\\}]$", "");
        } else if ((prefix == Prefix.LOKI || prefix == Prefix.SHORT)
                && TRIMMED.matcher(rest).lookingAt()) {
            rest = "\t" + rest;
        }
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
}
