// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of a PostgreSQL server, from {@code pg_stat_activity} as CSV, as a table or records of psql, or as JSON.
 * The columns may be in any order; {@code pid} and {@code state} are needed. Immutable.
 *
 * @param cut whether the text ends within a session, which is omitted
 */
record ServerSessions(List<Session> sessions, boolean cut) {
    private static final int MOST = 200_000;
    /** The title of a record in psql's expanded form, in any language, and the form of its lines. */
    private static final Pattern RECORD = Pattern.compile("[-\u2500]\\[ [\\p{L} ]{1,20} \\d{1,9} \\].*");

    private static final Pattern IN_RECORD = Pattern.compile("(?<column>\\w{1,63}) *[|\u2502] ?(?<value>.*)");
    private static final Pattern JSON_PID = Pattern.compile("\\A[\\[\\s]*\\{[^{}]{0,2000}\"pid\"\\s*:\\s*\\d");
    /** The number of lines that psql may print before its first record. */
    private static final int MOST_BEFORE = 5;

    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * A session.
     *
     * @param client the client's address and user; empty if the file has neither
     * @param blockedBy the blocking sessions, if the file has a column of {@code pg_blocking_pids}
     */
    record Session(
            String pid,
            String state,
            String waitType,
            String application,
            String client,
            String query,
            Set<String> blockedBy) {
        boolean waitsForLock() {
            return waitType.equalsIgnoreCase("Lock");
        }

        boolean runs() {
            return state.equals("active");
        }

        /** Whether the server hides the session's state and wait from the reading user. */
        boolean isHidden() {
            return query.equals("<insufficient privilege>");
        }

        boolean isIdleInTransaction() {
            return state.startsWith("idle in transaction");
        }
    }

    /** Whether a text contains sessions: as a table, in psql's expanded form, or as JSON. */
    static boolean isOne(String begin) {
        return separator(header(begin)) != null || isExpanded(begin) || isJson(begin);
    }

    /**
     * Whether a text is in psql's expanded form (after {@code \x}), whose lines resemble those of a container's log.
     */
    static boolean isExpanded(String begin) {
        return begin.lines()
                        .limit(MOST_BEFORE)
                        .anyMatch(line -> RECORD.matcher(line).matches())
                && begin.lines().anyMatch(line -> line.matches("pid *[|\u2502] ?\\d+ *"));
    }

    private static boolean isJson(String begin) {
        String text = begin.stripLeading();
        return (text.startsWith("[") || text.startsWith("{"))
                && JSON_PID.matcher(text).find()
                && text.contains("\"state\"");
    }

    private static String header(String text) {
        return text.replace("\ufeff", "")
                .lines()
                .filter(line -> !line.isBlank())
                .findFirst()
                .orElse("");
    }

    /** The column separator of CSV, a copied table, or psql without --csv; null without the necessary columns. */
    private static @Nullable Character separator(String header) {
        for (char each : new char[] {',', ';', '\t', '|'}) {
            List<String> columns = columns(header, each);
            if (columns.contains("pid") && columns.contains("state")) {
                return each;
            }
        }
        return null;
    }

    private static List<String> columns(String header, char separator) {
        List<String> columns = new ArrayList<>();
        for (String each : header.split(Pattern.quote(String.valueOf(separator)), -1)) {
            columns.add(each.strip().replace("\"", "").toLowerCase(Locale.ROOT));
        }
        return columns;
    }

    /**
     * Reads a text.
     *
     * @throws IOException if the text is invalid; the message has the reason, but not the file
     */
    static ServerSessions of(String text) throws IOException {
        String header = header(text);
        Character separator = separator(header);
        if (separator == null && isJson(text)) {
            return ofJson(text);
        }
        if (separator == null && isExpanded(text)) {
            return ofRecords(text);
        }
        if (separator == null) {
            throw new IOException("has no columns pid and state");
        }
        List<String> columns = columns(header, separator);
        int begin = text.indexOf(header) + header.length();
        List<List<String>> rows = Csv.rows(text.substring(begin), separator);
        List<Session> sessions = new ArrayList<>();
        for (int at = 0; at < rows.size(); at++) {
            List<String> row = rows.get(at);
            boolean last = at >= rows.size() - 2
                    && rows.subList(at + 1, rows.size()).stream().allMatch(each -> each.size() == 1);
            if (row.size() != columns.size()) {
                if (row.size() > 1 && !last) {
                    throw new IOException("a row has " + row.size() + " values, and the header has " + columns.size());
                }
                if (row.size() > 1) {
                    return new ServerSessions(List.copyOf(sessions), true);
                }
                continue;
            }
            Map<String, String> values = new HashMap<>();
            for (int column = 0; column < row.size(); column++) {
                values.put(columns.get(column), row.get(column).strip());
            }
            // Skips other lines: psql prints a line below the header, and queries may contain line ends.
            if (values.getOrDefault("pid", "").matches("\\d+")) {
                add(values, sessions);
            }
            if (sessions.size() > MOST) {
                throw new IOException("has more than " + MOST + " sessions");
            }
        }
        return new ServerSessions(List.copyOf(sessions), false);
    }

