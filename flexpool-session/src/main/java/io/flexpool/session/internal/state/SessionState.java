// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session.internal.state;

import io.flexpool.session.internal.sql.Effect;
import io.flexpool.session.internal.sql.Effect.Kind;
import io.flexpool.session.internal.sql.Step;
import io.flexpool.session.internal.sql.TransactionStep;
import io.flexpool.session.internal.sql.TransactionStep.Control;
import io.flexpool.session.internal.sql.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The state that the statements of a lease leave in one session, from their verdicts and the ends of their
 * transactions. No JDBC. For one thread at a time.
 *
 * <p>A transaction and each of its savepoints keep the state of their start, which a rollback restores. State that no
 * rollback undoes, such as an advisory lock of the session, is also added to these saved states. A failed statement has
 * no effect, except advisory locks and user variables that it may have set before it failed.
 *
 * <p>Maps are immutable, so that the start of a transaction needs no copy. They have at most {@value #MAX_ENTRIES}
 * entries, and one per kind for all further ones.
 */
public final class SessionState {
    static final int MAX_ENTRIES = 128;
    private static final int MAX_SAVEPOINTS = 128;

    /** The identity of a state: a kind, with or without a name. */
    private record Key(Kind kind, @Nullable String name) {}

    /** An effect and how often it was set: an advisory lock must be released as often as it was taken. */
    private record Counted(Effect effect, int times) {}

    /** A savepoint and the state when it was set. */
    private record Savepoint(@Nullable Object name, Map<Key, Counted> before) {}

    /**
     * A transaction.
     *
     * @param before the state at its start
     * @param bySql whether SQL has begun the transaction: then it continues in auto-commit mode
     * @param aborted whether the transaction can only be rolled back
     */
    private record Transaction(Map<Key, Counted> before, List<Savepoint> savepoints, boolean bySql, boolean aborted) {
        Transaction with(boolean nowAborted) {
            return new Transaction(before, savepoints, bySql, nowAborted);
        }

        /** The innermost savepoint of a name, or -1. */
        int find(@Nullable Object name) {
            for (int i = savepoints.size() - 1; i >= 0; i--) {
                if (Objects.equals(savepoints.get(i).name(), name)) {
                    return i;
                }
            }
            return -1;
        }

        Transaction first(int count) {
            return new Transaction(before, List.copyOf(savepoints.subList(0, count)), bySql, false);
        }

        /** Adds an effect to the start states too: a rollback does not undo it. */
        Transaction applied(Effect effect) {
            return new Transaction(
                    SessionState.applied(before, effect),
                    savepoints.stream()
                            .map(savepoint ->
                                    new Savepoint(savepoint.name(), SessionState.applied(savepoint.before(), effect)))
                            .toList(),
                    bySql,
                    aborted);
        }
    }

    private final boolean failureAborts;

    private Map<Key, Counted> now = Map.of();
    private @Nullable Transaction transaction;
    /** The state that ends with the open transaction. */
    private Map<Key, Counted> untilEnd = Map.of();

    private boolean unknown;

    /** The verdict on the last statement, with the state before it. */
    private Verdict last = Verdict.HARMLESS;

    private Map<Key, Counted> lastNow = Map.of();
    private @Nullable Transaction lastTransaction;

    /** The state of a session of PostgreSQL, or of a server where no rollback undoes session state. */
    public SessionState() {
        this(true);
    }

    /**
     * The empty state of a session.
     *
     * @param failureAborts whether a failed statement aborts its transaction: in PostgreSQL, unless the driver sets
     *     savepoints itself ({@code autosave})
     */
    public SessionState(boolean failureAborts) {
        this.failureAborts = failureAborts;
    }

    /**
     * Applies an executed statement. If it fails, call {@link #failed()} next.
     *
     * @param verdict the verdict on its text
     * @param autoCommit JDBC's auto-commit mode: if false, the driver begins transactions
     */
    public void ran(Verdict verdict, boolean autoCommit) {
        Transaction open = transaction;
        if (autoCommit && open != null && !open.bySql()) {
            committed(); // setAutoCommit(true) commits.
        } else if (!autoCommit && (open == null || open.bySql())) {
            // From here JDBC ends the transaction, even if SQL has begun it.
            transaction = open == null
                    ? begun(false)
                    : new Transaction(open.before(), open.savepoints(), false, open.aborted());
        }
        last = verdict;
        lastNow = now;
        lastTransaction = transaction;
        if (!verdict.harmless()) {
            unknown |= verdict.unknown();
            for (Step step : verdict.steps()) {
                if (step instanceof Effect effect) {
                    apply(effect);
                } else {
                    control((TransactionStep) step);
                }
            }
        }
    }

    /**
     * Undoes the last statement's effects, because it has failed. For several statements with transaction control it is
     * unknown which one failed: then all count as executed, and {@link #unknown()} is true.
     */
    public void failed() {
        Verdict failed = last;
        last = Verdict.HARMLESS;
        Transaction found = lastTransaction;
        boolean aborted = found != null && found.aborted();
        if (failed.controlsTransactions() && failed.steps().size() > 1 && !aborted) {
            unknown = true;
            return;
        }
        now = lastNow;
        transaction = found;
        if (found != null && failureAborts) {
            transaction = found.with(true);
        }
        if (failed.controlsTransactions() && isCommit(failed.steps().get(0))) {
            end(false);
        }
        if (!aborted) {
            for (Step step : failed.steps()) {
                if (step instanceof Effect effect && mayHaveHappened(effect, failed)) {
                    applyAll(effect);
                }
            }
        }
    }

    /** Marks the open transaction as aborted: the server accepts only a rollback, whole or to a savepoint. */
    public void transactionFailed() {
        Transaction open = transaction;
        transaction = open == null ? null : open.with(true);
    }

    private static boolean isCommit(Step step) {
        return step instanceof TransactionStep control
                && (control.control() == Control.COMMIT || control.control() == Control.COMMIT_CHAIN);
    }

    private static boolean mayHaveHappened(Effect effect, Verdict failed) {
        return effect.sets()
                && !effect.undone()
                && (failed.steps().size() > 1
                        || effect.kind() == Kind.ADVISORY_LOCK
                        || effect.kind() == Kind.USER_VARIABLE);
    }

    /** JDBC has committed the transaction. */
    public void committed() {
        end(true);
    }

    /** JDBC or the pool has rolled the transaction back. */
    public void rolledBack() {
        end(false);
    }

    /**
     * JDBC has set a savepoint.
     *
     * @param savepoint the driver's object
     */
    public void savepoint(Object savepoint) {
        if (transaction == null) {
            transaction = begun(false);
        }
        set(savepoint);
    }

    /**
     * JDBC has rolled back to a savepoint, which remains set.
     *
     * @param savepoint the driver's object, as passed to {@link #savepoint}
     */
    public void rolledBackTo(Object savepoint) {
        rollBackTo(savepoint);
    }

    /**
     * The state left if the lease ends now, and the pool rolls back an open transaction of JDBC.
     *
     * @return the effects in the order in which they were set
     */
    public List<Effect> left() {
        return left(true);
    }

    /**
     * The state left if the lease ends now. Pools do not end a transaction that SQL has begun in auto-commit mode. A
     * transaction that stays open leaves all state, including the state that its end would remove or restore.
     *
     * @param rolledBack whether the pool rolls back an open transaction of JDBC
     * @return the effects in the order in which they were set
     */
    public List<Effect> left(boolean rolledBack) {
        Transaction open = transaction;
        if (open == null) {
            return effects(now);
        }
        if (open.aborted() || (rolledBack && !open.bySql())) {
            return effects(open.before());
        }
        Map<Key, Counted> all = new LinkedHashMap<>(open.before());
        all.putAll(now);
        all.putAll(untilEnd);
        return effects(all);
    }

    /**
     * The state that has outlived the transaction that set it.
     *
     * @return the state while no transaction is open; empty while one is open
     */
    public List<Effect> outlives() {
        return transaction == null ? effects(now) : List.of();
    }

    /**
     * The state that the end of the open transaction can neither remove nor restore.
     *
     * @return the whole state while no transaction is open; otherwise the part that no rollback undoes
     */
    public List<Effect> lasting() {
        return transaction == null
                ? effects(now)
                : effects(now).stream().filter(effect -> !effect.undone()).toList();
    }

    /**
     * Removes state that the server does not have.
     *
     * @param absent whether a state is to be removed; in an open transaction only {@link #lasting} state
     */
    public void remove(Predicate<Effect> absent) {
        now = without(now, absent);
        Transaction open = transaction;
        if (open != null) {
            transaction = new Transaction(
                    without(open.before(), absent),
                    open.savepoints().stream()
                            .map(savepoint -> new Savepoint(savepoint.name(), without(savepoint.before(), absent)))
                            .toList(),
                    open.bySql(),
                    open.aborted());
        }
    }

    private static Map<Key, Counted> without(Map<Key, Counted> state, Predicate<Effect> absent) {
        Map<Key, Counted> kept = new LinkedHashMap<>(state);
        kept.values().removeIf(held -> absent.test(held.effect()));
        return kept;
    }

    /** {@return whether a transaction is open, as far as statements show} */
    public boolean inTransaction() {
        return transaction != null;
    }

    private static List<Effect> effects(Map<Key, Counted> state) {
        return state.isEmpty()
                ? List.of()
                : state.values().stream().map(Counted::effect).toList();
    }

    /** {@return whether a statement with unknown effects ran: then more state may be left} */
    public boolean unknown() {
        return unknown;
    }

    private void control(TransactionStep step) {
        switch (step.control()) {
            case BEGIN -> {
                if (transaction == null) {
                    transaction = begun(true);
                }
            }
            case COMMIT -> end(true);
            case ROLLBACK -> end(false);
            case COMMIT_CHAIN -> chain(true);
            case ROLLBACK_CHAIN -> chain(false);
            case SAVEPOINT -> set(step.savepoint());
            case ROLLBACK_TO -> rollBackTo(step.savepoint());
            case RELEASE -> release(step.savepoint());
        }
    }

    private Transaction begun(boolean bySql) {
        return new Transaction(now, List.of(), bySql, false);
    }

    private void end(boolean commits) {
        Transaction open = transaction;
        if (open != null && (!commits || open.aborted())) {
            now = open.before();
        }
        transaction = null;
        untilEnd = Map.of();
    }

    private void chain(boolean commits) {
        Transaction open = transaction;
        end(commits);
        transaction = begun(open == null || open.bySql());
    }

    private void set(@Nullable Object name) {
        Transaction open = transaction;
        if (open == null || open.aborted()) {
            return;
        }
        if (open.savepoints().size() >= MAX_SAVEPOINTS) {
            unknown = true; // A rollback to it is ignored: rather too much state.
            return;
        }
        List<Savepoint> more = new ArrayList<>(open.savepoints());
        more.add(new Savepoint(name, now));
        transaction = new Transaction(open.before(), more, open.bySql(), false);
    }

    private void rollBackTo(@Nullable Object name) {
        Transaction open = transaction;
        int found = open == null ? -1 : open.find(name);
        if (open != null && found >= 0) {
            now = open.savepoints().get(found).before();
            transaction = open.first(found + 1);
        }
    }

    private void release(@Nullable Object name) {
        Transaction open = transaction;
        int found = open == null || open.aborted() ? -1 : open.find(name);
        if (open != null && found >= 0) {
            transaction = open.first(found);
        }
    }

    private void apply(Effect effect) {
        Transaction open = transaction;
        if (open == null ? effect.untilEnd() : open.aborted()) {
            return;
        }
        if (!effect.untilEnd()) {
            applyAll(effect);
        } else if (effect.sets()) {
            untilEnd = set(untilEnd, effect);
        }
    }

    private void applyAll(Effect effect) {
        if (effect.kind() == Kind.SESSION_AUTHORIZATION) {
            // SET or RESET SESSION AUTHORIZATION also resets the role.
            applyAll(new Effect(Kind.ROLE, null, false, effect.undone(), false));
        }
        now = applied(now, effect);
        Transaction open = transaction;
        if (open != null && !effect.undone()) {
            transaction = open.applied(effect);
        }
    }

    private static Map<Key, Counted> applied(Map<Key, Counted> state, Effect effect) {
        return effect.sets() ? set(state, effect) : taken(state, effect);
    }

    private static Map<Key, Counted> set(Map<Key, Counted> state, Effect effect) {
        Effect kept = effect;
        Key key = new Key(effect.kind(), effect.name());
        if (state.size() >= MAX_ENTRIES && !state.containsKey(key)) {
            kept = new Effect(effect.kind(), null, true, effect.undone(), false);
            key = new Key(effect.kind(), null);
        }
        Counted counted = state.get(key);
        if (counted != null && effect.kind() != Kind.ADVISORY_LOCK) {
            return state;
        }
        Map<Key, Counted> changed = new LinkedHashMap<>(state);
        changed.put(key, new Counted(kept, counted == null ? 1 : counted.times() + 1));
        return changed;
    }

    private static Map<Key, Counted> taken(Map<Key, Counted> state, Effect effect) {
        Map<Key, Counted> changed = new LinkedHashMap<>();
        state.forEach((key, counted) -> {
            if (!effect.takes(key.kind(), key.name())) {
                changed.put(key, counted);
            } else if (effect.name() != null && counted.times() > 1) {
                changed.put(key, new Counted(counted.effect(), counted.times() - 1));
            }
        });
        return changed;
    }
}
