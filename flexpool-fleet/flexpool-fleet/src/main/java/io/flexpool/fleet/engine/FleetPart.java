// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.engine;

import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.fleet.ConnectionBudget;
import io.flexpool.fleet.ConnectionBudgetProvider;
import io.flexpool.fleet.ConnectionBudgetProvider.Setup;
import io.flexpool.fleet.FleetMember;
import io.flexpool.fleet.FleetRules;
import io.flexpool.fleet.FleetStatus;
import io.flexpool.fleet.FleetStatus.Source;
import io.flexpool.fleet.Grant;
import io.flexpool.fleet.Renewal;
import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import io.flexpool.spi.DaemonThreads;
import io.flexpool.spi.PartContext;
import io.flexpool.spi.PartContext.BlockingCalls;
import io.flexpool.spi.PartContext.PartSettings;
import io.flexpool.spi.PartContext.PoolLimit;
import io.flexpool.spi.PoolPart;
import io.flexpool.spi.SessionInsight.SessionsLeft;
import io.flexpool.spi.Texts;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pool's membership in its fleet: once a tick it applies the store's answer to the pool, and sends a renewal if due.
 * A helper thread calls the store; a store that hangs or throws delays no request. Used by the tick's thread, apart
 * from {@link #status()} and its views.
 */
final class FleetPart implements PoolPart {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    /** The longest wait of a pool's start for the reading of its cap. */
    private static final long START_MILLIS = 2_000;
    /** The longest wait of a pool's close for the store; may apply twice. */
    private static final long CLOSE_WAIT_MILLIS = 1_000;
    /** The number of ticks for which a connect that began under a higher limit may continue. */
    private static final int HEADROOM_TICKS = 3;
    /** The number of concurrent renewals: one hanging renewal does not block the next, a second one does. */
    private static final int MOST_CALLS = 2;

    private final PartContext context;
    private final PoolLimit limit;
    /** The reading of the server's free sessions, if a part offers it. */
    private final @Nullable SessionsLeft sessions;

    private final String fleet;
    private final FleetCap cap;
    private final FleetGrantState.MemberNames names;
    private final FleetGrantState grantState;
    private final ConnectionBudget budget;
    private final BlockingCalls calls;
    /**
     * Checks after the start whether the server can be read at all. If the server was reachable, the start has checked
     * this.
     */
    private final BlockingCalls checks;

    private final StoreConnections connections;
    private final boolean follows;
    private final Queue<Runnable> answers = new ConcurrentLinkedQueue<>();
    private final FleetDemand demand = new FleetDemand();
    private Source source = Source.BOOT;
    private long tickedNanos;
    /** The last tick that was late, and the time since the tick before it. */
    private long resumedNanos;

    private long pausedNanos;
    private int headroomTicks;
    private @Nullable String trouble;
    /** The time of the last checked reading; null before the first. */
    private @Nullable Long checkedNanos;
    /** The reason why the server can never be read, a clause; null if it can, or if unknown yet. */
    private volatile @Nullable String unseen;

    private boolean loggedUnseen;
    private boolean loggedIgnored;
    /** A member with another cap or reserve; null if all agree. */
    private @Nullable FleetMember differs;

    private volatile @Nullable String disagreement;
    private volatile FleetStatus status;

    private FleetPart(
            PartContext context,
            PoolLimit limit,
            @Nullable SessionsLeft sessions,
            @Nullable Integer configured,
            ConnectionBudgetProvider provider) {
        this.context = context;
        this.limit = limit;
        this.sessions = sessions;
        PartSettings settings = context.settings();
        this.fleet = Renewal.name(settings.need(FleetPartProvider.NAME));
        this.cap = new FleetCap(
                configured, settings.get(FleetPartProvider.INSTANCES_MAX).orElseThrow());
        FleetRules rules = cap.rules(context.nanos());
        SecureRandom random = new SecureRandom();
        this.names = new FleetGrantState.MemberNames(context.name(), random, FleetGrantState.MemberNames::processStart);
        this.tickedNanos = context.nanos();
        this.resumedNanos = tickedNanos;
        this.grantState = new FleetGrantState(names, rules, random, tickedNanos);
        this.follows = context.adapter().capabilities().contains(Capability.PHYSICAL_FOLLOWS_LIMIT);
        this.calls = context.calls(MOST_CALLS);
        this.checks = context.calls(1);
        this.status = new FleetStatus(
                fleet, grantState.member(), Source.BOOT, FleetRules.BOOT, 0, 0, 0, 0, rules.cap(), List.of(), null);
        this.connections = new StoreConnections(context, limit);
        this.budget = open(provider, settings);
        limit.cappedBy(
                FleetPartProvider.PART,
                "the fleet '" + fleet + "'",
                "raises the limit when other members return connections; if the database has capacity, raise"
                        + " flexpool.fleet.max",
                FleetPartProvider.MAX);
        if (!follows) {
            LOG.info(
                    "{}: the fleet '{}' always counts the ceiling of this pool, {}: flexpool cannot close idle connections of {}",
                    context.name(),
                    fleet,
                    limit.ceiling(),
                    context.adapter().type());
        }
    }

    /**
     * Creates the membership of a pool.
     *
     * @throws IllegalArgumentException if its cap cannot be read from the server
     */
    static FleetPart of(PartContext context, PoolLimit limit) {
        PartSettings settings = context.settings();
        String max = settings.get(FleetPartProvider.MAX).orElseThrow();
        Integer configured = FleetPartProvider.number(max);
        SessionsLeft sessions = context.offered(SessionsLeft.class).orElse(null);
        if (sessions != null) {
            sessions.eachMinute();
        }
        if (configured == null) {
            requireReadable(context, limit, sessions);
        } else {
            limit.headroom(0);
        }
        String store = Texts.word(settings.need(FleetPartProvider.FLEET));
        ConnectionBudgetProvider provider = Objects.requireNonNull(FleetStores.find(store), "checked");
        return new FleetPart(context, limit, sessions, configured, provider);
    }

    private ConnectionBudget open(ConnectionBudgetProvider provider, PartSettings settings) {
        try {
            return provider.open(new Setup(
                    Texts.word(settings.need(FleetPartProvider.FLEET)),
                    fleet,
                    settings.get(FleetPartProvider.URI).orElse(null),
                    settings.need(FleetPartProvider.CREATE_TABLES),
                    connections));
        } catch (IllegalArgumentException refused) {
            // A store does not know the pool's name. Omits the cause, which may contain a password.
            throw new IllegalArgumentException(context.name() + ": " + refused.getMessage());
        }
    }

    private static void requireReadable(PartContext context, PoolLimit limit, @Nullable SessionsLeft sessions) {
        limit.headroom(1);
        if (sessions != null && !context.adapter().started()) {
            // A pool that starts with its first acquisition cannot reach its database before.
            start(context);
        }
        String refusal = context.name() + ": flexpool.fleet.max = auto: ";
        if (sessions == null) {
            throw new IllegalArgumentException(refusal + "needs flexpool-server on the class path");
        }
        String unseen = sessions.unseen();
        if (unseen != null) {
            throw new IllegalArgumentException(
                    refusal + "must be from 2 to " + FleetRules.MOST + " here, because " + unseen);
        }
    }

    private static void start(PartContext context) {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        bounded(context, "flexpool-start-" + context.name(), START_MILLIS, () -> {
            Thread.currentThread().setContextClassLoader(loader);
            try {
                context.dataSource().getConnection().close();
            } catch (SQLException | RuntimeException unreachable) {
                log(context, () -> LOG.debug("{}: the database could not be reached at the start", context.name()));
            }
        });
    }

    /** The pool's status in the fleet. Thread-safe. */
    FleetStatus status() {
        return status;
    }

    @Override
    public @Nullable String trouble(long nowNanos) {
        String hanging = calls.hanging(nowNanos);
        return hanging == null ? disagreement : hanging;
    }

    @Override
    public void tick(PoolState state, long now) {
        for (Runnable answer = answers.poll(); answer != null; answer = answers.poll()) {
            answer.run();
        }
        if (now - tickedNanos > FleetRules.RENEW.toNanos()) {
            resumedNanos = now;
            pausedNanos = now - tickedNanos;
        }
        // Only after a pause longer than a grant: a shorter pause loses no grant.
        if (now - tickedNanos > FleetRules.TTL.toNanos() && names.restored()) {
            grantState.restored(now);
            String text = "{}: fleet '{}': restored from a checkpoint, now member '{}'";
            log(() -> LOG.info(text, context.name(), fleet, grantState.member()));
        }
        tickedNanos = now;
        limit.headroom(0);
        int own = limit.own();
        int needed = limit.ownNeeded();
        int pools = open(state);
        int want = want(state) + needed;
        int open = pools + own;
        readCap(now);
        grantState.ownLimit(offered(want));
        Renewal renewal = grantState.due(now, open, want);
        if (renewal != null) {
            cap.sent(now);
        }
        if (renewal != null && !calls.run("the renewal in the fleet", () -> renew(renewal))) {
            grantState.failed(renewal.sequence());
        }
        // After a pause the answer to the last renewal is late, whatever the store did.
        if (grantState.failing() && trouble == null && now - resumedNanos >= FleetRules.RENEW.toNanos()) {
            notAnswered("the store does not answer in time");
        }
        int ceiling = ceiling(now);
        logSource(grantState.source(now), ceiling, now);
        apply(Math.max(FleetRules.BOOT, ceiling - needed), want, state);
        if (own > 0 && ceiling - own < FleetRules.BOOT) {
            limit.headroom(-1);
        } else {
            leaveHeadroom(ceiling - own - Math.max(pools, limiting() ? limit.now() : 0), now);
        }
        Grant last = grantState.grant();
        limit.sharedBy(Math.max(1, last == null ? 0 : last.members()));
        status = new FleetStatus(
                fleet,
                grantState.member(),
                grantState.source(now),
                ceiling,
                want,
                Math.max(open, state.leased()),
                last == null ? 0 : last.members(),
                last == null ? 0 : last.free(),
                last == null ? cap.rules(now).cap() : last.cap(),
                last == null ? List.of() : last.shown(),
                reason());
    }

    /** Allows connections outside the pool, once the connects in progress at the lowering of the limit have ended. */
    private void leaveHeadroom(int headroom, long now) {
        headroomTicks = headroom > 0 ? headroomTicks + 1 : 0;
        boolean unread = cap.isRead() && !cap.rules(now).known();
        // Without a cap, one connection for the reading must be possible: the tenth for other clients covers it.
        limit.headroom(headroomTicks > HEADROOM_TICKS ? headroom : unread ? 1 : 0);
    }

    /**
     * The pool's ceiling. If the cap can never be read, the ceiling is that without a fleet, because a ceiling of one
     * connection would also be a guess.
     */
    private int ceiling(long now) {
        String why = unseen;
        if (why == null) {
            return grantState.ceiling(now);
        }
        if (!loggedUnseen) {
            loggedUnseen = true;
            String text = "{}: fleet '{}': {}: set flexpool.fleet.max to a number";
            log(() -> LOG.warn(text, context.name(), fleet, guess(why)));
        }
        return Math.max(limit.base(), grantState.ceiling(now));
    }

    private String guess(String why) {
        return "the pool keeps its base of " + limit.base() + ", because " + why;
    }

    private boolean limiting() {
        return follows && limit.acts();
    }

    private @Nullable String reason() {
        String missing = trouble == null ? unread() : trouble;
        return missing == null ? disagreement : missing;
    }

    /** Takes the last reading of the server's free sessions. */
    private void readCap(long now) {
        SessionsLeft left = sessions;
        if (left == null) {
            return;
        }
        SessionsLeft.Reading reading = cap.isRead() ? left.last() : null;
        if (reading != null) {
            cap.looked(reading);
        }
        FleetRules rules = cap.rules(now);
        Long checked = checkedNanos;
        if (reading != null
                && reading.missing() != null
                && unseen == null
                && !rules.known()
                && (checked == null || checked != reading.nanos())
                && checks.run("the check of the free sessions", () -> unseen = left.unseen())) {
            checkedNanos = reading.nanos();
        }
        grantState.rules(rules);
        Grant last = grantState.grant();
        left.together(Math.max(0, last == null ? rules.cap() : last.cap()));
    }

    /** Why the cap is unknown; null if it is known. */
    private @Nullable String unread() {
        Grant last = grantState.grant();
        if (!cap.isRead() || last == null || last.cap() != FleetRules.UNKNOWN) {
            return null;
        }
        String never = unseen;
        if (never != null) {
            return guess(never);
        }
        SessionsLeft.Reading reading = sessions == null ? null : sessions.last();
        String why = reading == null ? null : reading.missing();
        return "no growth before the server's free sessions are read" + (why == null ? "" : " (" + why + ")");
    }

    private void apply(int ceiling, int want, PoolState state) {
        if (ceiling == limit.cap()) {
            return;
        }
        Grant last = grantState.grant();
        String words = String.format(
                Locale.ROOT,
                "the fleet '%s' allows %d connections (%s), the pool needs %d%s",
                fleet,
                ceiling,
                last != null && ceiling < last.granted()
                        ? "the pool returns connections that other members need"
                        : source.words(),
                want,
                last == null ? "" : "; " + last.members() + " members, " + last.free() + " free");
        limit.cap(ceiling, words, state);
    }

    // ---- the member's report ----

    /** The open physical connections; for a pool that does not close connections, the most that it may open. */
    private int open(PoolState state) {
        int total = state.pool().total();
        if (!limit.acts()) {
            return Math.max(state.pool().max(), total);
        }
        if (!follows) {
            return Math.max(limit.ceiling(), total);
        }
        return total == PoolSnapshot.UNKNOWN ? limit.now() : total;
    }

    /** The recent demand, with some spare connections. */
    private int want(PoolState state) {
        demand.seen(state.leased() + state.foreign() + state.pending());
        if (!limit.acts()) {
            return open(state);
        }
        int most = Math.max(FleetRules.BOOT, !follows || limit.grows() ? limit.ceiling() : limit.base());
        if (!follows) {
            return most;
        }
        return Math.min(most, demand.wanted(grantState.grant(), limit.now()));
    }

    /** The pool's self-imposed limit: no more than its demand while other members need connections. */
    private int offered(int want) {
        Grant last = grantState.grant();
        boolean offers = limiting() && last != null && FleetDemand.scarce(last);
        return offers ? want : Integer.MAX_VALUE;
    }

    // ---- the store ----

    /** Renews on the helper thread. */
    private void renew(Renewal renewal) {
        Runnable answer;
        try {
            Grant grant = budget.renew(renewal);
            answer = () -> answered(renewal, grant);
        } catch (Throwable thrown) {
            String words = thrown instanceof WrongDatabaseException wrong
                    ? wrong.words()
                    : "the store cannot be reached (" + words(thrown) + ")";
            answer = () -> failed(renewal, words);
        } finally {
            connections.ended();
        }
        answers.add(answer);
    }

    /** The exception's class and SQLState. Omits message and cause, which may contain a password. */
    private static String words(Throwable thrown) {
        String state = thrown instanceof SQLException sql ? sql.getSQLState() : null;
        return thrown.getClass().getSimpleName() + (state == null ? "" : ", SQLState " + Texts.line(state, 20));
    }

    private void answered(Renewal renewal, Grant grant) {
        Grant before = grantState.grant();
        String name = grantState.member();
        if (grantState.answered(renewal.sequence(), grant)) {
            cap.answered(grant);
            if (grant.calm() && before != null && !before.calm()) {
                String text =
                        "{}: fleet '{}': the store has lost entries, or another server has its address: no pool grows for {} s";
                log(() -> LOG.warn(text, context.name(), fleet, FleetRules.CALM.toSeconds()));
            }
            compare(renewal.rules(), grant.differs());
        } else if (!name.equals(grantState.member())) {
            String text =
                    "{}: fleet '{}': another member has the name '{}', probably a copy of this process: this member"
                            + " is now '{}'";
            log(() -> LOG.warn(text, context.name(), fleet, name, grantState.member()));
        }
        // A late failure has no effect.
        if (trouble != null && !grantState.failing()) {
            trouble = null;
            log(() -> LOG.info("{}: fleet '{}': the store answers again", context.name(), fleet));
        }
        if (grant.ignored() > 0 && !loggedIgnored) {
            loggedIgnored = true;
            String text = "{}: fleet '{}': removed {} invalid entries from the store";
            log(() -> LOG.warn(text, context.name(), fleet, grant.ignored()));
        }
    }

    /** Logs if members have different configured caps. Caps that are read differ normally. */
    private void compare(FleetRules own, @Nullable FleetMember other) {
        FleetMember before = differs;
        differs = cap.isRead() ? null : other;
        FleetMember now = differs;
        if (now == null) {
            disagreement = null;
            return;
        }
        disagreement = "the members of the fleet have different settings: "
                + rules(grantState.member(), own.cap(), own.reserve()) + "; "
                + rules(now.name(), now.cap(), now.reserve())
                + "; all members use the smallest fleet.max";
        if (before == null || !before.name().equals(now.name())) {
            log(() -> LOG.warn("{}: fleet '{}': {}", context.name(), fleet, disagreement));
        }
    }

    private static String rules(String member, int cap, int reserve) {
        return "'" + member + "': fleet.max = " + cap + ", reserve = " + reserve;
    }

    private void failed(Renewal renewal, String words) {
        grantState.failed(renewal.sequence());
        notAnswered(words);
    }

    private void notAnswered(String words) {
        if (trouble == null) {
            log(() -> LOG.warn("{}: fleet '{}': {}", context.name(), fleet, words));
        }
        trouble = words;
    }

    private void logSource(Source from, int ceiling, long now) {
        if (from == source) {
            return;
        }
        source = from;
        if (from == Source.SHARE) {
            String why = now == resumedNanos
                    ? "flexpool did not run for " + Texts.span(Duration.ofNanos(pausedNanos))
                            + " (was the process paused?)"
                    : "the store does not answer";
            String text = "{}: fleet '{}': {}: at most {} (the static share) until the store answers{}";
            String action = now == resumedNanos ? "" : ". Check that the store's server can be reached.";
            String most = Texts.count(ceiling, "connection");
            log(() -> LOG.warn(text, context.name(), fleet, why, most, action));
        }
    }

    private void log(Runnable line) {
        log(context, line);
    }

    /** Continues if the log throws. */
    private static void log(PartContext context, Runnable line) {
        try {
            line.run();
        } catch (RuntimeException | LinkageError thrown) {
            context.failed("the log appender", thrown);
        }
    }

    @Override
    public void poolCloses() {
        bounded(connections::beforeClose);
    }

    /** Leaves the fleet. The connections of a closed pool are then free at once. */
    @Override
    public void ended(boolean closed) {
        calls.close();
        checks.close();
        if (closed) {
            bounded(this::leave);
        }
        connections.close();
        budget.close();
    }

    private void leave() {
        try {
            budget.leave(grantState.member());
        } catch (Exception notReached) {
            // The store frees the member's connections when its grant ends.
            log(() -> LOG.debug("{}: fleet '{}': the pool could not leave the fleet", context.name(), fleet));
        }
    }

    /** Runs on a separate thread, because the store may hang. */
    private void bounded(Runnable work) {
        bounded(context, "flexpool-fleet-" + context.name(), CLOSE_WAIT_MILLIS, work);
    }

    private static void bounded(PartContext context, String name, long millis, Runnable work) {
        try {
            Thread thread = DaemonThreads.create(name, work);
            thread.start();
            thread.join(millis);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (OutOfMemoryError noThread) {
            log(context, () -> LOG.debug("{}: the thread '{}' could not be started", context.name(), name));
        }
    }

    // ---- views ----

    @Override
    public <T> Optional<T> view(Class<T> type) {
        return type == FleetStatus.class ? Optional.of(type.cast(status)) : Optional.empty();
    }

    @Override
    public List<PartMetric> metrics() {
        return FleetView.metrics(this::status);
    }

    @Override
    public List<String> reportLines() {
        return FleetView.reportLines(status);
    }

    @Override
    public Map<String, Object> fields() {
        return Map.of("fleet", FleetView.fields(status));
    }
}
