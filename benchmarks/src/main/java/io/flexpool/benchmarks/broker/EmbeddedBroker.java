// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import jakarta.jms.ConnectionFactory;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.apache.activemq.broker.BrokerService;
import org.apache.activemq.broker.region.Destination;
import org.apache.activemq.command.SubscriptionInfo;
import org.apache.activemq.store.TopicMessageStore;

/** A broker in this JVM that no other process can reach: no network, no JMX. Not thread-safe. */
final class EmbeddedBroker implements AutoCloseable {
    private static final String NAME = "benchmark";
    /** More than any scenario leaves lying; the broker warns of limits above what the disk has. */
    private static final long STORE_BYTES = 4L << 30;

    private static final long TEMP_BYTES = 64L << 20;
    /** A sender that finds no room waits no longer; without a limit it waits for ever, and so would the run. */
    private static final long NO_ROOM_MILLIS = TimeUnit.SECONDS.toMillis(60);

    private static final long ACKNOWLEDGED_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final BrokerService broker;

    private EmbeddedBroker(BrokerService broker) {
        this.broker = broker;
    }

    /**
     * Starts it. One at a time in a JVM.
     *
     * @param store keeps its messages
     * @param folder for what else it writes
     */
    static EmbeddedBroker start(OpenStore store, Path folder) throws Exception {
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
        broker.getSystemUsage().setSendFailIfNoSpaceAfterTimeout(NO_ROOM_MILLIS);
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
     * Connections within this JVM. They hand on a message that is delivered twice, so that it can be counted; by default
     * they would put it aside. Thread-safe.
     */
    ConnectionFactory connections() {
        ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory("vm://" + NAME + "?create=false");
        factory.setWatchTopicAdvisories(false);
        factory.setCheckForDuplicates(false);
        return factory;
    }

    /**
     * Messages that were sent and not acknowledged for good: in any queue, the broker's own for those that it could not
     * deliver among them, or for a durable subscription.
     */
    long left() throws Exception {
        long left = 0;
        for (Destination destination : broker.getBroker().getDestinationMap().values()) {
            if (destination.getActiveMQDestination().isQueue()) {
                left += destination.getDestinationStatistics().getMessages().getCount();
            } else if (destination.getMessageStore() instanceof TopicMessageStore store) {
                for (SubscriptionInfo each : store.getAllSubscriptions()) {
                    left += store.getMessageCount(each.getClientId(), each.getSubscriptionName());
                }
            }
        }
        return left;
    }

    /** Waits some time until nothing is left, because the last acknowledgements may be on their way; returns the rest. */
    long awaitNothingLeft() throws Exception {
        long end = System.nanoTime() + ACKNOWLEDGED_NANOS;
        long left = left();
        while (left > 0 && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            left = left();
        }
        return left;
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
