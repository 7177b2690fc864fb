// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import io.flexpool.benchmarks.kit.TextTable;
import io.flexpool.benchmarks.report.Finding;
import io.flexpool.benchmarks.report.Finding.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the published table and its authors claim, what this project aims at, and what came out. */
final class ShootOutFindings {
    static final String SOURCE = "Druid's pool comparison, 2013";
    private static final String GOAL = "a goal of this project";

    /** Below this share of a round's cycles errors may be mishaps. */
    private static final double ERRORS_THAT_COUNT_PERCENT = 0.1;

    private static final int MANY = 100;

    private final Standings standings;
    private final int processors;

    private ShootOutFindings(Standings standings, int processors) {
        this.standings = standings;
        this.processors = processors;
    }

    /**
     * One for each claim whose pool was run.
     *
     * @param processors those of the machine
     */
    static List<Finding> of(Standings standings, int processors) {
        return new ShootOutFindings(standings, processors).all();
    }

    private List<Finding> all() {
        List<Finding> findings = new ArrayList<>();
        ran(ShootOutPool.PROXOOL).ifPresent(pool -> findings.add(errors(pool)));
        Stream.of(ShootOutPool.BONECP, ShootOutPool.C3P0)
                .flatMap(pool -> ran(pool).stream())
                .forEach(pool -> {
                    findings.add(ignoresMin(pool));
                    findings.add(exceedsMax(pool));
                });
        // The published times are those of the pools alone; with a database nearly all of the time is its own.
        if (standings.setup().database() == ShootOutDatabase.STUB) {
            Stream.of(1, MANY)
                    .filter(standings.setup().threads()::contains)
                    .map(threads -> new RankingFinding(standings, threads, processors))
                    .forEach(ranking -> findings.add(ranking.finding()));
        }
        if (standings.setup().variants().contains(Variant.FLEXPOOL)) {
            findings.add(noErrorsWrapped());
        }
        return List.copyOf(findings);
    }

    private Optional<ShootOutPool> ran(ShootOutPool pool) {
        return Optional.of(pool)
                .filter(standings.setup().pools()::contains)
                .filter(its -> standings.setup().variants().contains(Variant.BARE));
    }

    private List<Standing> measured(ShootOutPool pool, Variant variant) {
        return standings.all(pool, variant).filter(Standing::measured).toList();
    }

    private static long errorsOf(List<Standing> all) {
        return all.stream().mapToLong(Standing::errors).sum();
    }

    private Finding errors(ShootOutPool pool) {
        List<Standing> contended = measured(pool, Variant.BARE).stream()
                .filter(standing -> standing.round().threads() > 1)
                .toList();
        String why = contended.isEmpty()
                ? "nothing was measured with more than one thread" + lost(pool)
                : byLoad(contended) + firstError(contended) + lost(pool) + wrapped(pool) + others(pool);
        return new Finding(
                "Proxool throws errors under contention",
                SOURCE,
                "errors from " + Published.ERRORS_FROM + " threads on",
                contended.isEmpty() ? "nothing" : split(contended),
                null,
                errorsVerdict(contended),
                why);
    }

    /** The published loop apart from what this scenario adds to it. */
    private static String split(List<Standing> contended) {
        List<Standing> loop = contended.stream()
                .filter(standing -> !standing.round().pressing())
                .toList();
        List<Standing> pressed = contended.stream()
                .filter(standing -> standing.round().pressing())
                .toList();
        return (loop.isEmpty() ? "" : errorsOf(loop) + " errors in the published loop")
                + (loop.isEmpty() || pressed.isEmpty() ? "" : ", ")
                + (pressed.isEmpty()
                        ? ""
                        : errorsOf(pressed) + " where connections are held for " + Setup.PRESSING_HOLD_MS + " ms");
    }

    /** Errors count where the published ones begin, if every repeat has them and they are more than a mishap. */
    private static Verdict errorsVerdict(List<Standing> contended) {
        boolean many = contended.stream()
                .filter(standing -> standing.round().threads() >= Published.ERRORS_FROM)
                .anyMatch(standing -> standing.heats().allMatch(heat -> heat.errors() > 0)
                        && share(standing) >= ERRORS_THAT_COUNT_PERCENT);
        if (many) {
            return Verdict.REPRODUCED;
        }
        boolean wasFull =
                contended.stream().anyMatch(standing -> standing.round().pressing());
        return wasFull && errorsOf(contended) == 0 ? Verdict.NOT_REPRODUCED : Verdict.CANNOT_BE_JUDGED;
    }

    private static String byLoad(List<Standing> all) {
        return all.stream()
                .map(standing -> standing.load() + ": " + standing.errors() + " of " + standing.cycles() + " cycles ("
                        + TextTable.number(share(standing), 2) + " %)")
                .collect(Collectors.joining("; "));
    }

    private static double share(Standing standing) {
        return 100.0 * standing.errors() / Math.max(1, standing.cycles());
    }

    private static String firstError(List<Standing> all) {
        return all.stream()
                .flatMap(standing -> standing.firstError().stream())
                .findFirst()
                .map(error -> "; the first: " + error)
                .orElse("");
    }

