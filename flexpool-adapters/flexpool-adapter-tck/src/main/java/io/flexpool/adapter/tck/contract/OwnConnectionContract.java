// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.tck.database.StubDatabase;
import io.flexpool.adapter.tck.faults.Crowd;
import io.flexpool.pool.PoolSnapshot;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The connection that flexpool opens outside the pool, to query the server. */
abstract class OwnConnectionContract extends ContractPart {
    private static final Duration COUNTED = Duration.ofSeconds(5);

    OwnConnectionContract(PoolAdapterContract contract) {
        super(contract);
    }

    /** Opens a connection even if the pool is exhausted; the pool neither counts, keeps nor closes it. */
    @Test
    void opensAConnectionPastThePool() throws Exception {
        DataSource raw = pool(2, Duration.ofSeconds(2));
        PoolAdapter adapter = contract.adapter(raw);
        FlexPoolDataSource pool = build(wrap(raw));
        try (Crowd crowd = new Crowd()) {
            crowd.ask(2, pool).join();
            Connection own = adapter.connect();
            if (has(PoolQuirk.OPENS_NOTHING_PAST_ITSELF)) {
                assertThat(own).isNull();
                return;
            }
            try (Connection past = Objects.requireNonNull(own)) {
                assertThat(past.isClosed()).isFalse();
                assertThat(past.isValid(1)).isTrue();
                assertThat(database.open()).isEqualTo(3);
                // c3p0 counts a connection some time after lending it.
                assertThat(Crowd.eventually(COUNTED, () -> countsTwo(adapter.snapshot())))
                        .as("%s", adapter.snapshot())
                        .isTrue();
            }
            assertThat(database.open()).as("its close closes it").isEqualTo(2);
        }
    }

    private static boolean countsTwo(PoolSnapshot seen) {
        return (seen.total() == 2 || seen.total() == PoolSnapshot.UNKNOWN)
                && (seen.active() == 2 || seen.active() == PoolSnapshot.UNKNOWN);
    }

    /** A refused connect does not affect the pool, which serves its next request. */
    @Test
    void aRefusedOneDoesNotHarmThePool() throws Exception {
        if (has(PoolQuirk.OPENS_NOTHING_PAST_ITSELF)) {
            return;
        }
        DataSource raw = pool(2, Duration.ofSeconds(2));
        PoolAdapter adapter = contract.adapter(raw);
        FlexPoolDataSource pool = build(wrap(raw));
        try (Connection held = pool.getConnection()) {
            assertThat(held.isClosed()).isFalse();
            database.fault(StubDatabase.Fault.TOO_MANY_CONNECTIONS);
            assertThatThrownBy(adapter::connect)
                    .isInstanceOf(SQLException.class)
                    .message()
                    .doesNotContain("secret");
            database.fault(StubDatabase.Fault.NONE);
        }
        assertThat(works(pool)).isTrue();
    }
}
