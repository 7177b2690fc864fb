// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.plainjdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;

/** The first step and an outage, short and on H2, and the row lock; the demo itself checks the rest. */
class StepsTest {
    @Test
    void openCloseMeasuresAllVariants() throws Exception {
        Summary summary = new Summary();
        try (DemoDatabase database = new H2Database()) {
            new OpenCloseStep(database, 50).run(summary);
            assertTrue(Waiting.until(180, () -> database.sessions() == 0), "all connections closed");
        }
        assertEquals(6, summary.lines().size());
        assertTrue(
                summary.lines().get(3).startsWith("HikariCP + flexpool"),
                summary.lines().get(3));
        assertTrue(
                summary.lines().get(4).contains("published: x600"),
                summary.lines().get(4));
        assertTrue(summary.print());
        summary.check("something that did not happen", false);
        assertFalse(summary.print());
    }

    @Test
    void outageIsNamedOnH2Too() throws Exception {
        Summary summary = new Summary();
        try (DemoDatabase database = new H2Database();
                OrdersPool orders = new OrdersPool(database, 1)) {
            orders.dataSource().getConnection().close();
            // HikariCP hands out a connection used within the last half second without testing it.
            Waiting.until(1, () -> false);
            new OutageStep(database, orders).run(summary);
        }
        assertTrue(summary.print());
    }

    @Test
    void aPaymentThatBlocksTheOthersIsNamed() throws Exception {
        assumeTrue(
                PostgresDatabase.unavailable().isEmpty(),
                () -> PostgresDatabase.unavailable().orElse(""));
        Summary summary = new Summary();
        try (DemoDatabase database = new PostgresDatabase()) {
            assertTrue(database.hasServerView());
            try (OrdersPool orders = new OrdersPool(database, 1)) {
                new BlockedStep(database, orders).run(summary);
            }
            assertTrue(Waiting.until(180, () -> database.sessions() == 0), "flexpool's own connection is closed, too");
        }
        assertTrue(summary.print());
    }
}
