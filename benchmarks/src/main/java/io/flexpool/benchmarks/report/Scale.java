// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.report;

import io.flexpool.benchmarks.report.Graph.Point;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/** From values to places on an axis, and the values that the axis is marked with. */
final class Scale {
    private static final int WANTED_MARKS = 6;
    /** With fewer powers of ten, 2 and 5 are marked too. */
    private static final int FEW_DECADES = 2;

    private final boolean logarithmic;
    private final double low;
    private final double high;
    private final List<Double> marks;

    private Scale(boolean logarithmic, double low, double high, List<Double> marks) {
        this.logarithmic = logarithmic;
        this.low = low;
        this.high = high;
        this.marks = marks;
    }

    /**
     * For these values.
     *
     * @param values any; those that no axis can show are left out
     * @param logarithmic whether the steps are factors
     * @param fromZero whether a linear axis begins at zero where no value is below it
     */
    static Scale of(DoubleStream values, boolean logarithmic, boolean fromZero) {
        double[] shown = values.filter(value -> shows(value, logarithmic)).toArray();
        double least = DoubleStream.of(shown).min().orElse(logarithmic ? 1 : 0);
        double most = DoubleStream.of(shown).max().orElse(logarithmic ? 10 : 1);
        return logarithmic ? logarithmic(least, most) : linear(fromZero ? Math.min(0, least) : least, most);
    }

    /** For an axis of a graph: all its lines share it. */
    static Scale of(Graph graph, ToDoubleFunction<Point> value, Graph.Axis axis, boolean fromZero) {
        return of(
                graph.series().stream().flatMap(line -> line.points().stream()).mapToDouble(value),
                axis.logarithmic(),
                fromZero);
    }

    private static boolean shows(double value, boolean logarithmic) {
        return Double.isFinite(value) && !(logarithmic && value <= 0);
    }

    private static Scale linear(double least, double most) {
        double from = least;
        double to = most > least ? most : least + 1;
        double step = step((to - from) / WANTED_MARKS);
        double first = Math.floor(from / step) * step;
        List<Double> marks = new ArrayList<>();
        // Half a step, because a sum of steps is not exact.
        for (int n = 0; first + (n - 1) * step < to - step * 1e-9; n++) {
            marks.add(rounded(first + n * step));
        }
        return new Scale(false, marks.get(0), marks.get(marks.size() - 1), marks);
    }

    private static Scale logarithmic(double least, double most) {
        int from = (int) Math.floor(Math.log10(least) + 1e-9);
        int to = Math.max(from + 1, (int) Math.ceil(Math.log10(most) - 1e-9));
        double[] factors = to - from <= FEW_DECADES ? new double[] {1, 2, 5} : new double[] {1};
        List<Double> marks = new ArrayList<>();
        for (int power = from; power < to; power++) {
            for (double factor : factors) {
                marks.add(rounded(factor * Math.pow(10, power)));
            }
        }
        marks.add(rounded(Math.pow(10, to)));
        return new Scale(true, marks.get(0), marks.get(marks.size() - 1), marks);
    }

    /** The least of 1, 2, 5, 10, 20 ... that is not below the raw step. */
    private static double step(double raw) {
        double power = Math.pow(10, Math.floor(Math.log10(raw)));
        double factor = raw / power;
        double nice = factor <= 1 ? 1 : factor <= 2 ? 2 : factor <= 5 ? 5 : 10;
        return nice * power;
    }

    private static double rounded(double value) {
        return new BigDecimal(value)
                .round(new MathContext(12, RoundingMode.HALF_EVEN))
                .doubleValue();
    }

    /** Whether the axis has a place for it. */
    boolean shows(double value) {
        return shows(value, logarithmic);
    }

    /** Where it is: 0 at the low end, 1 at the high end. */
    double place(double value) {
        return logarithmic ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
    }

    /** The values to mark, from low to high; the ends of the axis are the first and the last. */
    List<Double> marks() {
        return marks;
    }

    /** A value in words, with as many digits as it needs. */
    static String label(double value) {
        if (value != 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e9)) {
            return String.format(Locale.ROOT, "%.3g", value);
        }
        String digits = new BigDecimal(value)
                .round(new MathContext(6, RoundingMode.HALF_EVEN))
                .stripTrailingZeros()
                .toPlainString();
        int decimals = digits.contains(".") ? digits.length() - digits.indexOf('.') - 1 : 0;
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }
}
