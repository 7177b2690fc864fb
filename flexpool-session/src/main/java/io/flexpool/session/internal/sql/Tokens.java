// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session.internal.sql;

import java.util.Locale;

/**
 * The tokens of an SQL text, one at a time, without comments and spaces. Reads each character a bounded number of times
 * and stores only the current token. For one thread.
 */
final class Tokens {
    /** The kinds of tokens. */
    enum Kind {
        /** A keyword or a name without quotes. */
        WORD,
        /** A name in quotes. */
        QUOTED,
        /** A literal in quotes; in MySQL also a text in double quotes, although it may be a name. */
        STRING,
        NUMBER,
        PARAMETER,
        /** MySQL: {@code @name}. */
        VARIABLE,
        /** MySQL: {@code @@}, before the name of a system variable. */
        SYSTEM,
        /** {@code :=}. */
        ASSIGN,
        /** Any other character. */
        SYMBOL,
        /** The end of the text. */
        END,
        /** The text ends within quotes or a comment. */
        BROKEN
    }

    /** The maximum length of a name or literal: longer ones name no session state. */
    static final int LONGEST = 128;

    private final String sql;
    private final int length;
    private final boolean mysql;
    private int position;
    private Kind kind = Kind.SYMBOL;
    private int start;
    private int end;
    /** Whether the content has doubled quotes or escapes. */
    private boolean escaped;

    private char quote;
    private boolean executable;
    private long steps;

    Tokens(String sql, boolean mysql) {
        this.sql = sql;
        this.length = sql.length();
        this.mysql = mysql;
        next();
    }

    Kind kind() {
        return kind;
    }

    /** {@return the number of characters read, counting repeated reads} */
    long steps() {
        return steps;
    }

    boolean ended() {
        return kind == Kind.END || kind == Kind.BROKEN;
    }

    /** {@return whether the current token is this character} */
    boolean is(char symbol) {
        return kind == Kind.SYMBOL && sql.charAt(start) == symbol;
    }

