// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.springboot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.diagnostics.Explanation;
import java.net.ConnectException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The example as its customers, its operator and its Prometheus see it: over HTTP. */
@Tag("scenario")
class OrdersApplicationTest {
    private static final int BASE = 5;
    private static final int CEILING = 25;
    private static final int CUSTOMERS = 30;
    private static final int CREATED = 201;
    private static final int BUSY = 503;
    private static final int MOST_LOADS = 8;

    /** Threads that libraries keep for the life of a JVM, and those of this test's own clients. */
    private static final Pattern NOT_THE_APPLICATIONS =
            Pattern.compile("HttpClient-.*|PostgreSQL-JDBC-.*|process reaper.*|Common-Cleaner|ForkJoinPool\\..*");

    private static PostgresServer database;
    private static RunningOrders orders;

    @BeforeAll
    static void start() throws Exception {
        try {
            database = PostgresServer.start();
        } catch (IllegalStateException refused) {
            abort(String.valueOf(refused.getMessage()));
        }
        // Growth is returned soon, so that no test waits for it. Requests and orders take four times as long as in the
        // example: HikariCP opens connections one after the other, and on a busy machine 20 of them took more than 2 s.
        orders = new RunningOrders(
                database,
                "orders",
                "--flexpool.grow-on-wait.keep=500ms",
                "--spring.datasource.hikari.connection-timeout=8000",
                "--orders.payment-answers-after=2400ms");
        assertThat(orders.http().ordering().get().statusCode()).isEqualTo(CREATED);
    }

    @AfterAll
    static void end() {
        if (orders != null) {
            orders.close();
        }
        if (database != null) {
            database.close();
        }
    }

    @Test
    void aBurstIsServedOnlyWithGrowth() throws Exception {
        orders.limits(BASE, BASE);
        long before = timeouts();
        int lostWithoutGrowth = lostOf(CUSTOMERS);
        assertThat(lostWithoutGrowth).isBetween(1, CUSTOMERS - BASE);
        assertThat(timeouts() - before).isEqualTo(lostWithoutGrowth);

        orders.limits(BASE, CEILING);
        assertThat(lostOf(CUSTOMERS)).isZero();
        assertThat(timeouts() - before).isEqualTo(lostWithoutGrowth);
        // Now there are events of both kinds.
        assertAnswersAreAsDocumented();
    }

    /** Of one that was started with its defaults, and was not changed. */
    private static void assertLimitsAreAsConfigured(RunningOrders fresh) throws Exception {
        JsonNode limits = fresh.pool().get("limits");
        assertThat(limits.get("base").asInt()).as("%s", limits).isEqualTo(BASE);
        assertThat(limits.get("ceiling").asInt()).as("%s", limits).isEqualTo(CEILING);
    }

    @Test
    void theEndpointShowsHowThePoolGrowsAndGoesBack() throws Exception {
        orders.limits(BASE, CEILING);
        assertThat(atBase()).isTrue();
        long lastBefore = lastEvent();

        JsonNode load = orders.http().posted("/load?orders=" + CUSTOMERS, "");
        assertThat(load.get("placed").asInt()).as("%s", load).isEqualTo(CUSTOMERS);
        assertThat(load.get("lost").asInt()).as("%s", load).isZero();
        assertThat(atBase()).isTrue();
        assertThat(Http.eventually(() -> orders.sessionsOfPool() == BASE)).isTrue();

        List<JsonNode> moves = new ArrayList<>();
        for (JsonNode event : orders.pool().get("events")) {
            if (event.get("number").asLong() > lastBefore
                    && event.get("kind").asString().equals("resized")) {
                moves.add(event);
            }
        }
        assertThat(moves).hasSizeGreaterThanOrEqualTo(2);
        assertThat(moves.get(0).get("from").asInt()).isEqualTo(BASE);
        assertThat(moves.get(0).get("cause").asString()).isEqualTo("demand");
        assertThat(moves).allSatisfy(move -> assertThat(move.get("to").asInt()).isBetween(BASE, CEILING));
        // Far beyond the base: as many are wanted at once as the ceiling allows, and more.
        assertThat(moves).anyMatch(move -> move.get("to").asInt() >= 3 * BASE);
        JsonNode last = moves.get(moves.size() - 1);
        assertThat(last.get("to").asInt()).isEqualTo(BASE);
        assertThat(last.get("cause").asString()).isEqualTo("calm");
    }

