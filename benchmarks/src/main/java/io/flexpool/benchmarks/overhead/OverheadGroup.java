// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.overhead;

import io.flexpool.benchmarks.overhead.OverheadJvm.Answer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What may be compared: all JVMs of one Java, under one load, with slices of one length.
 *
 * @param java version and vendor
 * @param threads threads that open and close
 * @param pool connections in the pool
 * @param sliceMs how long a variant ran in each round
 * @param jvms the numbers of the JVMs, in the order of each variant's figures
 * @param variants one each
 */
record OverheadGroup(
        String java, int threads, int pool, int sliceMs, List<Integer> jvms, List<OverheadFigures> variants) {

    /** What all rows of a group have in common. */
    private record Key(String java, Load load, int sliceMs) {}

    /** A row and the number of its JVM. */
    private record Numbered(int jvm, OverheadRow row) {}

    /**
     * Sorts the rows of JVMs that ran the same task.
     *
     * @param answers of the JVMs, the first of which has number 1
     * @return by Java, load and length of a slice, each in the order in which it first occurs
     */
    static List<OverheadGroup> of(List<Answer> answers) {
        Map<Key, List<Numbered>> sorted = new LinkedHashMap<>();
        for (int at = 0; at < answers.size(); at++) {
            Answer answer = answers.get(at);
            for (OverheadRow row : answer.rows()) {
                Key key = new Key(answer.facts().name(), new Load(row.threads(), row.pool()), row.sliceMs());
                sorted.computeIfAbsent(key, unused -> new ArrayList<>()).add(new Numbered(at + 1, row));
            }
        }
        return sorted.entrySet().stream()
                .map(entry -> group(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static OverheadGroup group(Key key, List<Numbered> rows) {
        Map<String, List<OverheadRow>> byVariant = new LinkedHashMap<>();
        rows.forEach(numbered -> byVariant
                .computeIfAbsent(numbered.row().variant(), unused -> new ArrayList<>())
                .add(numbered.row()));
        return new OverheadGroup(
                key.java(),
                key.load().threads(),
                key.load().pool(),
                key.sliceMs(),
                rows.stream().map(Numbered::jvm).distinct().toList(),
                byVariant.entrySet().stream()
                        .map(entry -> OverheadFigures.of(entry.getKey(), entry.getValue()))
                        .toList());
    }

    Load load() {
        return new Load(threads, pool);
    }
}
