// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session.internal.sql;

import io.flexpool.session.internal.sql.Call.Function;
import io.flexpool.session.internal.sql.Effect.Kind;
import io.flexpool.session.internal.sql.TransactionStep.Control;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads one text and collects its steps, the changes of session and transaction; a subclass for each dialect reads the statements. The first keyword classifies
 * most statements; the others are searched for calls of functions. For one text and one thread.
 *
 * <p>Every method starts at the current token and does not read beyond the end of the statement, except
 * {@link #everything()}.
 */
abstract class StatementReader {
    /** Bounds the memory: a text with more steps is a script and counts as unknown. */
    static final int MAX_STEPS = 64;

    private static final int MAX_CALLS = 16;
    private static final int MAX_NESTED = 4;
    /** After these keywords {@code name(…)} is a table or an alias with columns, not a call. */
    private static final List<String> BEFORE_NAMES =
            List.of("into", "table", "as", "with", "recursive", "copy", "view", "exists", "references");

    final Tokens tokens;
    private final List<Step> steps = new ArrayList<>();
    private final boolean transactional;
    private boolean unknown;
    private int nested;
    /**
     * True while the first statement is read. The other statements run in the same transaction, so they may read its
     * sequence values.
     */
    private boolean first = true;

    private boolean readsSequence;
    private boolean takesValue;

    StatementReader(Tokens tokens, boolean transactional) {
        this.tokens = tokens;
        this.transactional = transactional;
    }

    /** Reads one statement from its first token. JDBC escapes are read before. */
    abstract void statement();

    /** {@return the function of this name that changes the session; null for all others} */
    abstract @Nullable Function function(String name);

    /** {@return whether this schema contains the server's functions} */
    abstract boolean isCatalog(String schema);

    abstract void called(Call call);

    /** Called for each token of an expression. */
    void inExpression(int depth) {}

    final Verdict verdict() {
        while (!tokens.ended()) {
            if (!tokens.skip(';')) {
                escapeOrStatement();
                rest();
                first = false;
            }
        }
        if (tokens.kind() == Tokens.Kind.BROKEN) {
            unknown = true;
        }
        boolean reads = readsSequence && !takesValue;
        return steps.isEmpty() && !unknown && !reads ? Verdict.HARMLESS : new Verdict(steps, unknown, reads);
    }

    /**
     * Reads a statement, or one of JDBC's escapes {@code {call p(…)}} and {@code {? = call f(…)}}: the driver turns the
     * first into a procedure call, the second into a query.
     */
    private void escapeOrStatement() {
        if (!tokens.skip('{')) {
            statement();
            return;
        }
        boolean returns = tokens.kind() == Tokens.Kind.PARAMETER;
        while (!atEnd() && !tokens.is("call")) {
            tokens.next();
        }
        int before = steps.size();
        expression(false);
        if (!returns && steps.size() == before) {
            unknown();
        }
    }

    final boolean atEnd() {
        return tokens.ended() || tokens.is(';');
    }

    final void unknown() {
        unknown = true;
    }

    /** Notes a call that takes the next value of a sequence, or reads the last value taken. */
    final void sequence(boolean takes) {
        takesValue |= takes;
        readsSequence |= !takes && first;
    }

    final void add(Step step) {
        if (steps.size() < MAX_STEPS) {
            steps.add(step);
        } else {
            unknown = true;
        }
    }

    final void sets(Kind kind, @Nullable String name) {
        add(new Effect(kind, name, true, transactional, false));
    }

    final void takes(Kind kind, @Nullable String name) {
        add(new Effect(kind, name, false, transactional, false));
    }

    final void transaction(Control control) {
        add(new TransactionStep(control, null));
    }

    /** Reads a statement within a statement. */
    final void inner() {
        if (++nested > MAX_NESTED) {
            unknown = true;
            rest();
        } else if (!atEnd()) {
            statement();
        }
    }

    /** Skips the rest of the statement: it does not change the session. */
    final void rest() {
        int depth = 0;
        while (!tokens.ended() && (depth > 0 || !tokens.is(';'))) {
            if (tokens.is('(')) {
                depth++;
            } else if (tokens.is(')')) {
                depth--;
            }
            tokens.next();
        }
    }

    /** Skips the rest of the text, which belongs to this statement. */
    final void everything() {
        while (!tokens.ended()) {
            tokens.next();
        }
    }

    /** {@return the name at the current token, without quotes; null if the token is no name or is too long} */
    final @Nullable String name() {
        return switch (tokens.kind()) {
            case WORD, QUOTED, STRING -> {
                String name = tokens.text();
                tokens.next();
                yield name.isEmpty() ? null : name;
            }
            default -> null;
        };
    }

    final void ifExists() {
        if (tokens.skip("if")) {
            tokens.skip("not");
            tokens.skip("exists");
        }
    }

    /** Reads an expression to the end of the statement, or to a comma outside parentheses. */
    final void expression(boolean toComma) {
        new Expression().read(toComma);
    }

    // Transactions, after the first keyword.

    final void savepoint() {
        add(new TransactionStep(Control.SAVEPOINT, name()));
    }

    final void release() {
        tokens.skip("savepoint");
        add(new TransactionStep(Control.RELEASE, name()));
    }

    final void commit() {
        work();
        if (!tokens.is("prepared")) {
            transaction(chains() ? Control.COMMIT_CHAIN : Control.COMMIT);
        }
    }

    final void rollback() {
        work();
        if (tokens.skip("to")) {
            tokens.skip("savepoint");
            add(new TransactionStep(Control.ROLLBACK_TO, name()));
        } else if (!tokens.is("prepared")) {
            transaction(chains() ? Control.ROLLBACK_CHAIN : Control.ROLLBACK);
        }
    }

    final void work() {
        if (!tokens.skip("work")) {
            tokens.skip("transaction");
        }
    }

    private boolean chains() {
        return tokens.skip("and") && tokens.is("chain");
    }

    /** Reads the name after PREPARE or DEALLOCATE. */
    final void prepared(boolean sets) {
        add(new Effect(Kind.PREPARED, name(), sets, false, false));
    }

    /** Finds the calls of functions in an expression. */
    private final class Expression {
        private final Call[] calls = new Call[MAX_CALLS];
        private int open;
        private int depth;
        /** The function that the last token names: called if a parenthesis follows. */
        private @Nullable Function candidate;

        /** True after DISTINCT. An expression follows the parentheses of DISTINCT ON, not an alias. */
        private boolean distinct;

        private boolean distinctOn;
        /** The depth of the parentheses of DISTINCT ON; 0 outside. */
        private int distinctDepth;
        /** Whether the last token is a quoted name with unresolved escapes. */
        private boolean unreadable;

        private boolean afterName;
        private boolean afterCatalog;
        private boolean afterDot;
        private boolean afterOtherSchema;
        /** Whether the next name is that of a table or an alias, so no call. */
        private boolean named;

        void read(boolean toComma) {
            while (!tokens.ended() && !(tokens.is(';') && depth <= 0)) {
                if (toComma && depth == 0 && tokens.is(',')) {
                    break;
                }
                inExpression(depth);
                token();
                tokens.next();
            }
            if (depth != 0 || open != 0) {
                unknown = true;
            }
        }

        private void token() {
            switch (tokens.kind()) {
                case WORD, QUOTED -> name();
                case SYMBOL -> symbol();
                default -> other(false);
            }
        }

        private void name() {
            argument();
            boolean other = afterDot && !afterCatalog;
            // Most names are no such function; a long one is not even extracted.
            String name = tokens.size() > 32 ? "" : tokens.text();
            candidate = named || other ? null : function(name);
            unreadable = !named
                    && tokens.kind() == Tokens.Kind.QUOTED
                    && tokens.text().isEmpty();
            distinctOn = distinct && tokens.is("on");
            distinct = tokens.is("distinct");
            afterCatalog = !afterDot && isCatalog(name);
            if (!afterDot) {
                named = tokens.kind() == Tokens.Kind.WORD && BEFORE_NAMES.contains(name);
            }
            afterOtherSchema = other;
            afterName = true;
            afterDot = false;
        }

        private void symbol() {
            if (tokens.is('(')) {
                argument();
                depth++;
                if (candidate != null) {
                    opens(candidate);
                }
                unknown |= unreadable;
                distinctDepth = distinctOn ? depth : distinctDepth;
                other(false);
            } else if (tokens.is(')')) {
                boolean ofDistinct = depth == distinctDepth;
                distinctDepth = ofDistinct ? 0 : distinctDepth;
                closes();
                other(!ofDistinct);
            } else if (tokens.is('.') && afterName && !afterOtherSchema) {
                argument();
                candidate = null;
                afterDot = true;
                afterName = false;
            } else {
                comma();
                other(false);
            }
        }

        private void opens(Function function) {
            if (open == MAX_CALLS) {
                unknown = true;
            } else {
                calls[open++] = new Call(function, depth);
            }
        }

        private void closes() {
            if (open > 0 && calls[open - 1].depth == depth) {
                called(calls[--open]);
            }
            depth--;
            argument();
            if (depth < 0) {
                unknown = true;
                depth = 0;
            }
        }

        private void comma() {
            if (tokens.is(',') && open > 0 && calls[open - 1].depth == depth) {
                calls[open - 1].comma();
            } else {
                argument();
            }
        }

        /** Adds the token to the arguments of all open calls. */
        private void argument() {
            for (int i = 0; i < open; i++) {
                calls[i].add(tokens);
            }
        }

        private void other(boolean alias) {
            if (tokens.kind() != Tokens.Kind.SYMBOL) {
                argument();
            }
            candidate = null;
            unreadable = false;
            distinctOn = false;
            afterName = false;
            afterCatalog = false;
            afterDot = false;
            afterOtherSchema = false;
            named = alias;
        }
    }
}
