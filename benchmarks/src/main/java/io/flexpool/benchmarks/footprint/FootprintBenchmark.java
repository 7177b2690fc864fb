// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.footprint;

import io.flexpool.benchmarks.kit.Progress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;

/** Rounds of fresh JVMs: each round one for every kind and subject, one after the other, in random order. */
final class FootprintBenchmark {
    private final List<FootprintJvm> kinds;
    private final Set<Subject> subjects;
    private final Plan plan;
    private final Random random = new Random();

    /**
     * Nothing runs yet.
     *
     * @param kinds the kinds of JVM
     * @param subjects with {@link Subject#BARE}
     * @param plan what each JVM does
     */
    FootprintBenchmark(List<FootprintJvm> kinds, Set<Subject> subjects, Plan plan) {
        this.kinds = kinds;
        this.subjects = subjects;
        this.plan = plan;
    }

    private record Run(FootprintJvm kind, Subject subject) {}

    /**
     * Runs all rounds.
     *
     * @param rounds JVMs of each kind and subject
     * @param progress steps once per JVM
     * @return one row per kind and subject
     */
    List<FootprintRow> run(int rounds, Progress progress) throws IOException, InterruptedException {
        Map<FootprintJvm, Map<Subject, List<Measurement>>> measured = new LinkedHashMap<>();
        for (FootprintJvm kind : kinds) {
            Map<Subject, List<Measurement>> ofKind = new EnumMap<>(Subject.class);
            subjects.forEach(subject -> ofKind.put(subject, new ArrayList<>()));
            measured.put(kind, ofKind);
        }
        try (ApplicationClassPath classPath = new ApplicationClassPath(System.getProperty("java.class.path"))) {
            for (int round = 0; round < rounds; round++) {
                for (Run run : shuffled()) {
                    progress.step(run.subject().toString());
                    Objects.requireNonNull(Objects.requireNonNull(measured.get(run.kind()))
                                    .get(run.subject()))
                            .add(run.kind().run(run.subject(), plan, classPath.toString()));
                }
            }
        }
        List<FootprintRow> rows = new ArrayList<>();
        measured.forEach((kind, ofKind) -> ofKind.forEach((subject, jvms) -> rows.add(FootprintRow.of(
                subject, kind.processors(), jvms, Objects.requireNonNull(ofKind.get(Subject.BARE)), plan.pools()))));
        return rows;
    }

    private List<Run> shuffled() {
        List<Run> runs = new ArrayList<>();
        for (FootprintJvm kind : kinds) {
            for (Subject subject : subjects) {
                runs.add(new Run(kind, subject));
            }
        }
        Collections.shuffle(runs, random);
        return runs;
    }
}
