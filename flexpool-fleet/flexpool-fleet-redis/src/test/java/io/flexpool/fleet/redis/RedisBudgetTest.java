// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.flexpool.fleet.ConnectionBudget;
import io.flexpool.fleet.ConnectionBudgetProvider.Setup;
import io.flexpool.fleet.FleetRules;
import io.flexpool.fleet.Grant;
import io.flexpool.fleet.Renewal;
import io.flexpool.fleet.tck.ConnectionBudgetContract;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import redis.embedded.RedisServer;
import redis.embedded.core.RedisServerBuilder;

class RedisBudgetTest extends ConnectionBudgetContract {
    private static final String DATABASE = "db:5432";
    /** Then the driver's next try is more than a second away. */
    private static final Duration AWAY = Duration.ofMillis(2_600);

    private static RedisServer server;
    private static RedisClient client;
    private static RedisCommands<String, String> redis;
    private static String uri;

    @BeforeAll
    static void start(@TempDir Path data) throws IOException {
        int port = freePort();
        server = server(port, data).setting("appendonly yes").build();
        server.start();
        uri = "redis://127.0.0.1:" + port;
        client = RedisClient.create(uri);
        redis = client.connect().sync();
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private static RedisServerBuilder server(int port, Path data) throws IOException {
        return RedisServer.newRedisServer()
                .port(port)
                .bind("127.0.0.1")
                .setting("save \"\"")
                .setting("dir " + data);
    }

    @Override
    protected boolean restart() throws IOException {
        server.stop();
        server.start();
        // The client connects again by itself.
        for (int tries = 1; ; tries++) {
            try {
                redis.ping();
                return true;
            } catch (RedisException notYet) {
                assertThat(tries).isLessThan(100);
            }
        }
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
        all.remove("server");
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
        redis.hset(key(), "m:largest", "1 1 1 50 0 9223372036854775807 " + now);
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
            orders.renew(new Renewal("orders", 1, 0, 0, 50, large));
            reports.renew(new Renewal("reports", 1, 0, 3, 3, new FleetRules(3, 1, 0)));
            age(fleet, FleetRules.CALM.plusSeconds(1));
            for (int sequence = 2; sequence < 5; sequence++) {
                Grant answer = orders.renew(new Renewal("orders", sequence, 0, 0, 50, large));
                assertThat(answer.members()).isEqualTo(1);
                assertThat(answer.cap()).isEqualTo(50);
            }
            // The pools of the other database end, or come late: that is no third database.
            redis.hdel("flexpool:fleet:{" + fleet + "}", "other:5432");
            orders.renew(new Renewal("orders", 5, 0, 0, 50, large));
            assertThat(log.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .noneMatch(line -> line.contains("pools on ''"))
                    .filteredOn(line -> line.contains("pools on 'other:5432' also use this fleet name")
                            && line.contains("from pools on 'db:5432'"))
                    .hasSize(1);
        } finally {
            logger.detachAppender(log);
        }
    }

    /** The last growth was answered by the master, and never reached the replica. */
    @Test
    void aReplicaThatBecomesTheMasterLetsNothingGrow(@TempDir Path data) throws Exception {
        FleetRules rules = new FleetRules(50, 2, 0);
        int port = freePort();
        RedisServer replica = server(port, data)
                .setting("replicaof 127.0.0.1 " + URI.create(uri).getPort())
                .build();
        replica.start();
        try (ConnectionBudget master = open(fleet);
                ConnectionBudget promoted =
                        new RedisBudgetProvider().open(setup(fleet, "redis://127.0.0.1:" + port, DATABASE))) {
            master.renew(new Renewal("a", 1, 0, 5, 5, rules));
            age(fleet, Duration.ofSeconds(7));
            master.renew(new Renewal("b", 1, 0, 5, 5, rules));
            age(fleet, Duration.ofSeconds(7));
            master.renew(new Renewal("b", 2, 1, 5, 5, rules));
            assertThat(redis.waitForReplication(1, 60_000)).isEqualTo(1);
            try (StatefulRedisConnection<String, String> operator =
                    client.connect(RedisURI.create("redis://127.0.0.1:" + port))) {
                operator.sync().replicaofNoOne();
            }
            assertThat(master.renew(new Renewal("a", 2, 1, 5, 43, rules)).granted())
                    .isEqualTo(43);
            Grant answer = promoted.renew(new Renewal("b", 3, 2, 5, 43, rules));
            assertThat(answer.calm()).isTrue();
            assertThat(answer.granted()).isEqualTo(5);
            promoted.renew(new Renewal("a", 3, 2, 43, 43, rules));
            assertThat(promoted.renew(new Renewal("b", 4, 3, 5, 43, rules)).booked())
                    .isEqualTo(48);
        } finally {
            replica.stop();
        }
    }

    /** The driver alone would try again later the longer the server was away, after half a minute at last. */
    @Test
    void aServerThatIsBackAnswersTheNextRenewal() throws Exception {
        FleetRules rules = new FleetRules(9, 1, 0);
        try (ConnectionBudget budget = open(fleet)) {
            budget.renew(new Renewal("me", 1, 0, 1, 5, rules));
            redis.clientKill(KillArgs.Builder.typeNormal().skipme(true));
            assertThat(budget.renew(new Renewal("me", 2, 1, 1, 5, rules)).previousSequence())
                    .isEqualTo(1);
            server.stop();
            assertThatThrownBy(() -> budget.renew(new Renewal("me", 3, 2, 1, 5, rules)))
                    .isInstanceOf(RedisException.class);
            LockSupport.parkNanos(AWAY.toNanos());
            server.start();
            assertThat(budget.renew(new Renewal("me", 4, 2, 1, 5, rules)).previousSequence())
                    .isEqualTo(2);
        }
    }

    /**
     * A member waits for two seconds, which is two round trips. On a busy machine these take longer, so the member sends
     * the same renewal again, as it does at its next tick.
     */
    @Test
    void aStoreHalfASecondAwayAnswersAsWell() throws Exception {
        try (SlowNetwork network = new SlowNetwork(server.ports().get(0));
                ConnectionBudget budget = new RedisBudgetProvider().open(setup(fleet, network.uri()))) {
            FleetRules rules = new FleetRules(9, 1, 0);
            assertThat(renewed(budget, new Renewal("me", 1, 0, 1, 5, rules)).granted())
                    .isEqualTo(1);
            assertThat(renewed(budget, new Renewal("me", 2, 1, 1, 5, rules)).members())
                    .isEqualTo(1);
        }
    }

    private static Grant renewed(ConnectionBudget budget, Renewal renewal) {
        return await().atMost(Duration.ofMinutes(3))
                .ignoreExceptionsInstanceOf(RedisException.class)
                .until(() -> budget.renew(renewal), Objects::nonNull);
    }

    /** Half a second each way to a server of this machine. Each connection has two threads, which end with it. */
    private static final class SlowNetwork implements AutoCloseable {
        private static final long DELAY_MILLIS = 500;

        private final int target;
        private final ServerSocket listens = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());

        SlowNetwork(int target) throws IOException {
            this.target = target;
            daemon(this::accept);
        }

        String uri() {
            return "redis://127.0.0.1:" + listens.getLocalPort();
        }

        private static void daemon(Runnable work) {
            Thread thread = new Thread(work, "slow network");
            thread.setDaemon(true);
            thread.start();
        }

        private void accept() {
            try {
                while (true) {
                    Socket client = listens.accept();
                    Socket redis = new Socket(InetAddress.getLoopbackAddress(), target);
                    daemon(() -> pass(client, redis));
                    daemon(() -> pass(redis, client));
                }
            } catch (IOException closed) {
                // The test is over.
            }
        }

        private static void pass(Socket from, Socket to) {
            try (from;
                    to) {
                byte[] bytes = new byte[8_192];
                for (int read = 0; read >= 0; read = from.getInputStream().read(bytes)) {
                    if (read > 0) {
                        Thread.sleep(DELAY_MILLIS);
                    }
                    to.getOutputStream().write(bytes, 0, read);
                }
            } catch (IOException | InterruptedException closed) {
                // So is its other direction then.
            }
        }

        @Override
        public void close() throws IOException {
            listens.close();
        }
    }

