// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.redis;

import io.flexpool.fleet.ConnectionBudget;
import io.flexpool.fleet.ConnectionBudgetProvider.Connections;
import io.flexpool.fleet.FleetMember;
import io.flexpool.fleet.FleetRules;
import io.flexpool.fleet.Grant;
import io.flexpool.fleet.Renewal;
import io.flexpool.spi.Texts;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.resource.ClientResources;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A fleet in Redis. The first renewal opens the one connection. A renewal that finds it broken opens a new one, because
 * the driver might take up to half a minute to reconnect. The driver may also return a connection that does not
 * accept commands yet. Thread-safe.
 */
final class RedisBudget implements ConnectionBudget {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    /**
     * The time limit of a command. A member abandons a renewal after 2 s; the first also connects, in several round
     * trips, and its connection is useful even if the renewal is late.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private static final Duration CLOSES = Duration.ofMillis(200);
    /** Redis drops a fleet without members after a day. */
    private static final long KEPT_MILLIS = TimeUnit.DAYS.toMillis(1);

    private static final int THREADS = 2;

    private final ReentrantLock lock = new ReentrantLock();
    private final String fleet;
    private final Connections database;
    private final RedisURI uri;
    private final String script = script();
    private @Nullable ClientResources resources;
    private @Nullable RedisClient client;
    private @Nullable StatefulRedisConnection<String, String> connection;
    private boolean closed;
    /** The address of the pool's database; null until a connection has shown it. */
    private volatile @Nullable String address;

    private volatile @Nullable String elsewhere;

    RedisBudget(String fleet, RedisURI uri, Connections database) {
        this.fleet = fleet;
        this.database = database;
        this.uri = uri;
        uri.setTimeout(PATIENCE);
    }

    private static String script() {
        try (InputStream text = RedisBudget.class.getResourceAsStream("renew.lua")) {
            return new String(Objects.requireNonNull(text, "renew.lua").readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private StatefulRedisConnection<String, String> redis() {
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("the budget is closed");
            }
            if (connection != null && !connection.isOpen()) {
                dropped(connection);
            }
            if (connection == null) {
                if (client == null) {
                    resources = ClientResources.builder()
                            .ioThreadPoolSize(THREADS)
                            .computationThreadPoolSize(THREADS)
                            .build();
                    client = RedisClient.create(resources, uri);
                    client.setOptions(
                            ClientOptions.builder().autoReconnect(false).build());
                }
                connection = client.connect();
            }
            return connection;
        } finally {
            lock.unlock();
        }
    }

    /** Drops a broken connection, unless another call has replaced it. */
    private void dropped(StatefulRedisConnection<String, String> broken) {
        lock.lock();
        try {
            if (broken.equals(connection)) {
                connection = null;
            }
        } finally {
            lock.unlock();
        }
        broken.close();
    }

    @Override
    public Grant renew(Renewal renewal) throws SQLException {
        String of = address;
        if (of == null) {
            of = address();
            address = of;
        }
        FleetRules rules = renewal.rules();
        long ttl = FleetRules.TTL.toMillis();
        String[] arguments = {
            renewal.member(),
            text(renewal.sequence()),
            text(renewal.held()),
            text(renewal.want()),
            text(Math.max(0, rules.cap())),
            text(rules.instancesMax()),
            text(rules.reserve()),
            text(ttl),
            text(ttl + FleetRules.PAUSE.toMillis()),
            text(ttl + FleetRules.GHOST.toMillis()),
            text(FleetRules.CALM.toMillis()),
            text(FleetRules.BOOT),
            text(FleetRules.MOST),
            text(Grant.MOST_SHOWN),
            text(Renewal.LONGEST_NAME),
            text(KEPT_MILLIS),
            of,
            text(renewal.acknowledged())
        };
        List<Object> answer = persistently(of, arguments);
        warn(of, (String) answer.get(10));
        return grant(answer);
    }

    private String address() throws SQLException {
        try (Connection one = database.get()) {
            return DatabaseAddress.of(one.getMetaData().getURL());
        }
    }

    /**
     * The key of the fleet, with or without an address. Both keys are on the same node of a cluster, even if the
     * fleet's name contains braces.
     */
    private String key(@Nullable String of) {
        String name = "flexpool:fleet:{" + fleet.replace('{', '(').replace('}', ')') + "}";
        return of == null ? name : name + "@" + of;
    }

    /**
     * Warns if members use different addresses: two names of one server would be two fleets, each with all connections.
     */
    private void warn(String own, String other) {
        if (!other.isEmpty() && !other.equals(elsewhere)) {
            elsewhere = other;
            LOG.warn(
                    "fleet '{}': pools on '{}' also use this fleet name, but are counted apart from pools on '{}'."
                            + " If both hosts are one database server, give all pools the same host. Otherwise set another flexpool.fleet.name.",
                    fleet,
                    Texts.line(other, Renewal.LONGEST_NAME),
                    own);
        }
    }

    private static String text(long figure) {
        return Long.toString(figure);
    }

    /**
     * Tries a second time if the connection accepts no command. The second call is the same renewal, so it has no
     * effect if the first has arrived.
     */
    private List<Object> persistently(String of, String... arguments) {
        StatefulRedisConnection<String, String> first = redis();
        try {
            return run(first.sync(), of, arguments);
        } catch (RedisCommandExecutionException | RedisCommandTimeoutException answered) {
            throw answered;
        } catch (RedisException broken) {
            dropped(first);
            return run(redis().sync(), of, arguments);
        }
    }

    private List<Object> run(RedisCommands<String, String> redis, String of, String... arguments) {
        String[] keys = {key(of), key(null)};
        try {
            return redis.evalsha(redis.digest(script), ScriptOutputType.MULTI, keys, arguments);
        } catch (RedisNoScriptException unknown) {
            return redis.eval(script, ScriptOutputType.MULTI, keys, arguments);
        }
    }

    private static Grant grant(List<Object> answer) {
        List<FleetMember> shown = new ArrayList<>();
        for (Object each : (List<?>) answer.get(6)) {
            shown.add(member((List<?>) each));
        }
        List<?> differs = (List<?>) answer.get(9);
        return new Grant(
                figure(answer.get(0)),
                figure(answer.get(1)),
                figure(answer.get(2)),
                figure(answer.get(3)),
                figure(answer.get(4)) == 1,
                figure(answer.get(7)),
                figure(answer.get(8)),
                differs.isEmpty() ? null : member(differs),
                (Long) answer.get(11),
                shown,
                figure(answer.get(5)));
    }

    private static FleetMember member(List<?> row) {
        return new FleetMember(
                String.valueOf(row.get(0)),
                figure(row.get(1)),
                figure(row.get(2)),
                figure(row.get(3)),
                figure(row.get(4)),
                figure(row.get(5)),
                Duration.ofMillis((Long) row.get(6)),
                figure(row.get(7)) == 1);
    }

    private static int figure(Object reply) {
        return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, (Long) reply));
    }

    @Override
    public void leave(String member) {
        String of = address;
        if (of != null) {
            redis().sync().hdel(key(of), "m:" + member);
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            if (client != null) {
                client.shutdown(Duration.ZERO, CLOSES);
            }
            if (resources != null) {
                resources.shutdown(0, CLOSES.toMillis(), TimeUnit.MILLISECONDS).awaitUninterruptibly(CLOSES.toMillis());
            }
        } finally {
            lock.unlock();
        }
    }
}
