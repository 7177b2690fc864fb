// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.flexpool.adapter.tck.database.MinimalDataSource;
import io.flexpool.benchmarks.kit.CountingDataSource;
import io.flexpool.benchmarks.stub.StubConnection;
import io.flexpool.benchmarks.stub.StubDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("scenario")
class ClientsTest {
    private static final int THREADS = 3;
    private static final int POOL = 2;
    private static final TailLoad AT_ONCE = new TailLoad(THREADS, POOL, 0, 0, 0, 1, 1, 2);

    private static CountingDataSource driver() {
        return new CountingDataSource(StubDataSource.of(StubConnection::new));
    }

    @Test
    void withoutAHoldOneInManyIsTimedAndAllAreCounted() throws Exception {
        LongAdder requests = new LongAdder();
        MinimalDataSource counting = new MinimalDataSource() {
            @Override
            public Connection getConnection() {
                requests.increment();
                return new StubConnection();
            }
        };
        CountingDataSource driver = driver();
        driver.getConnection();
        driver.getConnection();

        List<TailWindow> windows = new Clients(AT_ONCE, counting, driver).run();

        assertThat(windows).hasSize(2).allSatisfy(window -> {
            assertThat(window.leases()).isPositive();
            assertThat(window.leases() % AT_ONCE.timedEvery()).isZero();
            assertThat(window.leases()).isBetween(THREADS * window.fewest(), THREADS * window.most());
            assertThat(window.mostOpen()).isEqualTo(2);
        });
        assertThat(windows.stream().mapToLong(TailWindow::leases).sum())
                .as("without those of the warm-up")
                .isLessThan(requests.sum());
    }

    @Test
    void clientsUseTheProcessorTimeThatTheLoadSays() throws Exception {
        TailLoad burning = new TailLoad(1, 1, 0, 300, 700, 1, 1, 1);

        TailWindow window =
                TailJvm.run(new TailJvm.Task(Variant.BARE, burning)).windows().get(0);

        // Nearly all of 300 and 700: of the first and the last lease a part lies outside of the window.
        assertThat(window.clientCpuMicrosPerOp()).isGreaterThan(900);
        assertThat(window.cpuMicrosPerOp()).isGreaterThan(900);
        assertThat(window.busy()).isPositive();
    }

    @Test
    void aRequestThatFailsEndsTheRun() {
        MinimalDataSource refusing = new MinimalDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                throw new SQLException("no more");
            }
        };

        assertThatIllegalStateException()
                .isThrownBy(() -> new Clients(AT_ONCE, refusing, driver()).run())
                .havingCause()
                .withMessage("no more");
    }

    @Test
    void aPoolThatHasNotOpenedItsConnectionsIsNotMeasured() {
        CountingDataSource unused = driver();

        assertThatIllegalStateException()
                .isThrownBy(() -> new Clients(AT_ONCE, StubDataSource.of(StubConnection::new), unused).run())
                .withMessageStartingWith("only 0 of 2 connections were open");
    }
}
