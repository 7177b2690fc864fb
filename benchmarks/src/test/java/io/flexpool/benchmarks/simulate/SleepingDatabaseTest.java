// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.flexpool.benchmarks.simulate.Scenario.Phase;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the server is asked to sleep is what counts; how long it then sleeps is its own. */
class SleepingDatabaseTest {
    private static final Usl CURVE = new Usl(0.1, 0.2, 1);

    private final SleepingDatabase database = new SleepingDatabase(CURVE);
    private final List<Double> slept = new ArrayList<>();

    @Test
    void aRequestIsStretchedByThoseUnderWayWhenItBegins() throws SQLException {
        Phase usual = Phase.load(0, 1);
        database.serve(connection(() -> database.serve(connection(() -> {}), 0.010, usual)), 0.010, usual);
        database.serve(connection(() -> {}), 0.010, usual);

        assertThat(slept).hasSize(3);
        assertThat(slept.get(0)).isCloseTo(0.010, within(1e-12));
        assertThat(slept.get(1)).isCloseTo(0.010 * CURVE.stretch(2), within(1e-12));
        assertThat(slept.get(2)).as("no other request left").isCloseTo(0.010, within(1e-12));
    }

    @Test
    void aSlowPhaseIsMoreWork() throws SQLException {
        database.serve(connection(() -> {}), 0.010, new Phase(0, 1, 10, 0, 0, true));

        assertThat(slept.get(0)).isCloseTo(0.100, within(1e-12));
    }

    @Test
    void aDistantPhaseIsTimeOutsideTheDatabase() throws SQLException {
        long begin = System.nanoTime();
        database.serve(connection(() -> {}), 0.010, new Phase(0, 1, 1, 9, 0, true));

        assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(90_000_000L);
        assertThat(slept.get(0)).isCloseTo(0.010, within(1e-12));
    }

    @Test
    void aStatementThatFailsIsUnderWayNoMore() throws SQLException {
        try {
            database.serve(
                    connection(() -> {
                        throw new SQLException("for the test");
                    }),
                    0.010,
                    Phase.load(0, 1));
        } catch (SQLException expected) {
            assertThat(expected.getMessage()).isEqualTo("for the test");
        }
        database.serve(connection(() -> {}), 0.010, Phase.load(0, 1));

        assertThat(slept.get(1)).isCloseTo(0.010, within(1e-12));
    }

    /** What the server does meanwhile. */
    @FunctionalInterface
    private interface Meanwhile {
        void happens() throws SQLException;
    }

    private Connection connection(Meanwhile execution) {
        ClassLoader loader = SleepingDatabaseTest.class.getClassLoader();
        PreparedStatement statement = (PreparedStatement) Proxy.newProxyInstance(
                loader, new Class<?>[] {PreparedStatement.class}, (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "setDouble" -> slept.add((Double) arguments[1]);
                        case "execute" -> {
                            execution.happens();
                            return true;
                        }
                        default -> assertThat(method.getName()).isEqualTo("close");
                    }
                    return null;
                });
        return (Connection) Proxy.newProxyInstance(
                loader, new Class<?>[] {Connection.class}, (proxy, method, arguments) -> statement);
    }
}
