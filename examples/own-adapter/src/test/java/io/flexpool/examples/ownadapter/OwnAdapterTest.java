// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.ownadapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.tck.contract.PoolAdapterContract;
import io.flexpool.adapter.tck.contract.PoolQuirk;
import io.flexpool.adapter.tck.database.StubDatabase.Fault;
import io.flexpool.adapter.tck.faults.Crowd;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class OwnAdapterTest extends PoolAdapterContract {
    @Override
    protected DataSource pool(DataSource database, int max, Duration timeout) {
        return new OwnPool(database, max, timeout);
    }

    @Override
    protected Set<Capability> capabilities() {
        return Set.of(
                Capability.LIVE_RESIZE,
                Capability.EXACT_TRIM,
                Capability.PHYSICAL_FOLLOWS_LIMIT,
                Capability.PER_CALL_TIMEOUT,
                Capability.PENDING_COUNT);
    }

    @Override
    protected Set<PoolQuirk> quirks() {
        return Set.of(PoolQuirk.TAKES_NOTHING_BACK);
    }

    @Override
    protected Class<? extends SQLException> timeoutClass() {
        return SQLTimeoutException.class;
    }

    @Override
    protected String maxSizeKey() {
        return "max";
    }

    @Override
    protected Duration housekeeping() {
        // It has no background work; effects are immediate.
        return Duration.ofSeconds(1);
    }

    /** Not covered by the contract: a timeout behind others' connects reports these. */
    @Test
    void aTimeoutBehindAConnectThatHangsIsAConnectFailure() throws Exception {
        OwnPool own = new OwnPool(database.dataSource(), 1, Duration.ofMillis(300));
        build(wrap(own));
        PoolAdapter adapter = adapter(own);
        database.fault(Fault.HANGING);
        try (Crowd hanging = new Crowd()) {
            hanging.ask(1, own);
            assertThat(Crowd.eventually(
                            Duration.ofSeconds(5), () -> own.figures().opening() == 1))
                    .isTrue();
            assertThatThrownBy(own::getConnection)
                    .isInstanceOf(SQLTimeoutException.class)
                    .satisfies(thrown -> {
                        AcquisitionFailure why = adapter.classify(thrown, adapter.snapshot(), Duration.ofMillis(300));
                        assertThat(why.kind()).isEqualTo(Kind.CONNECT_FAILED);
                    });
            database.release();
        }
    }

    /** Who comes first is served first, also if the next one comes just when a connection does. */
    @Test
    void theOldestWaiterIsServedFirst() throws Exception {
        OwnPool own = new OwnPool(database.dataSource(), 1, Duration.ofSeconds(30));
        build(wrap(own));
        List<Integer> served = new CopyOnWriteArrayList<>();
        List<Thread> threads = new ArrayList<>();
        Connection held = own.getConnection();
        for (int at = 0; at < 8; at++) {
            int number = at;
            Thread thread = new Thread(() -> {
                try (Connection connection = own.getConnection()) {
                    assertThat(connection).isNotNull();
                    served.add(number);
                } catch (SQLException thrown) {
                    throw new IllegalStateException(thrown);
                }
            });
            thread.start();
            threads.add(thread);
            assertThat(Crowd.eventually(
                            Duration.ofSeconds(5), () -> own.figures().pending() == number + 1))
                    .isTrue();
        }
        held.close();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(served).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    }
}
