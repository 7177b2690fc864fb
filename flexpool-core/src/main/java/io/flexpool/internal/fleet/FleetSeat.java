// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.fleet;

import io.flexpool.adapter.Capability;
import io.flexpool.fleet.ConnectionBudget;
import io.flexpool.fleet.ConnectionBudgetProvider;
import io.flexpool.fleet.ConnectionBudgetProvider.Setup;
import io.flexpool.fleet.FleetMember;
import io.flexpool.fleet.FleetRules;
import io.flexpool.fleet.FleetStatus;
import io.flexpool.fleet.FleetStatus.Source;
import io.flexpool.fleet.Grant;
import io.flexpool.fleet.Renewal;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.CoreKey.FleetStore;
import io.flexpool.internal.config.FleetStores;
import io.flexpool.internal.config.PoolConfig;
import io.flexpool.internal.config.Values;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.event.BoundedCall;
import io.flexpool.internal.event.PoolExecutor;
import io.flexpool.internal.gate.Limits;
import io.flexpool.internal.resize.DecisionLog;
import io.flexpool.internal.resize.Limiter;
import io.flexpool.internal.server.BudgetWatch;
import io.flexpool.internal.server.ServerView;
import io.flexpool.internal.shared.DaemonThreads;
import io.flexpool.internal.shared.PlainText;
import io.flexpool.internal.shared.Words;
import io.flexpool.internal.sizing.SizingDecision;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pool's place in its fleet: once a tick it takes what the store has answered, holds the pool to it, and asks again when
 * that is due. The store is asked on a helper thread; a store that hangs or throws costs a request nothing. Used by the
 * loop's thread, apart from {@link #status()}.
 */
public final class FleetSeat {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    /** How long a pool that reads its number waits for its own start. */
    private static final Duration START = Duration.ofSeconds(2);
    /** How long a pool's close waits for the store at most, twice. */
    private static final long CLOSE_WAIT_MILLIS = 1_000;
    /** A connect that was begun under a higher limit may take this long. */
    private static final int ROOM_TICKS = 3;
    /** A renewal that hangs does not keep the next one off; a second one that hangs does. */
    private static final int MOST_CALLS = 2;

    private final PoolContext context;
    private final Limiter limiter;
    private final DecisionLog decisions;
    private final String fleet;
    private final FleetCap cap;
    private final FleetLease.MemberNames names;
    private final FleetLease lease;
    private final ConnectionBudget budget;
    private final PoolExecutor executor;
    private final StoreConnections connections;
    private final boolean follows;
    private final Queue<Runnable> answers = new ConcurrentLinkedQueue<>();
    private final FleetDemand demand = new FleetDemand();
    private Source source = Source.BOOT;
    private long tickedNanos;
    private int roomTicks;
    private @Nullable String trouble;
    private boolean toldIgnored;
    /** A member whose number or reserve is another one; null if all agree. */
    private @Nullable FleetMember differs;

    private volatile @Nullable String disagreement;
    private volatile FleetStatus status;

    private FleetSeat(PoolContext context, Limiter limiter, DecisionLog decisions, ConnectionBudgetProvider provider) {
        this.context = context;
        this.limiter = limiter;
        this.decisions = decisions;
        Values values = context.config().values();
        this.fleet = Renewal.name(values.need(CoreKey.FLEET_NAME, String.class));
        this.cap = new FleetCap(
                context.config().fleetMax(),
                values.get(CoreKey.FLEET_RESERVE, Integer.class),
                values.count(CoreKey.FLEET_INSTANCES_MAX));
        FleetRules rules = cap.rules(context.nanos());
        SecureRandom random = new SecureRandom();
        this.names = new FleetLease.MemberNames(context.name(), random, FleetLease.MemberNames::processStart);
        this.tickedNanos = context.nanos();
        this.lease = new FleetLease(names, rules, random, tickedNanos);
        this.follows = context.adapter().capabilities().contains(Capability.PHYSICAL_FOLLOWS_LIMIT);
        this.executor = new PoolExecutor(context.name(), MOST_CALLS, context.listeners(), context.ticker());
        this.status = new FleetStatus(
                fleet, lease.member(), Source.BOOT, FleetRules.BOOT, 0, 0, 0, 0, rules.cap(), List.of(), null);
        this.connections = new StoreConnections(context, limiter.gate());
        this.budget = provider.open(new Setup(
                Words.word(values.need(CoreKey.FLEET, FleetStore.class)),
                fleet,
                values.get(CoreKey.FLEET_URI, String.class),
                values.flag(CoreKey.FLEET_CREATE_TABLES),
                connections));
        if (!follows) {
            LOG.info(
                    "{}: the fleet '{}' counts it with its ceiling, {}: {} gives no way to close its connections",
                    context.name(),
                    fleet,
                    context.limits().configuredCeiling(),
                    context.adapter().type());
        }
    }

