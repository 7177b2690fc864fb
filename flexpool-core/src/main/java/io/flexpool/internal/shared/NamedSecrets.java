// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.shared;

/** Finds secrets that follow a name, in properties, JSON, SQL, HTTP headers and command lines. */
final class NamedSecrets extends SecretScan {
    /** Programs whose option {@code -p} is a password; for other programs it is a port, a path or a profile. */
    private static final String[] CLIENTS = {"mysql", "mariadb", "sshpass"};

    /** Prefixes of an {@code Authorization} value. */
    private static final String[] SCHEMES = {"bearer", "basic", "digest", "negotiate", "token"};

    private static final String[] BEARER = {"bearer"};

    private static final String[] PASSWORDS = {"pass", "password", "passwd", "passphrase", "passcode", "pwd"};

    /** Words before "key", by which a key is a secret: others are primary or foreign. By their first letter. */
    private static final String[] A_KEYS = {"access", "account", "api"};

    private static final String[] S_KEYS = {"secret", "shared", "signing", "subscription"};

    private static final String[] SIGNATURES = {"sig", "signature"};
    private static final String DASHES = "-----";
    /** The length of the longest type of a PEM text. */
    private static final int LONGEST_TYPE = 40;

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
            index = value == NONE ? index + 1 : hide(value, afterValue(value));
            if (value != NONE || isBlank(letter)) {
                word = index;
            }
        }
    }

    /** Returns the index of the value if a secret's name or option begins at this index. */
    private int valueAfter(char letter, int index) {
        return switch (letter) {
            case 'i' -> identifiedBy(after("identified", index));
            // The old password, after IDENTIFIED BY and the new password.
            case 'r' -> identifiedSeen && index == word ? beyondBlanks(after("replace", index)) : NONE;
            case 'b' -> beyondBlanks(after("bearer", index));
            case '-' -> {
                int key = privateKey(after("-----begin", index));
                yield key == NONE && clientSeen && index == word ? option(index) : key;
            }
            default -> {
                clientSeen |= (letter == 'm' || letter == 's') && beginsCommand(index);
                yield valueOf(index, afterName(letter, index));
            }
        };
    }

    private boolean beginsCommand(int index) {
        return (index == word || "/'\"[(".indexOf(text.charAt(index - 1)) >= 0) && after(CLIENTS, index) != NONE;
    }

    private int afterName(char letter, int index) {
        return switch (letter) {
            case 'p' -> Math.max(after(PASSWORDS, index), afterKey(after("private", index)));
            case 's' -> {
                int key = afterKey(after(S_KEYS, index));
                yield Math.max(key, Math.max(after("secret", index), signature(index)));
            }
            case 't' -> after("token", index);
            case 'c' -> Math.max(after("credential", index), after("credentials", index));
            case 'a' -> Math.max(afterKey(after(A_KEYS, index)), after("authorization", index));
            case 'e' -> afterKey(after("encryption", index));
            case 'm' -> afterKey(after("master", index));
            default -> NONE;
        };
    }

    /** {@code api_key}, {@code api-key}, {@code apiKey}. */
    private int afterKey(int key) {
        return key == NONE ? NONE : after("key", "_-. ".indexOf(at(key)) < 0 ? key : key + 1);
    }

    /** The signature of a URL, which grants access: {@code &sig=…}. */
    private int signature(int index) {
        int after = after(SIGNATURES, index);
        boolean named = after != NONE && at(after) == '=' && index > 0;
        return named && "?&-".indexOf(text.charAt(index - 1)) >= 0 ? after : NONE;
    }

    /** The text of a private key in PEM: {@code -----BEGIN RSA PRIVATE KEY-----…}. */
    private int privateKey(int type) {
        boolean found = false;
        for (int index = type; type != NONE && index < type + LONGEST_TYPE; index++) {
            found |= startsWith("private", index);
            if (at(index) == '-') {
                return found && startsWith(DASHES, index) ? index + DASHES.length() : NONE;
            }
        }
        return NONE;
    }

    /** The start of a name's value, if the text after the name shows a value. */
    private int valueOf(int name, int after) {
        if (after == NONE) {
            return NONE;
        }
        int close = after;
        while (at(close) == '\\') {
            close++;
        }
        boolean quoted = isQuote(at(close)) || at(close) == ']';
        int next = afterBlanks(quoted ? close + 1 : after);
        if (at(next) == '=' || at(next) == ':') {
            // Also := and =>.
            boolean two = at(next + 1) == '=' || at(next + 1) == '>';
            int value = afterBlanks(next + (two ? 2 : 1));
            // A scheme precedes the secret; elsewhere a word like "basic" may be the secret itself.
            return isWord(value, startsWith("authorization", name) ? SCHEMES : BEARER) ? nextWord(value) : value;
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
        if (isWord(next, "for")) {
            // SET PASSWORD FOR user = '…'
            int equal = nextWord(nextWord(next));
            return at(equal) == '=' ? afterBlanks(equal + 1) : NONE;
        }
        return NONE;
    }

    /** {@code IDENTIFIED BY x}, {@code IDENTIFIED BY VALUES 'x'}, {@code IDENTIFIED WITH plugin AS 'x'}. */
    private int identifiedBy(int index) {
        if (index == NONE) {
            return NONE;
        }
        int next = afterBlanks(index);
        boolean plugin = isWord(next, "with", "via");
        if (plugin) {
            next = nextWord(nextWord(next));
        }
        if (!isWord(next, "by") && !(plugin && isWord(next, "as", "using"))) {
            return NONE;
        }
        identifiedSeen = true;
        next = nextWord(next);
        if (isWord(next, "password", "values")) {
            next = nextWord(next);
        }
        return next < end ? next : NONE;
    }

    /** {@code -psecret}, {@code -p secret}; a longer option is found by its name. */
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

    /** Returns whether one of the words starts at the index and ends at a blank. */
    private boolean isWord(int index, String... words) {
        int after = after(words, index);
        return after != NONE && isBlank(at(after));
    }

    private int nextWord(int index) {
        return afterBlanks(afterWord(index));
    }

    private int beyondBlanks(int index) {
        int next = index == NONE ? NONE : afterBlanks(index);
        return next == index || next == end ? NONE : next;
    }

    private boolean isPrefixedQuote(int index) {
        // SQL's N'…', E'…', U'…', B'…'.
        return "enub".indexOf(lower(at(index))) >= 0 && isQuote(at(index + 1));
    }

    private int afterValue(int from) {
        if (from >= DASHES.length() && startsWith(DASHES, from - DASHES.length())) {
            int close = from;
            while (close < end && !startsWith(DASHES, close)) {
                close++;
            }
            return close;
        }
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
     * The index after the closing quote. In JSON nested in a string, quotes are escaped: the closing quote has as many
     * backslashes as the opening quote, inner quotes have more. In SQL a quote inside the value is doubled.
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

    /** Whether the next name or the text's end follows. Otherwise the comma or semicolon is part of the secret. */
    private boolean isSeparator(int index) {
        int next = index + 1;
        while (next < end && (Character.isLetterOrDigit(text.charAt(next)) || "_.-".indexOf(text.charAt(next)) >= 0)) {
            next++;
        }
        char after = at(next);
        return next > index + 1
                ? after == '=' || after == ':'
                : isBlank(after) || isQuote(after) || "()[]{}".indexOf(after) >= 0;
    }

    private int afterPlain(int from) {
        int index = from;
        while (index < end) {
            char letter = text.charAt(index);
            if (isBlank(letter) || letter == '&' || ((letter == ';' || letter == ',') && isSeparator(index))) {
                return index;
            }
            // PASSWORD('…') as a value.
            index = letter == '(' && isQuote(at(index + 1)) ? afterQuoted(index + 1, 0) : index + 1;
        }
        return end;
    }
}
