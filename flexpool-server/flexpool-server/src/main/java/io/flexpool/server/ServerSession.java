// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server;

import io.flexpool.diagnostics.OpenLease.SessionState;
import io.flexpool.spi.Texts;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A server's report on one session. Durations are by the server's clock. Immutable; its texts are cleaned, as in
 * {@link ServerSnapshot}. A value that the server did not report, or that the pool's user may not see, is null.
 */
public final class ServerSession implements SessionState {
    private static final int LONGEST_NAME = 200;
    private static final int LONGEST_STATEMENT = 1_000;

    private final long id;
    private final boolean asked;
    private final State state;
    private final Wait waitsFor;
    private final @Nullable String waitEvent;
    private final @Nullable Duration inState;
    private final @Nullable Duration inTransaction;
    private final @Nullable Duration connected;
    private final boolean sessionLock;
    private final List<Long> blockedBy;
    private final boolean schemaChange;
    private final @Nullable String application;
    private final @Nullable String address;
    private final @Nullable String user;
    private final @Nullable String database;
    private final @Nullable String statement;

    private ServerSession(Builder of) {
        this.id = of.id;
        this.asked = of.asked;
        this.state = of.state;
        this.waitsFor = of.waitsFor;
        this.waitEvent = of.waitEvent;
        this.inState = of.inState;
        this.inTransaction = of.inTransaction;
        this.connected = of.connected;
        this.sessionLock = of.sessionLock;
        this.blockedBy = of.blockedBy;
        this.schemaChange = of.schemaChange;
        this.application = of.application;
        this.address = of.address;
        this.user = of.user;
        this.database = of.database;
        this.statement = of.statement;
    }

    /**
     * Starts a builder.
     *
     * @param id the session's number in the server
     * @return a builder with this id only, and state {@link State#UNKNOWN}
     */
    public static Builder of(long id) {
        return new Builder(id);
    }

    /** {@return the session's number in the server} */
    public long id() {
        return id;
    }

    /**
     * {@return whether flexpool queried this session by its id or name: it belongs to a leased connection of the pool}
     */
    public boolean asked() {
        return asked;
    }

    /** {@return the state of the session} */
    public State state() {
        return state;
    }

    @Override
    public boolean works() {
        return state == State.RUNNING && waitsFor != Wait.CLIENT;
    }

    @Override
    public boolean idles() {
        return state == State.IDLE || state == State.IDLE_IN_TRANSACTION;
    }

    /** {@return the kind of the session's wait} */
    public Wait waitsFor() {
        return waitsFor;
    }

    /** {@return the server's words for the wait, for example {@code Lock: transactionid}; null without a wait} */
    public @Nullable String waitEvent() {
        return waitEvent;
    }

    /**
     * How long the session has been in this state, or has waited for a lock, if the server reports that.
     *
     * @return null if unknown
     */
    @Override
    public @Nullable Duration inState() {
        return inState;
    }

    /** {@return the age of the open transaction; null without a transaction, or if unknown} */
    public @Nullable Duration inTransaction() {
        return inTransaction;
    }

    /**
     * The age of the session. A session younger than the application's connection is another session with the same
     * number.
     *
     * @return null if unknown
     */
    public @Nullable Duration connected() {
        return connected;
    }

    /** {@return the sessions that block this session directly; empty without any; unmodifiable} */
    public List<Long> blockedBy() {
        return blockedBy;
    }

    /** {@return whether the awaited lock may outlive the transaction of its holder, for example an advisory lock} */
    public boolean sessionLock() {
        return sessionLock;
    }

    /** {@return whether the session has, or waits for, the exclusive table lock of a schema change} */
    public boolean schemaChange() {
        return schemaChange;
    }

    /** {@return the client's application name; null without a name, or if hidden} */
    public @Nullable String application() {
        return application;
    }

    /** {@return the client's address; null for a local socket, or if hidden} */
    public @Nullable String address() {
        return address;
    }

    /** {@return the user; null if hidden} */
    public @Nullable String user() {
        return user;
    }

    /** {@return the database; null without a database, or if hidden} */
    public @Nullable String database() {
        return database;
    }