    /** The seat of a pool; null if it is in no fleet. */
    public static @Nullable FleetSeat of(PoolContext context, @Nullable Limiter limiter, DecisionLog decisions) {
        PoolConfig config = context.config();
        if (limiter == null || !config.inFleet()) {
            return null;
        }
        ServerView view = config.fleetMax() == null ? context.server() : null;
        context.limits().room(view == null ? 0 : 1);
        if (view != null && !context.adapter().started()) {
            // A pool that starts with its first acquisition shows no way to its database before.
            start(context);
        }
        String unseen = view == null ? null : view.unseen();
        if (view != null && unseen != null) {
            view.close();
            throw new IllegalArgumentException(context.name() + ": flexpool.fleet.max = auto: must be from 2 to "
                    + FleetRules.MOST + " here, because " + unseen);
        }
        ConnectionBudgetProvider provider = FleetStores.find(config.values().need(CoreKey.FLEET, FleetStore.class));
        return new FleetSeat(context, limiter, decisions, Objects.requireNonNull(provider, "checked"));
    }

    private static void start(PoolContext context) {
        Callable<Boolean> first = () -> {
            context.config().target().getConnection().close();
            return true;
        };
        try {
            BoundedCall.run("flexpool-start-" + context.name(), START, first, () -> {});
        } catch (Exception unreachable) {
            String text = "{}: the database could not be reached at the start";
            context.listeners().guard("the log", () -> LOG.debug(text, context.name()));
        }
    }

    /** How the pool stands. Thread-safe. */
    public FleetStatus status() {
        return status;
    }

    /** Which call of the store hangs, in words; null if none does. */
    public @Nullable String hanging(long nowNanos) {
        return executor.hanging(nowNanos);
    }

    /** Once a tick, before the pool's limit is moved by anything else. */
    public void tick(long now, PoolState state) {
        for (Runnable answer = answers.poll(); answer != null; answer = answers.poll()) {
            answer.run();
        }
        // After a lease without a tick: else nothing was taken from it.
        if (now - tickedNanos > FleetRules.TTL.toNanos() && names.restored()) {
            lease.restored(now);
            String text = "{}: fleet '{}': restored from a checkpoint, now member '{}'";
            log(() -> LOG.info(text, context.name(), fleet, lease.member()));
        }
        tickedNanos = now;
        Limits limits = context.limits();
        limits.room(0);
        int own = limits.own();
        int needed = limits.ownNeeded();
        int pools = open(state);
        int want = want(state) + needed;
        int open = pools + own;
        readCap(now);
        lease.ownLimit(gives(want));
        Renewal renewal = lease.due(now, open, want);
        if (renewal != null) {
            cap.sent(now);
        }
        if (renewal != null && !executor.run("renewal in the fleet", () -> renew(renewal))) {
            lease.failed(renewal.sequence());
        }
        if (lease.failing() && trouble == null) {
            notAnswered("the store does not answer in time");
        }
        int ceiling = lease.ceiling(now);
        tellSource(lease.source(now), ceiling);
        apply(Math.max(FleetRules.BOOT, ceiling - needed), want, state);
        leaveRoom(ceiling - own - Math.max(pools, limiting() ? limiter.gate().limit() : 0), now);
        Grant last = lease.grant();
        context.limits().members(Math.max(1, last == null ? 0 : last.members()));
        status = new FleetStatus(
                fleet,
                lease.member(),
                lease.source(now),
                ceiling,
                want,
                Math.max(open, state.leased()),
                last == null ? 0 : last.members(),
                last == null ? 0 : last.free(),
                last == null ? cap.rules(now).cap() : last.cap(),
                last == null ? List.of() : last.shown(),
                reason());
    }

