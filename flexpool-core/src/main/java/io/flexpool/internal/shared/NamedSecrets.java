// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.shared;

/** Secrets after a name, in properties, JSON, SQL, HTTP headers and command lines. */
final class NamedSecrets extends SecretScan {
    /** Programs whose option {@code -p} is a password; for others it is a port, a path, a profile. */
    private static final String[] CLIENTS = {"mysql", "mariadb", "sshpass"};

    /** Prefixes of an {@code Authorization} value. */
    private static final String[] SCHEMES = {"bearer", "basic", "digest", "negotiate", "token"};

    private static final String[] BEARER = {"bearer"};

    private static final int NONE = -1;

    /** The start of the current word. */
    private int word;

    private boolean clientSeen;
    private boolean identifiedSeen;

    NamedSecrets(CharSequence text) {
        super(text);
    }

    @Override
    void scan() {
        int index = 0;
        while (index < end) {
            char letter = lower(text.charAt(index));
            int value = valueAfter(letter, index);
            if (value != NONE) {
                index = afterValue(value);
                hide(value, index);
                word = index;
            } else {
                index++;
                if (isBlank(letter)) {
                    word = index;
                }
            }
        }
    }

    /** The start of a value, if its name or its option begins here. */
    private int valueAfter(char letter, int index) {
        return switch (letter) {
            case 'i' -> startsWith("identified", index) ? identifiedBy(index + "identified".length()) : NONE;
            case 'r' -> replaced(index);
            case 'b' -> isWord("bearer", index) ? beyondBlanks(index + "bearer".length()) : NONE;
            case '-' -> clientSeen && index == word ? option(index) : NONE;
            case 'm' -> {
                clientSeen |= beginsCommand(index);
                yield NONE;
            }
            default -> {
                clientSeen |= letter == 's' && beginsCommand(index);
                int name = afterName(letter, index);
                yield name == NONE ? NONE : valueOf(index, name);
            }
        };
    }

    /** The old password, after {@code IDENTIFIED BY} and the new one. */
    private int replaced(int index) {
        return identifiedSeen && index == word && isWord("replace", index)
                ? beyondBlanks(index + "replace".length())
                : NONE;
    }

    private boolean beginsCommand(int index) {
        if (index != word && "/'\"[(".indexOf(text.charAt(index - 1)) < 0) {
            return false;
        }
        for (String client : CLIENTS) {
            if (startsWith(client, index)) {
                return true;
            }
        }
        return false;
    }

    private int afterName(char letter, int index) {
        return switch (letter) {
            case 'p' -> afterPass(index);
            case 's' -> startsWith("secret", index) ? afterKeyIfAny(index + "secret".length()) : NONE;
            case 't' -> startsWith("token", index) ? index + "token".length() : NONE;
            case 'c' -> startsWith("credential", index) ? afterIfAny("s", index + "credential".length()) : NONE;
            case 'a' -> {
                int key = afterKey("api", index);
                if (key == NONE) {
                    key = afterKey("access", index);
                }
                yield key != NONE || !startsWith("authorization", index) ? key : index + "authorization".length();
            }
            default -> NONE;
        };
    }

    private int afterPass(int index) {
        if (!startsWith("pass", index)) {
            return startsWith("pwd", index) ? index + "pwd".length() : afterKey("private", index);
        }
        int stem = index + "pass".length();
        for (String rest : new String[] {"word", "wd", "phrase"}) {
            if (startsWith(rest, stem)) {
                return stem + rest.length();
            }
        }
        return stem;
    }

    /** {@code api_key}, {@code api-key}, {@code apiKey}. */
    private int afterKey(String kind, int index) {
        if (!startsWith(kind, index)) {
            return NONE;
        }
        int key = index + kind.length();
        int after = afterKeyIfAny(key);
        return after == key ? NONE : after;
    }

    private int afterKeyIfAny(int index) {
        int key = "_-. ".indexOf(at(index)) < 0 ? index : index + 1;
        return startsWith("key", key) ? key + "key".length() : index;
    }

    private int afterIfAny(String letters, int index) {
        return startsWith(letters, index) ? index + letters.length() : index;
    }

    /** The start of a name's value, if the text after the name shows that there is one. */
    private int valueOf(int name, int after) {
        int close = after;
        while (at(close) == '\\') {
            close++;
        }
        boolean quoted = isQuote(at(close)) || at(close) == ']';
        int next = afterBlanks(quoted ? close + 1 : after);
        if (at(next) == '=' || at(next) == ':') {
            return afterScheme(name, afterBlanks(afterSeparator(next)));
        }
        if (quoted) {
            return NONE;
        }
        if (at(next) == '(' && isQuote(at(next + 1))) {
            return next + 1;
        }
        return next == after || next == end ? NONE : valueAfterBlank(name, next);
    }

