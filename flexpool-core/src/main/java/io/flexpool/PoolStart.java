// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import io.flexpool.adapter.PoolAdapter;
import io.flexpool.internal.config.ConfigChecks;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.GenericAdapter;
import io.flexpool.internal.config.PoolConfig;
import io.flexpool.internal.config.Refusals;
import io.flexpool.internal.config.Settings;
import io.flexpool.internal.event.BoundedCall;
import io.flexpool.internal.event.ListenerGuard;
import io.flexpool.internal.pool.DisabledPool;
import io.flexpool.internal.pool.MonitoredPool;
import io.flexpool.internal.pool.PoolRegistry;
import io.flexpool.pool.PoolMode;
import io.flexpool.spi.Texts;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The first and last steps of a build: finds the pool, and starts the wrapper. A failure leaves the pool unchanged. */
final class PoolStart {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");

    private static final Duration RESTORE_PATIENCE = Duration.ofSeconds(2);
    private static final AtomicInteger UNNAMED = new AtomicInteger();

    private PoolStart() {}

    static FlexPoolDataSource wrapped(Settings settings) {
        String named = settings.name();
        if (named != null) {
            checkName(settings, named);
        }
        DataSource target = target(settings);
        PoolAdapter pool = settings.adapterOf(target);
        FlexPoolDataSource already = wrapperIn(target, pool);
        if (already != null) {
            throw new IllegalStateException(already.name() + ": the data source to wrap "
                    + (target instanceof FlexPoolDataSource
                            ? "is"
                            : "(" + target.getClass().getName() + ") contains")
                    + " flexpool's own wrapper of this pool");
        }
        String poolName = named != null ? named : unnamed(pool);
        if (!settings.values.flag(CoreKey.ENABLED)) {
            settings.problems.throwIfAny();
            LOG.info("{}: flexpool is disabled and only delegates", poolName);
            return new FlexPoolDataSource(
                    target, pool, new DisabledPool(pool, poolName, settings.otherNames(poolName, pool)));
        }
        PoolConfig parts = new ConfigChecks(settings, target, poolName, pool).check();
        String before = PoolRegistry.reserve(target, poolName);
        if (before != null) {
            throw AlreadyWrappedException.of(poolName, pool.type(), before);
        }
        FlexPoolDataSource wrapped = new FlexPoolDataSource(target, pool, started(parts, settings));
        try {
            PoolRegistry.add(target, wrapped);
        } catch (RuntimeException | Error thrown) {
            // No caller gets the wrapper, so no caller could close it.
            wrapped.release();
            throw thrown;
        }
        warnOfSections(settings, poolName);
        return wrapped;
    }

    /** The data source itself, or a wrapper behind another library's: both would count each lease twice. */
    private static @Nullable FlexPoolDataSource wrapperIn(DataSource target, PoolAdapter pool) {
        if (target instanceof FlexPoolDataSource || !(pool instanceof GenericAdapter)) {
            return target instanceof FlexPoolDataSource same ? same : null;
        }
        try {
            Class<FlexPoolDataSource> own = FlexPoolDataSource.class;
            return target.isWrapperFor(own) ? target.unwrap(own) : null;
        } catch (SQLException | RuntimeException | LinkageError unknown) {
            // Some data sources throw before their first connection, or are older than JDBC 4.
            return null;
        }
    }

    private static String unnamed(PoolAdapter pool) {
        return Settings.givenName(pool).orElseGet(() -> pool.type() + "-" + UNNAMED.incrementAndGet());
    }

    /** A section of an open pool is valid; a section with another name may be a misspelling of this pool's name. */
    private static void warnOfSections(Settings settings, String poolName) {
        for (Map.Entry<String, String> nearly : settings.nearlyMeant.entrySet()) {
            String name = nearly.getKey();
            if (OpenPools.list().stream().noneMatch(open -> open.name().equals(name))) {
                LOG.warn(
                        "{}: Ignoring {}: no pool named '{}'. Did you mean '{}'?",
                        poolName,
                        nearly.getValue(),
                        name,
                        poolName);
            }
        }
    }

    private static MonitoredPool started(PoolConfig parts, Settings settings) {
        boolean limits = parts.limitsAtFirst();
        try {
            if (limits) {
                prepare(parts, settings);
            }
            MonitoredPool monitored = new MonitoredPool(parts);
            monitored.start();
            monitored.logStart(describe(parts));
            return monitored;
        } catch (RuntimeException | Error failed) {
            PoolRegistry.remove(parts.target());
            if (limits) {
                restore(parts, failed);
            }
            throw failed;
        }
    }