    /** What was to be measured and could not be. */
    private String lost(ShootOutPool pool) {
        String lost = standings
                .all(pool, Variant.BARE)
                .filter(standing -> standing.hung() + standing.failed() > 0)
                .map(Standing::load)
                .collect(Collectors.joining(", "));
        return lost.isEmpty() ? "" : "; did not come to its end with " + lost;
    }

    private String wrapped(ShootOutPool pool) {
        List<Standing> its = measured(pool, Variant.FLEXPOOL);
        return its.isEmpty() ? "" : "; within flexpool, which lets them wait: " + errorsOf(its);
    }

    private String others(ShootOutPool pool) {
        String others = standings.setup().pools().stream()
                .filter(other -> other != pool)
                .filter(other -> errorsOf(measured(other, Variant.BARE)) > 0)
                .map(other -> other + " " + errorsOf(measured(other, Variant.BARE)))
                .collect(Collectors.joining(", "));
        return "; other bare pools: " + (others.isEmpty() ? "none" : others);
    }

    private Finding ignoresMin(ShootOutPool pool) {
        Optional<Standing> alone = standings.of(pool, Variant.BARE, 1).filter(Standing::measured);
        int peak = alone.map(Standing::peak).orElse(0);
        Verdict verdict = alone.isEmpty()
                ? Verdict.CANNOT_BE_JUDGED
                : peak >= Sizes.MAX ? Verdict.REPRODUCED : Verdict.NOT_REPRODUCED;
        return new Finding(
                pool + " ignores minPoolSize: any active request drives it to maxPoolSize",
                SOURCE,
                Sizes.MAX + " connections",
                alone.isEmpty() ? "not run with one thread" : peak + " connections with one thread",
                alone.isEmpty() ? null : (double) peak / Sizes.MAX,
                verdict,
                alone.map(ShootOutFindings::growth).orElse("only measurable with one thread" + lost(pool)));
    }

    private static String growth(Standing alone) {
        String figures = alone.openAtStart() + " open before the first cycle, at most " + alone.peak()
                + " while one thread used one at a time, " + alone.openAtEnd() + " afterwards; min " + Sizes.MIN
                + ", max " + Sizes.MAX;
        if (alone.peak() >= Sizes.MAX) {
            return figures;
        }
        return figures + (alone.peak() > Sizes.MIN ? ": above the min, but not to the max" : ": the min was enough");
    }

    private Finding exceedsMax(ShootOutPool pool) {
        Optional<Standing> largest = standings.largest(pool, Variant.BARE);
        int peak = largest.map(Standing::peak).orElse(0);
        Verdict verdict = peak > Sizes.MAX ? Verdict.REPRODUCED : Verdict.NOT_REPRODUCED;
        if (peak < Sizes.MAX) {
            verdict = Verdict.CANNOT_BE_JUDGED;
        }
        return new Finding(
                pool + " opens one connection more than maxPoolSize",
                SOURCE,
                (Sizes.MAX + 1) + " connections",
                largest.isEmpty() ? "nothing" : peak + " connections",
                largest.isEmpty() ? null : (double) peak / (Sizes.MAX + 1),
                verdict,
                largest.map(standing -> "of all rounds and repeats, the driver saw at most " + peak
                                        + " open at once, at a max of " + Sizes.MAX + "; first with "
                                        + standing.load())
                                .orElse("no round came to its end")
                        + (peak < Sizes.MAX ? "; it was never full" : "")
                        + lost(pool));
    }

    private Finding noErrorsWrapped() {
        List<Standing> all = standings.setup().pools().stream()
                .flatMap(pool -> standings.all(pool, Variant.FLEXPOOL))
                .toList();
        long errors = errorsOf(all);
        long lost = all.stream()
                .mapToLong(standing -> standing.hung() + standing.failed())
                .sum();
        long cycles = all.stream().mapToLong(Standing::cycles).sum();
        int asked = standings.setup().heatsOfEachVariant();
        int unmeasured =
                asked - all.stream().mapToInt(its -> its.results().size()).sum();
        String failing = standings.setup().pools().stream()
                .filter(pool -> standings
                        .all(pool, Variant.FLEXPOOL)
                        .anyMatch(standing -> standing.errors() + standing.hung() + standing.failed() > 0))
                .map(pool -> pool.toString() + firstError(measured(pool, Variant.FLEXPOOL)))
                .collect(Collectors.joining(", "));
        return new Finding(
                "No cycle fails within flexpool, with any pool",
                GOAL,
                null,
                errors + " of " + cycles + " cycles failed, " + lost + " heats without an end",
                null,
                errors + lost > 0 ? Verdict.GOAL_MISSED : unmeasured > 0 ? Verdict.CANNOT_BE_JUDGED : Verdict.GOAL_MET,
                (failing.isEmpty() ? "" : "failing: " + failing + "; ")
                        + (unmeasured > 0
                                ? "the run was interrupted: " + unmeasured + " of " + asked + " heats are missing"
                                : "all pools of this run, all its rounds"));
    }
}
