// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.hikaricp;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.database.StubDatabase;
import io.flexpool.monitoring.PoolStatistics.Figures;
import io.flexpool.pool.AcquisitionOutcome;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** Virtual threads wait at the gate and inside the pool without holding on to the thread that carries them. */
@EnabledForJreRange(min = JRE.JAVA_21)
class VirtualThreadsTest {
    private static final int THREADS = 10_000;
    private static final int CONNECTIONS = 10;
    private static final String PINNED = "jdk.VirtualThreadPinned";
    private static final Duration PARK = Duration.ofNanos(200_000);

    private final StubDatabase database = new StubDatabase();

    @TempDir
    Path recordings;

    /** Parks in its class initializer, a frame that no virtual thread can leave its carrier with. */
    private static final class Control {
        static final boolean PARKED = parked();

        private static boolean parked() {
            long end = System.nanoTime() + PARK.toNanos();
            while (end - System.nanoTime() > 0) {
                LockSupport.parkNanos(PARK.toNanos());
            }
            return true;
        }
    }

    @Test
    void tenThousandShareTenConnectionsAndPinNoCarrier() throws Throwable {
        try (FlexPoolDataSource pool = bound();
                Recording recording = new Recording()) {
            // What is initialized once, pins once.
            pool.getConnection().close();
            recording.enable(PINNED).withThreshold(Duration.ZERO).withStackTrace();
            recording.start();
            List<Future<Boolean>> control = onVirtualThreads(1, () -> Control.PARKED);
            List<Future<Boolean>> served = onVirtualThreads(THREADS, () -> use(pool));
            recording.stop();

            assertThat(control).allSatisfy(done -> assertThat(done.get()).isTrue());
            assertThat(served)
                    .hasSize(THREADS)
                    .allSatisfy(done -> assertThat(done.get()).isTrue());
            accountsAgree(pool);
            List<RecordedEvent> pinned = pinned(recording);
            assertThat(pinned)
                    .as("the recording sees what pins")
                    .anyMatch(event -> has(event, Control.class.getName()));
            assertThat(pinned)
                    .filteredOn(event -> !has(event, Control.class.getName()))
                    .filteredOn(event -> has(event, "io.flexpool."))
                    .isEmpty();
        }
    }

    private FlexPoolDataSource bound() {
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(database.dataSource());
        pool.setMaximumPoolSize(CONNECTIONS);
        pool.setConnectionTimeout(TimeUnit.MINUTES.toMillis(1));
        return FlexPool.wrap(pool).name("virtual").set("base", CONNECTIONS).build();
    }

    private static boolean use(FlexPoolDataSource pool) throws Exception {
        try (Connection connection = pool.getConnection()) {
            LockSupport.parkNanos(PARK.toNanos());
            return !connection.isClosed();
        }
    }

    private void accountsAgree(FlexPoolDataSource pool) {
        assertThat(pool.state().leased()).isZero();
        assertThat(pool.state().pending()).isZero();
        assertThat(database.peak()).isLessThanOrEqualTo(CONNECTIONS);
        Figures total = pool.statistics().total();
        // The one before the recording too.
        assertThat(total.acquisition(AcquisitionOutcome.OK).count()).isEqualTo(THREADS + 1);
        assertThat(total.leases().count()).isEqualTo(THREADS + 1);
    }

    private interface Work {
        boolean done() throws Exception;
    }

    /** Ends when all have ended. Compiled for a Java that has no virtual threads, so they are looked up by name. */
    private static List<Future<Boolean>> onVirtualThreads(int number, Work work) throws Throwable {
        ExecutorService executor = (ExecutorService) MethodHandles.publicLookup()
                .findStatic(
                        Executors.class,
                        "newVirtualThreadPerTaskExecutor",
                        MethodType.methodType(ExecutorService.class))
                .invoke();
        List<Future<Boolean>> all = new ArrayList<>(number);
        for (int at = 0; at < number; at++) {
            all.add(executor.submit(work::done));
        }
        executor.shutdown();
        assertThat(executor.awaitTermination(2, TimeUnit.MINUTES))
                .as("all have ended")
                .isTrue();
        return all;
    }

    private List<RecordedEvent> pinned(Recording recording) throws Exception {
        Path file = recordings.resolve("pinned.jfr");
        recording.dump(file);
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals(PINNED))
                .toList();
    }

    private static boolean has(RecordedEvent event, String typeBeginsWith) {
        return event.getStackTrace() != null
                && event.getStackTrace().getFrames().stream()
                        .anyMatch(frame -> frame.getMethod().getType().getName().startsWith(typeBeginsWith));
    }
}
