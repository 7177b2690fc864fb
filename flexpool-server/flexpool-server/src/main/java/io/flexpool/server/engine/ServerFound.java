// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

import io.flexpool.diagnostics.Explanation.Cause;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.server.ServerSnapshot;
import io.flexpool.server.engine.ServerFindings.Blocker;
import io.flexpool.spi.SessionInsight.SessionFindings;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Compares one result of the server with the leases, for an explanation. Locks explain a failure if at least half of
 * the open leases wait for locks in the server, or block the waiting ones. In addition the leases must be older than
 * usual, one must have waited {@value #LONG_NANOS} ns, or {@value #SOME} must wait. The cause is {@code BLOCKED_BY_DDL}
 * behind a schema change. By the head of the chain it is {@code BLOCKED_BY_HOLDER} or {@code BLOCKED_BY_OTHER}. If the
 * lock passes from one lease to the next it is {@code BLOCKED_BY_HOLDER}, otherwise {@code BLOCKED}.
 */
final class ServerFound implements SessionFindings {
    private static final long LONG_NANOS = 100_000_000L;
    /** The number of leases waiting for locks at one moment that counts as more than chance. */
    private static final int SOME = 3;

    private final int open;
    private final @Nullable ServerFindings findings;
    private final ServerSentences sentences;

    ServerFound(List<OpenLease> leases, ServerQueryResult result, long readNanos) {
        this.open = leases.size();
        ServerSnapshot snapshot = result.snapshot();
        this.findings = snapshot == null ? null : new ServerFindings(leases, result, snapshot, readNanos);
        this.sentences = new ServerSentences(result, findings, open);
    }

    @Override
    public boolean answered() {
        return findings != null;
    }

    @Override
    public int known() {
        return findings == null ? 0 : findings.known;
    }

    @Override
    public int busy() {
        return findings == null ? 0 : findings.busy;
    }

    @Override
    public int idle() {
        return findings == null ? 0 : findings.idle;
    }

    /**
     * The cause if locks explain the failure; otherwise null. The holder of the lock may be unknown, or have changed
     * since the query.
     */
    @Override
    public @Nullable Cause blocked(boolean longer) {
        if (findings == null
                || !findings.lockedUp(open)
                || !(longer || findings.longestWait.toNanos() >= LONG_NANOS || findings.waiting >= SOME)) {
            return null;
        }
        Blocker blocker = findings.blocker;
        if (blocker == null || !findings.named()) {
            return findings.passesOn() ? Cause.BLOCKED_BY_HOLDER : Cause.BLOCKED;
        }
        if (blocker.session().schemaChange()) {
            return Cause.BLOCKED_BY_DDL;
        }
        if (blocker.lease() == null) {
            return Cause.BLOCKED_BY_OTHER;
        }
        return Boolean.TRUE.equals(blocker.byLease()) ? Cause.BLOCKED_BY_HOLDER : Cause.BLOCKED;
    }

    @Override
    public @Nullable OpenLease blocker() {
        return findings == null || findings.blocker == null || !findings.named() ? null : findings.blocker.lease();
    }

    @Override
    public String remedy() {
        if (findings != null && findings.deadlocked()) {
            return "take the locks of a transaction in one order everywhere";
        }
        Blocker blocker = findings == null ? null : findings.blocker;
        if (blocker != null && ServerSentences.prepared(blocker.session())) {
            return "commit or roll back the prepared transaction";
        }
        if (blocker != null
                && blocker.lease() == null
                && Objects.requireNonNull(findings).named()) {
            return "end session " + blocker.session().id() + ", or let its client "
                    + (ServerFindings.withoutTransaction(blocker.session())
                            ? "release the lock"
                            : "commit or roll back");
        }
        if (blocker != null && blocker.lease() != null && blocker.ofSession()) {
            return "release the session's lock before the connection is closed";
        }
        OpenLease holder = blocker();
        return (holder == null || blocker == null
                        ? ""
                        : "to free the lock now, end session "
                                + blocker.session().id() + "; ")
                + "in the code, do other work before the transaction takes the lock or after its commit";
    }

    @Override
    public List<String> waits() {
        return sentences.blocked();
    }

    @Override
    public List<String> works() {
        return sentences.doing();
    }

    @Override
    public List<String> server(boolean isFull) {
        return sentences.server(isFull);
    }
}
