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
    /** In place of a number that the server did not report. */
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
     * Begins a snapshot.
     *
     * @param product as {@link ServerViewProvider#product()}
     * @return a new builder, in which nothing else is known
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
     * The sessions that were asked for and that the server knows, then those that block them, directly or through
     * others.
     *
     * @return at most {@link #MOST_SESSIONS}, each id once; unmodifiable
     */
    public List<ServerSession> sessions() {
        return sessions;
    }

    /** {@return the ids that were asked for and that the server does not know; unmodifiable} */
    public Set<Long> unknownSessions() {
        return unknownSessions;
    }

    /**
     * All client sessions of the server by the application that has them.
     *
     * @return in the order that the provider gave, the most numerous first; empty if unknown; unmodifiable
     */
    public Map<String, Integer> sessionsByApplication() {
        return sessionsByApplication;
    }

    /** {@return how many client sessions the server has; {@link #UNKNOWN} if the server did not report it} */
    public int used() {
        return used;
    }

    /**
     * How many sessions the server has for applications.
     *
     * @return its limit without what it reserves for administrators; {@link #UNKNOWN} if the server did not report it
     */
    public int usable() {
        return usable;
    }

    /**
     * How many sessions the server keeps for others than this pool's user, such as administrators.
     *
     * @return these and {@link #usable()} together are the server's limit; {@link #UNKNOWN} if the server did not report it
     */
    public int reserved() {
        return reserved;
    }

    /** {@return the application of the querying connection; null if the server did not report it} */
    public @Nullable Application application() {
        return application;
    }

    /** {@return a narrower limit that holds for this pool's user or database; null if none is known} */
    public @Nullable Limit limit() {
        return limit;
    }

    /**
     * The data that the pool's user may not see, or the server does not record.
     *
     * @return sentences without a final period, for example {@code the states of other users' sessions are hidden: grant
     *     pg_read_all_stats}; empty if all was visible; unmodifiable
     */
    public List<String> notVisible() {
        return notVisible;
    }

    /**
     * The sessions of the querying application: of all its instances, which have one name and one user.
     *
     * @param name the application's name in the server
     * @param sessions the number of sessions, at least 1
     * @param addresses the number of client addresses, at least 1: the number of instances, if each has a different
     * address
     */
    public record Application(String name, int sessions, int addresses) {
        /**
         * Makes the name plain.
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
     * A limit on sessions that holds for one role or one database.
     *
     * @param kind what it holds for
     * @param name the role's or database's name
     * @param max the highest number of sessions, at least 0
     * @param used how many there are, at least 0; {@link #UNKNOWN} if the server did not say
     */
    public record Limit(Kind kind, String name, int max, int used) {
        /**
         * Makes the name plain.
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

        /** What a limit holds for. */
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
         * The sessions: see {@link ServerSnapshot#sessions()}.
         *
         * @param all sessions of the server, in any order; the requested sessions are taken, then their blockers, and
         *     so on for {@link ServerSnapshot#DEEPEST_CHAIN} steps, {@link ServerSnapshot#MOST_SESSIONS} at most
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
         * The ids that the server does not know: see {@link ServerSnapshot#unknownSessions()}.
         *
         * @param ids any
         * @return this builder
         */
        public Builder unknownSessions(Set<Long> ids) {
            Objects.requireNonNull(ids, "ids is null");
            this.unknownSessions = Collections.unmodifiableSet(new TreeSet<>(ids));
            return this;
        }

        /**
         * How many sessions each application has: see {@link ServerSnapshot#sessionsByApplication()}.
         *
         * @param counts at least 1 each, in the order in which they shall be shown; the first
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
         * How full the server is.
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
         * What the server keeps for others: see {@link ServerSnapshot#reserved()}.
         *
         * @param sessions at least 0, or {@link ServerSnapshot#UNKNOWN}
         * @return this builder
         */
        public Builder reserved(int sessions) {
            this.reserved = sessions;
            return this;
        }

        /**
         * The application that looks: see {@link ServerSnapshot#application()}.
         *
         * @param own null if unknown
         * @return this builder
         */
        public Builder application(@Nullable Application own) {
            this.application = own;
            return this;
        }

        /**
         * A narrower limit: see {@link ServerSnapshot#limit()}.
         *
         * @param narrower of several the one with the fewest sessions left; null for none
         * @return this builder
         */
        public Builder limit(@Nullable Limit narrower) {
            this.limit = narrower;
            return this;
        }

        /**
         * What was not visible: see {@link ServerSnapshot#notVisible()}.
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
