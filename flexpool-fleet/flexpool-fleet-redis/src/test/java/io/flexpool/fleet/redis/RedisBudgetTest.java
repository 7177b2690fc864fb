// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.flexpool.fleet.ConnectionBudget;
import io.flexpool.fleet.ConnectionBudgetProvider.Setup;
import io.flexpool.fleet.FleetRules;
import io.flexpool.fleet.Grant;
import io.flexpool.fleet.Renewal;
import io.flexpool.fleet.tck.ConnectionBudgetContract;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import redis.embedded.RedisServer;

class RedisBudgetTest extends ConnectionBudgetContract {
    private static final String DATABASE = "db:5432";

    private static RedisServer server;
    private static RedisClient client;
    private static RedisCommands<String, String> redis;
    private static String uri;

    @BeforeAll
    static void start() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        server = RedisServer.newRedisServer()
                .port(port)
                .bind("127.0.0.1")
                .setting("save \"\"")
                .build();
        server.start();
        uri = "redis://127.0.0.1:" + port;
        client = RedisClient.create(uri);
        redis = client.connect().sync();
    }

    @AfterAll
    static void stop() throws IOException {
        client.shutdown();
        server.stop();
    }

    private static Setup setup(String name, @Nullable String where) {
        return setup(name, where, DATABASE);
    }

    private static Setup setup(String name, @Nullable String where, String database) {
        return new Setup("redis", name, where, false, () -> connection(database));
    }

    /** A driver's connection, as far as a store outside of the database needs it. */
    private static Connection connection(String database) {
        DatabaseMetaData data = only(DatabaseMetaData.class, "getURL", "jdbc:postgresql://" + database + "/orders");
        return only(Connection.class, "getMetaData", data);
    }

    private static <T> T only(Class<T> type, String method, Object answer) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, called, arguments) -> called.getName().equals(method) ? answer : null));
    }

    @Override
    protected ConnectionBudget open(String name) {
        return new RedisBudgetProvider().open(setup(name, uri));
    }

    private String key() {
        return key(fleet);
    }

    private static String key(String name) {
        return "flexpool:fleet:{" + name.replace('{', '(').replace('}', ')') + "}@" + DATABASE;
    }

    @Override
    protected void age(String name, Duration by) {
        Map<String, String> all = redis.hgetall(key(name));
        all.forEach((field, text) -> {
            int at = text.lastIndexOf(' ') + 1;
            long time = Long.parseLong(text.substring(at)) - by.toMillis();
            redis.hset(key(name), field, text.substring(0, at) + time);
        });
    }

    @Override
    protected int putNonsense() {
        String now = redis.time().get(0) + "000";
        redis.hset(key(), "m:negative", "-30 1 1 50 0 1 " + now);
        redis.hset(key(), "m:huge", "99999999999999999999 1 1 50 0 1 " + now);
        redis.hset(key(), "m:hugeWant", "1 1 2000000000 50 0 1 " + now);
        redis.hset(key(), "m:hugeCap", "1 1 1 2000000000 0 1 " + now);
        redis.hset(key(), "m:nan", "nan 1 1 50 0 1 " + now);
        redis.hset(key(), "m:nanCap", "1 1 1 nan 0 1 " + now);
        redis.hset(key(), "m:fraction", "1.5 1 1 50 0 1 " + now);
        redis.hset(key(), "m:future", "1 1 1 50 0 1 9" + now);
        redis.hset(key(), "m:negativeReserve", "1 1 1 50 -1 1 " + now);
        redis.hset(key(), "m:hugeReserve", "1 1 1 50 50 1 " + now);
        redis.hset(key(), "m:short", "1");
        redis.hset(key(), "m:", "1 1 1 50 0 1 " + now);
        redis.hset(key(), "m:two\nlines", "1 1 1 50 0 1 " + now);
        redis.hset(key(), "m: ", "1 1 1 50 0 1 " + now);
        redis.hset(key(), "m:" + "x".repeat(101), "1 1 1 50 0 1 " + now);
        redis.hset(key(), "somebody else's", "1 1 1 50 0 1 " + now);
        return 16;
    }

    @Override
    protected void empty() {
        redis.del(key());
    }

    /** The number is one of connections to a server. */
    @Test
    void fleetsOfOneNameForTwoDatabasesShareNothingAndALineNamesBoth() throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger("io.flexpool");
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        FleetRules large = new FleetRules(50, 1, 0);
        try (ConnectionBudget orders = open(fleet);
                ConnectionBudget reports = new RedisBudgetProvider().open(setup(fleet, uri, "other:5432"))) {
            orders.renew(new Renewal("orders", 1, 0, 50, large));
            reports.renew(new Renewal("reports", 1, 3, 3, new FleetRules(3, 1, 0)));
            age(fleet, FleetRules.CALM.plusSeconds(1));
            for (int sequence = 2; sequence < 5; sequence++) {
                Grant answer = orders.renew(new Renewal("orders", sequence, 0, 50, large));
                assertThat(answer.members()).isEqualTo(1);
                assertThat(answer.cap()).isEqualTo(50);
            }
            assertThat(log.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .filteredOn(line -> line.contains("pools of 'other:5432' have a fleet of this name too")
                            && line.contains("those of 'db:5432'"))
                    .hasSize(1);
        } finally {
            logger.detachAppender(log);
        }
    }

    @Test
    void aKeyOfAnotherKindIsAFailureAndStaysAsItIs() {
        redis.set(key(), "somebody else's");
        try (ConnectionBudget budget = open(fleet)) {
            assertThatThrownBy(() -> budget.renew(new Renewal("me", 1, 0, 5, new FleetRules(9, 1, 0))))
                    .hasMessageContaining("WRONGTYPE");
        }
        assertThat(redis.get(key())).isEqualTo("somebody else's");
    }

    @Test
    void aUriThatIsMissingOrBrokenIsRefusedWithoutBeingShown() {
        RedisBudgetProvider provider = new RedisBudgetProvider();
        assertThatThrownBy(() -> provider.open(setup("f", null))).hasMessageContaining("flexpool.fleet.uri = none");
        assertThatThrownBy(() -> provider.open(setup("f", "http://me:secret@somewhere")))
                .hasMessageContaining("flexpool.fleet.uri")
                .hasNoCause()
                .message()
                .doesNotContain("secret");
        assertThat(setup("f", "redis://me:secret@somewhere")).asString().doesNotContain("secret");
    }

    @Test
    void aStoreThatCannotBeReachedFailsAndNobodyConnectsBefore() throws Exception {
        try (ConnectionBudget budget = new RedisBudgetProvider().open(setup("f", "redis://127.0.0.1:1"))) {
            assertThatThrownBy(() -> budget.renew(new Renewal("me", 1, 0, 5, new FleetRules(9, 1, 0))))
                    .isInstanceOf(RuntimeException.class);
        }
    }
}
