// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;

/** Sends numbered messages to a destination. Used by one thread. */
final class Publisher implements Callable<Integer> {
    static final String NUMBER = "number";
    static final String SENT = "sent";

    private final Workload workload;
    private final Session session;
    private final MessageProducer producer;
    private final List<Lane> lanes;
    private final String text;
    private final BooleanSupplier end;

    /**
     * Sends nothing yet.
     *
     * @param lanes to all who are to get the messages
     * @param text what each message says; ASCII
     * @param end whether to stop early
     * @throws JMSException if the broker refuses it
     */
    Publisher(
            Workload workload,
            Connection connection,
            String destination,
            List<Lane> lanes,
            String text,
            BooleanSupplier end)
            throws JMSException {
        this.workload = workload;
        this.session = workload.session(connection);
        this.producer = workload.producer(session, destination);
        this.lanes = lanes;
        this.text = text;
        this.end = end;
    }

    /**
     * Sends all, each when there is room for it.
     *
     * @return how many were sent; fewer than wanted if those before did not arrive
     */
    @Override
    public Integer call() throws JMSException, InterruptedException {
        int limit = workload.nummessages() == 0 ? Integer.MAX_VALUE : workload.nummessages();
        int sent = 0;
        while (sent < limit && !end.getAsBoolean() && awaitRoom()) {
            send(producer, message(), sent, System.nanoTime());
            sent++;
            if (workload.istransacted() && sent % workload.msgpertxn() == 0) {
                session.commit();
            }
        }
        if (workload.istransacted() && sent % workload.msgpertxn() != 0) {
            session.commit();
        }
        return sent;
    }

    /** Sends a message with its number and the time at which it was first sent. */
    static void send(MessageProducer producer, Message message, int number, long sentNanos) throws JMSException {
        message.setIntProperty(NUMBER, number);
        message.setLongProperty(SENT, sentNanos);
        producer.send(message);
    }

    private boolean awaitRoom() throws InterruptedException {
        for (Lane lane : lanes) {
            if (!lane.awaitRoom()) {
                return false;
            }
        }
        return true;
    }

    private Message message() throws JMSException {
        if (workload.msgtype() == Workload.MessageType.TEXT) {
            return session.createTextMessage(text);
        }
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
        return message;
    }
}
