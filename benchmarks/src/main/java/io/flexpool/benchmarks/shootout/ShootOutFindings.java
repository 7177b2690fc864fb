// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import static io.flexpool.benchmarks.kit.TextTable.number;

import io.flexpool.benchmarks.report.Claim;
import io.flexpool.benchmarks.report.Finding;
import io.flexpool.benchmarks.report.Measured;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the published table and its authors claim, what this project aims at, and what came out.
 *
 * @param standings what was measured
 * @param processors those of the machine
 */
record ShootOutFindings(Standings standings, int processors) {
    private static final String SOURCE = "Druid's pool comparison, 2013";
    private static final String GOAL = "a goal of this project";

    /** Below this share of a round's cycles errors may be mishaps. */
    private static final double ERRORS_THAT_COUNT_PERCENT = 0.1;

    private static final int MANY = 100;
    /** A quarter of those of the published run: with fewer, threads of short cycles hardly ever meet. */
    private static final int ENOUGH_PROCESSORS = 8;

    /** One for each claim whose pool was run. */
    List<Finding> all() {
        Setup setup = standings.setup();
        List<Claim<ShootOutFindings>> claims = new ArrayList<>();
        if (setup.variants().contains(Variant.BARE)) {
            Stream.of(ShootOutPool.PROXOOL, ShootOutPool.BONECP, ShootOutPool.C3P0)
                    .filter(setup.pools()::contains)
                    .forEach(pool -> claims.addAll(of(pool)));
        }
        // The published times are those of the pools alone; with a database nearly all of the time is its own.
        if (setup.database() == ShootOutDatabase.STUB) {
            Stream.of(1, MANY).filter(setup.threads()::contains).forEach(threads -> claims.add(order(threads)));
        }
        if (setup.variants().contains(Variant.FLEXPOOL)) {
            claims.add(Claim.goal(
                    GOAL,
                    "No cycle fails within flexpool, with any pool",
                    ShootOutFindings::errorsWrapped,
                    its -> its.wrapped().allMatch(Standing::faultless)));
        }
        return claims.stream().map(claim -> claim.judged(this)).toList();
    }

    private static List<Claim<ShootOutFindings>> of(ShootOutPool pool) {
        if (pool == ShootOutPool.PROXOOL) {
            return List.of(Claim.of(
                    SOURCE,
                    "Proxool throws errors under contention",
                    "errors from " + Published.ERRORS_FROM + " threads on",
                    its -> its.errors(pool),
                    its -> many(its.contended(pool))));
        }
        return List.of(
                Claim.of(
                        SOURCE,
                        pool + " ignores minPoolSize: any active request drives it to maxPoolSize",
                        Sizes.MAX + " connections",
                        its -> its.growthAlone(pool),
                        its -> its.alone(pool).orElseThrow().peak() >= Sizes.MAX),
                Claim.of(
                        SOURCE,
                        pool + " opens one connection more than maxPoolSize",
                        (Sizes.MAX + 1) + " connections",
                        its -> its.most(pool),
                        its -> its.largest(pool).orElseThrow().peak() > Sizes.MAX));
    }

    // ---- errors ----

    private List<Standing> measured(ShootOutPool pool, Variant variant) {
        return standings.all(pool, variant).filter(Standing::measured).toList();
    }

    private static long errorsOf(List<Standing> all) {
        return all.stream().mapToLong(Standing::errors).sum();
    }

    private List<Standing> contended(ShootOutPool pool) {
        return measured(pool, Variant.BARE).stream()
                .filter(standing -> standing.round().threads() > 1)
                .toList();
    }

    private Measured errors(ShootOutPool pool) {
        List<Standing> contended = contended(pool);
        if (contended.isEmpty()) {
            return unmeasured("nothing", "nothing was measured with more than one thread", pool);
        }
        long errors = errorsOf(contended);
        boolean wasFull =
                contended.stream().anyMatch(standing -> standing.round().pressing());
        return Measured.of(
                        split(contended),
                        null,
                        byLoad(contended) + firstError(contended) + lost(pool) + wrapped(pool) + others(pool))
                .unless(
                        errors > 0 && !many(contended),
                        "so few errors, or errors in some repeats or with few threads only, may be mishaps")
                .unless(errors == 0 && !wasFull, "the pool may never have been full");
    }

    /** Errors count where the published ones begin, if every repeat has them and they are more than a mishap. */
    private static boolean many(List<Standing> contended) {
        return contended.stream()
                .filter(standing -> standing.round().threads() >= Published.ERRORS_FROM)
                .anyMatch(standing -> standing.heats().allMatch(heat -> heat.errors() > 0)
                        && share(standing) >= ERRORS_THAT_COUNT_PERCENT);
    }

    /** The published loop apart from what this scenario adds to it. */
    private static String split(List<Standing> contended) {
        return contended.stream()
                .collect(Collectors.partitioningBy(standing -> standing.round().pressing()))
                .entrySet()
                .stream()
                .filter(part -> !part.getValue().isEmpty())
                .map(part -> part.getKey()
                        ? errorsOf(part.getValue()) + " where connections are held for " + Setup.PRESSING_HOLD_MS
                                + " ms"
                        : errorsOf(part.getValue()) + " errors in the published loop")
                .collect(Collectors.joining(", "));
    }

