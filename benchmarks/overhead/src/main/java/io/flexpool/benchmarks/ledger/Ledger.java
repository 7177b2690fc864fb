// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.ledger;

import io.flexpool.benchmarks.report.Graph;
import io.flexpool.benchmarks.report.Graph.Axis;
import io.flexpool.benchmarks.report.Graph.Point;
import io.flexpool.benchmarks.report.Graph.Series;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The lines of all measured commits, oldest first. Immutable.
 *
 * @param lines one for each commit
 */
public record Ledger(List<LedgerLine> lines) {
    /** How many lines before the last one it is compared with. */
    static final int COMPARED = 10;
    /** How far above their median it may be. */
    static final double TOLERANCE = 1.15;
    /** Fewer lines have no median to speak of. */
    private static final int LEAST = 3;

    /** Copies the lines. */
    public Ledger {
        lines = List.copyOf(lines);
    }

    /**
     * Reads a file.
     *
     * @param file as {@link #csv()} writes it; may be missing, which is a ledger without lines
     * @return its lines
     * @throws IOException if it cannot be read
     * @throws IllegalArgumentException if it is no ledger
     */
    public static Ledger read(Path file) throws IOException {
        if (!Files.exists(file)) {
            return new Ledger(List.of());
        }
        List<String> text = Files.readAllLines(file);
        if (text.isEmpty() || !text.get(0).equals(LedgerLine.HEADER)) {
            throw new IllegalArgumentException(file + " is no ledger: its first line must be " + LedgerLine.HEADER);
        }
        return new Ledger(text.stream()
                .skip(1)
                .filter(line -> !line.isBlank())
                .map(LedgerLine::parse)
                .toList());
    }

    /**
     * With one commit more; a second measurement of a commit replaces the first one, in its place.
     *
     * @param line the commit's figures
     * @return the new ledger
     */
    public Ledger with(LedgerLine line) {
        List<LedgerLine> all = new ArrayList<>(lines);
        for (int at = 0; at < all.size(); at++) {
            if (all.get(at).commit().equals(line.commit())) {
                all.set(at, line);
                return new Ledger(all);
            }
        }
        all.add(line);
        return new Ledger(all);
    }

    /** {@return the file's text} */
    public String csv() {
        return lines.stream().map(LedgerLine::csv).collect(Collectors.joining("\n", LedgerLine.HEADER + "\n", "\n"));
    }

    /**
     * What became dearer: a figure of the last line that is more than 15 % above the median of the ten lines before it, of
     * those with the same Java and load. With fewer than three such lines nothing is said.
     *
     * @return one sentence for each figure; empty if all is well
     */
    public List<String> regressions() {
        if (lines.isEmpty()) {
            return List.of();
        }
        LedgerLine last = lines.get(lines.size() - 1);
        List<LedgerLine> before = lines.subList(0, lines.size() - 1).stream()
                .filter(line -> line.java().equals(last.java()) && line.load().equals(last.load()))
                .toList();
        List<LedgerLine> compared = before.subList(Math.max(0, before.size() - COMPARED), before.size());
        List<String> found = new ArrayList<>();
        if (compared.size() >= LEAST) {
            compare(found, last, compared, "ns", LedgerLine::ns);
            compare(found, last, compared, "I", LedgerLine::inIdeals);
            compare(found, last, compared, "bytes", LedgerLine::bytes);
        }
        return found;
    }

    private static void compare(
            List<String> found,
            LedgerLine last,
            List<LedgerLine> compared,
            String name,
            ToDoubleFunction<LedgerLine> figure) {
        double median = median(compared.stream().mapToDouble(figure).sorted().toArray());
        double now = figure.applyAsDouble(last);
        if (now > median * TOLERANCE) {
            found.add(String.format(
                    Locale.ROOT,
                    "%s: %s %.2f, %+.0f %% over %.2f, the median of the %d commits before it",
                    last.commit(),
                    name,
                    now,
                    (now / median - 1) * 100,
                    median,
                    compared.size()));
        }
    }

    static double median(double[] sorted) {
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }

    /** {@return the picture: nanoseconds and bytes over bare, by commit} */
    public Graph graph() {
        return new Graph(
                "What getConnection() and close() cost over the bare pool, by commit",
                new Axis("commits that changed the hot path, oldest first", "", false),
                new Axis("CPU time, bytes", "ns, B", false),
                List.of(series("ns", LedgerLine::ns), series("bytes", LedgerLine::bytes)));
    }

    private Series series(String name, ToDoubleFunction<LedgerLine> figure) {
        return new Series(
                name,
                IntStream.range(0, lines.size())
                        .mapToObj(at -> new Point(at + 1.0, figure.applyAsDouble(lines.get(at))))
                        .toList());
    }
}
