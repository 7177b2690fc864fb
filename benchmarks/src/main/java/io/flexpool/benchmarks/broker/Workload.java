// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import org.jspecify.annotations.Nullable;

/**
 * A load, as its properties file describes it. Each destination has one publisher, with its own connection; the
 * consumers are spread over the destinations in turn.
 *
 * @param name the file's name without its ending
 * @param numconnections connections of consumers
 * @param numsessions sessions of each of these connections, with one consumer each
 * @param topic whether the destinations are topics
 * @param destname the destination's name; with several of them the beginning of their names
 * @param numdests destinations
 * @param istransacted whether publishers and consumers work in transactions
 * @param msgpertxn messages of each transaction
 * @param persistent whether messages survive the broker
 * @param msgtype what the messages are
 * @param msgsize bytes of each message's content
 * @param durable whether subscriptions survive their consumer; topics only
 * @param ackmode how messages are acknowledged where there are no transactions
 * @param numrptintervals after how many intervals publishers stop at the latest; 0 for no limit
 * @param rptintervalsecs seconds of an interval, for which a rate is reported
 * @param dowarmup whether some messages come before those that are measured
 * @param nummessages messages of each publisher; 0 for no limit
 */
record Workload(
        String name,
        int numconnections,
        int numsessions,
        boolean topic,
        String destname,
        int numdests,
        boolean istransacted,
        int msgpertxn,
        boolean persistent,
        MessageType msgtype,
        int msgsize,
        boolean durable,
        AckMode ackmode,
        int numrptintervals,
        int rptintervalsecs,
        boolean dowarmup,
        int nummessages) {

    /** What the messages are. */
    enum MessageType {
        /** Text of one byte per character. */
        TEXT,
        /** Bytes. */
        BYTES
    }

    /** How messages are acknowledged where there are no transactions. */
    enum AckMode {
        /** Each separately. */
        AUTO,
        /** Each by the consumer. */
        CLIENT,
        /** Lazily. */
        DUPS_OK
    }

    /** How many consumers there are. */
    int consumers() {
        return numconnections * numsessions;
    }

    /** After how many seconds publishers stop at the latest; 0 for no limit. */
    int limitSeconds() {
        return numrptintervals * rptintervalsecs;
    }

    /** A session as it wants them. */
    Session session(Connection connection) throws JMSException {
        int mode = switch (ackmode) {
            case AUTO -> Session.AUTO_ACKNOWLEDGE;
            case CLIENT -> Session.CLIENT_ACKNOWLEDGE;
            case DUPS_OK -> Session.DUPS_OK_ACKNOWLEDGE;
        };
        return connection.createSession(istransacted, istransacted ? Session.SESSION_TRANSACTED : mode);
    }

    /** Sends to a destination of that name, as durably as it wants. */
    MessageProducer producer(Session session, String called) throws JMSException {
        MessageProducer producer = session.createProducer(destination(session, called));
        producer.setDeliveryMode(persistent ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
        return producer;
    }

    /** A destination of that name. */
    Destination destination(Session session, String called) throws JMSException {
        return topic ? session.createTopic(called) : session.createQueue(called);
    }

    /**
     * The same with other limits.
     *
     * @param messages of each publisher; null for no such limit
     * @param seconds after which publishers stop at the latest; null for no such limit
     * @return this one if neither is given
     */
    Workload limited(@Nullable Integer messages, @Nullable Integer seconds) {
        if (messages == null && seconds == null) {
            return this;
        }
        int most = messages == null ? 0 : messages;
        if (seconds == null) {
            return changed(most, 0, rptintervalsecs, persistent, durable);
        }
        int interval = seconds % rptintervalsecs == 0 ? rptintervalsecs : 1;
        return changed(most, seconds / interval, interval, persistent, durable);
    }

    /** The same without anything that survives the broker. */
    Workload notPersistent() {
        return changed(nummessages, numrptintervals, rptintervalsecs, false, false);
    }

    private Workload changed(int messages, int intervals, int seconds, boolean nowPersistent, boolean nowDurable) {
        return new Workload(
                name,
                numconnections,
                numsessions,
                topic,
                destname,
                numdests,
                istransacted,
                msgpertxn,
                nowPersistent,
                msgtype,
                msgsize,
                nowDurable,
                ackmode,
                intervals,
                seconds,
                dowarmup,
                messages);
    }
}
