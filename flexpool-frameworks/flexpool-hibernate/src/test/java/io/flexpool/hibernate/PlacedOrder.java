// SPDX-License-Identifier: Apache-2.0
package io.flexpool.hibernate;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import org.jspecify.annotations.Nullable;

@Entity
class PlacedOrder {
    @Id
    @GeneratedValue
    private @Nullable Long id;

    private String article;

    @SuppressWarnings("NullAway.Init") // by Hibernate
    protected PlacedOrder() {}

    PlacedOrder(String article) {
        this.article = article;
    }

    @Override
    public String toString() {
        return id + ": " + article;
    }
}
