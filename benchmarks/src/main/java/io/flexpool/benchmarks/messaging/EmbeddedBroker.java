// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.messaging;

import jakarta.jms.ConnectionFactory;
import java.nio.file.Path;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.apache.activemq.broker.BrokerService;
import org.apache.activemq.broker.region.Destination;
import org.apache.activemq.command.ActiveMQQueue;

/** A broker in this JVM that no other process can reach: no network, no JMX. Not thread-safe. */
public final class EmbeddedBroker implements AutoCloseable {
    private static final String NAME = "benchmark";
    /** More than any scenario leaves lying; the broker warns of limits above what the disk has. */
    private static final long STORE_BYTES = 4L << 30;

    private static final long TEMP_BYTES = 64L << 20;

    private final BrokerService broker;

    private EmbeddedBroker(BrokerService broker) {
        this.broker = broker;
    }

    /**
     * Starts it. One at a time in a JVM.
     *
     * @param store keeps its messages
     * @param folder for what else it writes
     * @return a broker that can be connected to
     * @throws Exception as the broker says, if it does not start
     */
    public static EmbeddedBroker start(OpenStore store, Path folder) throws Exception {
        BrokerService broker = new BrokerService();
        broker.setBrokerName(NAME);
        broker.setUseJmx(false);
        broker.setAdvisorySupport(false);
        broker.setUseShutdownHook(false);
        broker.setSchedulerSupport(false);
        broker.setDataDirectoryFile(folder.toFile());
        broker.setPersistent(store.durable());
        broker.setPersistenceAdapter(store.adapter());
        broker.getSystemUsage().getStoreUsage().setLimit(STORE_BYTES);
        broker.getSystemUsage().getTempUsage().setLimit(TEMP_BYTES);
        EmbeddedBroker started = new EmbeddedBroker(broker);
        try {
            broker.start();
            broker.waitUntilStarted();
            if (!broker.isStarted()) {
                throw new IllegalStateException("the broker did not start");
            }
        } catch (Exception e) {
            started.close();
            throw e;
        }
        return started;
    }

    /**
     * Connections within this JVM.
     *
     * @return thread-safe
     */
    public ConnectionFactory connections() {
        ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory("vm://" + NAME + "?create=false");
        factory.setWatchTopicAdvisories(false);
        return factory;
    }

    /**
     * Messages of a queue that were sent and not yet acknowledged.
     *
     * @param queue its name
     * @return how many
     * @throws Exception as the broker says, if there is no such queue
     */
    public long pending(String queue) throws Exception {
        Destination destination = broker.getDestination(new ActiveMQQueue(queue));
        return destination.getDestinationStatistics().getMessages().getCount();
    }

    @Override
    public void close() {
        try {
            broker.stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            throw new IllegalStateException("the broker does not stop", e);
        }
        broker.waitUntilStopped();
    }
}
