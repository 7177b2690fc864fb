// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import jakarta.persistence.EntityManager;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** Transactions of an application: JPA and JDBC on one connection. */
class Shop {
    private final EntityManager entities;
    private final JdbcTemplate jdbc;

    Shop(EntityManager entities, JdbcTemplate jdbc) {
        this.entities = entities;
        this.jdbc = jdbc;
    }

    /** Both, or none. */
    @Transactional
    public void store(long id, String name, boolean fails) {
        entities.persist(new Item(id, name));
        entities.flush();
        jdbc.update("insert into audit (id, said) values (?, ?)", id, name);
        if (fails) {
            throw new IllegalStateException("no");
        }
    }

    int count(String table) {
        Integer count = jdbc.queryForObject("select count(*) from " + table, Integer.class);
        return count == null ? -1 : count;
    }
}
