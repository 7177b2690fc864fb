// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.springboot;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Orders over HTTP. */
@RestController
@RequestMapping("/orders")
class OrderController {
    private final OrderService orders;

    OrderController(OrderService orders) {
        this.orders = orders;
    }

    /**
     * An order as it is shown.
     *
     * @param id its number
     * @param article what was ordered
     * @param quantity how many
     * @param placedAt when
     */
    record ShownOrder(@Nullable Long id, String article, int quantity, Instant placedAt) {
        static ShownOrder of(PlacedOrder order) {
            return new ShownOrder(order.id(), order.article(), order.quantity(), order.placedAt());
        }
    }

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    ShownOrder place(@RequestBody NewOrder wanted) {
        return ShownOrder.of(orders.place(wanted));
    }

    @GetMapping("/{id}")
    ResponseEntity<ShownOrder> find(@PathVariable long id) {
        return ResponseEntity.of(orders.find(id).map(ShownOrder::of));
    }

    /** What the customer sees of a pool that gave no connection in time. */
    @ExceptionHandler
    ProblemDetail noConnection(CannotCreateTransactionException failure) {
        return ProblemDetail.forStatusAndDetail(
                HttpStatus.SERVICE_UNAVAILABLE, "The order was not placed. Please try again.");
    }
}