    /** Its user may run scripts, and not more than they need. */
    @Test
    void aServerThatDoesNotSayWhichOneItIsServesAsWell() throws Exception {
        redis.aclSetuser(
                "fleet",
                AclSetuserArgs.Builder.on()
                        .addPassword("contract")
                        .allKeys()
                        .allCommands()
                        .removeCommand(CommandType.INFO));
        String restricted = uri.replace("redis://", "redis://fleet:contract@");
        try (ConnectionBudget budget = new RedisBudgetProvider().open(setup(fleet, restricted, DATABASE))) {
            assertThat(budget.renew(new Renewal("me", 1, 0, 1, 5, new FleetRules(9, 1, 0)))
                            .granted())
                    .isEqualTo(1);
            assertThat(redis.hexists(key(), "server")).isFalse();
        }
    }

    @Test
    void aKeyOfAnotherKindIsAFailureAndStaysAsItIs() {
        redis.set(key(), "somebody else's");
        try (ConnectionBudget budget = open(fleet)) {
            assertThatThrownBy(() -> budget.renew(new Renewal("me", 1, 0, 0, 5, new FleetRules(9, 1, 0))))
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
            assertThatThrownBy(() -> budget.renew(new Renewal("me", 1, 0, 0, 5, new FleetRules(9, 1, 0))))
                    .isInstanceOf(RuntimeException.class);
        }
    }
}
