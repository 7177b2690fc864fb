// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.RequestClass;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/** The gauges and counters of one class of a pool's requests, recorded periodically. */
@Name(ClassFiguresEvent.NAME)
@Label("Class Figures")
@Category("flexpool")
@Description("The gauges of a class of requests, and its counters since the pool was wrapped")
@Period("10 s")
@StackTrace(false)
final class ClassFiguresEvent extends Event {
    static final String NAME = "flexpool.ClassFigures";

    @Label("Pool")
    final String pool;

    @Label("Class")
    final String requestClass;

    @Label("Used")
    final int used;

    @Label("Waiting")
    final int waiting;

    @Label("Guaranteed")
    final int guaranteed;

    @Label("Max")
    @Description("-1 if the class has no maximum")
    final int max;

    @Label("Timeouts")
    final long timeouts;

    @Label("Shed")
    @Description("Requests that ended early because the class was overloaded")
    final long shed;

    ClassFiguresEvent(String pool, RequestClass figures) {
        this.pool = pool;
        this.requestClass = figures.name();
        this.used = (int) figures.gauge(PoolMetric.CLASS_USED);
        this.waiting = (int) figures.gauge(PoolMetric.CLASS_WAITING);
        this.guaranteed = (int) figures.gauge(PoolMetric.CLASS_GUARANTEED);
        this.max = figures.max().orElse(-1);
        this.timeouts = figures.counter(PoolMetric.CLASS_TIMEOUTS);
        this.shed = figures.counter(PoolMetric.CLASS_SHED);
    }
}
