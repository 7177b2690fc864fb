// SPDX-License-Identifier: Apache-2.0
package io.flexpool.micronaut;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Answers each request from the database. */
@Controller("/orders")
@Requires(property = "datasources.default.url")
class OrdersController {
    private final DataSource orders;

    OrdersController(DataSource orders) {
        this.orders = orders;
    }

    @Get(produces = MediaType.TEXT_PLAIN)
    @ExecuteOn(TaskExecutors.BLOCKING)
    String state() throws SQLException {
        try (Connection connection = orders.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select 'placed'")) {
            row.next();
            return row.getString(1);
        }
    }
}
