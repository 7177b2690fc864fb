// SPDX-License-Identifier: Apache-2.0
package io.flexpool.dropwizard;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Answers each request from the database. */
@Path("/orders")
@Produces(MediaType.TEXT_PLAIN)
public class OrdersResource {
    private final DataSource orders;

    /** A resource over some data source. */
    public OrdersResource(DataSource orders) {
        this.orders = orders;
    }

    /** {@return an order's state} */
    @GET
    public String state() throws SQLException {
        try (Connection connection = orders.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select 'placed'")) {
            row.next();
            return row.getString(1);
        }
    }
}
