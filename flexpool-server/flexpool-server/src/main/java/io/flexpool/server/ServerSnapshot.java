// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server;

import io.flexpool.spi.Texts;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The result of one query of a server. Immutable. Its texts are cleaned: one line, shortened, with possible passwords
 * masked. They remain untrusted: show them as plain text only.
 */
public final class ServerSnapshot {
    /** The value of a number that the server did not report. */
    public static final int UNKNOWN = -1;

    /** The maximum number of sessions of a snapshot. */
    public static final int MOST_SESSIONS = 200;

    /** The maximum length of a chain of blocked sessions. */
    public static final int DEEPEST_CHAIN = 5;

    private static final int LONGEST_TEXT = 200;

    private final String product;
    private final List<ServerSession> sessions;
    private final Set<Long> unknownSessions;
    private final Map<String, Integer> sessionsByApplication;
    private final int used;
    private final int usable;
    private final int reserved;
    private final @Nullable Application application;
    private final @Nullable Limit limit;
    private final List<String> notVisible;

    private ServerSnapshot(Builder of) {
        this.product = of.product;
        this.sessions = of.sessions;
        this.unknownSessions = of.unknownSessions;
        this.sessionsByApplication = of.sessionsByApplication;
        this.used = of.used;
        this.usable = of.usable;
        this.reserved = of.reserved;
        this.application = of.application;
        this.limit = of.limit;
        this.notVisible = of.notVisible;
    }

    /**
     * Starts a builder.
     *
     * @param product as {@link ServerViewProvider#product()}
     * @return a builder with this product only
     */
    public static Builder of(String product) {
        Objects.requireNonNull(product, "product is null");
        return new Builder(product);
    }

    /** {@return the product: for example {@code PostgreSQL}} */
    public String product() {
        return product;
    }

    /**
     * The queried sessions that exist, then their direct and indirect blockers.
     *
     * @return at most {@link #MOST_SESSIONS} sessions, each id once; unmodifiable
     */
    public List<ServerSession> sessions() {
        return sessions;
    }

    /** {@return the queried ids of which the server has no session; unmodifiable} */
    public Set<Long> unknownSessions() {
        return unknownSessions;
    }

    /**
     * The number of all client sessions of the server by application.
     *
     * @return the numbers in the provider's order, the largest first; empty if unknown; unmodifiable
     */
    public Map<String, Integer> sessionsByApplication() {
        return sessionsByApplication;
    }

    /** {@return the number of client sessions of the server; {@link #UNKNOWN} if not reported} */
    public int used() {
        return used;
    }

    /**
     * The number of sessions that the server allows for applications.
     *
     * @return the server's limit without the sessions reserved for administrators; {@link #UNKNOWN} if not reported
     */
    public int usable() {
        return usable;
    }

    /**
     * The number of sessions reserved for other users than this pool's user, such as administrators.
     *
     * @return the number; the sum with {@link #usable()} is the server's limit; {@link #UNKNOWN} if not reported
     */
    public int reserved() {
        return reserved;
    }

    /** {@return the application of the querying connection; null if the server did not report it} */
    public @Nullable Application application() {
        return application;
    }

    /** {@return a lower limit for this pool's user or database; null without such a limit, or if unknown} */
    public @Nullable Limit limit() {
        return limit;
    }

    /**
     * The data that is hidden from the pool's user, or that the server does not record.
     *
     * @return sentences without a final period, for example {@code the states of other users' sessions are hidden:
     *     grant pg_read_all_stats}; empty if all was visible; unmodifiable
     */
    public List<String> notVisible() {
        return notVisible;
    }

    /**
     * The sessions of the querying application, of all its instances together: they have the same name and user.
     *
     * @param name the application's name in the server
     * @param sessions the number of sessions, at least 1
     * @param addresses the number of client addresses, at least 1; equal to the number of instances if each has a
     *     different address
     */
    public record Application(String name, int sessions, int addresses) {
        /**
         * Cleans the name.
         *
         * @param name see {@link #name()}
         * @param sessions see {@link #sessions()}
         * @param addresses see {@link #addresses()}
         */
        public Application {
            Objects.requireNonNull(name, "name is null");
            name = Texts.line(name, LONGEST_TEXT);
        }
    }

    /**
     * A limit on the sessions of one role or one database.
     *
     * @param kind whether the limit is for a role or a database
     * @param name the role's or database's name
     * @param max the highest number of sessions, at least 0
     * @param used the number of sessions now, at least 0; {@link #UNKNOWN} if not reported
     */
    public record Limit(Kind kind, String name, int max, int used) {
        /**
         * Cleans the name.
         *
         * @param kind see {@link #kind()}
         * @param name see {@link #name()}
         * @param max see {@link #max()}
         * @param used see {@link #used()}
         */
        public Limit {
            Objects.requireNonNull(name, "name is null");
            name = Texts.line(name, LONGEST_TEXT);
        }

        /** The scope of a limit. */
        public enum Kind {
            /** A user of the server. */
            ROLE,
            /** A database of the server. */
            DATABASE
        }
    }

    @Override
    public String toString() {
        return product + ": " + sessions + ", unknown " + unknownSessions + ", " + used + " of " + usable
                + " sessions, " + reserved + " reserved, of " + application + ", by application "
                + sessionsByApplication
                + ", limit " + limit + ", not visible "
                + notVisible;
    }