    /** The examples in docs/reference/endpoint.md have the names that the answers have; figures are of their day. */
    private static void assertAnswersAreAsDocumented() throws Exception {
        List<String> documented = DocumentTest.answers();
        assertThat(documented).hasSize(2);
        JsonNode all = Http.parsed(documented.get(0));
        assertThat(names(all, "")).isEqualTo(names(orders.http().json("/actuator/flexpool"), ""));
        JsonNode history = Http.parsed(documented.get(1));
        assertThat(names(history, "")).isSubsetOf(names(orders.http().json("/actuator/flexpool/orders?history=0"), ""));
    }

    /** Of everything in it, as a path; those of an array's elements as one. */
    private static Set<String> names(JsonNode node, String path) {
        Set<String> names = new TreeSet<>();
        if (node.isArray()) {
            node.forEach(element -> names.addAll(names(element, path + "[]")));
        }
        node.properties().forEach(entry -> {
            String name = path + "." + entry.getKey();
            names.add(name);
            names.addAll(names(entry.getValue(), name));
        });
        return names;
    }

    @Test
    void prometheusScrapesWhatTheEndpointShows() throws Exception {
        orders.http().ordering().get();
        long served = orders.pool().at("/statistics/total/acquisition/ok/count").asLong();
        assertThat(served).isPositive();
        // What is read within 100 ms comes from one reading.
        assertThat(Http.eventually(() ->
                        scraped("db_client_connection_wait_time_seconds_count\\{.*outcome=\"ok\".*\\}") == served))
                .isTrue();
        assertThat(scraped("flexpool_limit\\{.*\\}")).isGreaterThanOrEqualTo(BASE);
        // Spring Boot's own figures of the pool are there as ever.
        assertThat(scraped("hikaricp_connections\\{.*pool=\"orders\".*\\}")).isGreaterThanOrEqualTo(BASE);
        assertThat(scraped("jdbc_connections_max\\{.*\\}")).isGreaterThanOrEqualTo(BASE);
    }

    @Test
    void thePageIsServed() throws Exception {
        HttpResponse<String> page = orders.http().get("/actuator/flexpool/ui");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/html"));
        assertThat(page.body()).contains("<title>flexpool</title>");
    }

    @Test
    void healthHasThePool() throws Exception {
        JsonNode health = orders.http().json("/actuator/health");
        assertThat(health.get("status").asString()).isEqualTo("UP");
        assertThat(health.at("/components/flexpool/details/orders/status").asString())
                .as("%s", health)
                .isEqualTo("UP");
        assertThat(health.at("/components/db/status").asString())
                .as("%s", health)
                .isEqualTo("UP");
    }

    @Test
    void anOrderIsFoundAgain() throws Exception {
        JsonNode placed = orders.http().posted("/orders", "{\"article\": \"pen\", \"quantity\": 3}");
        JsonNode found = orders.http().json("/orders/" + placed.get("id").asLong());
        assertThat(found.get("article").asString()).isEqualTo("pen");
        assertThat(found.get("quantity").asInt()).isEqualTo(3);
    }

    @Test
    void anUnknownOrderIsNotFound() throws Exception {
        assertThat(orders.http().get("/orders/0").statusCode()).isEqualTo(404);
    }

    @Test
    void aBadOrderIsRefused() throws Exception {
        assertThat(orders.http()
                        .post("/orders", "{\"article\": \"pen\", \"quantity\": 0}")
                        .statusCode())
                .isEqualTo(400);
        assertThat(orders.http().post("/load?orders=0", "").statusCode()).isEqualTo(400);
        assertThat(orders.http().post("/load?orders=501", "").statusCode()).isEqualTo(400);
    }

