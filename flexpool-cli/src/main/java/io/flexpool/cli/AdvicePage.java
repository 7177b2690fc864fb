// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import io.flexpool.advice.SizeAdvice.Verdict;
import io.flexpool.advisor.Advice;
import io.flexpool.advisor.SizePoint;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes advice as a self-contained HTML page: the paragraph, the curve and its figures, in both colour schemes. */
final class AdvicePage {
    private static final double NANOS_PER_MS = 1e6;
    private static final int WIDTH = 720;
    private static final int HEIGHT = 340;
    private static final int LEFT = 96;
    private static final int BOTTOM = 68;
    private static final int TOP = 16;
    private static final int RIGHT = 44;
    /** The height of a text line on a narrow screen, where the picture is half as large and its text twice as large. */
    private static final int LINE = 26;

    private static final int TICKS = 5;
    /** The space for the label above the target line. */
    private static final double ABOVE_TARGET = 4;

    private static final double MS_PER_SECOND = 1_000;
    /** The lower end of the logarithmic axis: shorter waits are not noticeable. */
    private static final double LEAST_MS = 0.1;

    private static final String STYLE = """
        h1, p { overflow-wrap: anywhere; } .wide { overflow-x: auto; }
        svg { width: 100%; height: auto; } text { fill: var(--ink); font-size: 13px; }
        .grid { stroke: var(--grid); } .curve { stroke: var(--line); fill: none; stroke-width: 2; }
        .mark { stroke: var(--mark); stroke-dasharray: 4 3; }
        table { border-collapse: collapse; } td, th { padding: .15rem .8rem; text-align: right; }
        @media (max-width: 34rem) { text { font-size: 22px; } table { font-size: .85rem; } td, th { padding: .15rem .4rem; } }
        """;

    private final Advice advice;
    private final List<SizePoint> points;
    private final double mostMs;
    private final int mostConnections;

    private AdvicePage(Advice advice) {
        this.advice = advice;
        this.points = advice.curve();
        this.mostMs = Math.max(
                Math.max(
                        10 * LEAST_MS,
                        ABOVE_TARGET * advice.question().waitTarget().toNanos() / NANOS_PER_MS),
                points.stream()
                        .mapToDouble(point -> point.p99Nanos() / NANOS_PER_MS)
                        .max()
                        .orElse(1));
        this.mostConnections =
                points.stream().mapToInt(SizePoint::connections).max().orElse(1);
    }

    static String of(String pool, Advice advice) {
        return new AdvicePage(advice).page(pool);
    }

    private String page(String pool) {
        String title = "Advice for " + HtmlText.escaped(pool);
        return HtmlText.head(title, STYLE) + "<h1>" + title + "</h1>\n<p>" + HtmlText.escaped(advice.text()) + "</p>\n"
                + svg() + table() + "</html>\n";
    }

    private double x(double connections) {
        return LEFT + (WIDTH - LEFT - RIGHT) * (connections - 1) / Math.max(1, mostConnections - 1);
    }

    /** The vertical position of a wait. Logarithmic, so that waits of a millisecond and of a second fit. */
    private double y(double millis) {
        double share = Math.log(Math.max(LEAST_MS, millis) / LEAST_MS) / Math.log(mostMs / LEAST_MS);
        return HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP);
    }

    private String svg() {
        StringBuilder svg = new StringBuilder("<svg viewBox=\"0 0 " + WIDTH + " " + HEIGHT
                + "\" role=\"img\" aria-label=\"p99 wait by number of connections; the table below has the"
                + " figures\">\n");
        for (double ms = LEAST_MS; ms <= mostMs; ms *= 10) {
            svg.append(line("grid", LEFT, y(ms), WIDTH - RIGHT, y(ms)))
                    .append(text(LEFT - 6, y(ms) + 4, "end", duration(ms)));
        }
        int step = step();
        for (int connections = step; connections <= mostConnections; connections += step) {
            double at = x(connections);
            svg.append(line("grid", at, TOP, at, HEIGHT - BOTTOM))
                    .append(text(at, HEIGHT - BOTTOM + LINE, "middle", Integer.toString(connections)));
        }
        String curve = points.stream()
                .map(point -> coordinate(x(point.connections())) + "," + coordinate(y(point.p99Nanos() / NANOS_PER_MS)))
                .collect(Collectors.joining(" "));
        svg.append("<polyline class=\"curve\" points=\"").append(curve).append("\"/>\n");
        double target = advice.question().waitTarget().toNanos() / NANOS_PER_MS;
        svg.append(line("mark", LEFT, y(target), WIDTH - RIGHT, y(target)))
                .append(text(WIDTH - RIGHT, y(target) - 4, "end", "target " + duration(target)));
        boolean known = advice.verdict() != Verdict.UNKNOWN;
        if (known) {
            mark(svg, advice.connections(), "recommended " + advice.connections(), TOP + LINE - 4);
        }
        if (!known || advice.question().current() != advice.connections()) {
            mark(
                    svg,
                    advice.question().current(),
                    "current " + advice.question().current(),
                    TOP + 2 * LINE - 4);
        }
        return svg.append(text(WIDTH / 2.0, HEIGHT - 10, "middle", "across: connections; up: p99 wait"))
                .append("</svg>\n")
                .toString();
    }

    /** The step of the axis: 1, 2 or 5 times a power of ten, so that the axis has few figures. */
    private int step() {
        for (int ten = 1; ; ten *= 10) {
            for (int times : new int[] {1, 2, 5}) {
                if (mostConnections <= (long) TICKS * times * ten) {
                    return times * ten;
                }
            }
        }
    }

    private void mark(StringBuilder svg, int connections, String label, double labelY) {
        double x = x(connections);
        boolean right = x < WIDTH / 2.0;
        svg.append(line("mark", x, TOP, x, HEIGHT - BOTTOM))
                .append(text(x + (right ? 5 : -5), labelY, right ? "start" : "end", label));
    }

    private static String line(String style, double x1, double y1, double x2, double y2) {
        return "<line class=\"" + style + "\" x1=\"" + coordinate(x1) + "\" y1=\"" + coordinate(y1) + "\" x2=\""
                + coordinate(x2) + "\" y2=\"" + coordinate(y2) + "\"/>\n";
    }

    private static String text(double x, double y, String anchor, String text) {
        return "<text x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) + "\" text-anchor=\"" + anchor + "\">"
                + HtmlText.escaped(text) + "</text>\n";
    }

    private String table() {
        StringBuilder table = new StringBuilder(
                "<div class=\"wide\"><table><tr><th>connections<th>p50 wait<th>p99 wait<th>p99.9 wait<th>timed"
                        + " out</tr>\n");
        for (SizePoint point : points) {
            table.append("<tr><td>").append(point.connections());
            for (long nanos : new long[] {point.p50Nanos(), point.p99Nanos(), point.p999Nanos()}) {
                table.append("<td>").append(figure(nanos / NANOS_PER_MS)).append(" ms");
            }
            table.append("<td>").append(figure(100 * point.timedOut())).append(" %</tr>\n");
        }
        return table.append("</table></div>\n").toString();
    }

    private static String coordinate(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private static String duration(double ms) {
        return ms < MS_PER_SECOND ? figure(ms) + " ms" : figure(ms / MS_PER_SECOND) + " s";
    }

    private static String figure(double value) {
        return value >= 10 || value == 0 ? Long.toString(Math.round(value)) : String.format(Locale.ROOT, "%.2g", value);
    }
}