    /** Reads an array of objects, or consecutive objects, as written by {@code json_agg} and {@code row_to_json}. */
    private static ServerSessions ofJson(String text) {
        List<Session> sessions = new ArrayList<>();
        try (JsonParser parser = JSON.createParser(text)) {
            JsonToken token = parser.nextToken();
            while (token != null && sessions.size() < MOST) {
                if (token == JsonToken.START_OBJECT) {
                    Map<String, String> values = new HashMap<>();
                    JsonNode row = parser.readValueAsTree();
                    row.properties()
                            .forEach(each -> values.put(
                                    each.getKey().toLowerCase(Locale.ROOT),
                                    each.getValue().isNull()
                                            ? ""
                                            : each.getValue().isValueNode()
                                                    ? each.getValue().asText()
                                                    : each.getValue().toString()));
                    add(values, sessions);
                }
                token = parser.nextToken();
            }
        } catch (IOException cut) {
            return new ServerSessions(List.copyOf(sessions), true);
        }
        return new ServerSessions(List.copyOf(sessions), false);
    }

    /** Reads psql's expanded form. A value with line ends continues on lines without a column. */
    private static ServerSessions ofRecords(String text) {
        List<Map<String, String>> rows = new ArrayList<>();
        for (String line : text.split("\\R", -1)) {
            Matcher value = IN_RECORD.matcher(line);
            if (RECORD.matcher(line).matches() && rows.size() < MOST) {
                rows.add(new HashMap<>());
            } else if (!rows.isEmpty() && value.matches()) {
                rows.get(rows.size() - 1)
                        .putIfAbsent(
                                value.group("column").toLowerCase(Locale.ROOT),
                                value.group("value").strip());
            }
        }
        boolean cut = rows.get(rows.size() - 1).size() < rows.get(0).size();
        return new ServerSessions(of(cut ? rows.subList(0, rows.size() - 1) : rows).sessions, cut);
    }

    /** Reads rows, given as values by column. */
    static ServerSessions of(List<Map<String, String>> rows) {
        List<Session> sessions = new ArrayList<>();
        rows.forEach(values -> add(values, sessions));
        return new ServerSessions(List.copyOf(sessions), false);
    }

    /** Adds a session of a client, except the one that runs this query. */
    private static void add(Map<String, String> values, List<Session> sessions) {
        String backend = values.getOrDefault("backend_type", "");
        boolean reader = values.getOrDefault("query", "").contains("pg_stat_activity");
        // The type is hidden for other users' sessions. Then processes of the server are recognised by a missing
        // database or user.
        boolean own = backend.isEmpty()
                && (values.getOrDefault("usename", "none").isEmpty()
                        || values.getOrDefault("datname", "none").isEmpty());
        if (!reader && !own && (backend.isEmpty() || backend.equals("client backend"))) {
            sessions.add(session(values));
        }
    }

    private static Session session(Map<String, String> values) {
        Set<String> blockers = new LinkedHashSet<>();
        values.forEach((column, value) -> {
            if (column.contains("block")) {
                for (String each : value.split("[^0-9]+", -1)) {
                    if (!each.isEmpty() && !each.equals("0")) {
                        blockers.add(each);
                    }
                }
            }
        });
        return new Session(
                values.getOrDefault("pid", ""),
                values.getOrDefault("state", "").toLowerCase(Locale.ROOT),
                values.getOrDefault("wait_event_type", ""),
                values.getOrDefault("application_name", ""),
                values.getOrDefault("client_addr", "") + values.getOrDefault("usename", ""),
                values.getOrDefault("query", ""),
                Set.copyOf(blockers));
    }

    /** The session that blocks others and is not blocked itself; null if unknown. */
    @Nullable
    Session firstBlocker() {
        Map<String, Session> byPid = new HashMap<>();
        sessions.forEach(each -> byPid.put(each.pid(), each));
        Map<String, Integer> counts = new HashMap<>();
        for (Session each : sessions) {
            for (String blocker : each.blockedBy()) {
                counts.merge(root(blocker, byPid), 1, Integer::sum);
            }
        }
        return counts.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(entry -> byPid.get(entry.getKey()))
                .orElse(null);
    }

    private static String root(String pid, Map<String, Session> byPid) {
        Set<String> seen = new LinkedHashSet<>();
        String at = pid;
        while (seen.add(at)) {
            Session session = byPid.get(at);
            if (session == null || session.blockedBy().isEmpty()) {
                return at;
            }
            at = session.blockedBy().iterator().next();
        }
        return at;
    }

    long count(Predicate<Session> which) {
        return sessions.stream().filter(which).count();
    }
}
