// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.persistence;

import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Takes messages from a destination until it is told to end. Used by one thread. */
final class Consumer implements Callable<@Nullable Void> {
    private static final long LOOK_MILLIS = 50;

    private final Workload workload;
    private final Session session;
    private final MessageConsumer consumer;
    private final @Nullable String subscription;
    private final Lane lane;
    private final Arrivals arrivals;
    private final BooleanSupplier end;
    private int open;

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
            Lane lane,
            Arrivals arrivals,
            BooleanSupplier end)
            throws JMSException {
        this.workload = workload;
        this.session = session(workload, connection);
        Destination from = destination(workload, session, destination);
        this.subscription = workload.durable() ? name : null;
        this.consumer = subscription == null
                ? session.createConsumer(from)
                : session.createDurableSubscriber((Topic) from, subscription);
        this.lane = lane;
        this.arrivals = arrivals;
        this.end = end;
    }

    static Session session(Workload workload, Connection connection) throws JMSException {
        int mode = switch (workload.ackmode()) {
            case AUTO -> Session.AUTO_ACKNOWLEDGE;
            case CLIENT -> Session.CLIENT_ACKNOWLEDGE;
            case DUPS_OK -> Session.DUPS_OK_ACKNOWLEDGE;
        };
        return connection.createSession(
                workload.istransacted(), workload.istransacted() ? Session.SESSION_TRANSACTED : mode);
    }

    static Destination destination(Workload workload, Session session, String name) throws JMSException {
        return workload.topic() ? session.createTopic(name) : session.createQueue(name);
    }

    @Override
    public @Nullable Void call() throws JMSException {
        while (!end.getAsBoolean()) {
            Message message = consumer.receive(LOOK_MILLIS);
            if (message != null) {
                take(message);
            } else {
                commit();
            }
        }
        commit();
        consumer.close();
        if (subscription != null) {
            session.unsubscribe(subscription);
        }
        session.close();
        return null;
    }

    private void take(Message message) throws JMSException {
        arrivals.arrived(message.getLongProperty(Publisher.SENT));
        lane.arrived(message.getIntProperty(Publisher.NUMBER));
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
