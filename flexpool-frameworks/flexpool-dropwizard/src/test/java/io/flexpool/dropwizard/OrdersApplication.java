// SPDX-License-Identifier: Apache-2.0
package io.flexpool.dropwizard;

import io.dropwizard.core.Application;
import io.dropwizard.core.setup.Bootstrap;
import io.dropwizard.core.setup.Environment;
import io.dropwizard.db.ManagedDataSource;

/** A whole application; docs/reference/frameworks.md shows its line for flexpool. */
public class OrdersApplication extends Application<OrdersConfiguration> {
    public static void main(String[] args) throws Exception {
        new OrdersApplication().run(args); // server orders.yml
    }

    @Override
    public void initialize(Bootstrap<OrdersConfiguration> bootstrap) {
        bootstrap.addBundle(new FlexPoolBundle());
    }

    @Override
    public void run(OrdersConfiguration configuration, Environment environment) {
        ManagedDataSource orders = configuration.database.build(environment.metrics(), "orders");
        environment.lifecycle().manage(orders);
        environment.jersey().register(new OrdersResource(orders));
    }
}
