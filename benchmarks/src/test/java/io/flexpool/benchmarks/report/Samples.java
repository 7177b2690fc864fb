// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.report;

import io.flexpool.benchmarks.kit.Environment;
import io.flexpool.benchmarks.report.Finding.Verdict;
import io.flexpool.benchmarks.report.Graph.Axis;
import io.flexpool.benchmarks.report.Graph.Point;
import io.flexpool.benchmarks.report.Graph.Series;
import java.util.List;
import java.util.Map;

/** A result with something in every component, and with text that is no HTML. */
final class Samples {
    private Samples() {}

    static ScenarioResult result(boolean complete) {
        return new ScenarioResult(
                "directory",
                "Directory <service>",
                "2026-11-21T16:00:00Z",
                61.4,
                complete,
                List.of("directory", "--pools", "c3p0,hikaricp", "--note", "a b"),
                Map.of("pools", "c3p0, hikaricp"),
                Environment.here(),
                List.of(
                        new Finding(
                                "c3p0 fails in bursts",
                                "published comparison",
                                "75 failures",
                                "70 failures",
                                0.93,
                                Verdict.REPRODUCED,
                                "70 of 100 & more"),
                        new Finding("no failure", "goal", null, "3", null, Verdict.GOAL_MISSED, "three of <c3p0>")),
                List.of(new Table(
                        "Steady",
                        List.of("pool", "requests", "failures"),
                        List.of(List.of("c3p0", "1,427,995", "75"), List.of("hikari<b>", "12", "")))),
                List.of(
                        new Graph(
                                "Busy & idle",
                                new Axis("time", "s", false),
                                new Axis("connections", "", false),
                                List.of(
                                        new Series("busy", List.of(new Point(0, 1), new Point(10, 20))),
                                        new Series("idle", List.of(new Point(0, 20), new Point(10, 1))))),
                        new Graph(
                                "Latency",
                                new Axis("percentile", "%", false),
                                new Axis("latency", "ms", true),
                                List.of(new Series("c3p0", List.of(new Point(50, 0.5), new Point(99, 1900)))))),
                List.of("A note with <angles>."),
                Map.of("failures", 75, "mean", 1.23456789));
    }
}
