// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import io.flexpool.cli.doctor.LogJson.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Log events that a service exports as CSV with a header: CloudWatch, Kibana, Datadog, Grafana, Google Cloud, Splunk.
 * The message may have several lines.
 */
final class LogTable {
    private static final List<String> TEXTS = List.of(
            "message", "@message", "line", "log", "content", "body", "_raw", "textpayload", "jsonpayload.message");
    private static final List<String> TIMES = List.of("timestamp", "@timestamp", "date", "time", "_time");
    private static final List<String> STACKS =
            List.of("error.stack_trace", "stack_trace", "error.stack", "@error.stack", "jsonpayload.stack_trace");
    private static final List<String> SOURCES = List.of(
            "logstreamname",
            "@logstream",
            "kubernetes.pod.name",
            "kubernetes.pod_name",
            "pod",
            "resource.labels.pod_name",
            "host.name",
            "host");

    private final char separator;
    private final List<String> columns;

    private LogTable(char separator, List<String> columns) {
        this.separator = separator;
        this.columns = columns;
    }

    /** Whether a text begins with the header of such a table. */
    static boolean isOne(String begin) {
        return !of(begin).columns.isEmpty();
    }

    private static LogTable of(String text) {
        String header = text.lines().filter(line -> !line.isBlank()).findFirst().orElse("");
        for (char separator : new char[] {',', ';', '\t'}) {
            List<String> columns = new ArrayList<>();
            for (String each : header.split(Pattern.quote(String.valueOf(separator)), -1)) {
                columns.add(each.strip().replace("\"", "").toLowerCase(Locale.ROOT));
            }
            if (index(TEXTS, columns) >= 0 && index(TIMES, columns) >= 0) {
                return new LogTable(separator, columns);
            }
        }
        return new LogTable(',', List.of());
    }

    /** The events, from the oldest one. */
    static List<Event> events(String text) {
        LogTable table = of(text);
        List<Event> events = new ArrayList<>();
        List<List<String>> rows = Csv.rows(text.stripLeading(), table.separator);
        for (List<String> row : rows.subList(1, rows.size())) {
            String message = table.value(row, TEXTS);
            if (!message.isEmpty()) {
                String stack = table.value(row, STACKS);
                List<String> lines = new ArrayList<>(LogJson.lines(message));
                if (!stack.isEmpty() && !message.contains(stack)) {
                    lines.addAll(LogJson.lines(stack));
                }
                events.add(new Event(table.value(row, SOURCES), table.value(row, TIMES), lines));
            }
        }
        return LogJson.oldestFirst(events);
    }

    private String value(List<String> row, List<String> names) {
        int at = index(names, columns);
        return at >= 0 && at < row.size() ? row.get(at) : "";
    }

    private static int index(List<String> names, List<String> columns) {
        return names.stream()
                .mapToInt(columns::indexOf)
                .filter(at -> at >= 0)
                .findFirst()
                .orElse(-1);
    }
}
