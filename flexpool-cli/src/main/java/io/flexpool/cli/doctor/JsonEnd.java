// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/** Completes a truncated JSON document, for example from a full disk or a copy from a terminal. */
final class JsonEnd {
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final int LONGEST_WORD = "false".length();

    private JsonEnd() {}

    /** The document. A truncated one is cut after its last complete object, and gets the closing brackets. */
    static String of(String text) {
        Deque<Character> open = new ArrayDeque<>();
        int complete = 0;
        String closing = "";
        try (JsonParser parser = FACTORY.createParser(text)) {
            for (JsonToken token; (token = parser.nextToken()) != null; ) {
                if (token.isStructStart()) {
                    open.push(token == JsonToken.START_OBJECT ? '}' : ']');
                } else if (token.isStructEnd()) {
                    open.pop();
                    complete = (int) parser.currentLocation().getCharOffset();
                    closing = closing(open);
                }
                if (open.isEmpty()) {
                    return text;
                }
            }
        } catch (JsonEOFException early) {
            return text.substring(0, complete) + closing;
        } catch (JsonParseException cut) {
            // A truncated word such as "tru" is an error at the end of the text.
            return cut.getLocation().getCharOffset() >= text.stripTrailing().length() - LONGEST_WORD
                    ? text.substring(0, complete) + closing
                    : text;
        } catch (IOException other) {
            return text;
        }
        return text;
    }

    private static String closing(Deque<Character> open) {
        StringBuilder all = new StringBuilder();
        open.forEach(all::append);
        return all.toString();
    }
}
