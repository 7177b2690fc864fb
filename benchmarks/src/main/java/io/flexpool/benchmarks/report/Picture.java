// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.report;

/** A graph as a file of its own, for pages in Markdown: SVG with its legend, in the colours that the reader's screen prefers. */
public final class Picture {
    private static final int LINE = 20;
    private static final int ROOM = 8;

    private Picture() {}

    private static final String STYLE = """
            text{fill:#1c2127;font:13px system-ui,sans-serif}.tick{fill:#566070}.axis,.mark{stroke:#566070}\
            .grid{stroke:#d3d9e0}.series{fill:none;stroke-width:2;stroke-linejoin:round}.page{fill:#fff}\
            .s0{stroke:#566070;stroke-dasharray:2 3}.s1{stroke:#0060a8}.s2{stroke:#c04a00}\
            .s3{stroke:#a33b80;stroke-dasharray:9 3}
            @media(prefers-color-scheme:dark){text{fill:#e6eaef}.tick{fill:#a4afbd}.axis,.mark{stroke:#a4afbd}\
            .grid{stroke:#37404b}.page{fill:#14181d}.s0{stroke:#a4afbd}.s1{stroke:#6cb6ff}.s2{stroke:#ff9d57}\
            .s3{stroke:#f08fcb}}""";

    /**
     * Draws it.
     *
     * @param graph with four lines at most
     * @return the file
     */
    public static String svg(Graph graph) {
        Plot plot = new Plot(graph, "picture");
        Markup file = new Markup();
        int height = Plot.HEIGHT + LINE + ROOM;
        file.open(
                "svg",
                "xmlns",
                "http://www.w3.org/2000/svg",
                "viewBox",
                "0 0 " + Plot.WIDTH + " " + height,
                "role",
                "img");
        file.leaf("title", graph.title()).style(STYLE).line();
        file.leaf("rect", "", "class", "page", "width", String.valueOf(Plot.WIDTH), "height", String.valueOf(height));
        plot.drawing(file);
        int each = Plot.WIDTH / Math.max(1, graph.series().size());
        for (int at = 0; at < graph.series().size(); at++) {
            String x = String.valueOf(at * each + ROOM);
            String y = String.valueOf(Plot.HEIGHT + ROOM);
            file.open("g", "class", "series s" + at)
                    .leaf("polyline", "", "points", x + "," + y + " " + (at * each + 3 * ROOM) + "," + y)
                    .close();
            file.leaf(
                    "text",
                    graph.series().get(at).name(),
                    "x",
                    String.valueOf(at * each + 4 * ROOM),
                    "y",
                    String.valueOf(Plot.HEIGHT + ROOM + ROOM / 2));
        }
        return file.close().line().toString();
    }
}
