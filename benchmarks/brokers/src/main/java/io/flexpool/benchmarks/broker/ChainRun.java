// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import io.flexpool.benchmarks.messaging.Disk;
import io.flexpool.benchmarks.messaging.MeteredDataSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one JVM measured.
 *
 * @param store the store's name
 * @param payload bytes of each message's text
 * @param round from 0; runs of one round are compared with each other
 * @param messages how many were to come through
 * @param seconds from before the first was sent until the last had arrived
 * @param batch messages of each of the next figures
 * @param batchSeconds how long each batch took to arrive, in order
 * @param lost messages that did not arrive
 * @param doubled arrivals of messages that had arrived before
 * @param left messages that lay in a queue at the end
 * @param asked the broker's requests for connections; null without a database
 * @param connects what was connected to the database; null where that cannot be counted
 * @param disk what the store's files are on
 */
public record ChainRun(
        String store,
        int payload,
        int round,
        int messages,
        double seconds,
        int batch,
        List<Double> batchSeconds,
        long lost,
        long doubled,
        long left,
        MeteredDataSource.@Nullable Reading asked,
        MeteredDataSource.@Nullable Reading connects,
        Disk disk) {

    /** Messages per second on average. */
    double rate() {
        return (messages - lost) / seconds;
    }

    /** The seconds of the run shared by its messages, in milliseconds. */
    double millisPerMessage() {
        return 1000 / rate();
    }

    /** The most connections that the broker had at once; NaN without a database. */
    double mostOut() {
        return asked == null ? Double.NaN : asked.peakOut();
    }

    /** Connections that the broker requested per message; NaN without a database. */
    double connectionsPerMessage() {
        return asked == null ? Double.NaN : (double) asked.connections() / messages;
    }

    /** What one connection took on average, milliseconds; NaN without a database. */
    double connectionMs() {
        return asked == null ? Double.NaN : asked.meanMs();
    }

    /** Whether every message arrived exactly once and nothing was left. */
    boolean exactlyOnce() {
        return lost == 0 && doubled == 0 && left == 0;
    }
}
