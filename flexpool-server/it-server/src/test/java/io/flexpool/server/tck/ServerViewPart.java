// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.tck;

import io.flexpool.server.ServerSession;
import io.flexpool.server.ServerSession.State;
import io.flexpool.server.ServerSnapshot;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Predicate;

/** What the parts of {@link ServerViewContract} share: the test of the product, under shorter names. */
abstract class ServerViewPart {
    final ServerViewContract contract;

    ServerViewPart(ServerViewContract contract) {
        this.contract = contract;
    }

    TestSession session() throws SQLException {
        return contract.session();
    }

    TestSession session(Connection connection) throws SQLException {
        return contract.session(connection);
    }

    String table() throws SQLException {
        return contract.table();
    }

    /** A statement that needs the lock of one row of the test's table. */
    String update(int row) {
        return "update " + contract.tableName() + " set v = v + 1 where id = " + row;
    }

    ServerSnapshot look(TestSession own, TestSession... asked) throws SQLException {
        return contract.look(own, asked);
    }

    ServerSnapshot awaitLook(TestSession own, Predicate<ServerSnapshot> until, TestSession... asked) {
        return contract.awaitLook(own, until, asked);
    }

    static Predicate<ServerSnapshot> has(TestSession session, State state) {
        return snapshot -> ServerViewContract.find(snapshot, session)
                .map(ServerSession::state)
                .equals(Optional.of(state));
    }
}
