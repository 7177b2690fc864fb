// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** An entity. */
@Entity
public class Item {
    @Id
    private long id;

    private String name = "";

    /** For JPA. */
    protected Item() {}

    Item(long id, String name) {
        this.id = id;
        this.name = name;
    }

    long id() {
        return id;
    }

    String name() {
        return name;
    }
}