    /** For connections past the pool, once what the pool had on its way when its limit was lowered is open or given up. */
    private void leaveRoom(int room, long now) {
        roomTicks = room > 0 ? roomTicks + 1 : 0;
        boolean unread = cap.isRead() && !cap.rules(now).known();
        // Without a number a look must be possible: the tenth that is kept for others has room for it.
        context.limits().room(roomTicks > ROOM_TICKS ? room : unread ? 1 : 0);
    }

    private boolean limiting() {
        return follows && context.mode().limiting();
    }

    private @Nullable String reason() {
        String missing = trouble == null ? unread() : trouble;
        return missing == null ? disagreement : missing;
    }

    /** Which member is configured otherwise than this one, in words; null if all agree. Thread-safe. */
    public @Nullable String disagreement() {
        return disagreement;
    }

    /** What the server has left, as the view of it saw that last. */
    private void readCap(long now) {
        ServerView view = context.server();
        if (view == null) {
            return;
        }
        BudgetWatch.Reading reading = cap.isRead() ? view.budget().reading() : null;
        if (reading != null) {
            cap.looked(reading.nanos(), reading.budget());
        }
        FleetRules rules = cap.rules(now);
        lease.rules(rules);
        Grant last = lease.grant();
        view.budget().fleetCap(Math.max(0, last == null ? rules.cap() : last.cap()));
    }

    /** That there is no number, and why; null if there is one. */
    private @Nullable String unread() {
        Grant last = lease.grant();
        if (!cap.isRead() || last == null || last.cap() != FleetRules.UNKNOWN) {
            return null;
        }
        ServerView view = context.server();
        BudgetWatch.Reading reading = view == null ? null : view.budget().reading();
        String why = reading == null ? null : reading.budget().missing();
        return "nothing grows before what the server has left is read" + (why == null ? "" : " (" + why + ")");
    }

    private void apply(int ceiling, int want, PoolState state) {
        if (ceiling == context.limits().granted()) {
            return;
        }
        OptionalInt before = limiter.resizer().granted(ceiling);
        if (before.isEmpty()) {
            return;
        }
        int to = limiter.gate().limit();
        if (to > before.getAsInt()) {
            limiter.maintenance().wake();
        }
        Grant last = lease.grant();
        String words = String.format(
                Locale.ROOT,
                "limit %d → %d: the fleet '%s' allows %d (%s), wanted %d%s",
                before.getAsInt(),
                to,
                fleet,
                ceiling,
                last != null && ceiling < last.granted() ? "it gives back what others need" : source.words(),
                want,
                last == null ? "" : "; " + last.members() + " members, " + last.free() + " free");
        PoolMode mode = context.mode().mode();
        decisions.between(SizingDecision.fleet(mode, before.getAsInt(), to, words), state);
    }

    // ---- what it says of itself ----

    /** Physical connections; of a pool that does not close them, all that it may ever open. */
    private int open(PoolState state) {
        Limits limits = context.limits();
        int total = state.pool().total();
        if (!context.mode().limiting()) {
            return Math.max(state.pool().max(), total);
        }
        if (!follows) {
            return Math.max(limits.configuredCeiling(), total);
        }
        return total == PoolSnapshot.UNKNOWN ? limiter.gate().limit() : total;
    }

    /** What was needed lately, and some to spare. */
    private int want(PoolState state) {
        demand.seen(state.leased() + state.foreign() + state.pending());
        if (!context.mode().limiting()) {
            return open(state);
        }
        PoolConfig config = context.config();
        boolean grows = context.mode().mode() == PoolMode.ADAPT || config.grows();
        int most = Math.max(
                FleetRules.BOOT,
                !follows || grows
                        ? context.limits().configuredCeiling()
                        : context.limits().configuredBase());
        if (!follows) {
            return most;
        }
        return Math.min(most, demand.wanted(lease.grant(), limiter.gate().limit()));
    }

    /** What the pool holds itself to: no more than it wants while others need what it does not. */
    private int gives(int want) {
        Grant last = lease.grant();
        boolean gives = follows && context.mode().limiting() && last != null && FleetDemand.scarce(last);
        return gives ? want : Integer.MAX_VALUE;
    }

    // ---- the store ----

    /** On the helper thread. */
    private void renew(Renewal renewal) {
        Runnable answer;
        try {
            Grant grant = budget.renew(renewal);
            answer = () -> answered(renewal, grant);
        } catch (Throwable thrown) {
            String words = "the store cannot be asked (" + words(thrown) + ")";
            answer = () -> failed(renewal, words);
        } finally {
            connections.ended();
        }
        answers.add(answer);
    }

