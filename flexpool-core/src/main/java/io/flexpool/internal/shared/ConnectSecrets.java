// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.shared;

/**
 * Secrets before an {@code @}: {@code //user:…@host} of a URL, {@code user/…@host} of Oracle. In doubt the last
 * {@code @} of a word ends the secret, because the secret may contain others.
 */
final class ConnectSecrets extends SecretScan {
    private final boolean cut;

    private int afterWord;
    /** The last {@code @} of the current word. */
    private int last = NONE;
    /** The start of a possible user name. */
    private int name;
    /** The start of a user after {@code thin:}. */
    private int thin = NONE;
    /** The next {@code :} or {@code @} after the scanned part; kept, so that nothing is scanned twice. */
    private int mark = NONE;

    /** Scans a text; {@code cut}: whether it may be truncated before the {@code @} of its last word. */
    ConnectSecrets(CharSequence text, boolean cut) {
        super(text);
        this.cut = cut;
    }

    @Override
    void scan() {
        int index = 0;
        while (index < end) {
            char letter = text.charAt(index);
            if (index >= afterWord) {
                beginWord(index, letter);
            }
            int after = letter == '/' ? hidden(index) : NONE;
            if (after != NONE) {
                index = after;
                name = after;
                continue;
            }
            if (!isLetter(letter) && "0123456789_$#.-".indexOf(letter) < 0) {
                name = index + 1;
            }
            if (letter == '/' || letter == '@') {
                thin = NONE;
            } else if (letter == ':' && index >= 4 && startsWith("thin", index - 4)) {
                thin = index + 1;
            }
            index++;
        }
    }

    private void beginWord(int index, char letter) {
        name = index;
        thin = NONE;
        afterWord = isBlank(letter) ? index + 1 : afterWord(index);
        if (cut && afterWord == end) {
            last = end;
            return;
        }
        last = afterWord - 1;
        while (last > index && text.charAt(last) != '@') {
            last--;
        }
    }

    /** Hides the secret that the slash leads to, and returns its end; {@link #NONE} without one. */
    private int hidden(int slash) {
        int user = user(slash);
        if (user != NONE && at(slash + 1) == '"') {
            int close = slash + 2;
            while (close < end && text.charAt(close) != '"') {
                close++;
            }
            if (at(close + 1) == '@' || (cut && close >= end - 1)) {
                return hide(user, Math.min(close + 1, end));
            }
        }
        if (last <= slash) {
            return NONE;
        }
        if (user != NONE && (user == thin || leadsToAt(slash))) {
            return hide(user, last);
        }
        return at(slash + 1) == '/' && leadsToColon(slash + 2) ? hide(slash + 2, last) : NONE;
    }

    /** The start of the user that ends at a slash: any text after {@code thin:}, elsewhere a name beginning a word. */
    private int user(int slash) {
        if (thin != NONE) {
            return thin < slash ? thin : NONE;
        }
        boolean begins = name < slash
                && isLetter(text.charAt(name))
                && (name == 0 || isBlank(text.charAt(name - 1)) || "\"'`([{<=:,;".indexOf(text.charAt(name - 1)) >= 0);
        return begins ? name : NONE;
    }

    /** Whether an at sign follows before the next slash, unlike in a path. */
    private boolean leadsToAt(int slash) {
        int index = slash + 1;
        while (index < last && text.charAt(index) != '/' && text.charAt(index) != '@') {
            index++;
        }
        return index > slash + 1 && (index == last || text.charAt(index) == '@');
    }

    private boolean leadsToColon(int from) {
        if (mark < from) {
            mark = from;
            while (mark < last && text.charAt(mark) != ':' && text.charAt(mark) != '@') {
                mark++;
            }
        }
        return mark < last && text.charAt(mark) == ':';
    }
}
