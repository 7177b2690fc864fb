// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import io.flexpool.diagnostics.Decision.Cause;
import io.flexpool.diagnostics.Decision.Verdict;
import io.flexpool.internal.sizing.Attribution.Step;
import io.flexpool.internal.sizing.Evidence.Trial;
import io.flexpool.internal.sizing.SizingPolicy.SizingStep;
import io.flexpool.pool.PoolMode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the size of a pool: attributes a wait to a cause, changes the limit, measures, and keeps or reverts the change.
 *
 * <p>Requests can wait because of more load, a slow database, connections that do not return, or too many connections.
 * The ratio of lease times to those at low load distinguishes these causes. Every growth is an experiment, judged by
 * the pool's completions: without evidence no growth is kept.
 *
 * <p>The law as a whole. Each tick updates {@link EpisodeTracker} by the window and computes {@link Signals}; then the
 * first of these states that applies decides ({@code decide}):
 * <ol>
 *   <li>Refused: a connect failed within five seconds. A tried step is abandoned; the limit may fall, not grow.
 *   <li>Trying: a step is judged by {@link Experiment}. The conditions are checked in this order.
 *       Abandoned: the database turned slow meanwhile; more connections count as lost (replaced at once); the step's
 *       connections do not open. Reverted: completions do not rise as required. Kept: completions rise as required; no
 *       request waits; or too few leases end to judge the step and none became longer. If a kept step raised
 *       completions by nearly as much as it raised the limit, and requests still wait, the next step follows at once.
 *   <li>Opening: connections that the limit allows are not open yet. The limit stays.
 *   <li>Calm: no request has waited for the limit for two seconds. Growth is returned by the law of {@link Decay}.
 *   <li>Waiting, in an episode while the limit binds ({@code attribute}). In this order: connections of leases
 *       that count as lost are replaced within a budget ({@link Attribution}). After a reverted step no step is tried
 *       for a while ({@link Search}). For a slow database one step is tried at once, and others by search. For more
 *       load the limit becomes the size that Erlang's formula gives for the calm lease, in at most three steps an
 *       episode. If a queue lasts without another cause, a search tries steps up or down.
 *   <li>Otherwise, in an episode while the limit does not bind, the limit stays.
 * </ol>
 *
 * <p>{@link Baseline} stores the completions at the current limit, until the database turns slow. {@link Noise}
 * measures the variation of completions in relation to chance; all observation times are multiplied by it. While
 * requests fail and nothing is tried, each reason is logged once ({@code explainSilence}), and so is the end. Each
 * constant has its reason; benchmarks/results/simulation.md has the results of other values and of earlier laws.
 *
 * <p>In {@link PoolMode#RECOMMEND} the controller only reports the first step that it would take, once per episode.
 */
public final class SizingController implements SizingPolicy {
    /** Steps for more load in one episode, each judged before the next. Then the size is searched. */
    private static final int FEED_FORWARD_STEPS = 3;

    /** On a database of varying speed a queue presses later, by this time times the excess of the dispersion. */
    private static final double NOISY_SECONDS = 1.5;
    /** While the limit is at most this multiple of the base, the first step for a slow database is doubled. */
    private static final double FIRST_STEP_BASES = 1.5;
    /** The ceiling, in bases, that mode recommend assumes without a configured ceiling. */
    private static final int NO_CEILING = 4;

    private final SizingSettings settings;
    private final EpisodeTracker episodes;
    private final Noise noise = new Noise();
    private final Baseline baseline = new Baseline(noise);
    private final Search search;
    private final Decay decay = new Decay();
    private final Attribution attribution;
    private List<SizingDecision> decisions = List.of();
    private PoolMode mode;
    private @Nullable Experiment experiment;
    private @Nullable Cause blockingCause;
    private int sharers;
    private long number;
    private int feedForwardSteps;
    private boolean slowTried;
    private boolean reported;
    private boolean returning;
    private double lastSaid;
    /** The logged causes for which the limit stays: each once while requests wait or fail. */
    private final Set<Cause> given = EnumSet.noneOf(Cause.class);

    private boolean explained;
    private double lastChange = Double.NEGATIVE_INFINITY;

    /** A controller without data. */
    public SizingController(SizingSettings settings, PoolMode mode) {
        this(settings, mode, History.SIZE);
    }

    /** Takes the number of resting windows after which the short path is used. */
    SizingController(SizingSettings settings, PoolMode mode, int restTicks) {
        this.settings = settings;
        this.episodes = new EpisodeTracker(settings, restTicks);
        this.search = new Search(baseline, noise);
        this.attribution = new Attribution(episodes, search);
        this.mode = mode;
    }

    /**
     * Changes the mode from the next window on. Its knowledge of leases stays. The results of steps are dropped, and so
     * is a step that is being tried; the caller must revert the growth of that step.
     */
    public void mode(PoolMode next) {
        mode = next;
        experiment = null;
        reported = false;
        explained = false;
        given.clear();
        search.forget();
        baseline.forget();
    }

    @Override
    public void sharers(int pools) {
        sharers = pools;
    }

    @Override
    public int knee() {
        return search.lastKnee();
    }

    @Override
    public @Nullable Cause blockingCause() {
        return blockingCause;
    }

    @Override
    public SizingStep onTick(PoolWindow window) {
        decisions = List.of();
        if (atRest(window) && episodes.rests(window)) {
            return rest(window);
        }
        int to = window.limit();
        int ceiling = ceiling(window);
        // In any mode, because a connect failure just before mode adapt must count.
        Signals signals = episodes.tick(window.withCeiling(ceiling));
        if (signals != null && mode == PoolMode.ADAPT) {
            to = apply(signals);
        } else if (signals != null && mode == PoolMode.RECOMMEND) {
            observe(signals, ceiling > window.ceiling());
        }
        blockingCause = signals == null ? blockingCause : attribution.present(signals, blockingCause);
        return new SizingStep(to, decisions);
    }

    /** Whether only the pool's use could move the limit: no growth is left, and no step is being tried. */
    private boolean atRest(PoolWindow window) {
        return mode != PoolMode.ADAPT || (experiment == null && window.limit() == window.base());
    }

    /** The short path of a tick for a pool without load: the same result at low cost. */
    private SizingStep rest(PoolWindow window) {
        double length = episodes.rest(window);
        reported = false;
        blockingCause = null;
        if (mode == PoolMode.ADAPT) {
            baseline.fade(length);
            search.rest();
            feedForwardSteps = 0;
        }
        return new SizingStep(window.limit(), decisions);
    }

    /**
     * This instance's part of the ceiling, but never less than the base: all instances may be at their ceilings at
     * once. A cap that pools share is already divided.
     */
    private int ceiling(PoolWindow window) {
        int base = window.base();
        int part = Math.max(base, window.ceiling() / (sharers > 0 ? 1 : settings.instances()));
        boolean assumed = mode == PoolMode.RECOMMEND && part == base;
        return assumed ? (int) Math.min(Integer.MAX_VALUE, (long) NO_CEILING * base) : part;
    }

    private void observe(Signals signals, boolean assumed) {
        reported &= episodes.episode();
        if (reported || !signals.limited || signals.window.opening() || episodes.refused()) {
            return;
        }
        Step step = attribution.first(signals);
        if (step == null) {
            return;
        }
        reported = true;
        Evidence evidence = Evidence.of(signals, Trial.NONE, signals.expectedWait(step.to()), assumed, Double.NaN);
        decided(signals, ++number, step.to(), step.to(), step.cause(), Verdict.UNVERIFIED, evidence);
    }

    private int apply(Signals signals) {
        double now = episodes.now();
        if (signals.recovered() && episodes.slow()) {
            episodes.slow(false);
            baseline.forget();
            slowTried = false;
        }
        noise.tick(signals);
        if (experiment == null) {
            baseline.tick(signals, now);
        }
        if (!episodes.episode()) {
            search.rest();
            feedForwardSteps = 0;
            if (episodes.failingSeconds() == 0) {
                given.clear();
            }
        }
        if (experiment != null && experiment.to != signals.limit) {
            Cause by = episodes.refused() ? Cause.CONNECT_FAILURE : Cause.OVERRULED;
            ends(signals, experiment, by, Verdict.ABANDONED, signals.limit);
        }
        int to = Math.max(signals.min, Math.min(signals.ceiling, decide(signals)));
        if (!decisions.isEmpty()) {
            lastSaid = now;
        } else if (to == signals.limit) {
            explainSilence(signals, now);
        }
        return to;
    }

    /** Requests fail without a change of the limit: the log must show the cause, and its end. */
    private void explainSilence(Signals signals, double now) {
        if (experiment != null) {
            return;
        }
        if (explained && !episodes.episode() && episodes.failingSeconds() == 0) {
            explained = false;
            untried(signals, signals.limit, signals.limit, Cause.CALM, Trial.NONE);
        }
        if (signals.timeouts > 0
                && Math.min(episodes.failingSeconds(), now - lastSaid) >= Experiment.PATIENCE_SECONDS) {
            explained = true;
            lastSaid = now;
            reportKept(signals, silenceOf(signals, now));
        }
    }

    private Cause silenceOf(Signals signals, double now) {
        if (episodes.refused()) {
            return Cause.CONNECT_FAILURE;
        }
        if (signals.window.opening()) {
            return Cause.OPENING;
        }
        if (signals.limit >= signals.ceiling) {
            return Cause.CEILING;
        }
        return search.holdSeconds(now) > 0 || attribution.atKnee(signals) ? Cause.KNEE : Cause.QUEUE;
    }

    private int decide(Signals signals) {
        if (episodes.refused()) {
            return refused(signals);
        }
        if (experiment != null) {
            return judge(signals, experiment);
        }
        if (signals.window.opening()) {
            return signals.limit;
        }
        if (!episodes.episode()) {
            return calm(signals);
        }
        return signals.limited ? attribute(signals) : signals.limit;
    }

    private int refused(Signals signals) {
        if (experiment != null) {
            int to = Math.min(experiment.from, signals.limit);
            return ends(signals, experiment, Cause.CONNECT_FAILURE, Verdict.ABANDONED, to);
        }
        if (signals.limited) {
            reportKept(signals, Cause.CONNECT_FAILURE);
        }
        return episodes.episode() ? signals.limit : calm(signals);
    }

    private int calm(Signals signals) {
        // In an outage no request waits for the limit, and all fail.
        int to = signals.timeouts > 0 ? signals.limit : decay.tick(signals, episodes, lastChange);
        if (to == signals.limit) {
            return to;
        }
        baseline.forget();
        boolean up = to > signals.limit;
        // A return to the base is one decision, regardless of its steps.
        if (up || !returning) {
            untried(signals, to, up ? to : decay.need(), Cause.CALM, Trial.NONE);
        }
        returning = !up;
        if (up) {
            lastChange = episodes.now();
        }
        return to;
    }

    private int attribute(Signals signals) {
        int occupied = Attribution.occupied(signals);
        if (occupied > signals.limit) {
            return attempt(signals, Cause.OCCUPIED, occupied);
        }
        if (episodes.now() - lastChange >= Decay.AFTER_CHANGE_SECONDS && episodes.turnsSlow(signals)) {
            turnSlow(signals);
        }
        if (search.holding(signals, episodes.now())) {
            return signals.limit;
        }
        if (signals.calmKnown && (signals.databaseSlow() || episodes.slow())) {
            return databaseSlow(signals);
        }
        int to = signals.estimated && !search.wider() ? attribution.feedForward(signals) : signals.limit;
        if (to > signals.limit && feedForwardSteps < FEED_FORWARD_STEPS) {
            if (!attribution.lasts(signals)) {
                return signals.limit;
            }
            feedForwardSteps++;
            return attempt(signals, Cause.DEMAND, to);
        }
        reportKnee(signals);
        return presses(signals) ? attemptNext(signals, Cause.QUEUE, false) : signals.limit;
    }

    private boolean presses(Signals signals) {
        return signals.pressing && episodes.pressedSeconds() >= (noise.times() - 1) * NOISY_SECONDS;
    }

    private void reportKnee(Signals signals) {
        if (signals.calmKnown && attribution.atKnee(signals)) {
            reportKept(signals, Cause.KNEE);
        } else if (signals.pressing && signals.limit >= signals.ceiling) {
            reportKept(signals, Cause.CEILING);
        }
    }

    private int databaseSlow(Signals signals) {
        if (!episodes.slow() || slowTried) {
            return presses(signals) ? attemptNext(signals, Cause.DATABASE_SLOW, false) : signals.limit;
        }
        boolean enough = baseline.sound() || baseline.seen().count() >= Baseline.FEWEST;
        if (!enough || signals.saturated < Signals.BOUND) {
            return signals.limit;
        }
        slowTried = true;
        boolean low = signals.limit >= signals.base && signals.limit <= FIRST_STEP_BASES * signals.base + signals.stuck;
        return attemptNext(signals, Cause.DATABASE_SLOW, low);
    }

    /** Notes that the database has turned slow: earlier data no longer count. */
    private void turnSlow(Signals signals) {
        episodes.slow(true);
        search.rest();
        baseline.moved(Rate.NONE, signals, episodes.now());
    }

    private int attemptNext(Signals signals, Cause cause, boolean first) {
        int to = search.next(signals, first);
        return attempt(signals, to < signals.limit ? Cause.CONTENTION : cause, to);
    }

    private int attempt(Signals signals, Cause cause, int wanted) {
        int to = Math.max(signals.min, wanted);
        if (to == signals.limit) {
            return to;
        }
        returning = false;
        Rate before = baseline.before(signals, episodes.history);
        experiment = new Experiment(
                ++number,
                cause,
                to,
                before,
                signals,
                noise,
                to > search.knee(episodes.now()),
                sharers > 0 ? sharers : settings.instances());
        lastChange = episodes.now();
        baseline.forget();
        Trial trial = new Trial(before.perSecond(), Double.NaN, Double.NaN, Double.NaN, Double.NaN, 1);
        Evidence evidence = Evidence.of(signals, trial, signals.expectedWait(to), false, Double.NaN);
        decided(signals, number, to, to, cause, Verdict.PENDING, evidence);
        return to;
    }

    private int judge(Signals signals, Experiment step) {
        if (step.up() && step.cause != Cause.OCCUPIED && step.sinceStep() > 0 && episodes.turnsSlow(signals)) {
            turnSlow(signals);
            return ends(signals, step, Cause.DATABASE_SLOW, Verdict.ABANDONED, step.from);
        }
        int occupied = Attribution.occupied(signals);
        boolean more = signals.limited && signals.window.filled() && signals.stuck > step.stuckBefore;
        if (occupied > signals.limit && more) {
            // The verdict would concern connections that became occupied meanwhile.
            ends(signals, step, Cause.OCCUPIED, Verdict.ABANDONED, signals.limit);
            return attempt(signals, Cause.OCCUPIED, occupied);
        }
        Verdict verdict = step.tick(signals);
        return switch (verdict) {
            case PENDING -> signals.limit;
            case ABANDONED ->
                step.unjudged()
                        ? ends(signals, step, step.cause, verdict, signals.limit)
                        : ends(signals, step, step.up() ? Cause.OPENING : step.cause, verdict, step.from);
            case REVERTED -> reverted(signals, step);
            default -> kept(signals, step, verdict);
        };
    }

    private int reverted(Signals signals, Experiment step) {
        search.reverted(step, episodes.now());
        baseline.moved(step.before, signals, episodes.now());
        return ends(signals, step, step.cause, Verdict.REVERTED, step.from);
    }

    private int kept(Signals signals, Experiment step, Verdict verdict) {
        boolean proven = verdict == Verdict.PROVEN;
        search.kept(step, proven, episodes.now());
        baseline.moved(step.after(), signals, episodes.now());
        ends(signals, step, step.cause, verdict, signals.limit);
        if (!proven || !step.up() || !signals.limited || step.elasticity() <= Signals.BOUND) {
            return signals.limit;
        }
        // The formula's step was made; further steps depend on the verdict.
        Cause further = step.cause == Cause.DATABASE_SLOW ? Cause.DATABASE_SLOW : Cause.QUEUE;
        return attempt(signals, further, search.onward(signals));
    }

    private int ends(Signals signals, Experiment step, Cause cause, Verdict verdict, int to) {
        experiment = null;
        lastChange = episodes.now();
        decided(signals, step.number, to, step.to, cause, verdict, step.evidence(signals));
        return to;
    }

    private void reportKept(Signals signals, Cause cause) {
        if (!given.add(cause)) {
            return;
        }
        Experiment against = cause == Cause.KNEE ? search.against(episodes.now()) : null;
        if (against == null) {
            untried(signals, signals.limit, signals.limit, cause, Trial.NONE);
        } else {
            boolean kept = against.to == signals.limit;
            untried(signals, signals.limit, kept ? against.from : against.to, cause, against.trial(kept));
        }
    }

    private void untried(Signals signals, int to, int last, Cause cause, Trial trial) {
        double hold = search.holdSeconds(episodes.now());
        Evidence evidence = Evidence.of(signals, trial, Double.NaN, false, hold);
        decided(signals, ++number, to, last, cause, Verdict.NONE, evidence);
    }

    private void decided(Signals signals, long as, int to, int tried, Cause cause, Verdict verdict, Evidence evidence) {
        if (decisions.isEmpty()) {
            decisions = new ArrayList<>(2);
        }
        decisions.add(SizingDecision.of(
                as, mode, signals.window.nowNanos(), signals.limit, to, tried, cause, verdict, evidence));
    }
}
