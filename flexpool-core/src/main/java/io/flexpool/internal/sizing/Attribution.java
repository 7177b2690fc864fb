// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import io.flexpool.diagnostics.Decision.Cause;
import org.jspecify.annotations.Nullable;

/** The cause of waits, and the size that it requires, as far as known without a trial. */
final class Attribution {
    /** Ignores a burst that is served in a moment: the oldest request must have waited this long. */
    private static final double EPISODE_HEAD_SECONDS = 0.06;

    private final EpisodeTracker episodes;
    private final Search search;

    /** A limit to try, and its cause. */
    record Step(Cause cause, int to) {}

    Attribution(EpisodeTracker episodes, Search search) {
        this.episodes = episodes;
        this.search = search;
    }

    /** The limit that compensates for occupied connections, if too few are left; otherwise the current limit. */
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

    /** The size that the load needs with low-load lease times; at most twice the limit, and not above a known knee. */
    int feedForward(Signals signals) {
        int most = (int) Math.min(signals.ceiling, (long) Search.DOUBLE * signals.limit);
        return Math.min(Math.min(signals.calmNeed(), search.knee(episodes.now())), most);
    }

    /** Whether the known knee prevents growth. */
    boolean atKnee(Signals signals) {
        return signals.calmNeed() > signals.limit && search.knee(episodes.now()) <= signals.limit;
    }

    /** Whether requests have waited long enough for a step. */
    boolean lasts(Signals signals) {
        return episodes.episodeSeconds() >= Experiment.QUIET_SECONDS || signals.headAge >= EPISODE_HEAD_SECONDS;
    }

    /**
     * Why requests wait for the limit; null without waiting requests. Within an episode the last cause stays while it
     * does not bind.
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

    /** The first step that mode adapt would take; null if none. If only a trial can find a size, the current limit. */
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
