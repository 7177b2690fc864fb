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
    private final Payments payments;

    OrderService(OrderRepository orders, Payments payments) {
        this.orders = orders;
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

    @Transactional(readOnly = true)
    Optional<PlacedOrder> find(long id) {
        return orders.findById(id);
    }
}