    /** Builds a snapshot. Not thread-safe. */
    public static final class Builder {
        private final String product;
        private List<ServerSession> sessions = List.of();
        private Set<Long> unknownSessions = Set.of();
        private Map<String, Integer> sessionsByApplication = Map.of();
        private int used = UNKNOWN;
        private int usable = UNKNOWN;
        private int reserved = UNKNOWN;
        private @Nullable Application application;
        private @Nullable Limit limit;
        private List<String> notVisible = List.of();

        private Builder(String product) {
            this.product = Texts.line(product, LONGEST_TEXT);
        }

        /**
         * Sets the sessions: see {@link ServerSnapshot#sessions()}.
         *
         * @param all sessions of the server, in any order. The builder takes the queried sessions, then their blockers
         *     in {@link ServerSnapshot#DEEPEST_CHAIN} steps, {@link ServerSnapshot#MOST_SESSIONS} at most
         * @return this builder
         */
        public Builder sessions(Collection<ServerSession> all) {
            Objects.requireNonNull(all, "all is null");
            Map<Long, ServerSession> known = new HashMap<>();
            Map<Long, ServerSession> step = new LinkedHashMap<>();
            for (ServerSession session : all) {
                known.put(session.id(), session);
                if (session.asked()) {
                    step.put(session.id(), session);
                }
            }
            Map<Long, ServerSession> taken = new LinkedHashMap<>(step);
            for (int steps = 0; steps < DEEPEST_CHAIN; steps++) {
                step = blockersOf(step.values(), known);
                step.keySet().removeAll(taken.keySet());
                taken.putAll(step);
            }
            this.sessions = taken.values().stream().limit(MOST_SESSIONS).toList();
            return this;
        }

        private static Map<Long, ServerSession> blockersOf(
                Collection<ServerSession> blocked, Map<Long, ServerSession> known) {
            Map<Long, ServerSession> blockers = new LinkedHashMap<>();
            for (ServerSession session : blocked) {
                for (Long id : session.blockedBy()) {
                    ServerSession blocker = known.get(id);
                    if (blocker != null) {
                        blockers.put(id, blocker);
                    }
                }
            }
            return blockers;
        }

        /**
         * Sets the ids that the server does not have: see {@link ServerSnapshot#unknownSessions()}.
         *
         * @param ids the ids without a session
         * @return this builder
         */
        public Builder unknownSessions(Set<Long> ids) {
            Objects.requireNonNull(ids, "ids is null");
            this.unknownSessions = Collections.unmodifiableSet(new TreeSet<>(ids));
            return this;
        }

        /**
         * Sets the number of sessions of each application: see {@link ServerSnapshot#sessionsByApplication()}.
         *
         * @param counts the numbers, at least 1, in the order of their display; the first
         *     {@link ServerSnapshot#MOST_SESSIONS} are taken
         * @return this builder
         */
        public Builder sessionsByApplication(Map<String, Integer> counts) {
            Objects.requireNonNull(counts, "counts is null");
            Map<String, Integer> plain = new LinkedHashMap<>();
            counts.entrySet().stream()
                    .limit(MOST_SESSIONS)
                    .forEach(entry ->
                            plain.merge(Texts.line(entry.getKey(), LONGEST_TEXT), entry.getValue(), Integer::sum));
            this.sessionsByApplication = Collections.unmodifiableMap(plain);
            return this;
        }

        /**
         * Sets how many sessions are in use, and how many are usable.
         *
         * @param used as {@link ServerSnapshot#used()}
         * @param usable as {@link ServerSnapshot#usable()}
         * @return this builder
         */
        public Builder slots(int used, int usable) {
            this.used = used;
            this.usable = usable;
            return this;
        }

        /**
         * Sets the number of reserved sessions: see {@link ServerSnapshot#reserved()}.
         *
         * @param sessions at least 0, or {@link ServerSnapshot#UNKNOWN}
         * @return this builder
         */
        public Builder reserved(int sessions) {
            this.reserved = sessions;
            return this;
        }

        /**
         * Sets the querying application: see {@link ServerSnapshot#application()}.
         *
         * @param own null if unknown
         * @return this builder
         */
        public Builder application(@Nullable Application own) {
            this.application = own;
            return this;
        }

        /**
         * Sets a lower limit: see {@link ServerSnapshot#limit()}.
         *
         * @param narrower the limit with the fewest sessions left; null without such a limit
         * @return this builder
         */
        public Builder limit(@Nullable Limit narrower) {
            this.limit = narrower;
            return this;
        }

        /**
         * Sets the hidden data: see {@link ServerSnapshot#notVisible()}.
         *
         * @param sentences without a final period
         * @return this builder
         */
        public Builder notVisible(List<String> sentences) {
            Objects.requireNonNull(sentences, "sentences is null");
            this.notVisible = sentences.stream()
                    .map(sentence -> Texts.line(sentence, LONGEST_TEXT))
                    .toList();
            return this;
        }

        /** {@return the snapshot} */
        public ServerSnapshot build() {
            return new ServerSnapshot(this);
        }
    }
}
