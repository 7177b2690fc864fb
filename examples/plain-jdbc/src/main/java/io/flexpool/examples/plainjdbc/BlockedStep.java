// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.plainjdbc;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.diagnostics.Explanation;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One payment keeps a row locked while it waits for its provider, and every order of the same book waits for it. */
final class BlockedStep {
    private static final Logger STORY = LoggerFactory.getLogger("demo");
    private static final int THREADS = 30;
    /**
     * More orders come until a failure has named the payment: the first look at the server connects, which may take longer than
     * a failure waits for it.
     */
    private static final int MORE = 5;

    private static final int ROUNDS = 10;
    private static final int ROUND_SECONDS = 2;
    private static final String TAKE_ONE = "update stock set pieces = pieces - 1 where article = 'book'";

    private final DemoDatabase database;
    private final OrdersPool orders;
    private final CountDownLatch paying = new CountDownLatch(1);
    private final CountDownLatch answered = new CountDownLatch(1);

    BlockedStep(DemoDatabase database, OrdersPool orders) {
        this.database = database;
        this.orders = orders;
    }

    void run(Summary summary) throws Exception {
        STORY.info("");
        STORY.info(
                "4. One payment waits for its provider with a row locked; {} orders want the same row, timeout {} s",
                THREADS,
                orders.timeoutSeconds());
        try (Connection connection = database.unpooled().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table stock (article varchar(100) primary key, pieces int not null)");
            statement.execute("insert into stock values ('book', 1000)");
        }
        FlexPoolDataSource pool = orders.dataSource();
        Thread payment = new Thread(this::payOrFail, "payment");
        payment.start();
        paying.await();
        List<FutureTask<Burst.Result>> bursts = new ArrayList<>();
        bursts.add(begun(THREADS, pool));
        for (int round = 0; round < ROUNDS && !Waiting.until(ROUND_SECONDS, () -> named().isPresent()); round++) {
            bursts.add(begun(MORE, pool));
        }
        answered.countDown();
        payment.join();
        int served = 0;
        int failed = 0;
        for (FutureTask<Burst.Result> burst : bursts) {
            served += burst.get().served();
            failed += burst.get().failures().size();
        }
        Optional<Explanation> named = named();
        STORY.info("   {} served, {} failed; one failure, explained:", served, failed);
        STORY.info("     {}", named.map(Explanation::text).orElse("NOT by the payment"));
        summary.check("the payment that blocks the others is named", named.isPresent());
    }

    private static FutureTask<Burst.Result> begun(int threads, FlexPoolDataSource pool) {
        FutureTask<Burst.Result> burst = new FutureTask<>(() -> Burst.of(threads, pool, TAKE_ONE));
        new Thread(burst, "orders").start();
        return burst;
    }

    /** The first explanation by the payment that holds the row. */
    private Optional<Explanation> named() {
        return orders.events().explanations().stream()
                .filter(one -> one.cause() == Explanation.Cause.BLOCKED_BY_HOLDER)
                .filter(one -> String.join(" ", one.evidence()).contains("BlockedStep.pay("))
                .findFirst();
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
            answered.await();
            connection.commit();
        }
    }
}
