// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was measured of one workload on one store.
 *
 * @param store the store's name
 * @param workload the workload's name
 * @param payload bytes of each message's content
 * @param round from 0; runs of one round are compared with each other
 * @param messages of each publisher that were planned; 0 if only time limited them
 * @param sent messages of all publishers
 * @param expected messages that all receivers together were to get
 * @param lost that did not arrive
 * @param doubled arrivals beyond the first
 * @param left messages that lay in a queue at the end, or for a durable subscription
 * @param seconds from before the first was sent until the last had arrived
 * @param batch arrivals of each of the next figures; 0 if there are none
 * @param batchSeconds how long each batch took to arrive, in order
 * @param intervalSeconds of the next figures
 * @param rates messages per second that arrived in each whole interval
 * @param latency how long messages were on their way
 * @param asked the broker's requests for connections; null without a database
 * @param connects what was connected to the database; null where that cannot be counted
 * @param disk what the store's files are on
 */
record Run(
        String store,
        String workload,
        int payload,
        int round,
        int messages,
        long sent,
        long expected,
        long lost,
        long doubled,
        long left,
        double seconds,
        int batch,
        List<Double> batchSeconds,
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

    /** The seconds of the run shared by its messages, in milliseconds. */
    double millisPerMessage() {
        return 1000 / rate();
    }

    /** Whether every message arrived exactly once and nothing was left. */
    boolean exactlyOnce() {
        return lost == 0 && doubled == 0 && left == 0;
    }

    /** Connections that the broker requested per sent message; NaN without a database. */
    double connectionsPerMessage() {
        return asked == null ? Double.NaN : (double) asked.connections() / sent;
    }

    /** What one connection took on average, milliseconds; NaN without a database. */
    double connectionMs() {
        return asked == null ? Double.NaN : asked.meanMs();
    }

    /** What 99 of 100 connections took at the most, milliseconds; NaN without a database. */
    double connectionP99Ms() {
        return asked == null ? Double.NaN : asked.p99Ms();
    }

    /** The most connections that the broker had at once; NaN without a database. */
    double mostOut() {
        return asked == null ? Double.NaN : asked.peakOut();
    }

    /** Connections that were opened to the database; NaN where they cannot be counted. */
    double connected() {
        return connects == null ? Double.NaN : connects.connections();
    }
}
