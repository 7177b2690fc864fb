// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.benchmarks.burst.BurstLoad.Arrival;
import io.flexpool.benchmarks.directory.Answers.Answer;
import io.flexpool.benchmarks.kit.Asked;
import io.flexpool.benchmarks.kit.ConnectionSampler;
import io.flexpool.benchmarks.kit.ConnectionSampler.Sample;
import io.flexpool.benchmarks.kit.Interrupt;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("scenario")
class DirectoryServiceTest {
    private static final int LOG_MS = 20;
    private static final List<Arrival> EIGHT = Collections.nCopies(8, new Arrival(0, 0, true));

    @Test
    void itMeasuresWhereARequestsTimeGoes() throws Exception {
        Answers answers = run(30_000, System.nanoTime());

        assertThat(answers.firstBreak()).isNull();
        assertThat(answers.firstRefusal()).isNull();
        List<Answer> all = answers.all().toList();
        assertThat(all).hasSize(8).allSatisfy(answer -> {
            assertThat(answer.served()).isTrue();
            assertThat(answer.stages().idleMs()).isGreaterThanOrEqualTo(LOG_MS);
            assertThat(answer.stages().databaseMs()).isPositive();
            assertThat(answer.latencyMs())
                    .isGreaterThanOrEqualTo(answer.stages().waitMs()
                            + answer.stages().databaseMs()
                            + answer.stages().idleMs());
        });
        // One connection serves them one after the other, each for as long as it logs.
        List<Double> latencies = all.stream().map(Answer::latencyMs).sorted().toList();
        for (int n = 0; n < latencies.size(); n++) {
            assertThat(latencies.get(n)).isGreaterThanOrEqualTo((n + 1) * LOG_MS);
        }
        // How many begin to wait at the same time depends on the machine; that none did would need eight in a row.
        assertThat(all.stream()
                        .mapToDouble(answer -> answer.stages().waitMs())
                        .max()
                        .orElseThrow())
                .isGreaterThan(LOG_MS * 0.5);
    }

    @Test
    void whatCameTooLateForAConnectionIsRefusedAndNotBroken() throws Exception {
        // In 250 ms one connection serves 13 of 20 ms at most; but not all forty begin to wait at the same time.
        Answers answers = run(250, System.nanoTime(), Collections.nCopies(40, new Arrival(0, 0, true)));

        assertThat(answers.broken()).as(answers.firstBreak()).isZero();
        assertThat(answers.all().filter(answer -> !answer.served()))
                .hasSizeBetween(10, 40)
                .allSatisfy(answer -> assertThat(answer.stages().waitMs()).isGreaterThanOrEqualTo(200));
        assertThat(answers.firstRefusal()).contains("SQLTransientConnectionException");
    }

    @Test
    void aFailedQueryIsNoRefusedConnection() throws Exception {
        try (HikariDataSource pool = pool(30_000, "noTable");
                DirectoryService service = service(pool);
                DirectoryClients clients = new DirectoryClients(service, 2);
                Interrupt stop = Interrupt.watch()) {
            try (var connection = pool.getConnection();
                    var drop = connection.createStatement()) {
                drop.execute("drop table person");
            }

            Answers answers = clients.run(EIGHT, System.nanoTime(), stop);

            assertThat(answers.broken()).isEqualTo(8);
            assertThat(answers.firstRefusal()).isNull();
            assertThat(answers.firstBreak()).startsWith("500 ");
        }
    }

    @Test
    void aLateBurstIsLateAmongManyRequestsInTime() {
        List<Arrival> arrivals = new ArrayList<>(Collections.nCopies(999, new Arrival(0, -1, false)));
        arrivals.add(new Arrival(0, 0, true));
        Answers answers = new Answers(arrivals);
        for (int n = 0; n < 1000; n++) {
            answers.started(n, n == 999 ? 40 : 0);
        }

        assertThat(answers.lateStartMs()).isBetween(39.9, 40.1);
    }

    @Test
    void connectionsAreAveragedOverTimeNotSamples() {
        // 10 for three seconds and 50 for one; the sample before the phase does not count.
        List<Sample> samples = List.of(
                new Sample(0, 90, 0),
                new Sample(1, 10, 0),
                new Sample(4, 50, 0),
                new Sample(4.5, 50, 0),
                new Sample(5, 50, 0));

        assertThat(ConnectionSampler.meanTotal(samples, 1)).isEqualTo(20);
        assertThat(ConnectionSampler.meanTotal(samples, 5)).isNaN();
    }

    @Test
    void aLatencyCountsFromWhenTheRequestWasMeantToBeSent() throws Exception {
        long begin = System.nanoTime() - TimeUnit.SECONDS.toNanos(10);

        Answers answers = run(30_000, begin);

        assertThat(answers.all())
                .hasSize(8)
                .allSatisfy(answer -> assertThat(answer.latencyMs()).isGreaterThanOrEqualTo(10_000));
        assertThat(answers.lateStartMs()).isGreaterThan(9_900);
    }

    @Test
    void aStopReturnsWhatWasMeasured() throws Exception {
        List<Arrival> inAnHour = List.of(new Arrival(0, 0, true), new Arrival(TimeUnit.HOURS.toNanos(1), 0, true));
        try (HikariDataSource pool = pool(30_000, "stop");
                DirectoryService service = service(pool);
                DirectoryClients clients = new DirectoryClients(service, 2);
                Interrupt stop = Interrupt.watch()) {
            Asked.of(stop);

            assertThat(clients.run(inAnHour, System.nanoTime(), stop).all()).isEmpty();
        }
    }

    @Test
    void theTimesComeBackFromTheirHeader() {
        Stages stages = new Stages(1.25, 0.5, 50.125, 0.75);

        assertThat(Stages.of(stages.header())).isEqualTo(stages);
        assertThatThrownBy(() -> Stages.of("cache;dur=1")).isInstanceOf(IllegalArgumentException.class);
    }

    private static Answers run(int timeoutMs, long begin) throws Exception {
        return run(timeoutMs, begin, EIGHT);
    }

    private static Answers run(int timeoutMs, long begin, List<Arrival> arrivals) throws Exception {
        try (HikariDataSource pool = pool(timeoutMs, "t" + begin);
                DirectoryService service = service(pool);
                DirectoryClients clients = new DirectoryClients(service, 2);
                Interrupt stop = Interrupt.watch()) {
            return clients.run(arrivals, begin, stop);
        }
    }

    private static DirectoryService service(HikariDataSource pool) throws Exception {
        DirectoryService service = DirectoryService.start(50, LOG_MS);
        service.use(pool);
        return service;
    }

    private static HikariDataSource pool(int timeoutMs, String database) throws Exception {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setURL("jdbc:h2:mem:directory-" + database);
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(h2);
        pool.setMaximumPoolSize(1);
        pool.setConnectionTimeout(timeoutMs);
        DirectoryService.fill(pool);
        return pool;
    }
}
