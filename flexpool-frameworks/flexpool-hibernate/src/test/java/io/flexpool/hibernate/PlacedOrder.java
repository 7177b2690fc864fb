// SPDX-License-Identifier: Apache-2.0
package io.flexpool.hibernate;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;

@Entity
class PlacedOrder {
    @Id
    @GeneratedValue
    private Long id;

    private String article;

    protected PlacedOrder() {}

    PlacedOrder(String article) {
        this.article = article;
    }

    @Override
    public String toString() {
        return id + ": " + article;
    }
}