    /** {@return whether the current token is this keyword, in lower case} */
    boolean is(String keyword) {
        if (kind != Kind.WORD || end - start != keyword.length()) {
            return false;
        }
        for (int i = 0; i < keyword.length(); i++) {
            if (lower(sql.charAt(start + i)) != keyword.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Skips the current token if it is this keyword; returns whether it was. */
    boolean skip(String keyword) {
        boolean found = is(keyword);
        if (found) {
            next();
        }
        return found;
    }

    boolean skip(char symbol) {
        boolean found = is(symbol);
        if (found) {
            next();
        }
        return found;
    }

    /**
     * The content of the current token as the server reads it: a word in lower case, a name or a literal without
     * quotes.
     *
     * @return the content; empty if it is too long or has escapes
     */
    String text() {
        if (end - start > LONGEST || (escaped && quote == '\\')) {
            return "";
        }
        String content = sql.substring(start, end);
        if (kind == Kind.WORD || (kind == Kind.VARIABLE && quote == 0)) {
            return content.toLowerCase(Locale.ROOT);
        }
        return escaped ? content.replace("" + quote + quote, "" + quote) : content;
    }

    /** {@return the length of the content, before quotes are resolved} */
    int size() {
        return end - start;
    }

    /** Reads the next token. */
    void next() {
        escaped = false;
        quote = 0;
        if (!spaces()) {
            kind = Kind.BROKEN;
            return;
        }
        start = position;
        if (position >= length) {
            end = length;
            kind = executable ? Kind.BROKEN : Kind.END;
            return;
        }
        char c = sql.charAt(position);
        if (isNameStart(c)) {
            word(c);
        } else if (isDigit(c) || (c == '.' && isDigit(at(position + 1)))) {
            number();
        } else if (c == '\'') {
            quoted(Kind.STRING, '\'', mysql);
        } else if (c == '"') {
            quoted(mysql ? Kind.STRING : Kind.QUOTED, '"', mysql);
        } else if (c == '`' && mysql) {
            quoted(Kind.QUOTED, '`', false);
        } else if (c == '?') {
            one(Kind.PARAMETER);
        } else if (c == '$' && !mysql) {
            dollar();
        } else if (c == '@' && mysql) {
            at();
        } else if (c == ':' && at(position + 1) == '=') {
            one(Kind.ASSIGN);
            position++;
            end++;
        } else {
            one(Kind.SYMBOL);
        }
        steps += position - start;
    }

    private void one(Kind found) {
        kind = found;
        position++;
        end = position;
    }

    private char at(int index) {
        return index < length ? sql.charAt(index) : 0;
    }

    private static char lower(char c) {
        return c >= 'A' && c <= 'Z' ? (char) (c + 32) : c;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isNameStart(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
    }

    private static boolean isName(char c) {
        return isNameStart(c) || isDigit(c) || c == '$';
    }

    private void word(char first) {
        char second = at(position + 1);
        if (!mysql && second == '\'' && (first == 'e' || first == 'E')) {
            position++;
            quoted(Kind.STRING, '\'', true);
            return;
        }
        if (!mysql && second == '&' && (first == 'u' || first == 'U')) {
            char third = at(position + 2);
            if (third == '\'' || third == '"') {
                position += 2;
                quoted(third == '"' ? Kind.QUOTED : Kind.STRING, third, false);
                if (!ended()) {
                    // text() does not resolve the escapes of U&.
                    escaped = true;
                    quote = '\\';
                }
                return;
            }
        }
        kind = Kind.WORD;
        names();
    }

    private void names() {
        while (position < length && isName(sql.charAt(position))) {
            position++;
        }
        end = position;
    }

    private void number() {
        kind = Kind.NUMBER;
        while (position < length && (isName(sql.charAt(position)) || sql.charAt(position) == '.')) {
            position++;
        }
        end = position;
    }

    /** Reads a quoted text from the quote at the position. */
    private void quoted(Kind found, char delimiter, boolean backslashes) {
        int from = ++position;
        boolean backslash = false;
        while (position < length) {
            char c = sql.charAt(position);
            if (c == '\\' && backslashes) {
                backslash = true;
                position += 2;
            } else if (c != delimiter) {
                position++;
            } else if (at(position + 1) == delimiter) {
                escaped = true;
                position += 2;
            } else {
                kind = found;
                steps += from - start;
                start = from;
                end = position++;
                escaped |= backslash;
                quote = backslash ? '\\' : delimiter;
                return;
            }
        }
        broken();
    }

    private void broken() {
        position = length;
        end = length;
        kind = Kind.BROKEN;
    }

    /** PostgreSQL: reads a parameter, or a text between two equal dollar tags. */
    private void dollar() {
        int tag = position + 1;
        if (isDigit(at(tag))) {
            position++;
            names();
            kind = Kind.PARAMETER;
            return;
        }
        while (tag < length && isName(sql.charAt(tag)) && sql.charAt(tag) != '$') {
            tag++;
        }
        steps += tag - position;
        if (at(tag) != '$') {
            one(Kind.SYMBOL);
            return;
        }
        String delimiter = sql.substring(position, tag + 1);
        int close = sql.indexOf(delimiter, tag + 1);
        if (close < 0) {
            steps += length - tag;
            broken();
            return;
        }
        kind = Kind.STRING;
        steps += tag + 1 - start;
        start = tag + 1;
        end = close;
        position = close + delimiter.length();
    }

    /** MySQL: reads a variable. */
    private void at() {
        char second = at(position + 1);
        if (second == '@') {
            one(Kind.SYSTEM);
            position++;
            end++;
        } else if (second == '\'' || second == '"' || second == '`') {
            position++;
            quoted(Kind.VARIABLE, second, second != '`');
        } else if (isName(second) || second == '.') {
            position++;
            start = position;
            while (position < length && (isName(sql.charAt(position)) || sql.charAt(position) == '.')) {
                position++;
            }
            end = position;
            kind = Kind.VARIABLE;
        } else {
            one(Kind.SYMBOL);
        }
    }

    /** Skips spaces and comments; returns false if a comment does not end. */
    private boolean spaces() {
        int from = position;
        while (position < length) {
            char c = sql.charAt(position);
            if (c <= ' ') {
                position++;
            } else if (isLineComment(c)) {
                line();
            } else if (c == '/' && at(position + 1) == '*') {
                if (!comment()) {
                    broken();
                    steps += length - from;
                    return false;
                }
            } else if (executable && c == '*' && at(position + 1) == '/') {
                executable = false;
                position += 2;
            } else {
                break;
            }
        }
        steps += position - from;
        return true;
    }

    private boolean isLineComment(char c) {
        return mysql
                ? c == '#' || (c == '-' && at(position + 1) == '-' && at(position + 2) <= ' ')
                : c == '-' && at(position + 1) == '-';
    }

    private void line() {
        while (position < length && sql.charAt(position) != '\n' && sql.charAt(position) != '\r') {
            position++;
        }
    }

    private boolean comment() {
        if (mysql) {
            int mark = at(position + 2) == 'M' ? position + 3 : position + 2;
            if (at(mark) == '!') {
                position = mark + 1;
                while (isDigit(at(position))) {
                    position++;
                }
                executable = true;
                return true;
            }
        }
        int depth = 0;
        while (position < length) {
            char c = sql.charAt(position);
            if (c == '/' && at(position + 1) == '*' && (depth == 0 || !mysql)) {
                depth++;
                position += 2;
            } else if (c == '*' && at(position + 1) == '/') {
                position += 2;
                if (--depth == 0) {
                    return true;
                }
            } else {
                position++;
            }
        }
        return false;
    }
}