    private int valueAfterBlank(int name, int next) {
        if (lower(at(name)) == 'p' && (isQuote(at(next)) || isPrefixedQuote(next))) {
            return next;
        }
        if (at(word) == '-') {
            return at(next) == '-' ? NONE : next;
        }
        if (isWord("for", next)) {
            // SET PASSWORD FOR user = '…'
            int equal = afterBlanks(afterWord(afterBlanks(next + "for".length())));
            return at(equal) == '=' ? afterBlanks(equal + 1) : NONE;
        }
        return NONE;
    }

    /** The index after {@code =}, {@code :}, {@code :=} or {@code =>}. */
    private int afterSeparator(int index) {
        char second = at(index + 1);
        return second == '=' || second == '>' ? index + 2 : index + 1;
    }

    private int afterScheme(int name, int value) {
        // Elsewhere a word like "basic" may be the secret itself.
        for (String scheme : startsWith("authorization", name) ? SCHEMES : BEARER) {
            if (isWord(scheme, value)) {
                return afterBlanks(value + scheme.length());
            }
        }
        return value;
    }

    /** {@code IDENTIFIED BY x}, {@code IDENTIFIED BY VALUES 'x'}, {@code IDENTIFIED WITH plugin AS 'x'}. */
    private int identifiedBy(int index) {
        int next = afterBlanks(index);
        if (isWord("with", next) || isWord("via", next)) {
            int plugin = afterBlanks(afterWord(next));
            next = afterBlanks(afterWord(plugin));
            if (!isWord("by", next) && !isWord("as", next) && !isWord("using", next)) {
                return NONE;
            }
        } else if (!isWord("by", next)) {
            return NONE;
        }
        identifiedSeen = true;
        next = afterBlanks(afterWord(next));
        if (isWord("password", next) || isWord("values", next)) {
            next = afterBlanks(afterWord(next));
        }
        return next < end ? next : NONE;
    }

    /** {@code -psecret}, {@code -p secret}; a longer option has a name that is found by itself. */
    private int option(int index) {
        if (at(index + 1) != 'p' || afterName('p', index + 1) != NONE) {
            return NONE;
        }
        int attached = index + 2;
        if (!isBlank(at(attached))) {
            return attached;
        }
        int next = beyondBlanks(attached);
        return next == NONE || at(next) == '-' ? NONE : next;
    }

    private boolean isWord(String letters, int index) {
        return startsWith(letters, index) && isBlank(at(index + letters.length()));
    }

    private int beyondBlanks(int index) {
        int next = afterBlanks(index);
        return next == index || next == end ? NONE : next;
    }

    private boolean isPrefixedQuote(int index) {
        // SQL's N'…', E'…', U'…', B'…'.
        return "enub".indexOf(lower(at(index))) >= 0 && isQuote(at(index + 1));
    }

    private int afterValue(int from) {
        int quote = isPrefixedQuote(from) ? from + 1 : from;
        int slashes = 0;
        while (at(quote + slashes) == '\\') {
            slashes++;
        }
        if (isQuote(at(quote + slashes))) {
            return afterQuoted(quote + slashes, slashes);
        }
        return at(from) == '{' ? afterBraces(from) : afterPlain(from);
    }

    /**
     * The index after the closing quote. Within a string of JSON that is itself within a string the quotes have
     * backslashes, and a closing one has as many as the opening one; a quote within has more. In SQL a quote within
     * stands twice.
     */
    private int afterQuoted(int open, int slashes) {
        char quote = text.charAt(open);
        int before = 0;
        for (int index = open + 1; index < end; index++) {
            char letter = text.charAt(index);
            if (letter == '\\') {
                before++;
                continue;
            }
            if (letter == quote && before % (2 * slashes + 2) == slashes) {
                if (slashes > 0 || at(index + 1) != quote) {
                    return index + 1;
                }
                index++;
            }
            before = 0;
        }
        return end;
    }

    /** ODBC's {@code {a }} b}}, where a brace within stands twice; or an object of JSON. */
    private int afterBraces(int open) {
        int depth = 0;
        for (int index = open; index < end; index++) {
            char letter = text.charAt(index);
            if (letter == '{') {
                depth++;
            } else if (letter == '}' && depth == 1 && at(index + 1) == '}') {
                index++;
            } else if (letter == '}' && --depth == 0) {
                return index + 1;
            }
        }
        return end;
    }

    private int afterPlain(int from) {
        int index = from;
        while (index < end) {
            char letter = text.charAt(index);
            if (isBlank(letter) || letter == '&' || letter == ';' || letter == ',') {
                return index;
            }
            // PASSWORD('…') as a value.
            index = letter == '(' && isQuote(at(index + 1)) ? afterQuoted(index + 1, 0) : index + 1;
        }
        return end;
    }
}
