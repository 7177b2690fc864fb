// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.springboot;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** How many pieces of an article there are. */
@Entity
@Table(name = "stock")
class Stock {
    @Id
    @Column(length = NewOrder.LONGEST_ARTICLE)
    private String article;

    @Column(nullable = false)
    private int pieces;

    /** For JPA, which fills in the rest. */
    protected Stock() {
        this("", 0);
    }

    Stock(String article, int pieces) {
        this.article = article;
        this.pieces = pieces;
    }

    String article() {
        return article;
    }

    int pieces() {
        return pieces;
    }
}
