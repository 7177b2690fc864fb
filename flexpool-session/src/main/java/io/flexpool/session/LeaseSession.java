// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import io.flexpool.adapter.PoolAdapter.SessionProperty;
import io.flexpool.session.LeftLog.Origin;
import io.flexpool.session.internal.sql.Effect;
import io.flexpool.session.internal.sql.Step;
import io.flexpool.session.internal.sql.Verdict;
import io.flexpool.session.internal.state.SessionState;
import io.flexpool.spi.Texts;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The changes that one lease has made to its session, with call sites. Created at the first statement or call that may
 * leave state. Thread-safe: an application may use a connection on several threads, one after another.
 */
final class LeaseSession {
    /** The maximum number of origins of one lease. */
    private static final int MOST_ORIGINS = 64;

    private final ReentrantLock lock = new ReentrantLock();
    private final SessionState state = new SessionState();
    private final ChangedProperties properties = new ChangedProperties();
    private final Map<SessionProperty, Origin> changes = new EnumMap<>(SessionProperty.class);
    private final Map<Place, Origin> origins = new HashMap<>();
    /** The state that has outlived the transaction that set it. */
    private final Set<Place> outlived = new LinkedHashSet<>();

    private final Set<Savepoint> savepoints = Collections.newSetFromMap(new IdentityHashMap<>());

    /** The state that the last statement has added, and that no open transaction can undo. */
    private List<Effect> added = List.of();
    /** The state of statements that may have failed. */
    private final Set<Effect> doubted = new LinkedHashSet<>();

    private @Nullable String usedDatabase;
    /** The last statement with unknown effects; null without one. */
    private @Nullable Origin unknown;

    private record Place(Effect.Kind kind, @Nullable String name) {}

    /**
     * The state left by a lease, with its origins.
     *
     * @param effects the state set by statements
     * @param properties the properties changed by JDBC's methods
     * @param origins the origin of each state
     */
    record Left(List<Effect> effects, List<SessionProperty> properties, List<Origin> origins) {
        boolean isEmpty() {
            return effects.isEmpty() && properties.isEmpty();
        }
    }