    /** Neither the message nor the cause: they may name a password. */
    private static String words(Throwable thrown) {
        String state = thrown instanceof SQLException sql ? sql.getSQLState() : null;
        return thrown.getClass().getSimpleName() + (state == null ? "" : ", SQLState " + PlainText.line(state, 20));
    }

    private void answered(Renewal renewal, Grant grant) {
        Grant before = lease.grant();
        String name = lease.member();
        if (lease.answered(renewal.sequence(), grant)) {
            cap.answered(grant);
            if (grant.calm() && before != null && !before.calm()) {
                String text = "{}: fleet '{}': the store has lost entries or is another server: no pool grows for {} s";
                log(() -> LOG.warn(text, context.name(), fleet, FleetRules.CALM.toSeconds()));
            }
            compare(renewal.rules(), grant.differs());
        } else if (!name.equals(lease.member())) {
            String text =
                    "{}: fleet '{}': another member has the name '{}', as a copy of one process has: this one is '{}'"
                            + " now";
            log(() -> LOG.warn(text, context.name(), fleet, name, lease.member()));
        }
        // One that is too late changes nothing.
        if (trouble != null && !lease.failing()) {
            trouble = null;
            log(() -> LOG.info("{}: fleet '{}': the store answers again", context.name(), fleet));
        }
        if (grant.ignored() > 0 && !toldIgnored) {
            toldIgnored = true;
            String text = "{}: fleet '{}': {} entries of the store made no sense and are removed";
            log(() -> LOG.warn(text, context.name(), fleet, grant.ignored()));
        }
    }

    /** A number that is read differs from member to member; one that is configured should be the same for all. */
    private void compare(FleetRules own, @Nullable FleetMember other) {
        FleetMember before = differs;
        differs = cap.isRead() ? null : other;
        FleetMember now = differs;
        if (now == null) {
            disagreement = null;
            return;
        }
        disagreement = "the fleet's members disagree: '" + lease.member() + "' has fleet.max = " + own.cap()
                + " and a reserve of " + own.reserve() + ", '" + now.name() + "' has " + now.cap() + " and "
                + now.reserve() + "; the smallest number counts for all";
        if (before == null || !before.name().equals(now.name())) {
            log(() -> LOG.warn("{}: fleet '{}': {}", context.name(), fleet, disagreement));
        }
    }

    private void failed(Renewal renewal, String words) {
        lease.failed(renewal.sequence());
        notAnswered(words);
    }

    private void notAnswered(String words) {
        if (trouble == null) {
            log(() -> LOG.warn("{}: fleet '{}': {}", context.name(), fleet, words));
        }
        trouble = words;
    }

    private void tellSource(Source now, int ceiling) {
        if (now == source) {
            return;
        }
        source = now;
        if (now == Source.SHARE) {
            String text =
                    "{}: fleet '{}': nothing was granted for a lease; at most {} connections, the static share, until"
                            + " the store answers";
            log(() -> LOG.warn(text, context.name(), fleet, ceiling));
        }
    }

    private void log(Runnable line) {
        context.listeners().guard("the log", line);
    }

    /** The pool is about to be closed. */
    public void beforeClose() {
        bounded(connections::beforeClose);
    }

    /**
     * Gives up the seat.
     *
     * @param poolClosed whether the pool has no connections any more: what it had is then free at once
     */
    public void close(boolean poolClosed) {
        executor.close();
        if (poolClosed) {
            bounded(this::leave);
        }
        connections.close();
        context.listeners().guard("the fleet's store", budget::close);
    }

    private void leave() {
        try {
            budget.leave(lease.member());
        } catch (Exception notReached) {
            // What it had is free when its lease has ended.
            log(() -> LOG.debug("{}: fleet '{}': could not leave", context.name(), fleet));
        }
    }

    /** On a thread of its own, for the store may hang. */
    private void bounded(Runnable work) {
        try {
            Thread thread = DaemonThreads.create("flexpool-fleet-" + context.name(), work);
            thread.start();
            thread.join(CLOSE_WAIT_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (OutOfMemoryError noThread) {
            log(() -> LOG.debug("{}: fleet '{}': no thread to leave it", context.name(), fleet));
        }
    }
}
