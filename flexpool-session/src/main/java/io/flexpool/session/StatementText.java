// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import io.flexpool.spi.Texts;

/** Makes a statement printable: on one line, shortened, and without literals, which may be data of the application. */
final class StatementText {
    private static final int LONGEST = 160;
    /** The number of characters read at most. */
    private static final int MOST_READ = 1_000;

    private StatementText() {}

    /** Replaces each literal by a question mark. After an unbalanced quote the rest is a literal. */
    static String shown(String sql) {
        String text = sql.length() > MOST_READ ? sql.substring(0, MOST_READ) : sql;
        StringBuilder shown = new StringBuilder();
        int at = 0;
        while (at < text.length()) {
            char next = text.charAt(at);
            if (next == '\'') {
                at = afterString(text, at + 1);
                shown.append('?');
            } else if (next == '$' && dollarQuote(text, at) > at) {
                int bodyFrom = dollarQuote(text, at);
                String tag = text.substring(at, bodyFrom);
                int end = text.indexOf(tag, bodyFrom);
                at = end < 0 ? text.length() : end + tag.length();
                shown.append('?');
            } else if (Character.isDigit(next) && !partOfName(shown)) {
                at++;
                while (at < text.length() && (Character.isLetterOrDigit(text.charAt(at)) || text.charAt(at) == '.')) {
                    at++;
                }
                shown.append('?');
            } else {
                shown.append(next);
                at++;
            }
        }
        return Texts.line(shown.toString().strip().replaceAll("\\s+", " "), LONGEST);
    }

    private static int afterString(String text, int from) {
        int at = from;
        while (at < text.length()) {
            char next = text.charAt(at++);
            if (next == '\\') {
                at++;
            } else if (next == '\'') {
                if (at >= text.length() || text.charAt(at) != '\'') {
                    return at;
                }
                at++;
            }
        }
        return text.length();
    }

    /** The end of the opening tag of a dollar quote that starts at {@code from}; {@code from} if none starts there. */
    private static int dollarQuote(String text, int from) {
        int at = from + 1;
        while (at < text.length() && (Character.isLetter(text.charAt(at)) || text.charAt(at) == '_')) {
            at++;
        }
        return at < text.length() && text.charAt(at) == '$' ? at + 1 : from;
    }

    private static boolean partOfName(StringBuilder before) {
        if (before.length() == 0) {
            return false;
        }
        char last = before.charAt(before.length() - 1);
        return Character.isLetterOrDigit(last) || last == '_' || last == '$' || last == '@';
    }
}