    /**
     * A statement is about to be executed.
     *
     * @throws SQLException if a call of the connection fails
     */
    void ran(Connection connection, Verdict verdict, String sql, Supplier<@Nullable String> callSite)
            throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        if (uses(verdict)) {
            use(connection);
        }
        locked(() -> {
            Origin origin = null;
            for (Step step : verdict.steps()) {
                if (step instanceof Effect effect && effect.sets() && origins.size() < MOST_ORIGINS) {
                    if (origin == null) {
                        origin = new Origin("", null, StatementText.shown(sql), callSite.get());
                    }
                    origins.put(
                            new Place(effect.kind(), effect.name()),
                            origin.of(Texts.word(effect.kind()), effect.name()));
                }
            }
            if (verdict.unknown()) {
                unknown = new Origin("", null, StatementText.shown(sql), callSite.get());
            }
            List<Effect> before = state.lasting();
            state.ran(verdict, autoCommit);
            added = state.lasting().stream()
                    .filter(effect -> !before.contains(effect))
                    .toList();
            outlives(state.outlives());
        });
    }

    /**
     * A statement has failed, and has aborted no transaction. Whether it was the last one with state is unknown: the
     * connection passes it on without its text, and harmless ones are not reported.
     */
    void failed() {
        locked(() -> {
            doubted.addAll(added);
            added = List.of();
        });
    }

    /** {@return the state whose statement may have failed, and that no open transaction can undo} */
    List<Effect> doubted() {
        lock.lock();
        try {
            return state.lasting().stream().filter(doubted::contains).toList();
        } finally {
            lock.unlock();
        }
    }

    /** Removes the state of a statement that has failed. */
    void remove(List<Effect> absent) {
        locked(() -> {
            List<Effect> held = state.outlives();
            state.remove(absent::contains);
            for (Effect effect : absent) {
                if (held.contains(effect)) {
                    outlived.remove(new Place(effect.kind(), effect.name()));
                }
            }
        });
    }

    private static boolean uses(Verdict verdict) {
        for (Step step : verdict.steps()) {
            if (step instanceof Effect effect && effect.kind() == Effect.Kind.DATABASE) {
                return true;
            }
        }
        return false;
    }

    /** Depending on the driver's options, the catalog or the schema is the database. */
    private void use(Connection connection) throws SQLException {
        lock.lock();
        try {
            if (usedDatabase == null) {
                Object schema = properties.before(connection, SessionProperty.SCHEMA);
                Object database = schema == null ? properties.before(connection, SessionProperty.CATALOG) : schema;
                usedDatabase = database == null ? null : database.toString();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The database before the lease's first {@code USE}; null without one, or if unknown. */
    @Nullable
    String usedDatabase() {
        lock.lock();
        try {
            return usedDatabase;
        } finally {
            lock.unlock();
        }
    }

    /**
     * A property is about to be changed.
     *
     * @throws SQLException if its value cannot be read
     */
    void changing(Connection connection, SessionProperty property, Supplier<@Nullable String> callSite)
            throws SQLException {
        lock.lock();
        try {
            properties.changing(connection, property);
            changes.put(property, new Origin(Texts.word(property), null, StateKind.setter(property), callSite.get()));
        } finally {
            lock.unlock();
        }
    }

    void committed() {
        locked(() -> {
            state.committed();
            outlives(state.outlives());
        });
    }

    /** A failed statement has aborted the open transaction, which can only be rolled back. */
    void transactionFailed() {
        locked(state::transactionFailed);
    }

    /** Adds effects that outlive their transaction, up to the maximum number. */
    private void outlives(List<Effect> effects) {
        for (Effect effect : effects) {
            if (outlived.size() < MOST_ORIGINS && TransactionPooling.needsSession(effect)) {
                outlived.add(new Place(effect.kind(), effect.name()));
            }
        }
    }

    /** {@return whether a transaction begun by statements is open} */
    boolean inTransaction() {
        lock.lock();
        try {
            return state.inTransaction();
        } finally {
            lock.unlock();
        }
    }

    /** The state that has outlived its transaction, at the end of the lease. */
    List<Origin> outlived() {
        lock.lock();
        try {
            outlives(state.left());
            return outlived.stream().map(this::origin).toList();
        } finally {
            lock.unlock();
        }
    }

    /** The origins of effects. */
    List<Origin> origins(List<Effect> effects) {
        lock.lock();
        try {
            return effects.stream()
                    .map(effect -> origin(new Place(effect.kind(), effect.name())))
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    private Origin origin(Place place) {
        Origin known = origins.get(place);
        return known == null ? new Origin(Texts.word(place.kind()), place.name(), "unknown", null) : known;
    }

    void savepoint(Savepoint savepoint) {
        locked(() -> {
            savepoints.add(savepoint);
            state.savepoint(savepoint);
        });
    }

    void rolledBack(@Nullable Savepoint to) {
        locked(() -> {
            if (to == null || !savepoints.contains(to)) {
                // An unknown savepoint was set before all known savepoints.
                state.rolledBack();
                outlives(state.outlives());
            } else {
                state.rolledBackTo(to);
            }
        });
    }

    /**
     * The state left at the end of the lease.
     *
     * @param allowed whether a kind of state may stay
     * @param rolledBack whether the pool rolls back an open transaction
     * @throws SQLException if the connection's properties cannot be read
     */
    Left left(Connection connection, Predicate<String> allowed, boolean rolledBack) throws SQLException {
        lock.lock();
        try {
            List<Origin> from = new ArrayList<>();
            List<Effect> effects = new ArrayList<>();
            for (Effect effect : state.left(rolledBack)) {
                String kind = Texts.word(effect.kind());
                if (!allowed.test(kind)) {
                    effects.add(effect);
                    from.add(origin(new Place(effect.kind(), effect.name())));
                }
            }
            List<SessionProperty> changed = properties.changed(connection);
            changed.removeIf(property -> allowed.test(Texts.word(property)));
            for (SessionProperty property : changed) {
                from.add(changes.get(property));
            }
            return new Left(List.copyOf(effects), List.copyOf(changed), List.copyOf(from));
        } finally {
            lock.unlock();
        }
    }

    /** {@return whether a statement with unknown effects ran} */
    boolean hasUnknown() {
        lock.lock();
        try {
            return unknown != null;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Adds the state that only the server reports: a statement with unknown effects has set it.
     *
     * @param isOfAnother whether an earlier lease has left the same state by another statement
     */
    Left with(Left left, List<Effect> onServer, Predicate<Origin> isOfAnother) {
        lock.lock();
        try {
            List<Effect> effects = new ArrayList<>(left.effects());
            List<Origin> from = new ArrayList<>(left.origins());
            Origin by = unknown == null ? new Origin("", null, "unknown", null) : unknown;
            for (Effect effect : onServer) {
                Origin origin = by.of(Texts.word(effect.kind()), effect.name());
                if (effects.stream().noneMatch(known -> isSame(known, effect)) && !isOfAnother.test(origin)) {
                    effects.add(effect);
                    from.add(origin);
                }
            }
            return new Left(List.copyOf(effects), left.properties(), List.copyOf(from));
        } finally {
            lock.unlock();
        }
    }

    /** Locks match by kind only: a statement names a lock by its argument, the server by its number. */
    private static boolean isSame(Effect known, Effect onServer) {
        return known.kind() == onServer.kind()
                && (known.kind() == Effect.Kind.ADVISORY_LOCK || Objects.equals(known.name(), onServer.name()));
    }

    /**
     * Restores all properties except the network timeout, which limits the reset itself.
     *
     * @throws SQLException if that fails
     */
    void restore(Connection connection, List<SessionProperty> changed) throws SQLException {
        for (SessionProperty property : changed) {
            if (property != SessionProperty.NETWORK_TIMEOUT) {
                properties.restore(connection, property);
            }
        }
    }

    /**
     * Restores the network timeout. Called at the end of the reset.
     *
     * @throws SQLException if that fails
     */
    void restoreNetworkTimeout(Connection connection, List<SessionProperty> changed) throws SQLException {
        if (changed.contains(SessionProperty.NETWORK_TIMEOUT)) {
            properties.restore(connection, SessionProperty.NETWORK_TIMEOUT);
        }
    }

    private void locked(Runnable step) {
        lock.lock();
        try {
            step.run();
        } finally {
            lock.unlock();
        }
    }
}
