// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import java.time.Duration;
import javax.management.JMX;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.sql.DataSource;
import jdk.jfr.consumer.RecordingStream;

/** The examples of the documentation; compared by {@link DocumentationTest}. */
final class Examples {
    private Examples() {}

    static FlexPoolDataSource jmx(DataSource hikari) {
        return FlexPool.wrap(hikari).name("orders").metrics(JmxMetrics.create()).build();
    }

    static void change(MBeanServerConnection server) throws Exception {
        ObjectName name = new ObjectName("flexpool:type=Pool,name=orders");
        PoolMXBean orders = JMX.newMXBeanProxy(server, name, PoolMXBean.class);
        if (orders.getAcquisitionOk().getRecentP99Millis() > 50) {
            orders.limits(20, 30);
        }
    }

    static FlexPoolDataSource jfr(DataSource hikari) {
        return FlexPool.wrap(hikari).name("orders").metrics(JfrEvents.create()).build();
    }

    static RecordingStream stream() {
        RecordingStream stream = new RecordingStream();
        stream.enable("flexpool.AcquisitionTimeout");
        stream.enable("flexpool.PoolFigures").withPeriod(Duration.ofSeconds(1));
        stream.onEvent("flexpool.AcquisitionTimeout", event -> page(event.getString("report")));
        stream.startAsync();
        return stream;
    }

    private static void page(String report) {
        System.getLogger("pager").log(System.Logger.Level.ERROR, report);
    }
}