    /** {@return the running or last statement, shortened; null if hidden} */
    public @Nullable String statement() {
        return statement;
    }

    /** {@return this session without its statement} */
    public ServerSession withoutStatement() {
        return statement == null
                ? this
                : of(id).asked(asked)
                        .state(state, inState)
                        .waitsFor(waitsFor, waitEvent)
                        .sessionLock(sessionLock)
                        .inTransaction(inTransaction)
                        .connected(connected)
                        .blockedBy(blockedBy)
                        .schemaChange(schemaChange)
                        .client(application, address)
                        .login(user, database)
                        .build();
    }

    @Override
    public Map<String, Object> fields() {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("session", id);
        shown.put("state", Texts.word(state));
        shown.put("waitsFor", Texts.word(waitsFor));
        if (waitEvent != null) {
            shown.put("waitEvent", Texts.masked(waitEvent));
        }
        millis(shown, "inStateMillis", inState);
        millis(shown, "inTransactionMillis", inTransaction);
        shown.put("blockedBy", blockedBy);
        shown.put("words", Texts.masked(describe()));
        return Collections.unmodifiableMap(shown);
    }

    /** Adds a duration in milliseconds, rounded to microseconds. */
    private static void millis(Map<String, Object> shown, String key, @Nullable Duration duration) {
        if (duration != null) {
            shown.put(key, Math.round(duration.toNanos() / 1e3) / 1e3);
        }
    }

    /**
     * The session's activity in one clause.
     *
     * @return for example {@code idle in transaction for 14.3 s}, or {@code running for 14.2 s, waits for Lock:
     *     transactionid, blocked by session 4711}
     */
    @Override
    public String describe() {
        StringBuilder line = new StringBuilder(64).append(state.words());
        if (inState != null) {
            line.append(" for ").append(Texts.span(inState));
        }
        // An idle session waits for the client, as its state already shows.
        if (waitEvent != null && state != State.IDLE && state != State.IDLE_IN_TRANSACTION) {
            line.append(", waits for ").append(waitEvent);
        }
        if (!blockedBy.isEmpty()) {
            line.append(blockedBy.size() == 1 ? ", blocked by session " : ", blocked by sessions ")
                    .append(blockedBy.stream().map(String::valueOf).collect(Collectors.joining(", ")));
        }
        return line.toString();
    }

    /** The state of a session. */
    public enum State {
        /** A statement runs, or waits. */
        RUNNING("running"),
        /** No transaction is open, and the session waits for the client. */
        IDLE("idle"),
        /** A transaction is open, and the session waits for the client. */
        IDLE_IN_TRANSACTION("idle in transaction"),
        /** The state is hidden from the pool's user, or is none of the others. */
        UNKNOWN("state not visible");

        private final String words;

        State(String words) {
            this.words = words;
        }

        /** {@return the state in words, in lower case, for example {@code idle in transaction}} */
        public String words() {
            return words;
        }
    }

    /** The kind of a session's wait. */
    public enum Wait {
        /** No wait: the session uses a processor, or is idle. */
        NONE,
        /** Waits for a lock: on a row, a table or metadata, or an advisory lock. */
        LOCK,
        /** Waits for the server's disk or network. */
        IO,
        /** Waits for the client. */
        CLIENT,
        /** Waits for something different, for example a sleep, a replica or an internal lock. */
        OTHER
    }

    @Override
    public String toString() {
        return "session " + id + (asked ? " (leased)" : "") + ": " + state + ", waits for " + waitsFor + " ("
                + waitEvent
                + "), blocked by " + blockedBy + (schemaChange ? ", schema change" : "") + ", in state " + inState
                + ", in transaction " + inTransaction + ", connected " + connected + ", application " + application
                + ", address " + address + ", user " + user + ", database " + database;
    }

