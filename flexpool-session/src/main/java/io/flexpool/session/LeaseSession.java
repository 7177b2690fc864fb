// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import io.flexpool.session.LeftLog.Origin;
import io.flexpool.session.internal.sql.Effect;
import io.flexpool.session.internal.sql.Step;
import io.flexpool.session.internal.sql.Verdict;
import io.flexpool.session.internal.state.SessionState;
import io.flexpool.spi.PoolPart.SessionProperty;
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
 * What one lease has done with the session of its connection, and from where. Made for the first statement or call that may leave
 * something. Thread-safe: an application may use a connection on several threads, one after the other.
 */
final class LeaseSession {
    /** A lease that sets more than this is not followed to the end; what it left is known by kind. */
    private static final int MOST_ORIGINS = 64;

    private final ReentrantLock lock = new ReentrantLock();
    private final SessionState state = new SessionState();
    private final ChangedProperties properties = new ChangedProperties();
    private final Map<SessionProperty, Origin> changes = new EnumMap<>(SessionProperty.class);
    private final Map<Place, Origin> origins = new HashMap<>();
    /** What was set while no transaction was open: it has outlived its own. */
    private final Set<Place> outlived = new LinkedHashSet<>();

    private final Set<Savepoint> savepoints = Collections.newSetFromMap(new IdentityHashMap<>());

    private @Nullable String usedDatabase;
    /** The last statement that could not be judged; null if there was none. */
    private @Nullable Origin unknown;

    private record Place(Effect.Kind kind, @Nullable String name) {}

    /**
     * What is left, with its origins.
     *
     * @param effects what statements have set
     * @param properties what JDBC's methods have changed
     * @param origins where each comes from
     */
    record Left(List<Effect> effects, List<SessionProperty> properties, List<Origin> origins) {
        boolean isEmpty() {
            return effects.isEmpty() && properties.isEmpty();
        }
    }

    /**
     * A statement is about to be executed.
     *
     * @throws SQLException as the connection does
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
            state.ran(verdict, autoCommit);
            outlives(state.outlives());
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

    /** Which of the two is the database depends on the driver's options. */
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

    /** The database before the lease has chosen another one by SQL; null if it has not, or that is not known. */
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

    /** After a statement that failed, the open transaction can only be rolled back. */
    void transactionFailed() {
        locked(state::transactionFailed);
    }

    /** Bounded, as the state is. */
    private void outlives(List<Effect> effects) {
        for (Effect effect : effects) {
            if (outlived.size() < MOST_ORIGINS && TransactionPooling.needsSession(effect)) {
                outlived.add(new Place(effect.kind(), effect.name()));
            }
        }
    }

    /** {@return whether statements have begun a transaction that is open} */
    boolean inTransaction() {
        lock.lock();
        try {
            return state.inTransaction();
        } finally {
            lock.unlock();
        }
    }

    /** What has outlived the transaction that set it, now that the lease has ended. */
    List<Origin> outlived() {
        lock.lock();
        try {
            outlives(state.left());
            return outlived.stream().map(this::origin).toList();
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
                // One that is not known was set before all that is.
                state.rolledBack();
                outlives(state.outlives());
            } else {
                state.rolledBackTo(to);
            }
        });
    }

    /**
     * What is left now that the lease has ended.
     *
     * @param allowed whether a kind of state may stay
     * @param rolledBack whether the pool rolls back a transaction that is open
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

    /** {@return whether a statement ran that could not be judged} */
    boolean hasUnknown() {
        lock.lock();
        try {
            return unknown != null;
        } finally {
            lock.unlock();
        }
    }

    /**
     * With what the server has in addition, which a statement has set that could not be judged.
     *
     * @param isOfAnother whether an earlier lease has left the same by another statement
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

    /** A lock has its argument as a name if a statement took it, and a number in the server. */
    private static boolean isSame(Effect known, Effect onServer) {
        return known.kind() == onServer.kind()
                && (known.kind() == Effect.Kind.ADVISORY_LOCK || Objects.equals(known.name(), onServer.name()));
    }

    /**
     * Puts properties back, all but the network timeout, which bounds the reset itself.
     *
     * @throws SQLException if that fails, or the time is over
     */
    void restore(Connection connection, List<SessionProperty> changed, ResetBound bound) throws SQLException {
        for (SessionProperty property : changed) {
            if (property != SessionProperty.NETWORK_TIMEOUT) {
                bound.next();
                properties.restore(connection, property);
            }
        }
    }

    /**
     * At the end of the reset.
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
