// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import io.flexpool.cli.PoolFrames;
import io.flexpool.diagnostics.Explanation.Cause;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Evidence that the database is down or full, or that the pool still connects. The methods add sentences to a list. */
record Outages(Evidence evidence) {
    /** More than this share of the failed requests. */
    private static final double HALF = 0.5;

    /** The sessions that the server refused because it has no more. */
    int refused() {
        LeaseTimes times = evidence.times();
        return evidence.log().full() + (times == null ? 0 : times.full());
    }

    Cause full(List<String> why) {
        int full = refused();
        why.add("the server refused " + full + (full == 1 ? " session" : " sessions") + " because it allows no more");
        return Cause.SERVER_FULL;
    }

    /** What drivers threw below a pool, in a recording. */
    @Nullable
    Cause thrown(List<String> why) {
        LeaseTimes times = evidence.times();
        if (times == null) {
            return null;
        }
        if (times.full() > 0) {
            return full(why);
        }
        int failed = times.unreachable();
        if (failed > 0) {
            why.add(failed + (failed == 1 ? " connect" : " connects") + " of the pool failed while it was recorded");
            return Cause.CONNECT_FAILURE;
        }
        return null;
    }

    /** What the log of the pool reports. */
    @Nullable
    Cause logged(List<String> why) {
        PoolLog log = evidence.log();
        if (log.full() > 0 && log.full() >= log.timeouts()) {
            return full(why);
        }
        // The first requests of an outage fail before a connect has.
        boolean empty = log.timeouts() > 0
                && !log.figures().isEmpty()
                && log.figures().values().stream().allMatch(figures -> figures.active() == 0);
        if (log.unreachable() > 0 && (empty || log.unreachable() >= log.timeouts())) {
            why.add(log.unreachable() + (log.unreachable() == 1 ? " connect failed" : " connects failed"));
            return Cause.CONNECT_FAILURE;
        }
        if (log.withoutConnection() > HALF * log.timeouts()) {
            why.add(log.withoutConnection() + " of " + log.timeouts()
                    + " failed requests found a pool without any connection");
            return Cause.CONNECT_FAILURE;
        }
        return null;
    }

    /** The cause if no thread holds a connection because the pool gets none. Needs a dump. */
    @Nullable
    Cause connecting(List<String> why, List<String> missing, boolean requestsWait) {
        List<DumpedThread> last =
                evidence.dumps().get(evidence.dumps().size() - 1).threads();
        Set<Long> own = new HashSet<>();
        last.stream().filter(Outages::isOfPool).forEach(each -> own.add(each.id()));
        long failed =
                evidence.refused().threads().stream().filter(own::contains).count();
        if (failed > 0) {
            why.add(failed + (failed == 1 ? " connect" : " connects") + " of the pool failed in the last "
                    + RefusedConnects.SECONDS + " s");
            return Cause.CONNECT_FAILURE;
        }
        if (!requestsWait || evidence.dumps().size() < 2) {
            return null;
        }
        if (evidence.dumps().stream()
                .allMatch(
                        dump -> dump.threads().stream().anyMatch(each -> Stacks.pausesBetweenConnects(each.stack())))) {
            why.add("no thread holds a connection, and the pool pauses between its attempts to connect in all "
                    + evidence.dumps().size() + " dumps");
            return Cause.CONNECT_FAILURE;
        }
        long opening = last.stream().filter(this::connectsAllTheTime).count();
        if (opening > 0) {
            why.add("no thread holds a connection, and the same "
                    + (opening == 1 ? "thread connects" : opening + " threads connect") + " to the database in all "
                    + evidence.dumps().size() + " dumps");
            missing.add("whether the database answers: connect to it from this host with its own client");
            return Cause.OPENING;
        }
        return null;
    }

    /** Whether the last dump has the threads of more than one pool. Needs a dump. */
    boolean hasSeveralPools() {
        return evidence.dumps().get(evidence.dumps().size() - 1).threads().stream()
                        .filter(each -> PoolFrames.isOnlyThreadOfPool(each.name()))
                        .count()
                > 1;
    }

    /** A thread that a pool started, or one in which a pool connects for a request. */
    private static boolean isOfPool(DumpedThread thread) {
        return thread.id() != 0 && (PoolFrames.isThreadOfPool(thread.name()) || Stacks.connects(thread.stack()));
    }

    private boolean connectsAllTheTime(DumpedThread thread) {
        return evidence.dumps().stream()
                .allMatch(dump -> dump.threads().stream()
                        .anyMatch(each -> each.name().equals(thread.name()) && Stacks.connects(each.stack())));
    }

    /** Tomcat JDBC, DBCP 2 and Agroal connect in the thread of a request, which may call other services, too. */
    boolean unknownServer(List<String> why, List<String> missing) {
        int failed = evidence.refused().threads().size();
        if (failed > 0) {
            why.add(failed + (failed == 1 ? " connect" : " connects") + " to an unknown server failed in the last "
                    + RefusedConnects.SECONDS + " s");
            missing.add("which server refused: give the application's log");
        }
        return failed > 0;
    }
}
