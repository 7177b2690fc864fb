// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.hikaricp.classes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** What is made of the answers of one round of an experiment. */
enum Experiment {
    /** Twice what the connections can do. */
    OVERLOAD("b") {
        @Override
        List<ClassesResult> round(Ground ground, Loads loads, Shape shape) throws InterruptedException {
            List<ClassesResult> results = new ArrayList<>();
            double peak = Double.NaN;
            for (Sharing sharing : Sharing.shared()) {
                List<Answer> answers = ground.play(sharing, shape, loads.overload());
                if (sharing == Sharing.BARE_POOL) {
                    peak = count(answers, one -> one.served() && within(loads, one)) / loads.seconds();
                }
                String variant = ground.variant(sharing);
                double good = count(answers, one -> one.inTime() && within(loads, one));
                results.add(
                        new ClassesResult(Figure.GOODPUT, variant, good / loads.seconds(), LEAST_OF_THE_PEAK * peak));
                results.add(new ClassesResult(Figure.HIGH, variant, high(answers, loads), LEAST_OF_THE_HIGH));
                results.add(new ClassesResult(Figure.RECOVERY, variant, recovery(answers, loads), MOST_RECOVERY));
            }
            if (ground == Ground.VIRTUAL) {
                double oracle = count(Oracle.play(loads.connections(), loads.overload()), one -> within(loads, one));
                results.add(new ClassesResult(Figure.GOODPUT, ORACLE, oracle / loads.seconds(), Double.NaN));
            }
            return results;
        }

        private boolean within(Loads loads, Answer one) {
            double begun = one.ask().at() + one.waited();
            return begun >= loads.begins() && begun < loads.ends();
        }

        private double high(List<Answer> answers, Loads loads) {
            Predicate<Answer> its =
                    one -> loads.measures(one.ask()) && one.ask().kind().equals(Sharing.INTERACTIVE);
            return count(answers, its.and(Answer::inTime)) / count(answers, its);
        }

        private double recovery(List<Answer> answers, Loads loads) {
            return answers.stream()
                    .filter(one -> !one.inTime())
                    .mapToDouble(one -> one.ask().at() - loads.ends())
                    .filter(after -> after >= 0)
                    .max()
                    .orElse(0);
        }
    },
    /** One of ten tenants asks ten times as often. */
    TENANTS("c") {
        @Override
        List<ClassesResult> round(Ground ground, Loads loads, Shape shape) throws InterruptedException {
            Shape divided = new Shape(shape.connections(), shape.batch(), true);
            List<ClassesResult> results = new ArrayList<>();
            for (Sharing sharing : Sharing.shared()) {
                List<Answer> without = others(ground.play(sharing, divided, loads.tenants(false)), loads);
                List<Answer> beside = others(ground.play(sharing, divided, loads.tenants(true)), loads);
                String variant = ground.variant(sharing);
                compare(results, Figure.OTHERS, variant, p99(without, Answer::waited), p99(beside, Answer::waited));
                ToDoubleFunction<Answer> whole = one -> one.waited() + one.ask().work();
                compare(results, Figure.OTHERS_WHOLE, variant, p99(without, whole), p99(beside, whole));
            }
            return results;
        }

        private void compare(
                List<ClassesResult> results, Figure figure, String variant, double without, double beside) {
            results.add(new ClassesResult(figure, variant + "-without", without, Double.NaN));
            results.add(new ClassesResult(figure, variant, beside, MOST_LONGER * without));
        }

        private List<Answer> others(List<Answer> answers, Loads loads) {
            return answers.stream()
                    .filter(one -> one.ask().tenant() > 0 && loads.measures(one.ask()))
                    .toList();
        }

        private double p99(List<Answer> answers, ToDoubleFunction<Answer> seconds) {
            double[] all = answers.stream().mapToDouble(seconds).toArray();
            Arrays.sort(all);
            return all.length == 0 ? Double.NaN : MS * all[(int) Math.ceil(all.length * 0.99) - 1];
        }
    },
    /** Thousands of requests that time out. */
    STORM("d") {
        @Override
        List<ClassesResult> round(Ground ground, Loads loads, Shape shape) throws InterruptedException {
            List<ClassesResult> results = new ArrayList<>();
            for (Sharing sharing : Sharing.shared()) {
                List<Answer> calm = ground.play(sharing, shape, loads.storm(false));
                List<Answer> struck = ground.play(sharing, shape, loads.storm(true));
                Predicate<Answer> good = one -> one.inTime() && one.ask().tenant() == 0 && loads.measures(one.ask());
                String variant = ground.variant(sharing);
                results.add(new ClassesResult(Figure.EXPIRED, variant, count(struck, Answer::expired), 0));
                results.add(new ClassesResult(
                        Figure.THROUGHPUT, variant, count(struck, good) / count(calm, good), LEAST_OF_CALM));
            }
            return results;
        }
    };

    /** The name in reports of the largest rate that can be answered in time. */
    static final String ORACLE = "virtual-oracle";

    private static final double LEAST_OF_THE_PEAK = 0.95;
    private static final double LEAST_OF_THE_HIGH = 0.98;
    private static final double MOST_RECOVERY = 1;
    private static final double MOST_LONGER = 1.2;
    private static final double LEAST_OF_CALM = 0.95;
    private static final double MS = 1000;

    final String letter;

    Experiment(String letter) {
        this.letter = letter;
    }

    /** Plays it once with each way to share. */
    abstract List<ClassesResult> round(Ground ground, Loads loads, Shape shape) throws InterruptedException;

    private static double count(List<Answer> answers, Predicate<Answer> which) {
        return (double) answers.stream().filter(which).count();
    }
}