    private static String byLoad(List<Standing> all) {
        return all.stream()
                .map(standing -> standing.load() + ": " + standing.errors() + " of " + standing.cycles() + " cycles ("
                        + number(share(standing), 2) + " %)")
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
                .filter(standing -> standing.lost() > 0)
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

    private Measured unmeasured(String figure, String missing, ShootOutPool pool) {
        return Measured.of(figure, null, "").unless(true, missing + lost(pool));
    }

    // ---- sizes ----

    private Optional<Standing> alone(ShootOutPool pool) {
        return standings.of(pool, Variant.BARE, 1).filter(Standing::measured);
    }

    private Measured growthAlone(ShootOutPool pool) {
        return alone(pool)
                .map(alone -> Measured.of(
                        alone.peak() + " connections with one thread",
                        (double) alone.peak() / Sizes.MAX,
                        alone.openAtStart() + " open before the first cycle, at most " + alone.peak()
                                + " while one thread used one at a time, " + alone.openAtEnd() + " afterwards; min "
                                + Sizes.MIN + ", max " + Sizes.MAX + growth(alone.peak())))
                .orElseGet(() -> unmeasured("not run with one thread", "only measurable with one thread", pool));
    }

    private static String growth(int peak) {
        if (peak >= Sizes.MAX) {
            return "";
        }
        return peak > Sizes.MIN ? ": above the min, but not to the max" : ": the min was enough";
    }

    private Optional<Standing> largest(ShootOutPool pool) {
        return standings.largest(pool, Variant.BARE);
    }

    private Measured most(ShootOutPool pool) {
        return largest(pool)
                .map(largest -> Measured.of(
                                largest.peak() + " connections",
                                (double) largest.peak() / (Sizes.MAX + 1),
                                "of all rounds and repeats, the driver saw at most " + largest.peak()
                                        + " open at once, at a max of " + Sizes.MAX + "; first with " + largest.load()
                                        + lost(pool))
                        .unless(largest.peak() < Sizes.MAX, "it was never full"))
                .orElseGet(() -> unmeasured("nothing", "no round came to its end", pool));
    }

    // ---- order ----

    private Claim<ShootOutFindings> order(int threads) {
        Ranking ranking = Ranking.of(standings, threads);
        return Claim.of(
                SOURCE,
                "The pools' order with " + Standing.inWords(threads),
                ranking.enough() ? ranking.published() : null,
                its -> its.order(ranking),
                its -> ranking.correlation() >= ranking.critical());
    }

    private Measured order(Ranking ranking) {
        if (!ranking.enough()) {
            return Measured.of(ranking.entries().size() + " pools of the table", null, "")
                    .unless(true, "so few may have any order by chance");
        }
        int threads = ranking.threads();
        return Measured.of(
                        ranking.measured(),
                        null,
                        ranking.text() + "; from " + number(ranking.critical(), 3)
                                + " on it is no chance (5 %), below 0 the order is another one, between them nothing"
                                + " can be said. Fast first; published on 32 hardware threads and JDK 7. Measured ms: "
                                + spreads(threads))
                .unless(standings.setup().quick(), "the quick form is too short for an order")
                .unless(
                        threads > 1 && processors < ENOUGH_PROCESSORS,
                        processors + " processors are too few for " + threads + " threads to meet as they did there")
                .unless(
                        ranking.correlation() > 0 && ranking.correlation() < ranking.critical(),
                        "so much of the published order may be chance");
    }

    private String spreads(int threads) {
        return standings.setup().pools().stream()
                .filter(pool ->
                        Published.of(pool).filter(row -> row.pool() == pool).isPresent())
                .flatMap(pool -> standings.of(pool, Variant.BARE, threads).stream()
                        .filter(Standing::measured)
                        .map(standing -> pool + " " + standing.ms().textAndRange(0)))
                .collect(Collectors.joining(", "));
    }

    // ---- within flexpool ----

    private Stream<Standing> wrapped() {
        return standings.setup().pools().stream().flatMap(pool -> standings.all(pool, Variant.FLEXPOOL));
    }

    private Measured errorsWrapped() {
        List<Standing> all = wrapped().toList();
        int asked = standings.setup().heatsOfEachVariant();
        int unmeasured =
                asked - all.stream().mapToInt(its -> its.results().size()).sum();
        String failing = standings.setup().pools().stream()
                .filter(pool -> !standings.all(pool, Variant.FLEXPOOL).allMatch(Standing::faultless))
                .map(pool -> pool + firstError(measured(pool, Variant.FLEXPOOL)))
                .collect(Collectors.joining(", "));
        String scope = unmeasured > 0
                ? "the run was interrupted: " + unmeasured + " of " + asked + " heats are missing"
                : "all pools of this run, all its rounds";
        Measured evidence = Measured.of(
                errorsOf(all) + " of "
                        + all.stream().mapToLong(Standing::cycles).sum() + " cycles failed, "
                        + all.stream().mapToLong(Standing::lost).sum() + " heats without an end",
                null,
                failing.isEmpty() ? scope : "failing: " + failing + "; " + scope);
        return evidence.unless(unmeasured > 0 && failing.isEmpty(), "as far as it came, nothing failed");
    }
}
