// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.report;

import java.util.ArrayDeque;
import java.util.Deque;

/** Builds HTML and SVG: escapes all outside text, and closes what it opens. */
final class Markup {
    private static final char UNKNOWN = '\uFFFD';

    private final StringBuilder out = new StringBuilder();
    private final Deque<String> open = new ArrayDeque<>();

    /**
     * Opens an element.
     *
     * @param name the element
     * @param attributes names and values in turn
     */
    Markup open(String name, String... attributes) {
        tag(name, attributes);
        open.push(name);
        return this;
    }

    /** Closes the element that was opened last. */
    Markup close() {
        out.append("</").append(open.pop()).append('>');
        return this;
    }

    /** An element of HTML that has no content and no end, such as {@code meta}. */
    Markup single(String name, String... attributes) {
        tag(name, attributes);
        return this;
    }

    /** An element with nothing but text in it. */
    Markup leaf(String name, String text, String... attributes) {
        return open(name, attributes).text(text).close();
    }

    /** Text from anywhere. */
    Markup text(String text) {
        for (int at = 0; at < text.length(); at++) {
            char character = text.charAt(at);
            if (Character.isSurrogate(character) && !paired(text, at)) {
                // Half a character cannot be written.
                character = UNKNOWN;
            }
            escape(character);
        }
        return this;
    }

    /** The style sheet: text of this project that a browser takes as it is. */
    Markup style(String css) {
        if (css.contains("</")) {
            throw new IllegalArgumentException("a style sheet with an end tag in it");
        }
        out.append("<style>").append(css).append("</style>");
        return this;
    }

    /** A line feed, for those who read the source. */
    Markup line() {
        out.append('\n');
        return this;
    }

    /** All of it. Open elements stay open. */
    @Override
    public String toString() {
        return out.toString();
    }

    private void tag(String name, String... attributes) {
        out.append('<').append(name);
        for (int at = 0; at < attributes.length; at += 2) {
            out.append(' ').append(attributes[at]).append("=\"");
            text(attributes[at + 1]);
            out.append('"');
        }
        out.append('>');
    }

    private static boolean paired(String text, int at) {
        return Character.isHighSurrogate(text.charAt(at))
                ? at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1))
                : at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
    }

    private void escape(char character) {
        switch (character) {
            case '&' -> out.append("&amp;");
            case '<' -> out.append("&lt;");
            case '>' -> out.append("&gt;");
            case '"' -> out.append("&quot;");
            case '\'' -> out.append("&#39;");
            default -> {
                // No page may contain control characters.
                boolean shown = character >= ' ' || character == '\n' || character == '\t';
                out.append(shown ? character : UNKNOWN);
            }
        }
    }
}
