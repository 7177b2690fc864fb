// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session.internal.sql;

import org.jspecify.annotations.Nullable;

/** A call of a function that changes or reads session state. Collects the arguments token by token. For one thread. */
final class Call {
    /** The functions that change the session, or depend on its state. */
    enum Function {
        SET_CONFIG,
        LOCK,
        LOCK_SHARED,
        UNLOCK,
        UNLOCK_SHARED,
        UNLOCK_ALL,
        NEXT_VALUE,
        LAST_VALUE
    }

    private static final int ARGUMENTS = 3;

    final Function function;
    /** The nesting depth of the parentheses around the arguments. */
    final int depth;

    /**
     * For each argument: the value of a literal, empty for SQL's NULL; Java's null if the argument is more than one
     * literal.
     */
    private final @Nullable String[] literals = new @Nullable String[ARGUMENTS];

    private final StringBuilder text = new StringBuilder();
    private int endOfFirst = -1;
    private int argument;
    private int tokens;
    private boolean cast;
    private boolean afterWord;

    Call(Function function, int depth) {
        this.function = function;
        this.depth = depth;
    }

    /** Adds the current token, which is within the arguments. */
    void add(Tokens token) {
        boolean word = token.kind() == Tokens.Kind.WORD || token.kind() == Tokens.Kind.NUMBER;
        if (text.length() < Tokens.LONGEST) {
            if (word && afterWord) {
                text.append(' ');
            }
            append(token);
        }
        afterWord = word;
        if (argument < ARGUMENTS) {
            tokens++;
            cast |= tokens == 2 && token.is(':');
            if (tokens == 1 && token.kind() != Tokens.Kind.PARAMETER && token.kind() != Tokens.Kind.SYMBOL) {
                String value = token.is("null") ? "" : token.text();
                boolean unread = value.isEmpty() && token.size() > 0 && !token.is("null");
                literals[argument] = unread || isName(token) ? null : value;
            } else if (!cast) {
                literals[argument] = null;
            }
        }
    }

    /** Whether the token is a name, for example of a column: its value is not in the text. */
    private static boolean isName(Tokens token) {
        return token.kind() == Tokens.Kind.QUOTED
                || (token.kind() == Tokens.Kind.WORD && !token.is("true") && !token.is("false") && !token.is("null"));
    }

    private void append(Tokens token) {
        switch (token.kind()) {
            case STRING -> text.append('\'').append(token.text()).append('\'');
            case QUOTED -> text.append('"').append(token.text()).append('"');
            case VARIABLE -> text.append('@').append(token.text());
            case PARAMETER -> text.append('?');
            default -> text.append(token.text());
        }
    }

    /** A comma between the arguments. */
    void comma() {
        if (endOfFirst < 0) {
            endOfFirst = text.length();
        }
        text.append(text.length() < Tokens.LONGEST ? "," : "");
        argument++;
        tokens = 0;
        cast = false;
        afterWord = false;
    }

    @Nullable
    String literal(int index) {
        return literals[index];
    }

    /** {@return the arguments without spaces, shortened} */
    String arguments() {
        return text.toString();
    }

    String firstArgument() {
        return endOfFirst < 0 ? text.toString() : text.substring(0, endOfFirst);
    }
}
