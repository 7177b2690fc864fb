// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.serverview;

import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.diagnostics.Explanation;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Stages each situation many times in random order, each time with a new pool: with a server view, where the explanations
 * are judged, and without, where only the time of the failed requests is of interest.
 */
final class ServerViewBenchmark {
    private static final Map<String, String> SETTINGS = Map.of(
            "max_connections", "40",
            "deadlock_timeout", "100ms",
            "autovacuum", "off");

    private final int runs;
    private final int requests;
    private final Random order;
    private final Map<Situation, Explained> explained = new EnumMap<>(Situation.class);

    ServerViewBenchmark(int runs, int requests, long seed) {
        this.runs = runs;
        this.requests = requests;
        this.order = new Random(seed);
        for (Situation situation : Situation.values()) {
            explained.put(situation, new Explained(situation));
        }
    }

    /** One situation, with a view or without. */
    private record Run(Situation situation, boolean view) {}

    /** How many steps it has. */
    static int steps(int runs) {
        return 2 * runs * Situation.values().length;
    }

    /** Runs all; in the order of the situations. */
    List<Explained> run(Progress progress) throws SQLException, InterruptedException {
        List<Run> all = new ArrayList<>();
        for (Situation situation : Situation.values()) {
            all.addAll(Collections.nCopies(runs, new Run(situation, true)));
            all.addAll(Collections.nCopies(runs, new Run(situation, false)));
        }
        Collections.shuffle(all, order);
        try (PostgresServer server = PostgresServer.start(SETTINGS)) {
            for (Run run : all) {
                stage(server, run);
                progress.step(run.situation().toString());
            }
        }
        return List.copyOf(explained.values());
    }

    private void stage(PostgresServer server, Run run) throws SQLException, InterruptedException {
        Explained of = explained.computeIfAbsent(run.situation(), Explained::new);
        try (Stage stage = new Stage(server, run.view())) {
            Culprit culprit = run.situation().stage(stage);
            List<Double> failures = Tries.failed(requests, stage::failedRequest);
            if (!run.view()) {
                of.addWithoutView(failures);
                return;
            }
            List<Explanation> explanations = List.copyOf(stage.explanations());
            List<Verdict> verdicts = explanations.stream()
                    .map(one -> Verdict.of(one, run.situation().cause(), culprit))
                    .toList();
            of.add(failures, explanations, verdicts);
        }
    }
}