    /** Builds a session. Not thread-safe. */
    public static final class Builder {
        private final long id;
        private boolean asked;
        private State state = State.UNKNOWN;
        private Wait waitsFor = Wait.NONE;
        private @Nullable String waitEvent;
        private @Nullable Duration inState;
        private @Nullable Duration inTransaction;
        private @Nullable Duration connected;
        private boolean sessionLock;
        private List<Long> blockedBy = List.of();
        private boolean schemaChange;
        private @Nullable String application;
        private @Nullable String address;
        private @Nullable String user;
        private @Nullable String database;
        private @Nullable String statement;

        private Builder(long id) {
            this.id = id;
        }

        /**
         * Sets whether flexpool queried this session.
         *
         * @param asked as {@link ServerSession#asked()}
         * @return this builder
         */
        public Builder asked(boolean asked) {
            this.asked = asked;
            return this;
        }

        /**
         * Sets the session's state.
         *
         * @param state as {@link ServerSession#state()}
         * @param inState as {@link ServerSession#inState()}
         * @return this builder
         */
        public Builder state(State state, @Nullable Duration inState) {
            this.state = state;
            this.inState = inState;
            return this;
        }

        /**
         * Sets the session's wait.
         *
         * @param waitsFor as {@link ServerSession#waitsFor()}
         * @param waitEvent as {@link ServerSession#waitEvent()}
         * @return this builder
         */
        public Builder waitsFor(Wait waitsFor, @Nullable String waitEvent) {
            this.waitsFor = waitsFor;
            this.waitEvent = plain(waitEvent, LONGEST_NAME);
            return this;
        }

        /**
         * Sets whether the awaited lock may outlive the transaction of its holder.
         *
         * @param sessionLock as {@link ServerSession#sessionLock()}
         * @return this builder
         */
        public Builder sessionLock(boolean sessionLock) {
            this.sessionLock = sessionLock;
            return this;
        }

        /**
         * Sets the age of the transaction.
         *
         * @param inTransaction as {@link ServerSession#inTransaction()}
         * @return this builder
         */
        public Builder inTransaction(@Nullable Duration inTransaction) {
            this.inTransaction = inTransaction;
            return this;
        }

        /**
         * Sets the age of the session.
         *
         * @param connected as {@link ServerSession#connected()}
         * @return this builder
         */
        public Builder connected(@Nullable Duration connected) {
            this.connected = connected;
            return this;
        }

        /**
         * Sets the direct blockers.
         *
         * @param ids as {@link ServerSession#blockedBy()}
         * @return this builder
         */
        public Builder blockedBy(List<Long> ids) {
            Objects.requireNonNull(ids, "ids is null");
            this.blockedBy = List.copyOf(ids);
            return this;
        }

        /**
         * Sets whether the session changes the schema.
         *
         * @param schemaChange as {@link ServerSession#schemaChange()}
         * @return this builder
         */
        public Builder schemaChange(boolean schemaChange) {
            this.schemaChange = schemaChange;
            return this;
        }

        /**
         * Sets the client's name and address.
         *
         * @param application as {@link ServerSession#application()}; blank counts as null
         * @param address as {@link ServerSession#address()}; blank counts as null
         * @return this builder
         */
        public Builder client(@Nullable String application, @Nullable String address) {
            this.application = plain(application, LONGEST_NAME);
            this.address = plain(address, LONGEST_NAME);
            return this;
        }

        /**
         * Sets the user and the database of the session.
         *
         * @param user as {@link ServerSession#user()}; blank counts as null
         * @param database as {@link ServerSession#database()}; blank counts as null
         * @return this builder
         */
        public Builder login(@Nullable String user, @Nullable String database) {
            this.user = plain(user, LONGEST_NAME);
            this.database = plain(database, LONGEST_NAME);
            return this;
        }

        /**
         * The running or last statement.
         *
         * @param statement as {@link ServerSession#statement()}; flexpool shows it only with {@code statement-text}
         * @return this builder
         */
        public Builder statement(@Nullable String statement) {
            this.statement = plain(statement, LONGEST_STATEMENT);
            return this;
        }

        /** {@return the session} */
        public ServerSession build() {
            return new ServerSession(this);
        }

        private static @Nullable String plain(@Nullable String text, int longest) {
            return text == null || text.isBlank() ? null : Texts.line(text, longest);
        }
    }
}
