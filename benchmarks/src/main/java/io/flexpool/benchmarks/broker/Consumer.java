// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Takes messages from a destination until it is stopped. Used by one thread. */
final class Consumer implements Callable<@Nullable Void> {
    private static final long LOOK_MILLIS = 50;

    private final Workload workload;
    private final Session session;
    private final MessageConsumer consumer;
    private final @Nullable String subscription;
    private final Receipt receipt;
    private final BooleanSupplier end;
    private int open;
    private volatile boolean atRest = true;

    /** What happens to a message before it is acknowledged. */
    interface Receipt {
        /** Called by the consumer's thread. */
        void received(Message message) throws JMSException;
    }

    /**
     * Subscribes.
     *
     * @param connection with a client ID, if the subscription is durable
     * @param name of the subscription
     * @throws JMSException if the broker refuses it
     */
    Consumer(
            Workload workload,
            Connection connection,
            String destination,
            String name,
            Receipt receipt,
            BooleanSupplier end)
            throws JMSException {
        this.workload = workload;
        this.session = workload.session(connection);
        this.subscription = workload.durable() ? name : null;
        this.consumer = subscription == null
                ? session.createConsumer(workload.destination(session, destination))
                : session.createDurableSubscriber((Topic) workload.destination(session, destination), subscription);
        this.receipt = receipt;
        this.end = end;
    }

    @Override
    public @Nullable Void call() throws JMSException {
        while (!end.getAsBoolean()) {
            Message message = consumer.receive(LOOK_MILLIS);
            if (message != null) {
                take(message);
            } else {
                commit();
                atRest = true;
            }
        }
        commit();
        consumer.close();
        return null;
    }

    /** Whether nothing has come for a moment, and what came before is committed. */
    boolean atRest() {
        return atRest;
    }

    /** Gives the subscription up, once {@link #call} has ended. */
    void unsubscribe() throws JMSException {
        if (subscription != null) {
            session.unsubscribe(subscription);
        }
        session.close();
    }

    private void take(Message message) throws JMSException {
        // Before its arrival becomes visible.
        atRest = false;
        receipt.received(message);
        open++;
        if (!workload.istransacted() && workload.ackmode() == Workload.AckMode.CLIENT) {
            message.acknowledge();
        }
        if (open == workload.msgpertxn()) {
            commit();
        }
    }

    private void commit() throws JMSException {
        if (workload.istransacted() && open > 0) {
            session.commit();
        }
        open = 0;
    }
}
