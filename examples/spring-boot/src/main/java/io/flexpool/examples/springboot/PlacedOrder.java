// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.springboot;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An order as the database keeps it. */
@Entity
@Table(name = "orders")
class PlacedOrder {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private @Nullable Long id;

    @Column(nullable = false, length = NewOrder.LONGEST_ARTICLE)
    private String article;

    @Column(nullable = false)
    private int quantity;

    @Column(nullable = false)
    private Instant placedAt;

    /** For JPA, which fills in the rest. */
    protected PlacedOrder() {
        this("", 0, Instant.EPOCH);
    }

    PlacedOrder(String article, int quantity, Instant placedAt) {
        this.article = article;
        this.quantity = quantity;
        this.placedAt = placedAt;
    }

    /** Null until it is stored. */
    @Nullable
    Long id() {
        return id;
    }

    String article() {
        return article;
    }

    int quantity() {
        return quantity;
    }

    Instant placedAt() {
        return placedAt;
    }
}
