// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

import io.flexpool.diagnostics.Explanation;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.server.ServerSession;
import io.flexpool.server.ServerSnapshot;
import io.flexpool.server.engine.ServerFindings.Blocker;
import io.flexpool.server.engine.ServerQueryResult.Neighbour;
import io.flexpool.spi.Texts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The result of a query in words: clauses without a final period. */
final class ServerSentences {
    /** The maximum number of applications that are named if all sessions are in use. */
    private static final int MOST_APPLICATIONS = 3;

    /** The share of used sessions from which the server's use is mentioned. */
    private static final double NEARLY_FULL = 0.8;

    private final ServerQueryResult result;
    private final @Nullable ServerFindings findings;
    private final int open;

    ServerSentences(ServerQueryResult result, @Nullable ServerFindings findings, int open) {
        this.result = result;
        this.findings = findings;
        this.open = open;
    }

    /** The number of leased connections that wait for locks, and their blockers. */
    List<String> blocked() {
        List<String> sentences = new ArrayList<>(waits());
        Blocker blocker = findings == null || findings.passesOn() ? null : findings.blocker;
        if (findings != null && findings.passesOn()) {
            sentences.add("the lock passes from one transaction of this pool to the next: the first has ended");
        }
        if (findings != null && findings.behindRing > 0) {
            sentences.add(ring());
        }
        if (findings != null && blocker != null) {
            behind(blocker, sentences);
            findings.others.forEach(other -> behind(other, sentences));
            if (blocker.session().schemaChange()) {
                sentences.add("that session changes the schema");
            }
            if (blocker.behind() != null) {
                sentences.add("that session waits behind " + who(blocker.behind(), blocker.behindLease()));
            }
        }
        return sentences;
    }

    private void behind(Blocker blocker, List<String> sentences) {
        int waiting = Objects.requireNonNull(findings).waiting;
        String all = blocker.blocked() == waiting
                ? waiting == 1 ? "it waits" : "all " + waiting + " wait"
                : blocker.blocked() + (blocker.blocked() == 1 ? " of them waits" : " of them wait");
        if (Boolean.TRUE.equals(blocker.byLease())) {
            sentences.add(all + " behind " + who(blocker.session(), blocker.lease()));
            return;
        }
        Neighbour neighbour = blocker.lease() == null
                ? result.neighbours().get(blocker.session().id())
                : null;
        sentences.add(all + " behind session " + blocker.session().id()
                + (neighbour == null ? " of this pool, " : of(neighbour) + ", ")
                + blocker.session().describe());
        sentences.add(
                blocker.byLease() == null
                        ? "a lock of this kind stays after a lease: it is unknown whether the current lease or an"
                                + " earlier lease took it"
                        : "an earlier lease of that connection took the lock and did not release it");
    }

    private List<String> waits() {
        if (findings == null || findings.waiting == 0) {
            return List.of();
        }
        String lock = findings.lock == null ? "" : " (" + findings.lock + ")";
        String longest = findings.longestWait.isZero()
                ? ""
                : findings.waiting == 1
                        ? ", for " + Texts.span(findings.longestWait)
                        : ", the longest for " + Texts.span(findings.longestWait);
        return List.of(ofAll(findings.waiting) + (findings.waiting == 1 ? " waits" : " wait")
                + " in the server for a lock" + lock + longest);
    }

    /** The sessions of the deadlock, and the number of sessions that wait behind them. */
    private String ring() {
        ServerFindings known = Objects.requireNonNull(findings);
        String who = known.ring.stream()
                .limit(Explanation.MOST_HOLDERS)
                .map(session -> {
                    OpenLease lease = known.lease(session);
                    return "session " + session.id()
                            + (lease == null ? ", lease ended" : ", " + ServerQueryResult.at(lease));
                })
                .collect(Collectors.joining("; "));
        int more = known.behindRing - known.ring.size();
        return known.ring.size() + " of them wait for each other, a deadlock: " + who
                + (more == 0 ? "" : "; " + more + (more == 1 ? " waits" : " wait") + " behind these");
    }

    private static String of(Neighbour neighbour) {
        return " of pool '" + neighbour.pool() + "' of this JVM";
    }

    private String ofAll(int some) {
        int all = findings == null ? open : Math.max(open, findings.known);
        return some + " of the " + Texts.count(all, "leased connection");
    }

