// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.overhead;

import io.flexpool.benchmarks.kit.Spread;
import io.flexpool.benchmarks.kit.TextTable;
import io.flexpool.benchmarks.overhead.isolated.Variant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoublePredicate;

/**
 * What flexpool may cost at most, as sentences about one group's figures. A goal is met if it is met in each JVM. A goal
 * that compares with a variant which was not run has no sentence.
 */
final class OverheadGoals {
    private static final double MOST_IDEALS = 1.25;
    private static final double MOST_BYTES = 32;
    /** Half a byte: less than any object, more than the counting's error. */
    private static final double BYTES_TOLERANCE = 0.5;

    private static final double CONTROL_NANOS = 5;

    /** Watched, bound and with classes. */
    private static final int KINDS = 3;

    private static final double MOST_NANOS_IN_ONE_LOADER = 3;

    /** What does additional work with every call: its cost is reported, without a goal. */
    private static final Set<String> PUSHED = Set.of(
            "micrometer-histogram", "opentelemetry-push", "jfr-recording", "jfr-recording-all", "call-sites-always");

    /** Their cost is stated next to these: a pool's own metrics observe every call too. */
    private static final List<Variant> TRACKERS = List.of(Variant.HIKARICP_DROPWIZARD, Variant.HIKARICP_MICROMETER);

    private final OverheadGroup group;
    private final Map<String, OverheadFigures> figures = new LinkedHashMap<>();

    OverheadGoals(OverheadGroup group) {
        this.group = group;
        group.variants().forEach(one -> figures.put(one.variant(), one));
    }

    /** What there is to say about one variant. */
    private record Verdict(String variant, boolean judged, boolean met, String sentence) {}

    /** One sentence for each variant that a goal is about, or whose cost is to be stated. */
    List<String> verdicts() {
        return all().stream().map(Verdict::sentence).toList();
    }

    /** The variants that met all goals in one sentence, and one for each of the others. */
    List<String> summary() {
        List<String> met = new ArrayList<>();
        List<String> summary = new ArrayList<>();
        for (Verdict verdict : all()) {
            if (verdict.judged() && verdict.met()) {
                met.add(verdict.variant());
            } else {
                summary.add(verdict.sentence());
            }
        }
        if (!met.isEmpty()) {
            summary.add(0, "all goals met: " + String.join(", ", met));
        }
        return summary;
    }

    private List<Verdict> all() {
        List<Verdict> all = new ArrayList<>();
        OverheadFigures control = figures.get(Variant.CONTROL.toString());
        if (control != null) {
            all.add(new Judging(control.variant())
                    .goal("within 5 ns of bare", control.dNs(), nanos -> Math.abs(nanos) <= CONTROL_NANOS, 1)
                    .verdict());
        }
        figures.values().stream()
                .filter(one -> one.variant().startsWith("flexpool-"))
                .map(one -> isPushed(one) ? statement(one) : verdict(one))
                .forEach(all::add);
        return all;
    }

    private static boolean isPushed(OverheadFigures one) {
        return PUSHED.stream().anyMatch(one.variant()::endsWith);
    }

    private Verdict statement(OverheadFigures one) {
        StringBuilder text = new StringBuilder(one.variant())
                .append(": no goal, observes every call; D ")
                .append(cost(one));
        for (Variant tracker : TRACKERS) {
            OverheadFigures other = figures.get(tracker.toString());
            if (other != null) {
                text.append("; ").append(tracker).append(' ').append(cost(other));
            }
        }
        return new Verdict(one.variant(), false, false, text.toString());
    }

    private static String cost(OverheadFigures one) {
        String nanos = Spread.of(one.dNs()).textAndRange(1) + " ns";
        return one.inIdeals() == null
                ? nanos
                : nanos + ", " + Spread.of(one.inIdeals()).textAndRange(2) + " I";
    }

