// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.springboot;

import java.time.Clock;
import java.util.Optional;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Places orders and finds them again. */
@Service
class OrderService {
    private final OrderRepository orders;
    private final StockRepository stock;
    private final Payments payments;

    OrderService(OrderRepository orders, StockRepository stock, Payments payments) {
        this.orders = orders;
        this.stock = stock;
        this.payments = payments;
    }

    /**
     * Stores an order and waits for its payment, in one transaction: a connection is held for as long as the payment
     * takes. That is how pools run dry in real applications, and why this one is worth looking at.
     */
    @Transactional
    PlacedOrder place(NewOrder wanted) {
        PlacedOrder placed = orders.save(new PlacedOrder(
                wanted.article(), wanted.quantity(), Clock.systemUTC().instant()));
        payments.authorise();
        return placed;
    }

    /**
     * The same of a stock that is counted: the row of the article stays locked until the payment is through, and all other
     * orders of the article wait for it, each with a connection.
     */
    @Transactional
    PlacedOrder placeFromStock(NewOrder wanted) {
        stock.take(wanted.article(), wanted.quantity());
        return place(wanted);
    }

    @Transactional(readOnly = true)
    Optional<PlacedOrder> find(long id) {
        return orders.findById(id);
    }
}