    @Test
    void aPaymentThatBlocksAllOthersIsNamed() throws Exception {
        try (RunningOrders blocked = new RunningOrders(
                database,
                "blocked",
                "--spring.jpa.hibernate.ddl-auto=none",
                "--spring.datasource.hikari.maximum-pool-size=3",
                "--flexpool.ceiling=3",
                "--spring.datasource.hikari.connection-timeout=1500",
                "--orders.payment-answers-after=2s")) {
            // The first look at the server connects: on a busy machine that may take longer than a failure waits for
            // it.
            // Once a request has failed, flexpool looks each second while others wait, and a failure has what the last
            // look saw: the timeout is longer than that, so that a look comes after all three have asked for the row.
            for (int again = 0; again < MOST_LOADS && !namesThePayment(blocked); again++) {
                JsonNode load = blocked.http().posted("/load?orders=6&from-stock=true", "");
                assertThat(load.get("lost").asInt()).as("%s", load).isPositive();
            }
            assertThat(namesThePayment(blocked))
                    .as("%s", blocked.pool().get("events"))
                    .isTrue();
        }
    }

    private static boolean namesThePayment(RunningOrders blocked) throws Exception {
        for (JsonNode event : blocked.pool().get("events")) {
            String text = event.toString();
            if (text.contains(Explanation.Cause.BLOCKED_BY_HOLDER.words())
                    && text.contains("LoadController.placeOne(")
                    && text.contains("idle in transaction")) {
                return true;
            }
        }
        return false;
    }

    @Test
    void itsEndServesTheOrderUnderWayAndLeavesNothing() throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        RunningOrders second = new RunningOrders(database, "second", "--spring.jpa.hibernate.ddl-auto=none");
        CompletableFuture<HttpResponse<String>> underWay;
        try (second) {
            assertLimitsAreAsConfigured(second);
            // The threads of a burst end with it.
            assertThat(second.http().posted("/load?orders=2", "").get("placed").asInt())
                    .isEqualTo(2);
            assertThat(second.sessions()).isPositive();
            underWay = second.http().ordering();
            assertThat(Http.eventually(() -> second.pool().at("/state/active").asInt() == 1))
                    .isTrue();
        }
        assertThat(underWay.get().statusCode()).isEqualTo(CREATED);
        assertThat(second.http().ordering())
                .failsWithin(Duration.ofSeconds(30))
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(ConnectException.class);
        assertThat(Http.eventually(() -> second.sessions() == 0)).isTrue();
        assertThat(Http.eventually(() -> newThreads(before).isEmpty()))
                .as("threads left: %s", newThreads(before))
                .isTrue();
    }

    private static List<String> newThreads(Set<Thread> before) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread))
                .map(Thread::getName)
                .filter(name -> !NOT_THE_APPLICATIONS.matcher(name).matches())
                .toList();
    }

    /** So many customers at once; how many were sent away. */
    private static int lostOf(int customers) throws Exception {
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int at = 0; at < customers; at++) {
            answers.add(orders.http().ordering());
        }
        int lost = 0;
        for (CompletableFuture<HttpResponse<String>> answer : answers) {
            int status = answer.get().statusCode();
            assertThat(status).isIn(CREATED, BUSY);
            lost += status == BUSY ? 1 : 0;
        }
        return lost;
    }

    private static long timeouts() throws Exception {
        return orders.pool().at("/statistics/total/counters/timeouts").asLong();
    }

    /** Whether limit and pool come to the base. */
    private static boolean atBase() throws Exception {
        return Http.eventually(() -> {
            JsonNode pool = orders.pool();
            return pool.at("/limits/limit").asInt() == BASE
                    && pool.at("/limits/max").asInt() == BASE
                    && pool.at("/state/total").asInt() == BASE;
        });
    }

    private static long lastEvent() throws Exception {
        long last = -1;
        for (JsonNode event : orders.pool().get("events")) {
            last = event.get("number").asLong();
        }
        return last;
    }

    /** The value of the first series that matches; fails if there is none. */
    private static double scraped(String series) throws Exception {
        HttpResponse<String> page = orders.http().get("/actuator/prometheus");
        Matcher line = Pattern.compile("(?m)^" + series + " (\\S+)$").matcher(page.body());
        assertThat(line.find()).as("%s in %s", series, page.body()).isTrue();
        return Double.parseDouble(line.group(1));
    }
}
