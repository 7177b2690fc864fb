// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.serverview;

import io.flexpool.benchmarks.kit.Spread;
import io.flexpool.diagnostics.Explanation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What was explained of one situation so far. Not thread-safe. */
final class Explained {
    private static final String NOTHING = "NOTHING";

    private final Situation situation;
    private final Map<String, Integer> causes = new TreeMap<>();
    private final List<Double> withView = new ArrayList<>();
    private final List<Double> withoutView = new ArrayList<>();
    private int runs;
    private int causeRight;
    private int culpritRight;
    private int culpritWrong;
    private String excerpt = "";

    Explained(Situation situation) {
        this.situation = situation;
    }

    /** Adds how long failed requests took without a server view. */
    void addWithoutView(List<Double> failures) {
        withoutView.addAll(failures);
    }

    /** Adds a run with a server view. */
    void add(List<Double> failures, List<Explanation> explanations, List<Verdict> verdicts) {
        runs++;
        withView.addAll(failures);
        String cause =
                explanations.isEmpty() ? NOTHING : explanations.get(0).cause().name();
        causes.merge(cause, 1, Integer::sum);
        if (verdicts.isEmpty()) {
            return;
        }
        Verdict first = verdicts.get(0);
        causeRight += first.causeRight() ? 1 : 0;
        culpritRight += first.causeRight() && first.culpritRight() ? 1 : 0;
        culpritWrong += verdicts.stream().anyMatch(Verdict::culpritWrong) ? 1 : 0;
        excerpt = explanations.get(0).text();
    }

    /** How often each cause was named. */
    Map<String, Integer> causes() {
        return Map.copyOf(causes);
    }

    Situation situation() {
        return situation;
    }

    /** The last run's first explanation. */
    String excerpt() {
        return excerpt;
    }

    ServerViewResult result() {
        double without = Spread.of(withoutView).median();
        Spread with = Spread.of(withView);
        return new ServerViewResult(
                situation.toString(),
                runs,
                causeRight,
                culpritRight,
                culpritWrong,
                with.median() - without,
                with.most() - without);
    }
}
