// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.springboot;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Places many orders at the same moment, to show what the pool does. */
@RestController
class LoadController {
    private static final int MOST = 500;

    private final OrderService orders;

    LoadController(OrderService orders) {
        this.orders = orders;
    }

    /**
     * What became of a burst.
     *
     * @param orders how many were wanted
     * @param placed how many were placed
     * @param lost how many got no connection in time
     * @param slowestMillis how long the slowest of those placed took, its payment included
     * @param firstLoss the message of the first lost one; null if none was lost
     */
    record Result(
            int orders,
            int placed,
            int lost,
            long slowestMillis,
            @Nullable String firstLoss) {}

    /** Null for no loss. */
    private record Outcome(long millis, @Nullable String loss) {}

    @PostMapping("/load")
    Result load(
            @RequestParam(name = "orders", defaultValue = "30") int count,
            @RequestParam(name = "from-stock", defaultValue = "false") boolean fromStock)
            throws InterruptedException, ExecutionException {
        if (count < 1 || count > MOST) {
            throw new ResponseStatusException(
                    HttpStatus.BAD_REQUEST, "orders = " + count + ": must be from 1 to " + MOST);
        }
        ExecutorService customers = Executors.newFixedThreadPool(count);
        try {
            Callable<Outcome> customer = () -> placeOne(fromStock ? orders::placeFromStock : orders::place);
            return result(customers.invokeAll(Collections.nCopies(count, customer)));
        } finally {
            customers.shutdownNow();
        }
    }

    private static Outcome placeOne(Consumer<NewOrder> order) {
        long begin = System.nanoTime();
        try {
            order.accept(new NewOrder("book", 1));
            return new Outcome((System.nanoTime() - begin) / 1_000_000, null);
        } catch (CannotCreateTransactionException noConnection) {
            return new Outcome(0, noConnection.getMostSpecificCause().toString());
        }
    }

    private static Result result(List<Future<Outcome>> customers) throws InterruptedException, ExecutionException {
        long slowest = 0;
        List<String> losses = new ArrayList<>();
        for (Future<Outcome> customer : customers) {
            Outcome outcome = customer.get();
            slowest = Math.max(slowest, outcome.millis());
            String loss = outcome.loss();
            if (loss != null) {
                losses.add(loss);
            }
        }
        int placed = customers.size() - losses.size();
        return new Result(customers.size(), placed, losses.size(), slowest, losses.isEmpty() ? null : losses.get(0));
    }
}
