// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.tail;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.benchmarks.decorations.Decorated;
import io.flexpool.benchmarks.kit.AnsweringJvm;
import io.flexpool.benchmarks.kit.CountingDataSource;
import io.flexpool.benchmarks.kit.FreshJvm;
import io.flexpool.benchmarks.kit.JavaHome;
import io.flexpool.benchmarks.kit.JvmFacts;
import io.flexpool.benchmarks.stub.StubConnection;
import io.flexpool.benchmarks.stub.StubDataSource;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** One variant under the load in its own JVM: the program, and how it is run. */
final class TailJvm {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    /** For the start of the JVM, and for requests that are under way when the last window ends. */
    private static final Duration SLACK = Duration.ofSeconds(60);

    private TailJvm() {}

    /**
     * What is to be measured.
     *
     * @param variant what stands around the pool
     * @param load what the clients do
     */
    record Task(Variant variant, TailLoad load) {}

    /**
     * What was measured.
     *
     * @param jvm what of the JVM the figures depend on
     * @param windows one for each repetition
     */
    record Answer(JvmFacts jvm, List<TailWindow> windows) {}

    /**
     * Measures, and answers as JSON.
     *
     * @param args one task, as JSON
     */
    public static void main(String[] args) {
        AnsweringJvm.answerJson(() -> run(MAPPER.readValue(args[0], Task.class)));
    }

    static Answer run(Task task) throws IOException, InterruptedException {
        CountingDataSource driver = new CountingDataSource(StubDataSource.of(StubConnection::new));
        HikariDataSource pool = new HikariDataSource();
        pool.setPoolName(task.variant().toString());
        pool.setDataSource(driver);
        pool.setMaximumPoolSize(task.load().pool());
        Decorated decorated = task.variant().decorator().around(pool);
        try {
            return new Answer(JvmFacts.here(), new Clients(task.load(), decorated.dataSource(), driver).run());
        } finally {
            decorated.end().close();
        }
    }

    /**
     * Runs the program and waits for its answer.
     *
     * @param java what to run it with
     * @throws IOException if the JVM cannot be started, or ends without an answer; the message has what it said
     */
    static Answer ask(JavaHome java, Task task) throws IOException, InterruptedException {
        TailLoad load = task.load();
        Duration patience = SLACK.plusSeconds(load.warmUpSeconds()).plusSeconds((long) load.seconds() * load.repeat());
        FreshJvm jvm = new FreshJvm(TailJvm.class).java(java).arguments(MAPPER.writeValueAsString(task));
        return AnsweringJvm.ask(task.variant().toString(), jvm, Answer.class, patience);
    }
}
