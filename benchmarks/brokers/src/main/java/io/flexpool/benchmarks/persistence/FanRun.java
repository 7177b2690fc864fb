// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.persistence;

import io.flexpool.benchmarks.messaging.Disk;
import io.flexpool.benchmarks.messaging.MeteredDataSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was measured of one workload on one store.
 *
 * @param store the store's name
 * @param workload the workload's name
 * @param round from 0; runs of one round are compared with each other
 * @param sent messages of all publishers
 * @param expected messages that all receivers together were to get
 * @param lost that did not arrive
 * @param doubled arrivals beyond the first
 * @param left messages that lay in a queue at the end, or for a durable subscription
 * @param seconds from before the first was sent until the last had arrived
 * @param intervalSeconds of the next figures
 * @param rates messages per second that arrived in each whole interval
 * @param latency how long messages were on their way
 * @param asked the broker's requests for connections; null without a database
 * @param connects what was connected to the database; null without one
 * @param disk what the store's files are on
 */
public record FanRun(
        String store,
        String workload,
        int round,
        long sent,
        long expected,
        long lost,
        long doubled,
        long left,
        double seconds,
        int intervalSeconds,
        List<Double> rates,
        Arrivals.Latency latency,
        MeteredDataSource.@Nullable Reading asked,
        MeteredDataSource.@Nullable Reading connects,
        Disk disk) {

    /** Messages per second that arrived. */
    double rate() {
        return (expected - lost) / seconds;
    }

    /** Messages per second that were sent. */
    double sentRate() {
        return sent / seconds;
    }

    /** Whether every message arrived exactly once and nothing was left. */
    boolean exactlyOnce() {
        return lost == 0 && doubled == 0 && left == 0;
    }

    /** Connections that the broker requested per sent message; NaN without a database. */
    double connectionsPerMessage() {
        return asked == null ? Double.NaN : (double) asked.connections() / sent;
    }
}
