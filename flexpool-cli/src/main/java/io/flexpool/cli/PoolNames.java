// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the names of the pool and of the instance in the text before a message, written by logging libraries, shippers
 * and exports. A pool's name may contain spaces, dashes and dots, so it begins after the last part that cannot belong
 * to it.
 */
final class PoolNames {
    private static final String DASH = " - ";
    /**
     * Texts that end before a message begins: of a JSON or CSV value, Spring Boot's colon, a thread, a compose prefix,
     * a colour.
     */
    private static final List<String> ENDS = List.of("\"", "\t", ": ", DASH, "| ", "\0", "=");
    /** Brackets end the text before a name only if no other end is found, because a name may contain brackets. */
    private static final List<String> BRACKETS = List.of("] ", ") ");

    private static final Pattern COLOUR = Pattern.compile("(?:\\x1b|\\\\u001[bB])\\[[0-9;]*[A-Za-z]");
    private static final Pattern LEVEL =
            Pattern.compile("(?:^|[\\s,;|])(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FINE)\\s+");
    /** A date, a time, a number, a bracketed word or a class of the pool, followed by more text: no part of a name. */
    private static final Pattern LEADING = Pattern.compile(
            "^(?:[\\d:.,/+TZ-]+[,;]?|\\[[^]]*]|\\([^)]*\\)|(?:[a-z][a-z.]*\\.)?(?:HikariPool|PoolBase|HikariDataSource)(?:\\.\\w+)?)\\s+(?=\\S)");

    private static final Pattern DATE_AND_COMMA = Pattern.compile("^[\\d:.+TZ-]+(?: [\\d:.+TZ-]+)?,(?=\\S)");

    /** A container's name as numbered by docker compose. */
    private static final Pattern SOURCE = Pattern.compile("[A-Za-z][A-Za-z0-9._-]*[-_][0-9]+");

    private static final Pattern FIELD = Pattern.compile(
            "\"(?:kubernetes\\.pod_name|kubernetes\\.pod\\.name|pod_name|pod|k8s\\.pod\\.name|HOSTNAME|host\\.name|hostname|host|container_name)\"\\s*:\\s*\"([^\"\\\\]{1,120})\"");

    private static final int LONGEST = 100;
    private static final int LONGEST_SOURCE = 120;

    private PoolNames() {}

    /** Replaces a terminal's escape sequences by a mark that no name contains. */
    static String withoutColours(String text) {
        return text.indexOf('\033') < 0 && !text.contains("\\u001")
                ? text
                : COLOUR.matcher(text).replaceAll("\0");
    }

    /**
     * The name at the end of {@code before}, to which HikariCP's dash follows.
     *
     * @param given the expected name, which is used if it is there
     */
    static String before(String before, @Nullable String given) {
        String text = stripped(withoutColours(before));
        text = text.endsWith(" -") ? stripped(text.substring(0, text.length() - 2)) : text;
        if (given != null && text.endsWith(given) && begins(text, text.length() - given.length())) {
            return given;
        }
        int begin = endOfLast(ENDS, text);
        String rest = afterLevel(text.substring(begin));
        boolean bracketed = rest.startsWith("[") || rest.startsWith("(");
        return clean(leadingRemoved(begin > 0 || bracketed ? rest : rest.substring(endOfLast(BRACKETS, rest))));
    }

    private static int endOfLast(List<String> ends, String text) {
        int begin = 0;
        for (String end : ends) {
            int found = text.lastIndexOf(end);
            if (found >= 0) {
                begin = Math.max(begin, found + end.length());
            }
        }
        return begin;
    }

    private static String afterLevel(String text) {
        var levels = LEVEL.matcher(text);
        int begin = 0;
        while (levels.find()) {
            begin = levels.end();
        }
        return text.substring(begin);
    }

    private static String stripped(String text) {
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) <= ' ') {
            end--;
        }
        return text.substring(0, end);
    }

    private static boolean begins(String text, int at) {
        return at == 0 || " \"\t:]|\0,='".indexOf(text.charAt(at - 1)) >= 0;
    }

    private static String leadingRemoved(String text) {
        String rest = DATE_AND_COMMA.matcher(text).replaceFirst("");
        String shorter = LEADING.matcher(rest).replaceFirst("");
        while (!shorter.equals(rest)) {
            rest = shorter;
            shorter = LEADING.matcher(rest).replaceFirst("");
        }
        return rest;
    }

    /** A name to show: without control characters, and not longer than a pool's name may be. */
    static String clean(String name) {
        String shown = Reasons.printable(name.replace("\0", "").strip());
        return shown.length() > LONGEST ? shown.substring(shown.length() - LONGEST) : shown;
    }

    /**
     * The instance named by a shipper: {@code api-1 | …} by docker compose, {@code [pod/orders-7c9/app] …} by
     * {@code kubectl logs --prefix}, or a field of a JSON line. Empty without one.
     */
    static String source(String line) {
        String text = withoutColours(line.substring(0, Math.min(line.length(), 2 * LONGEST_SOURCE)))
                .replace("\0", "");
        if (text.startsWith("[pod/")) {
            int end = text.indexOf("] ");
            return end < 0 ? "" : clean(text.substring("[pod/".length(), end));
        }
        int bar = text.indexOf('|');
        if (bar > 0 && bar <= LONGEST_SOURCE && text.startsWith("| ", bar)) {
            String word = text.substring(0, bar).strip();
            return SOURCE.matcher(word).matches() ? word : "";
        }
        return line.startsWith("{") ? field(line) : "";
    }

    private static String field(String line) {
        var field = FIELD.matcher(line);
        return field.find() ? clean(field.group(1)) : "";
    }
}
