// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

/** The shapes of load that were published; the workload of each comes with this program. */
enum Shape {
    /** One publisher, one consumer, one queue. */
    QUEUE_1_1,
    /** One publisher, one durable subscriber, one topic. */
    TOPIC_1_1,
    /** One publisher, five durable subscribers, one topic. */
    TOPIC_1_5,
    /** Five publishers, five durable subscribers, five topics. */
    TOPIC_5_5;

    /** Its workload. */
    Workload workload() {
        return WorkloadFile.shipped(toString());
    }

    /** The name on the command line and in reports. */
    @Override
    public String toString() {
        return Store.name(this);
    }
}
