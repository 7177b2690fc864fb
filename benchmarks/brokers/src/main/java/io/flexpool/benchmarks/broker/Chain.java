// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import io.flexpool.benchmarks.messaging.Lane;
import io.flexpool.benchmarks.messaging.MessageText;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Numbered messages from a sender through queue 1 to a forwarder, through queue 2 to a receiver. Each of the three has a
 * connection and a thread of its own, and each message is acknowledged by itself. Not thread-safe; for one run.
 */
final class Chain {
    static final String QUEUE_1 = "queue.1";
    static final String QUEUE_2 = "queue.2";

    private static final String NUMBER = "number";
    private static final double NANOS_PER_SECOND = 1e9;

    private final ConnectionFactory connections;
    private final Lane lane;
    private final AtomicReference<@Nullable JMSException> failure = new AtomicReference<>();
    /** Written by the receiver's thread only, read when all have arrived. */
    private final long[] batchEnds;

    private final int messages;
    private final int batch;
    private int arrived;
    private long lastNanos;

    /**
     * Nothing is sent yet.
     *
     * @param connections to the broker
     * @param messages how many
     * @param batch messages of one timed batch
     * @param inFlight how many may be on their way at once: a sender far ahead would fill the broker's memory, and the
     *     broker would then read messages from its store that it has just written
     * @param patience how long to wait for the next message
     */
    Chain(ConnectionFactory connections, int messages, int batch, int inFlight, Duration patience) {
        this.connections = connections;
        this.messages = messages;
        this.batch = batch;
        this.lane = new Lane(inFlight, patience);
        this.batchEnds = new long[messages / batch];
    }

    /**
     * What came through.
     *
     * @param seconds until the last
     * @param batchSeconds how long each batch took
     * @param lost that did not arrive
     * @param doubled arrivals beyond the first
     */
    record Passed(double seconds, List<Double> batchSeconds, long lost, long doubled) {}

    /**
     * Sends all and waits until they have arrived, or until none has arrived for too long.
     *
     * @param payload bytes of each message's text
     * @param random the text
     * @return what came through
     * @throws JMSException if the broker refuses something
     */
    Passed run(int payload, Random random) throws JMSException, InterruptedException {
        String text = MessageText.of(payload, random);
        long start = System.nanoTime();
        boolean stuck;
        try (Connection receiving = connections.createConnection();
                Connection forwarding = connections.createConnection();
                Connection sending = connections.createConnection()) {
            receive(receiving);
            forward(forwarding);
            start = System.nanoTime();
            stuck = !send(sending, text) || !lane.awaitEmpty();
            // One that comes twice comes at once.
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
        JMSException failed = failure.get();
        if (failed != null) {
            throw failed;
        }
        long lost = (long) messages - lane.ledger().different();
        long end = stuck || lost > 0 ? System.nanoTime() : lastNanos;
        return new Passed(
                (end - start) / NANOS_PER_SECOND,
                batchSeconds(start),
                lost,
                lane.ledger().doubled());
    }

    private boolean send(Connection connection, String text) throws JMSException, InterruptedException {
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        MessageProducer producer = session.createProducer(session.createQueue(QUEUE_1));
        producer.setDeliveryMode(DeliveryMode.PERSISTENT);
        for (int number = 0; number < messages; number++) {
            if (!lane.awaitRoom()) {
                return false;
            }
            TextMessage message = session.createTextMessage(text);
            message.setIntProperty(NUMBER, number);
            producer.send(message);
        }
        return true;
    }

    private void forward(Connection connection) throws JMSException {
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        MessageProducer producer = session.createProducer(session.createQueue(QUEUE_2));
        producer.setDeliveryMode(DeliveryMode.PERSISTENT);
        session.createConsumer(session.createQueue(QUEUE_1)).setMessageListener(message -> {
            try {
                TextMessage copy = session.createTextMessage(((TextMessage) message).getText());
                copy.setIntProperty(NUMBER, message.getIntProperty(NUMBER));
                producer.send(copy);
            } catch (JMSException e) {
                failure.compareAndSet(null, e);
            }
        });
        connection.start();
    }

    private void receive(Connection connection) throws JMSException {
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        session.createConsumer(session.createQueue(QUEUE_2)).setMessageListener(message -> {
            try {
                arrive(message);
            } catch (JMSException e) {
                failure.compareAndSet(null, e);
            }
        });
        connection.start();
    }

    private void arrive(Message message) throws JMSException {
        int number = message.getIntProperty(NUMBER);
        if (lane.ledger().seen(number)) {
            lane.arrived(number);
            return;
        }
        arrived++;
        lastNanos = System.nanoTime();
        if (arrived % batch == 0) {
            batchEnds[arrived / batch - 1] = lastNanos;
        }
        // Last, because it makes what was written here visible to the thread that waits for all.
        lane.arrived(number);
    }

    private List<Double> batchSeconds(long start) {
        List<Double> seconds = new ArrayList<>();
        long before = start;
        for (long end : batchEnds) {
            if (end == 0) {
                break;
            }
            seconds.add((end - before) / NANOS_PER_SECOND);
            before = end;
        }
        return seconds;
    }
}
