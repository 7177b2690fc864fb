// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import io.flexpool.cli.PoolFrames;
import io.flexpool.diagnostics.Explanation.Cause;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds evidence that the database is down or full, or that the pool is still connecting. The methods add sentences to
 * a list.
 */
record Outages(Evidence evidence) {
    /** The share of failed requests that must be exceeded. */
    private static final double HALF = 0.5;

    /** The number of connects that the server refused because no session was left. */
    int refused() {
        LeaseTimes times = evidence.times();
        return evidence.log().full() + (times == null ? 0 : times.full());
    }

    Cause full(List<String> why) {
        int full = refused();
        why.add("the server refused " + full + (full == 1 ? " session" : " sessions") + " because it allows no more");
        return Cause.SERVER_FULL;
    }

    /** The cause by exceptions that drivers threw below a pool, from a recording. */
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

    /** The cause by the log of the pool. */
    @Nullable
    Cause logged(List<String> why) {
        PoolLog log = evidence.log();
        if (log.full() > 0 && (log.full() >= log.timeouts() || (log.gaveUp() && log.isOfC3p0()))) {
            return full(why);
        }
        // The first requests of an outage fail before a connect fails.
        boolean empty = (log.timeouts() > 0 && log.showsNoUse()) || (log.gaveUp() && log.isOfC3p0());
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

    /** The cause if no thread holds a connection, because the pool cannot connect. Needs a dump. */
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
            missing.add("whether the database answers: connect to it from this host, for example with psql or mysql");
            return Cause.OPENING;
        }
        return null;
    }

    /** Whether the last dump shows threads of several pools. Needs a dump. */
    boolean hasSeveralPools() {
        return evidence.dumps().get(evidence.dumps().size() - 1).threads().stream()
                        .filter(each -> PoolFrames.isOnlyThreadOfPool(each.name()))
                        .count()
                > 1;
    }

    /** Whether a pool has started the thread, or connects in it for a request. */
    private static boolean isOfPool(DumpedThread thread) {
        return thread.id() != 0 && (PoolFrames.isThreadOfPool(thread.name()) || Stacks.connects(thread.stack()));
    }

    private boolean connectsAllTheTime(DumpedThread thread) {
        return evidence.dumps().stream()
                .allMatch(dump -> dump.threads().stream()
                        .anyMatch(each -> each.name().equals(thread.name()) && Stacks.connects(each.stack())));
    }

    /**
     * Whether failed connects are to an unknown server: Tomcat JDBC, DBCP 2 and Agroal connect in a request's thread,
     * which may also call other services.
     */
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
