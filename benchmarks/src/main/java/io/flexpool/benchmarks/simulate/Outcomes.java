// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What came out of each group; empty for a group that was not selected.
 *
 * @param published of the published scenarios
 * @param fresh of the new ones
 * @param hard of those in which the measurement itself is disturbed
 * @param curves of the published ones on databases drawn at random
 * @param kinds of those drawn at random
 */
record Outcomes(
        Contest.Outcome published,
        Contest.Outcome fresh,
        Contest.Outcome hard,
        List<CurveRow> curves,
        List<CurveRow> kinds) {
    /** The groups that were played scenario by scenario, in order, but for the empty ones. */
    List<Contest.Outcome> contests() {
        return Stream.of(published, fresh, hard)
                .filter(outcome -> !outcome.scenarios().isEmpty())
                .toList();
    }

    /** The group that was played with this outcome. */
    Group group(Contest.Outcome outcome) {
        if (outcome.equals(published)) {
            return Group.PUBLIC;
        }
        return outcome.equals(fresh) ? Group.NEW : Group.HARD;
    }

    /** A line for each group and contender. */
    List<GroupRow> groups() {
        List<GroupRow> rows = new ArrayList<>();
        rows.addAll(rows(Group.PUBLIC, published));
        rows.addAll(rows(Group.NEW, fresh));
        rows.addAll(rows(Group.HARD, hard));
        rows.addAll(rows(Group.NEVER_SEEN, curves));
        rows.addAll(rows(Group.NEW_NEVER_SEEN, kinds));
        return rows;
    }

    private static List<GroupRow> rows(Group group, Contest.Outcome outcome) {
        return outcome.scenarios().isEmpty()
                ? List.of()
                : outcome.shown().stream()
                        .map(standing -> GroupRow.of(group, standing))
                        .toList();
    }

    private static List<GroupRow> rows(Group group, List<CurveRow> drawn) {
        return played(drawn).stream()
                .map(contender -> GroupRow.of(group, contender, CurveSummary.of(contender, drawn)))
                .toList();
    }

    /** Those that ran, in their order. */
    static List<Contender> played(List<CurveRow> drawn) {
        return Stream.of(Contender.values())
                .filter(contender ->
                        drawn.stream().anyMatch(row -> row.row().controller().equals(contender.toString())))
                .toList();
    }
}