    /** Whether the session stands for a prepared transaction: providers use the id 0, which no session has. */
    static boolean prepared(ServerSession session) {
        return session.id() == 0;
    }

    /**
     * Describes a session: by its call site if it belongs to a pool of this JVM, otherwise by the server's data on its
     * client.
     */
    private String who(ServerSession session, @Nullable OpenLease lease) {
        if (prepared(session)) {
            return "a prepared transaction, which has no session";
        }
        StringBuilder who = new StringBuilder("session ").append(session.id());
        Neighbour neighbour = result.neighbours().get(session.id());
        if (lease != null) {
            who.append(" of this pool, ").append(ServerQueryResult.at(lease));
        } else if (neighbour != null) {
            who.append(of(neighbour)).append(", ").append(ServerQueryResult.at(neighbour.lease()));
        } else {
            who.append(session.application() == null ? "" : " of application '" + session.application() + "'");
            who.append(session.user() == null ? "" : ", user '" + session.user() + "'");
            who.append(session.address() == null ? "" : ", at " + session.address());
        }
        who.append(", ").append(session.describe());
        Duration inTransaction = session.inTransaction();
        if (inTransaction != null) {
            who.append(", transaction open for ").append(Texts.span(inTransaction));
        }
        return who.toString();
    }

    /** The activity of the leased sessions that do not wait for locks. */
    List<String> doing() {
        if (findings == null || findings.known == 0) {
            return List.of();
        }
        List<String> parts = new ArrayList<>();
        if (findings.inTransaction > 0) {
            parts.add(ofAll(findings.inTransaction) + (findings.inTransaction == 1 ? " is" : " are")
                    + " idle in transaction in the server, "
                    + (findings.inTransaction == 1 ? "for " : "the longest for ")
                    + Texts.span(findings.longestIdle));
        }
        if (findings.unread > 0) {
            parts.add(ofAll(findings.unread) + (findings.unread == 1 ? " waits" : " wait")
                    + " in the server until the application reads or sends data");
        }
        int others = findings.idle - findings.inTransaction - findings.unread;
        if (others > 0) {
            parts.add(ofAll(others) + (others == 1 ? " is" : " are") + " idle in the server");
        }
        if (findings.busy > 0) {
            parts.add(ofAll(findings.busy) + (findings.busy == 1 ? " runs" : " run")
                    + " in the server, on its processors or disks");
        }
        return parts;
    }

    /** The server's use and hidden data, or why the query failed. */
    List<String> server(boolean isFull) {
        List<String> sentences = new ArrayList<>();
        if (isFull && !result.pools().isEmpty()) {
            sentences.add("open connections of the pools of this JVM: "
                    + result.pools().stream()
                            .limit(MOST_APPLICATIONS)
                            .map(one -> one.connections() + " of '" + one.name() + "'"
                                    + (one.sameServer() == null ? ", whose server is unknown" : ""))
                            .collect(Collectors.joining(", ")));
        }
        ServerSnapshot snapshot = result.snapshot();
        if (snapshot == null) {
            sentences.add("the activity of the server is unknown: " + Objects.requireNonNull(result.missing()));
            return sentences;
        }
        if (snapshot.used() != ServerSnapshot.UNKNOWN
                && (isFull || snapshot.used() >= NEARLY_FULL * snapshot.usable())) {
            String usable = snapshot.usable() == ServerSnapshot.UNKNOWN ? "" : " of " + snapshot.usable() + " usable";
            String first = applications(snapshot, isFull ? MOST_APPLICATIONS : 1);
            sentences.add(snapshot.used() + usable + " sessions are in use" + (first.isEmpty() ? "" : ", " + first));
        }
        ServerSnapshot.Limit limit = snapshot.limit();
        if (limit != null) {
            String used = limit.used() == ServerSnapshot.UNKNOWN ? "" : ", of which " + limit.used() + " are in use";
            sentences.add(Texts.word(limit.kind()) + " '" + limit.name() + "' may have "
                    + Texts.count(limit.max(), "session") + used);
        }
        if (!snapshot.notVisible().isEmpty()) {
            sentences.add("not visible: " + String.join(", ", snapshot.notVisible()));
        }
        return sentences;
    }

    private static String applications(ServerSnapshot snapshot, int most) {
        return snapshot.sessionsByApplication().entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .limit(most)
                .map(entry -> entry.getValue() + " by application '" + entry.getKey() + "'")
                .collect(Collectors.joining(", "));
    }
}
