// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import io.flexpool.diagnostics.Decision.Cause;
import org.jspecify.annotations.Nullable;

/** Why requests wait, and the size that the answer would need: what can be said without trying. */
final class Attribution {
    /** Ignores a burst that is served in a moment: the oldest request must have waited this long. */
    private static final double EPISODE_HEAD_SECONDS = 0.06;

    private final EpisodeTracker episodes;
    private final Search search;

    /** A limit to try, and why. */
    record Step(Cause cause, int to) {}

    Attribution(EpisodeTracker episodes, Search search) {
        this.episodes = episodes;
        this.search = search;
    }

    /** What makes up for leases that do not come back, if too few connections are left; else the limit in force. */
    static int occupied(Signals signals) {
        if (signals.stuck == 0 || !(signals.calmKnown || signals.stalled)) {
            return signals.limit;
        }
        int need = signals.need(signals.calmLease);
        boolean tooFew = signals.limit - signals.stuck < need;
        return tooFew
                ? Math.max(signals.limit, Math.min(signals.ceiling, need + signals.takenBudget()))
                : signals.limit;
    }

    /** The size that the load needs with leases as in calm; at most twice the limit, and not above a learnt knee. */
    int feedForward(Signals signals) {
        int most = (int) Math.min(signals.ceiling, (long) Search.DOUBLE * signals.limit);
        return Math.min(Math.min(signals.calmNeed(), search.knee(episodes.now())), most);
    }

    /** Whether the learnt knee is what keeps the limit from growing. */
    boolean atKnee(Signals signals) {
        return signals.calmNeed() > signals.limit && search.knee(episodes.now()) <= signals.limit;
    }

    /** Whether requests have waited long enough to act on it. */
    boolean lasts(Signals signals) {
        return episodes.episodeSeconds() >= Experiment.QUIET_SECONDS || signals.headAge >= EPISODE_HEAD_SECONDS;
    }

    /**
     * Why requests wait for the limit; null if none does. Within an episode the last reason holds while the limit does not bind.
     */
    @Nullable
    Cause present(Signals signals, @Nullable Cause before) {
        if (episodes.refused()) {
            return Cause.CONNECT_FAILURE;
        }
        if (!episodes.episode()) {
            return null;
        }
        if (!signals.limited) {
            return before;
        }
        if (occupied(signals) > signals.limit) {
            return Cause.OCCUPIED;
        }
        if (signals.calmKnown && signals.databaseSlow()) {
            return Cause.DATABASE_SLOW;
        }
        if (search.knee(episodes.now()) <= signals.limit) {
            return Cause.KNEE;
        }
        return signals.calmKnown ? Cause.DEMAND : Cause.QUEUE;
    }

    /** What acting would do first; null if it would wait. Where only a trial could show a size, the limit in force. */
    @Nullable
    Step first(Signals signals) {
        int occupied = occupied(signals);
        if (occupied > signals.limit) {
            return new Step(Cause.OCCUPIED, occupied);
        }
        boolean slow = signals.calmKnown && signals.databaseSlow();
        int to = signals.calmKnown && !slow ? feedForward(signals) : signals.limit;
        if (to > signals.limit && lasts(signals)) {
            return new Step(Cause.DEMAND, to);
        }
        return signals.pressing ? new Step(slow ? Cause.DATABASE_SLOW : Cause.QUEUE, signals.limit) : null;
    }
}