    private Verdict verdict(OverheadFigures one) {
        Judging judging = new Judging(one.variant());
        if (one.inIdeals() != null) {
            judging.goal(
                    "D at most " + TextTable.number(MOST_IDEALS, 2) + " I",
                    one.inIdeals(),
                    ideals -> ideals <= MOST_IDEALS,
                    2);
        }
        OverheadFigures bare = figures.get(Variant.BARE.toString());
        // Who waits makes objects for it, in bare HikariCP too; the limit is about the ordinary way.
        if (bare != null && group.threads() <= group.pool()) {
            judging.goal(
                    "at most 32 bytes over bare",
                    each(one.bytes(), bare.bytes(), (own, others) -> own - others),
                    over -> over <= MOST_BYTES + BYTES_TOLERANCE,
                    2);
        }
        OverheadFigures tracker = figures.get(Variant.HIKARICP_MICROMETER.toString());
        if (tracker != null) {
            judging.goal(
                    "below " + tracker.variant(),
                    each(one.dNs(), tracker.dNs(), (own, others) -> own / others),
                    share -> share < 1,
                    2);
        }
        inOneLoader(judging, one);
        factor(judging, one, Variant.FLEXYPOOL_DROPWIZARD, 8);
        factor(judging, one, Variant.FLEXYPOOL_MICROMETER, 4);
        factor(judging, one, Variant.FLEXYPOOL, 1);
        factor(judging, one, Variant.HIKARICP_DROPWIZARD, 2);
        return judging.verdict();
    }

    /** Where threads wait, three pools have three times the connections: nothing to compare. */
    private void inOneLoader(Judging judging, OverheadFigures one) {
        OverheadFigures watched = figures.get(Variant.FLEXPOOL_WATCHED.toString());
        OverheadFigures bound = figures.get(Variant.FLEXPOOL_BOUND.toString());
        OverheadFigures classes = figures.get(Variant.FLEXPOOL_BOUND_CLASSES.toString());
        if (one.variant().equals(Variant.FLEXPOOL_IN_ONE_LOADER.toString())
                && group.threads() <= group.pool()
                && watched != null
                && bound != null
                && classes != null) {
            List<Double> apart = each(
                    each(watched.dNs(), bound.dNs(), Double::sum),
                    classes.dNs(),
                    (two, third) -> (two + third) / KINDS);
            judging.goal(
                    "at most 3 ns over the same pools in loaders of their own",
                    each(one.dNs(), apart, (together, own) -> together - own),
                    over -> over <= MOST_NANOS_IN_ONE_LOADER,
                    1);
        }
    }

    private void factor(Judging judging, OverheadFigures one, Variant peer, double least) {
        OverheadFigures other = figures.get(peer.toString());
        if (other != null) {
            judging.goal(
                    peer + " at least " + TextTable.number(least, 0) + " times as much",
                    each(one.dNs(), other.dNs(), (own, others) -> others / own),
                    factor -> factor >= least,
                    2);
        }
    }

    /** What two variants' figures of the same JVM make together. */
    @FunctionalInterface
    private interface Both {
        double of(double own, double others);
    }

    private static List<Double> each(List<Double> own, List<Double> others, Both both) {
        List<Double> each = new ArrayList<>();
        for (int at = 0; at < own.size(); at++) {
            each.add(both.of(own.get(at), others.get(at)));
        }
        return each;
    }

    /** Gathers the goals of one variant. */
    private final class Judging {
        private final String variant;
        private final List<String> goals = new ArrayList<>();
        private boolean allMet = true;

        Judging(String variant) {
            this.variant = variant;
        }

        Judging goal(String goal, List<Double> each, DoublePredicate isMet, int decimals) {
            List<String> missed = new ArrayList<>();
            for (int at = 0; at < each.size(); at++) {
                if (!isMet.test(each.get(at))) {
                    missed.add(Integer.toString(group.jvms().get(at)));
                }
            }
            allMet &= missed.isEmpty();
            goals.add(goal + ": " + result(each.size(), missed) + " (" + figures(each, decimals) + ")");
            return this;
        }

        private static String result(int jvms, List<String> missed) {
            if (jvms == 1) {
                return missed.isEmpty() ? "met" : "missed";
            }
            String count = "met in " + (jvms - missed.size()) + " of " + jvms + " JVMs";
            return missed.isEmpty() ? count : "missed, " + count + ", not in JVM " + String.join(", ", missed);
        }

        private static String figures(List<Double> each, int decimals) {
            Spread spread = Spread.of(each);
            String median = TextTable.number(spread.median(), decimals);
            return each.size() == 1
                    ? median
                    : TextTable.number(spread.least(), decimals) + " / " + median + " / "
                            + TextTable.number(spread.most(), decimals);
        }

        Verdict verdict() {
            return new Verdict(variant, true, allMet, variant + ": " + String.join("; ", goals));
        }
    }
}
