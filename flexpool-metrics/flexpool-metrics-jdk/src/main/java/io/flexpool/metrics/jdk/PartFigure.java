// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import io.flexpool.monitoring.PartView.PartMetric;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/** One gauge or counter of a part of a pool, recorded periodically. */
@Name(PartFigure.NAME)
@Label("Part Figure")
@Category("flexpool")
@Description("A gauge of a part of a pool, or its counter since the pool was wrapped")
@Period("10 s")
@StackTrace(false)
final class PartFigure extends Event {
    static final String NAME = "flexpool.PartFigure";

    @Label("Pool")
    final String pool;

    @Label("Part")
    @Description("The feature, for example fleet")
    final String part;

    @Label("Name")
    @Description("The name of the metric, for example fleet.granted")
    final String name;

    @Label("Value")
    @Description("In the unit of the metric; durations are seconds")
    final double value;

    PartFigure(String pool, String part, PartMetric metric, double value) {
        this.pool = pool;
        this.part = part;
        this.name = metric.shortName();
        this.value = value;
    }
}
