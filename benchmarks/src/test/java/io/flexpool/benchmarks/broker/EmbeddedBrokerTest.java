// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.nio.file.Path;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedBrokerTest {
    @TempDir
    Path folder;

    /** What happens in a session. */
    private interface Work {
        void in(Session session) throws JMSException;
    }

    private static void with(EmbeddedBroker broker, Work work) throws JMSException {
        try (Connection connection = broker.connections().createConnection()) {
            connection.setClientID("test");
            connection.start();
            work.in(connection.createSession(false, Session.AUTO_ACKNOWLEDGE));
        }
    }

    private static void send(Session session, Destination to) throws JMSException {
        session.createProducer(to).send(session.createTextMessage("text"));
    }

    @Test
    void messagesInAnyQueueCountAsLeft() throws Exception {
        try (OpenStore store = OpenStore.kahaDb(folder);
                EmbeddedBroker broker = EmbeddedBroker.start(store, folder)) {
            assertThat(broker.left()).isZero();
            with(broker, session -> send(session, session.createQueue("orders")));
            assertThat(broker.left()).isEqualTo(1);
            with(broker, session -> send(session, session.createQueue("ActiveMQ.DLQ")));
            assertThat(broker.left()).isEqualTo(2);
        }
    }

    @Test
    void whatADurableSubscriberHasNotReceivedIsLeft() throws Exception {
        try (OpenStore store = OpenStore.kahaDb(folder);
                EmbeddedBroker broker = EmbeddedBroker.start(store, folder)) {
            with(broker, session -> {
                Topic topic = session.createTopic("news");
                session.createDurableSubscriber(topic, "reader").close();
                send(session, topic);
                send(session, topic);
            });
            assertThat(broker.left()).isEqualTo(2);
            with(broker, session -> session.unsubscribe("reader"));
            assertThat(broker.left()).isZero();
        }
    }

    @Test
    void clientsDoNotPutDuplicatesAside() throws Exception {
        try (OpenStore store = OpenStore.none();
                EmbeddedBroker broker = EmbeddedBroker.start(store, folder)) {
            assertThat(((ActiveMQConnectionFactory) broker.connections()).isCheckForDuplicates())
                    .isFalse();
        }
    }
}
