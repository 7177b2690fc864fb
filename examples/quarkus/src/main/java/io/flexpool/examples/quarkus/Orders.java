// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.quarkus;

import io.agroal.api.AgroalDataSource;
import io.quarkus.runtime.Startup;
import jakarta.annotation.PostConstruct;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.transaction.Transactional;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Orders over HTTP. Nothing here knows flexpool. */
@Path("/orders")
@Singleton
@Startup
public class Orders {
    private final AgroalDataSource dataSource;

    /**
     * Made by Quarkus.
     *
     * @param dataSource the application's only one
     */
    @Inject
    public Orders(AgroalDataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** Runs when the application starts. */
    @PostConstruct
    void create() throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table if not exists orders (id serial primary key, item text not null)");
        }
    }

    /**
     * Stores an order. Its connection is of the transaction, and so is that of {@link #count()}: one lease.
     *
     * @param item what is ordered
     * @return how many orders there are now
     */
    @POST
    @Transactional
    public long place(String item) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement insert = connection.prepareStatement("insert into orders (item) values (?)")) {
            insert.setString(1, item);
            insert.executeUpdate();
        }
        return count();
    }

    /**
     * Counts the orders.
     *
     * @return how many there are
     */
    @GET
    public long count() throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from orders")) {
            row.next();
            return row.getLong(1);
        }
    }
}
