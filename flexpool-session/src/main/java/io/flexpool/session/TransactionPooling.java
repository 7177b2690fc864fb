// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import io.flexpool.adapter.PoolAdapter.SessionProperty;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.session.LeftLog.Origin;
import io.flexpool.session.SessionStates.LeftState;
import io.flexpool.session.SessionStates.PoolerFit;
import io.flexpool.session.internal.sql.Effect;
import io.flexpool.session.internal.sql.Effect.Kind;
import io.flexpool.session.internal.sql.Verdict;
import io.flexpool.session.internal.state.SessionState;
import io.flexpool.spi.PartContext;
import io.flexpool.spi.Texts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Determines whether the application may run behind a pooler in transaction mode, such as PgBouncer. Such a pooler
 * assigns a session for one transaction: state that outlives the transaction reaches another client. Thread-safe.
 */
final class TransactionPooling {
    /**
     * Settings that the server reports to its clients: PgBouncer therefore restores them on the client's next session.
     */
    private static final Set<String> FOLLOWED =
            Set.of("client_encoding", "datestyle", "standard_conforming_strings", "application_name");

    private final PartContext pool;
    private final LeftLog kept = new LeftLog();
    private final LeftLog unknown = new LeftLog();
    private volatile boolean preparesInServer;

    TransactionPooling(PartContext pool) {
        this.pool = pool;
    }

    // ---- on the threads of requests ----

    /** Stores whether the driver prepares statements in the server: read from the first connection, assumed for all. */
    void driver(boolean prepares) {
        preparesInServer = prepares;
    }

    /** A statement with unknown effects is about to be executed. */
    void unknown(String sql) {
        unknown.left(new Origin("unknown", null, StatementText.shown(sql), pool.callSite()));
    }

    /** A statement may have failed, and the server was not queried for its effects. */
    void unknown(Origin origin) {
        unknown.left(new Origin("unknown", null, origin.statement(), origin.callSite()));
    }

    /** A statement that depends on an earlier transaction of its session is about to be executed. */
    void readsSequence(String sql) {
        kept.left(new Origin("sequence", null, StatementText.shown(sql), pool.callSite()));
    }

    /** The driver sets the search path of the session, or the isolation of its transactions. */
    void sets(SessionProperty property) {
        kept.left(new Origin(Texts.word(property), null, StateKind.setter(property), pool.callSite()));
    }

    /** Counts the state that a lease has kept beyond the end of a transaction. */
    void kept(Collection<Origin> origins) {
        origins.forEach(kept::left);
    }

    /** Whether only the session can keep this state, so that PgBouncer does not restore it. */
    static boolean needsSession(Effect effect) {
        return effect.kind() != Kind.TIME_ZONE
                && (effect.kind() != Kind.SETTING || effect.name() == null || !FOLLOWED.contains(effect.name()));
    }

    // ---- views ----

    /**
     * The verdict.
     *
     * @param dialect the database's dialect; null before the first statement
     */
    PoolerFit fit(@Nullable Dialect dialect) {
        if (dialect == null || !dialect.isPostgresql()) {
            return PoolerFit.UNKNOWN;
        }
        if (!kept(dialect).isEmpty()) {
            return PoolerFit.UNFIT;
        }
        return leases() == 0 || !unknown().isEmpty() || pool.adapter().initSql() == null
                ? PoolerFit.UNKNOWN
                : PoolerFit.FITS;
    }

    /** The number of requests that got a connection. */
    long leases() {
        return pool.requestsEnded(AcquisitionOutcome.OK);
    }

    boolean preparesInServer() {
        return preparesInServer;
    }

    /** The state set by the pool's own statements on each new connection, and the state kept by leases. */
    List<LeftState> kept(@Nullable Dialect dialect) {
        List<LeftState> all = new ArrayList<>();
        String initSql = pool.adapter().initSql();
        if (dialect != null && initSql != null && !initSql.isBlank()) {
            LeftLog byPool = new LeftLog();
            for (Effect effect : outliving(dialect.verdict(initSql))) {
                byPool.left(new Origin(
                        Texts.word(effect.kind()), effect.name(), StatementText.shown(initSql), "the pool's init SQL"));
            }
            all.addAll(byPool.all());
        }
        all.addAll(kept.all());
        return List.copyOf(all);
    }

    private static List<Effect> outliving(Verdict verdict) {
        SessionState state = new SessionState();
        state.ran(verdict, true);
        return state.outlives().stream()
                .filter(TransactionPooling::needsSession)
                .toList();
    }

    List<LeftState> unknown() {
        return unknown.all();
    }

    /** The lines of the report; empty before the first lease, and on other databases than PostgreSQL. */
    List<String> lines(@Nullable Dialect dialect, int most) {
        long leases = leases();
        if (dialect == null || !dialect.isPostgresql() || leases == 0) {
            return List.of();
        }
        List<LeftState> reasons = kept(dialect);
        List<LeftState> open = unknown();
        List<String> lines = new ArrayList<>();
        lines.add("pooler in transaction mode: "
                + switch (fit(dialect)) {
                    case FITS -> "this application can use it";
                    case UNFIT -> "this application cannot use it, because session state outlives its transaction";
                    case UNKNOWN -> "unknown";
                }
                + " (" + Texts.count(leases, "lease") + " checked)"
                + (open.isEmpty() ? "" : "; the effect of " + Texts.count(open.size(), "statement") + " is unknown")
                + (pool.adapter().initSql() == null ? "; the pool's init SQL is unknown" : "")
                + (preparesInServer
                        ? "; the driver prepares statements in the server, which needs PgBouncer 1.21 or prepareThreshold = 0"
                        : ""));
        reasons.stream().limit(most).forEach(each -> lines.add("  " + each.leases() + " x " + SessionPart.words(each)));
        open.stream().limit(most).forEach(each -> lines.add("  " + each.leases() + " x " + SessionPart.words(each)));
        return lines;
    }
}
