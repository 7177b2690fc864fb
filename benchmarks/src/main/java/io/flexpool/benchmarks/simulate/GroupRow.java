// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

/**
 * One contender in one group of scenarios.
 *
 * @param group the group's name
 * @param controller the contender's name
 * @param meanRegret over the group, a scenario counting at most {@link Cell#MOST_REGRET}
 * @param worstRegret in one scenario, the mean over its seeds; of drawn ones in one run
 * @param where that was
 * @param failures of one run of each in the mean, summed up
 */
public record GroupRow(
        String group, String controller, double meanRegret, double worstRegret, String where, double failures) {
    static GroupRow of(Group group, Standing standing) {
        Cell worst = standing.worst();
        return new GroupRow(
                group.toString(),
                standing.contender().toString(),
                standing.meanRegret(),
                worst.regret(),
                worst.scenario(),
                standing.failures());
    }

    static GroupRow of(Group group, Contender contender, CurveSummary summary) {
        return new GroupRow(
                group.toString(),
                contender.toString(),
                summary.meanRegret(),
                summary.worst().row().regret(),
                summary.where(),
                summary.failures());
    }
}