    /**
     * The caller gets the first failure, which has the reason. The wait is bounded: a starting pool may hold its lock
     * while it connects.
     */
    private static void restore(PoolConfig parts, Throwable failed) {
        Throwable thrown = ListenerGuard.thrownBy(() -> {
            boolean returned = BoundedCall.run(
                    "flexpool-restore-" + parts.name(),
                    RESTORE_PATIENCE,
                    Executors.callable(parts.adapter()::restore),
                    () -> {});
            if (!returned) {
                throw new IllegalStateException(parts.name() + ": the adapter's restore() has not returned for "
                        + RESTORE_PATIENCE.toMillis() + " ms and continues in the background");
            }
            return null;
        });
        if (thrown != null && thrown != failed) {
            failed.addSuppressed(thrown);
        }
    }

    private static void prepare(PoolConfig parts, Settings settings) {
        try {
            parts.adapter().prepare(Math.min(parts.base(), parts.firstCap()), parts.ceiling());
        } catch (IllegalArgumentException refused) {
            // An adapter names the pool's keys, but neither flexpool's keys nor the pool's name.
            throw settings.refusals(parts.name())
                    .of(
                            parts.ceilingKnown() ? CoreKey.CEILING : CoreKey.BASE,
                            parts.ceiling(),
                            String.valueOf(refused.getMessage()),
                            refused);
        }
    }

    private static String describe(PoolConfig parts) {
        String adapter = parts.adapter() instanceof GenericAdapter generic && generic.missingArtifact() == null
                ? "; no adapter for " + parts.target().getClass().getName() + ": if it contains a pool, wrap that pool"
                        + " with flexpool, and put this data source around flexpool's"
                : "";
        if (!parts.limitsAtFirst()) {
            return "flexpool does not change this pool (mode " + parts.mode().toString() + ")" + adapter;
        }
        String limit =
                "limit " + parts.base() + (parts.ceiling() > parts.base() ? ", may grow to " + parts.ceiling() : "");
        return limit + (parts.mode() == PoolMode.ADAPT ? " (mode adapt)" : "") + adapter;
    }

    /** The data source to wrap: given, or looked up. */
    private static DataSource target(Settings settings) {
        try {
            return givenOrLookedUp(settings);
        } catch (IllegalArgumentException refused) {
            settings.problems.add(CoreKey.DATA_SOURCE_JNDI_NAME, refused);
            settings.problems.throwIfAny();
            throw refused;
        }
    }

    private static DataSource givenOrLookedUp(Settings settings) {
        String named = settings.name();
        Refusals refusals = settings.refusals(named == null ? "?" : named);
        CoreKey key = CoreKey.DATA_SOURCE_JNDI_NAME;
        DataSource given = settings.target;
        String jndiName = settings.values.get(key, String.class);
        if (given != null) {
            if (jndiName != null) {
                throw refusals.of(key, jndiName, "must not be set together with a data source");
            }
            return given;
        }
        if (jndiName == null) {
            throw refusals.of(key, "none", "must be given, or use FlexPool.wrap(…)");
        }
        return lookUp(refusals, jndiName);
    }

    private static void checkName(Settings settings, String name) {
        if (!Settings.isName(name)) {
            boolean open = Refusals.placeholder(name) != null;
            String rule = open
                    ? "the placeholder is not resolved"
                    : "must be " + CoreKey.NAME.key().allowed();
            settings.problems.add(CoreKey.NAME, settings.refusals("?").ofText(CoreKey.NAME, name, rule));
        }
    }

    /** Looks a data source up, locally only: a name that leads to another machine can make it run foreign code. */
    @SuppressWarnings("BanJNDI") // the name must be local for this reason
    private static DataSource lookUp(Refusals refusals, String name) {
        CoreKey key = CoreKey.DATA_SOURCE_JNDI_NAME;
        int colon = name.indexOf(':');
        int slash = name.indexOf('/');
        boolean scheme = colon >= 0 && (slash < 0 || colon < slash);
        if (name.isBlank() || (scheme && !name.startsWith("java:"))) {
            throw refusals.of(key, name, "must be " + key.key().allowed() + "; remote lookups are refused");
        }
        try {
            Object found = new InitialContext().lookup(name);
            if (found instanceof DataSource dataSource) {
                return dataSource;
            }
            String other = found == null ? "nothing" : found.getClass().getName();
            throw refusals.of(key, name, "must name a javax.sql.DataSource, not " + other);
        } catch (NamingException absent) {
            Throwable root = absent;
            // A chain of causes may have a cycle.
            for (int depth = 0; depth < 20 && root.getCause() != null; depth++) {
                root = root.getCause();
            }
            // A container hides the reason below exceptions without a message.
            String rule = "cannot be found: " + Texts.masked(Texts.line(root.toString()));
            throw refusals.of(key, name, rule, absent);
        }
    }
}
