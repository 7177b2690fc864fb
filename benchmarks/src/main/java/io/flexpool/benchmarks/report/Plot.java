// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.report;

import io.flexpool.benchmarks.report.Graph.Axis;
import io.flexpool.benchmarks.report.Graph.Point;
import io.flexpool.benchmarks.report.Graph.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A graph as inline SVG with its axes, units and legend. Lines differ by colour and by dashes, to be distinguishable
 * on paper; colours come from the page's style sheet.
 *
 * <p>Written by hand and not by XChart or JFreeChart: both draw on a {@link java.awt.Graphics2D}, to SVG too, and measure
 * their labels with fonts of the machine. On a server without fonts or fontconfig that fails, in JFreeChart's own axes for
 * example, and the width of the labels would depend on the machine. Here the browser sets the text.
 */
final class Plot {
    static final int WIDTH = 640;
    static final int HEIGHT = 340;
    private static final int LEFT = 84;
    private static final int RIGHT = 20;
    private static final int TOP = 34;
    private static final int BOTTOM = 58;
    /** The style sheet has so many colours and dashes; further lines begin again. */
    private static final int LINES = 10;
    /** Each point of so short a line is marked. */
    static final int FEW_POINTS = 40;

    private final Graph graph;
    private final String id;
    private final Scale x;
    private final Scale y;

    /**
     * Of a graph.
     *
     * @param graph the graph
     * @param id of the figure, unique on the page
     */
    Plot(Graph graph, String id) {
        this.graph = graph;
        this.id = id;
        this.x = Scale.of(graph, Point::x, graph.x(), false);
        this.y = Scale.of(graph, Point::y, graph.y(), true);
    }

    /** The figure: its title, the drawing, the legend. */
    void writeTo(Markup page) {
        page.open("figure", "id", id, "class", "graph").leaf("figcaption", graph.title());
        page.open("svg", "viewBox", "0 0 " + WIDTH + " " + HEIGHT, "role", "img", "aria-labelledby", id + "-title");
        page.leaf(
                "title",
                graph.title() + ": " + inWords(graph.y()) + " over " + inWords(graph.x()),
                "id",
                id + "-title");
        drawing(page);
        page.close().line();
        legend(page);
        page.close().line();
    }

    /** What is within the drawing. */
    void drawing(Markup page) {
        axes(page);
        for (int line = 0; line < graph.series().size(); line++) {
            line(page, graph.series().get(line), line % LINES);
        }
    }

    static String inWords(Axis axis) {
        return axis.label()
                + (axis.unit().isEmpty() ? "" : " (" + axis.unit() + ")")
                + (axis.logarithmic() ? ", logarithmic" : "");
    }

    private void axes(Markup page) {
        for (double mark : y.marks()) {
            stroke(page, "grid", LEFT, down(mark), WIDTH - RIGHT, down(mark));
            text(page, Scale.label(mark), LEFT - 8.0, down(mark) + 5, "end");
        }
        for (double mark : x.marks()) {
            stroke(page, "mark", across(mark), HEIGHT - BOTTOM, across(mark), HEIGHT - BOTTOM + 5.0);
            text(page, Scale.label(mark), across(mark), HEIGHT - BOTTOM + 22.0, "middle");
        }
        stroke(page, "axis", LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM);
        stroke(page, "axis", LEFT, TOP, LEFT, HEIGHT - BOTTOM);
        text(page, inWords(graph.y()), 4, 18, "start", "label");
        text(page, inWords(graph.x()), WIDTH - RIGHT, HEIGHT - 8.0, "end", "label");
    }

    private void line(Markup page, Series series, int look) {
        List<Point> points = Thinning.thinned(series.points());
        page.open("g", "class", "series s" + look);
        for (List<Point> piece : pieces(points)) {
            StringBuilder places = new StringBuilder();
            piece.forEach(point -> places.append(number(across(point.x())))
                    .append(',')
                    .append(number(down(point.y())))
                    .append(' '));
            page.leaf("polyline", "", "points", places.toString().strip());
            if (points.size() <= FEW_POINTS) {
                piece.forEach(point -> dot(page, series, point));
            }
        }
        page.close().line();
    }

    /** Where a point has no place on the axes, such as one that is no number, the line is broken. */
    private List<List<Point>> pieces(List<Point> points) {
        List<List<Point>> pieces = new ArrayList<>();
        List<Point> piece = new ArrayList<>();
        for (Point point : points) {
            if (x.shows(point.x()) && y.shows(point.y())) {
                piece.add(point);
            } else if (!piece.isEmpty()) {
                pieces.add(piece);
                piece = new ArrayList<>();
            }
        }
        if (!piece.isEmpty()) {
            pieces.add(piece);
        }
        return pieces;
    }

    private void dot(Markup page, Series series, Point point) {
        page.open("circle", "cx", number(across(point.x())), "cy", number(down(point.y())), "r", "3.5");
        page.leaf("title", series.name() + ": " + Scale.label(point.x()) + ", " + Scale.label(point.y()));
        page.close();
    }

    private void legend(Markup page) {
        page.open("ul", "class", "legend");
        for (int line = 0; line < graph.series().size(); line++) {
            page.open("li").open("svg", "viewBox", "0 0 36 12", "aria-hidden", "true");
            page.open("g", "class", "series s" + line % LINES)
                    .leaf("polyline", "", "points", "1,6 35,6")
                    .close();
            page.close().text(graph.series().get(line).name()).close();
        }
        page.close();
    }

    private static void stroke(Markup page, String look, double fromX, double fromY, double toX, double toY) {
        page.leaf(
                "line",
                "",
                "class",
                look,
                "x1",
                number(fromX),
                "y1",
                number(fromY),
                "x2",
                number(toX),
                "y2",
                number(toY));
    }

    private static void text(Markup page, String text, double atX, double atY, String anchor) {
        text(page, text, atX, atY, anchor, "tick");
    }

    private static void text(Markup page, String text, double atX, double atY, String anchor, String look) {
        page.leaf("text", text, "class", look, "x", number(atX), "y", number(atY), "text-anchor", anchor);
    }

    private double across(double value) {
        return LEFT + x.place(value) * (WIDTH - LEFT - RIGHT);
    }

    private double down(double value) {
        return HEIGHT - BOTTOM - y.place(value) * (HEIGHT - TOP - BOTTOM);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
