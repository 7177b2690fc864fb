// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.classes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.benchmarks.classes.SideBySide.Load;
import io.flexpool.benchmarks.classes.SideBySide.Outcome;
import java.lang.Thread.UncaughtExceptionHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** A run that is to end early publishes what it has measured, and nothing of what was under way. */
@Timeout(30)
class InterruptedTest {
    private static final int WAYS = Sharing.shared().size();

    private final AtomicBoolean asked = new AtomicBoolean();
    private final AtomicInteger plays = new AtomicInteger();

    private static ClassesCommand command() {
        ClassesCommand command = new ClassesCommand();
        new CommandLine(command)
                .parseArgs("--experiment=b,d", "--seconds=1", "--overload-seconds=1", "--lease=20", "--waiters=100");
        return command;
    }

    /** The database has gone by then. */
    private List<Answer> playUntil(int lastPlay, Sharing sharing, Shape shape, List<Ask> asks) {
        if (plays.incrementAndGet() > lastPlay) {
            asked.set(true);
            throw new IllegalStateException("the database has ended");
        }
        return VirtualPlay.play(sharing, shape, asks);
    }

    @Test
    void whatWasMeasuredIsPublished() throws InterruptedException {
        List<ClassesResult> results =
                command().played((sharing, shape, asks) -> playUntil(WAYS + 1, sharing, shape, asks), 1, asked::get);

        assertThat(results)
                .hasSize(3 * WAYS)
                .extracting(one -> one.figure().experiment)
                .containsOnly("b");
        ClassesReport report = ClassesReport.of(false, results, false);
        assertThat(report.head()).containsExactly("INTERRUPTED: what was measured until then");
        assertThat((Map<?, ?>) report.json()).extracting("complete").isEqualTo(false);
        assertThat(report.tables()).hasSize(3);
    }

    @Test
    void ofTwoRoundsTheFirstOneCounts() throws InterruptedException {
        List<ClassesResult> results = command()
                .played((sharing, shape, asks) -> playUntil(2 * WAYS - 1, sharing, shape, asks), 2, asked::get);

        assertThat(results).hasSize(3 * WAYS);
    }

    @Test
    void aFailureOfAnotherKindIsReported() {
        assertThatThrownBy(() ->
                        command().played((sharing, shape, asks) -> playUntil(0, sharing, shape, asks), 1, () -> false))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void waysThatWereNotMeasuredHaveNoRow() {
        Map<Sharing, List<Outcome>> outcomes = new EnumMap<>(Sharing.class);
        outcomes.put(Sharing.ALONE, List.of(new Outcome(10, 0)));
        outcomes.put(Sharing.BARE_POOL, List.of(new Outcome(20, 4)));

        assertThat(ClassesReport.sideBySide(outcomes, 4))
                .extracting(ClassesResult::variant)
                .containsExactly("alone", "bare-pool", "bare-pool");
        assertThat(ClassesReport.sideBySide(new EnumMap<>(Sharing.class), 4)).isEmpty();
    }

    @Test
    void noFurtherRequestIsMade() {
        Sharing.Source none = new Sharing.Source() {
            @Override
            public Sharing.Lease lease(Ask ask) throws SQLTransientConnectionException {
                plays.incrementAndGet();
                throw new SQLTransientConnectionException("the database has ended");
            }

            @Override
            public void close() {
                // There is nothing to close.
            }
        };
        List<Ask> asks = List.of(new Ask(0, Sharing.BATCH, 0, 1, 1), new Ask(3600, Sharing.BATCH, 0, 1, 1));

        assertThatThrownBy(() -> RealPlay.play(none, asks, 1, () -> true)).isInstanceOf(CancellationException.class);
        assertThatThrownBy(() -> new SideBySide(new Load(1, 3600, 10, 0, 1), none, () -> true).run())
                .isInstanceOf(CancellationException.class);
        assertThat(plays).hasValue(0);
    }

    /** The log was full of the traces of the requests' threads. */
    @Test
    void leasesThatFailBecauseTheDatabaseHasGoneAreOneFailure() {
        List<Throwable> uncaught = new CopyOnWriteArrayList<>();
        UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> uncaught.add(thrown));
        try {
            Sharing.Source gone = source(() -> asked.set(true));
            assertThatThrownBy(() -> RealPlay.play(gone, twoAsks(), 1, asked::get))
                    .isInstanceOf(CancellationException.class);
            assertThatThrownBy(() -> RealPlay.play(source(() -> {}), twoAsks(), 1, () -> false))
                    .isInstanceOf(IllegalStateException.class)
                    .hasCauseInstanceOf(SQLRecoverableException.class);
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
        assertThat(uncaught).isEmpty();
    }

    private static List<Ask> twoAsks() {
        return List.of(new Ask(0, Sharing.BATCH, 0, 1, 1), new Ask(0.01, Sharing.BATCH, 0, 1, 1));
    }

    private static Connection failing() {
        return (Connection) Proxy.newProxyInstance(
                InterruptedTest.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, args) -> {
                    throw new SQLRecoverableException("the database has ended");
                });
    }

    private static Sharing.Source source(Runnable withEachLease) {
        return new Sharing.Source() {
            @Override
            public Sharing.Lease lease(Ask ask) {
                withEachLease.run();
                return new Sharing.Lease() {
                    @Override
                    public Connection connection() {
                        return failing();
                    }

                    @Override
                    public void close() {
                        // There is nothing to close.
                    }
                };
            }

            @Override
            public void close() {
                // There is nothing to close.
            }
        };
    }
}
