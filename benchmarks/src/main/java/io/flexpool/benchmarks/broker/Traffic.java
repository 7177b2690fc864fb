// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Publishers and consumers of one workload, and what comes through between them. In a chain a forwarder stands between
 * the one publisher and the one consumer, with a queue on either side. For one run; not thread-safe.
 */
final class Traffic {
    private static final String FIRST = ".first";

    private final ConnectionFactory connections;
    private final Workload workload;
    private final boolean chained;
    private final int batch;
    private final String prefix;
    private final int inFlight;
    private final Duration patience;
    private final List<List<Lane>> lanes = new ArrayList<>();
    private volatile boolean ended;

    /**
     * Nothing is connected yet.
     *
     * @param chained whether a forwarder stands between; of one destination only
     * @param batch arrivals of one timed batch; 0 if there are no batches
     * @param prefix of the destinations' names, so that workloads do not meet
     * @param inFlight messages of a publisher that may be on their way to each subscriber
     * @param patience how long to wait for the next message
     */
    Traffic(
            ConnectionFactory connections,
            Workload workload,
            boolean chained,
            int batch,
            String prefix,
            int inFlight,
            Duration patience) {
        this.connections = connections;
        this.workload = workload;
        this.chained = chained;
        this.batch = batch;
        this.prefix = prefix;
        this.patience = patience;
        // A transaction's messages do not arrive before its end.
        this.inFlight = workload.istransacted() ? Math.max(inFlight, 2 * workload.msgpertxn()) : inFlight;
        for (int at = 0; at < workload.numdests(); at++) {
            lanes.add(new ArrayList<>());
        }
    }

    /**
     * What came through.
     *
     * @param sent messages of all publishers
     * @param expected messages that all receivers together were to get
     * @param lost that did not arrive
     * @param doubled arrivals beyond the first
     * @param arrivals when and how fast
     */
    record Delivered(long sent, long expected, long lost, long doubled, Arrivals arrivals) {}

    /** Observes the broker and its store while messages pass. */
    interface Watch {
        /** All are connected and subscribed, and nothing is sent. */
        void begins();

        /**
         * All that comes has come and is committed, and all are still connected and subscribed.
         *
         * @throws Exception if the broker cannot be looked at
         */
        void ends() throws Exception;

        /**
         * No consumer receives any more; subscriptions still exist.
         *
         * @throws Exception if the broker cannot be looked at
         */
        void closed() throws Exception;
    }

    /**
     * Publishes, and waits until all has arrived, or until nothing has arrived for too long.
     *
     * @param text what each message says
     * @param watch is notified of what happens
     * @throws JMSException if the broker refuses something
     * @throws ExecutionException if it does in one of the threads
     * @throws Exception if the watch does
     */
    Delivered run(String text, Watch watch) throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (OpenConnections open = new OpenConnections(connections, prefix)) {
            Arrivals arrivals = new Arrivals(workload.rptintervalsecs(), batch);
            List<Consumer> consumers = consumers(open, arrivals);
            if (chained) {
                consumers.add(forwarder(open));
            }
            List<Publisher> publishers = publishers(open, text, arrivals);
            open.start();
            watch.begins();
            arrivals.begin();
            List<Future<?>> receiving = new ArrayList<>();
            consumers.forEach(consumer -> receiving.add(threads.submit(consumer)));
            Delivered delivered = deliver(threads.invokeAll(publishers), consumers, arrivals);
            watch.ends();
            ended = true;
            for (Future<?> each : receiving) {
                each.get();
            }
            watch.closed();
            for (Consumer consumer : consumers) {
                consumer.unsubscribe();
            }
            return delivered;
        } finally {
            ended = true;
            threads.shutdownNow();
        }
    }

    private List<Consumer> consumers(OpenConnections open, Arrivals arrivals) throws JMSException {
        List<Consumer> consumers = new ArrayList<>();
        for (int at = 0; at < workload.numconnections(); at++) {
            Connection connection = open.another("consumer-" + at);
            for (int session = 0; session < workload.numsessions(); session++) {
                int number = consumers.size();
                int destination = number % workload.numdests();
                Lane lane = lane(destination);
                Consumer.Receipt receipt = message -> {
                    arrivals.arrived(message.getLongProperty(Publisher.SENT));
                    lane.arrived(message.getIntProperty(Publisher.NUMBER));
                };
                consumers.add(
                        new Consumer(workload, connection, name(destination), prefix + number, receipt, () -> ended));
            }
        }
        return consumers;
    }

    /** Sends on what it receives. */
    private Consumer forwarder(OpenConnections open) throws JMSException {
        Connection connection = open.another("forwarder");
        Session session = workload.session(connection);
        MessageProducer producer = workload.producer(session, name(0));
        Consumer.Receipt receipt = message -> Publisher.send(
                producer,
                session.createTextMessage(((TextMessage) message).getText()),
                message.getIntProperty(Publisher.NUMBER),
                message.getLongProperty(Publisher.SENT));
        return new Consumer(workload, connection, name(0) + FIRST, prefix, receipt, () -> ended);
    }

    /** A topic's subscribers get each message, a queue's consumers share them. */
    private Lane lane(int destination) {
        List<Lane> there = lanes.get(destination);
        if (workload.topic() || there.isEmpty()) {
            there.add(new Lane(inFlight, patience));
        }
        return there.get(there.size() - 1);
    }

    private List<Publisher> publishers(OpenConnections open, String text, Arrivals arrivals) throws JMSException {
        long limit = workload.limitSeconds();
        List<Publisher> publishers = new ArrayList<>();
        for (int at = 0; at < workload.numdests(); at++) {
            publishers.add(new Publisher(
                    workload,
                    open.another("publisher-" + at),
                    chained ? name(at) + FIRST : name(at),
                    lanes.get(at),
                    text,
                    () -> limit > 0 && arrivals.after(limit)));
        }
        return publishers;
    }

    private String name(int destination) {
        return prefix + workload.destname() + (workload.numdests() == 1 ? "" : "." + (destination + 1));
    }

    private Delivered deliver(List<Future<Integer>> publishing, List<Consumer> consumers, Arrivals arrivals)
            throws InterruptedException, ExecutionException {
        long sent = 0;
        long expected = 0;
        long lost = 0;
        for (int at = 0; at < publishing.size(); at++) {
            int here = publishing.get(at).get();
            // What the sender of a chain gave up is lost too: its run is of a fixed number.
            int due = chained ? workload.nummessages() : here;
            sent += here;
            for (Lane lane : lanes.get(at)) {
                expected += due;
                lane.awaitEmpty();
                lost += (long) due - lane.different();
            }
        }
        // One that comes twice comes at once.
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        awaitRest(consumers);
        long doubled = lanes.stream()
                .flatMap(List::stream)
                .mapToLong(lane -> lane.doubled())
                .sum();
        return new Delivered(sent, expected, lost, doubled, arrivals);
    }

    /** The last transactions may still be open. */
    private void awaitRest(List<Consumer> consumers) {
        long end = System.nanoTime() + patience.toNanos();
        while (!consumers.stream().allMatch(Consumer::atRest) && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }
}
