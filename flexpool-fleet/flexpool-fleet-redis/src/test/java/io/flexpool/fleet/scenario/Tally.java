// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.scenario;

import io.flexpool.fleet.FleetRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is counted in a run. Sessions are counted from the start; what members miss from {@link #begins()} on, when each has had its
 * fair share for the first time.
 */
final class Tally {
    /** So much is missed, connections at a time, by an allocator that knows all and is as fast as a pool can be. */
    static final double FLOOR = 1;

    private final FleetRules rules;
    private final List<Second> seconds = new ArrayList<>();
    /** By member: for how many seconds in a row it has had less than its share. */
    private final Map<Integer, Integer> below = new HashMap<>();

    private int samples;
    private int above;
    private int most;
    private int mostOfSecond;
    private int begun = -1;
    private int happened = -1;
    private int refused;
    private int longestBelow;
    private double unmet;
    private double ideal;
    private int counted;

    /**
     * A second of a run.
     *
     * @param sessions that the server had at most
     * @param demand connections that all members needed
     * @param served how many they in use
     */
    record Second(int sessions, int demand, double served) {}

    Tally(FleetRules rules) {
        this.rules = rules;
    }

    void sample(int sessions) {
        samples++;
        most = Math.max(most, sessions);
        mostOfSecond = Math.max(mostOfSecond, sessions);
        above += sessions > rules.cap() ? 1 : 0;
    }

    /** From now on it is counted what members miss. */
    void begins() {
        begun = seconds.size();
    }

    /** Now what the schedule is about happens. */
    void happens() {
        happened = seconds.size();
    }

    void refused(int connects) {
        refused = connects;
    }

    /** After each second, what those members say that are there. */
    void second(List<Said> said) {
        int demand = said.stream().mapToInt(Said::demand).sum();
        double served = said.stream()
                .mapToDouble(one -> Math.min(one.demand(), one.served()))
                .sum();
        seconds.add(new Second(mostOfSecond, demand, served));
        mostOfSecond = 0;
        if (begun < 0) {
            return;
        }
        counted++;
        unmet += said.stream().mapToDouble(Said::unmet).sum();
        ideal += Math.max(0, demand - rules.cap());
        for (Said one : said) {
            int row = one.below(rules.share()) ? below.merge(one.member(), 1, Integer::sum) : 0;
            if (row == 0) {
                below.remove(one.member());
            }
            longestBelow = Math.max(longestBelow, row);
        }
        below.keySet().removeIf(member -> said.stream().noneMatch(one -> one.member() == member));
    }

    List<Second> seconds() {
        return List.copyOf(seconds);
    }

    /** After how many seconds it happened; -1 if it did not. */
    int happened() {
        return happened;
    }

    FleetResult result(Variant variant, Schedule schedule) {
        double floor = FLOOR * counted;
        return new FleetResult(
                variant.toString(),
                schedule.toString(),
                samples,
                above,
                most,
                refused,
                longestBelow,
                counted == 0 ? Double.NaN : rounded(unmet / (ideal + floor)),
                rounded(unmet / Math.max(1, counted)),
                rounded(ideal / Math.max(1, counted)),
                Math.max(0, begun),
                counted);
    }

    private static double rounded(double figure) {
        return Math.rint(figure * 1_000) / 1_000;
    }
}
