// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

import io.flexpool.benchmarks.simulate.Scenario.Phase;
import java.sql.Connection;
import java.sql.SQLException;

/** What a request does with its connection. Thread-safe. */
interface Work {
    /**
     * Does the work of one request.
     *
     * @param connection the request's own for as long
     * @param workSeconds what it takes alone in the usual database
     * @param phase the stretch of the scenario in which it begins
     */
    void serve(Connection connection, double workSeconds, Phase phase) throws SQLException;
}
