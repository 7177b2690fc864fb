// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.plainjdbc;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.diagnostics.Explanation;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One payment keeps a row locked while it waits for its provider, and every order of the same book waits for it. */
final class BlockedStep {
    private static final Logger STORY = LoggerFactory.getLogger("demo");
    private static final int THREADS = 30;
    /** They come later: on a busy machine the first look at the server, which connects, may be too late for the others. */
    private static final int LATECOMERS = 5;

    private static final int LATER_MILLIS = 1_500;
    private static final int PAYMENT_MILLIS = 4_000;
    private static final String TAKE_ONE = "update stock set pieces = pieces - 1 where article = 'book'";

    private final DemoDatabase database;
    private final OrdersPool orders;
    private final CountDownLatch paying = new CountDownLatch(1);
    private final CountDownLatch neverOpened = new CountDownLatch(1);

    BlockedStep(DemoDatabase database, OrdersPool orders) {
        this.database = database;
        this.orders = orders;
    }

    void run(Summary summary) throws Exception {
        STORY.info("");
        STORY.info(
                "4. One payment waits {} ms for its provider with a row locked; {} orders want the same row, timeout 1 s",
                PAYMENT_MILLIS,
                THREADS + LATECOMERS);
        try (Connection connection = database.unpooled().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table stock (article varchar(100) primary key, pieces int not null)");
            statement.execute("insert into stock values ('book', 1000)");
        }
        FlexPoolDataSource pool = orders.dataSource();
        Thread payment = new Thread(this::payOrFail, "payment");
        payment.start();
        paying.await();
        FutureTask<Burst.Result> later = new FutureTask<>(() -> {
            neverOpened.await(LATER_MILLIS, TimeUnit.MILLISECONDS);
            return Burst.of(LATECOMERS, pool, TAKE_ONE);
        });
        new Thread(later, "latecomers").start();
        Burst.Result result = Burst.of(THREADS, pool, TAKE_ONE);
        Burst.Result late = later.get();
        payment.join();
        Optional<Explanation> explained = orders.events().explanations().stream()
                .filter(one -> one.cause() == Explanation.Cause.BLOCKED_BY_HOLDER)
                .findFirst();
        STORY.info(
                "   {} served, {} failed; the first failure, explained:",
                result.served() + late.served(),
                result.failures().size() + late.failures().size());
        STORY.info("     {}", explained.map(Explanation::text).orElse("NOT by the row lock"));
        summary.check(
                "the payment that blocks the others is named",
                explained
                        .map(one -> String.join(" ", one.evidence()).contains("BlockedStep.pay("))
                        .orElse(false));
    }

    private void payOrFail() {
        try {
            pay(orders.dataSource());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What not to do: the provider is asked inside the transaction. */
    private void pay(FlexPoolDataSource pool) throws SQLException, InterruptedException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(TAKE_ONE);
            paying.countDown();
            if (neverOpened.await(PAYMENT_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new AssertionError("must not be opened");
            }
            connection.commit();
        }
    }
}
