// SPDX-License-Identifier: Apache-2.0
package io.flexpool.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.flexpool.diagnostics.OpenLease.OtherWork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Of real threads where the JDK suffices; of clients that are no dependency here by the frames that their calls have. */
@Timeout(300)
class OtherWorkTest {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    /** Whether a thread that does this is found to do the work within a while. */
    private static void assertDoes(OtherWork expected, Callable<?> work) {
        Thread thread = new Thread(new FutureTask<>(work), "works");
        thread.setDaemon(true);
        thread.start();
        try {
            await().atMost(Duration.ofMinutes(5)).untilAsserted(() -> {
                StackTraceElement[] stack = thread.getStackTrace();
                assertThat(OtherWork.of(thread.getState(), stack))
                        .as(() -> String.join("\n", Arrays.toString(stack).split(", ")))
                        .isEqualTo(expected);
            });
        } finally {
            thread.interrupt();
        }
    }

    @Test
    void aThreadThatSleepsOrWaitsIsSeenToDoSo() {
        assertDoes(OtherWork.SLEEP, () -> {
            TimeUnit.SECONDS.sleep(30);
            return null;
        });
        assertDoes(OtherWork.OTHER_THREAD, () -> new CompletableFuture<String>().get());
        assertDoes(OtherWork.OTHER_THREAD, () -> new FutureTask<>(() -> "none").get());
        assertDoes(OtherWork.OTHER_THREAD, () -> new LinkedBlockingQueue<>().take());
        assertDoes(OtherWork.OTHER_THREAD, () -> {
            new CountDownLatch(1).await();
            return null;
        });
    }

    @Test
    @SuppressWarnings("LockNotBeforeTry") // held for the other thread to wait
    void aThreadThatNeedsAnothersLockIsSeenToWaitForIt() {
        ReentrantLock lock = new ReentrantLock();
        Object monitor = new Object();
        lock.lock();
        try {
            assertDoes(OtherWork.LOCK, () -> {
                lock.lockInterruptibly();
                return null;
            });
            assertDoes(OtherWork.LOCK, () -> {
                new Semaphore(0).acquire();
                return null;
            });
        } finally {
            lock.unlock();
        }
        synchronized (monitor) {
            assertDoes(OtherWork.LOCK, () -> {
                synchronized (monitor) {
                    return null;
                }
            });
        }
    }

    @Test
    void aThreadThatRunsComputes() {
        assertDoes(OtherWork.CPU, () -> {
            double sum = 0;
            while (!Thread.currentThread().isInterrupted()) {
                sum += Math.sqrt(sum + 2);
            }
            return sum;
        });
    }

    @Test
    void bothHttpClientsOfTheJdkAreRecognisedWhileTheServerDoesNotAnswer() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 5, LOOPBACK)) {
            URI address = URI.create("http://" + LOOPBACK.getHostAddress() + ":" + silent.getLocalPort() + "/");
            assertDoes(
                    OtherWork.HTTP_CALL,
                    () -> HttpClient.newHttpClient()
                            .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString()));
            assertDoes(OtherWork.HTTP_CALL, () -> address.toURL().openStream());
        }
    }

    @Test
    void aSocketOfNoKnownClientIsTheNetwork() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, LOOPBACK);
                Socket socket = new Socket(LOOPBACK, silent.getLocalPort())) {
            assertDoes(OtherWork.NETWORK, () -> {
                try {
                    return socket.getInputStream().read();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }

    private static StackTraceElement[] stack(String frames) {
        return Arrays.stream(frames.split(" "))
                .map(frame -> {
                    int method = frame.lastIndexOf('.');
                    String type = frame.substring(0, method);
                    return new StackTraceElement(
                            type, frame.substring(method + 1), type.substring(type.lastIndexOf('.') + 1) + ".java", 7);
                })
                .toArray(StackTraceElement[]::new);
    }

    /** From the top of the stack, without the application's frames, which follow. */
    @ParameterizedTest
    @CsvSource({
        "HTTP_CALL, org.apache.http.impl.execchain.MainClientExec.execute org.apache.http.impl.client.CloseableHttpClient.execute",
        "HTTP_CALL, org.apache.hc.client5.http.impl.classic.InternalHttpClient.doExecute",
        "HTTP_CALL, okio.Okio$1.read okhttp3.internal.http1.Http1ExchangeCodec.readResponseHeaders okhttp3.RealCall.execute",
        "HTTP_CALL, java.util.concurrent.CompletableFuture.get org.eclipse.jetty.client.HttpRequest.send",
        "HTTP_CALL, sun.nio.ch.NioSocketImpl.read sun.net.www.protocol.http.HttpURLConnection.getInputStream org.springframework.http.client.SimpleClientHttpRequest.executeInternal org.springframework.web.client.RestTemplate.doExecute",
        "HTTP_CALL, jdk.internal.net.http.HttpClientImpl.send feign.http2client.Http2Client.execute jdk.proxy2.$Proxy90.charge",
        "OTHER_THREAD, java.util.concurrent.CountDownLatch.await reactor.core.publisher.BlockingSingleSubscriber.blockingGet reactor.core.publisher.Mono.block",
        "OBJECT_STORE, org.apache.http.impl.client.CloseableHttpClient.execute software.amazon.awssdk.http.apache.ApacheHttpClient.execute software.amazon.awssdk.services.s3.DefaultS3Client.putObject",
        "OBJECT_STORE, okhttp3.RealCall.execute io.minio.S3Base.execute io.minio.MinioClient.putObject",
        "OBJECT_STORE, sun.net.www.protocol.http.HttpURLConnection.getInputStream com.google.api.client.http.javanet.NetHttpResponse.<init> com.google.cloud.storage.StorageImpl.create",
        "OBJECT_STORE, reactor.core.publisher.BlockingMonoSubscriber.blockingGet com.azure.storage.blob.BlobClient.upload",
        "REMOTE_CALL, org.apache.http.impl.client.CloseableHttpClient.execute software.amazon.awssdk.services.kms.DefaultKmsClient.decrypt",
        "REMOTE_CALL, java.util.concurrent.locks.LockSupport.park io.grpc.stub.ClientCalls.blockingUnaryCall",
        "MESSAGE_BROKER, java.lang.Object.wait org.apache.kafka.clients.producer.KafkaProducer.waitOnMetadata org.apache.kafka.clients.producer.KafkaProducer.send org.springframework.kafka.core.KafkaTemplate.doSend",
        "MESSAGE_BROKER, com.rabbitmq.client.impl.ChannelN.waitForConfirms org.springframework.amqp.rabbit.core.RabbitTemplate.invoke",
        "MESSAGE_BROKER, org.apache.activemq.ActiveMQConnection.syncSendPacket org.springframework.jms.core.JmsTemplate.doSend",
        "MESSAGE_BROKER, software.amazon.awssdk.services.sqs.DefaultSqsClient.sendMessage",
        "MAIL, java.net.SocketInputStream.read com.sun.mail.smtp.SMTPTransport.sendMessage org.springframework.mail.javamail.JavaMailSenderImpl.doSend",
        "DATA_STORE, java.net.SocketInputStream.read redis.clients.jedis.Connection.readProtocolWithCheckingBroken",
        "DATA_STORE, sun.nio.ch.NioSocketImpl.read org.postgresql.core.v3.QueryExecutorImpl.execute org.postgresql.jdbc.PgStatement.execute",
    })
    void theClientThatTheApplicationCallsNamesTheWork(OtherWork expected, String frames) {
        StackTraceElement[] stack = stack(frames + " com.acme.OrderService.place org.apache.coyote.Processor.process");
        assertThat(OtherWork.of(Thread.State.RUNNABLE, stack)).isEqualTo(expected);
        assertThat(OtherWork.caller(stack)).hasToString("com.acme.OrderService.place(OrderService.java:7)");
    }

    /** A listener of a broker is called by the broker's client, and works for itself. */
    @ParameterizedTest
    @CsvSource({
        "CPU, com.acme.Listener.on com.rabbitmq.client.impl.ConsumerDispatcher$5.run",
        "SLEEP, java.lang.Thread.sleep com.acme.Listener.on org.apache.activemq.ActiveMQMessageConsumer.dispatch",
        "SLEEP, java.lang.Thread.sleep com.acme.Retry.intercept okhttp3.RealCall.execute com.acme.Payments.charge",
        "CPU, java.util.HashMap.get com.acme.Payments.charge io.grpc.stub.ServerCalls.invoke",
    })
    void whatCallsTheApplicationDoesNotCount(OtherWork expected, String frames) {
        assertThat(OtherWork.of(Thread.State.RUNNABLE, stack(frames))).isEqualTo(expected);
    }

    @Test
    void aCallOfAConnectionIsNoOtherWork() {
        StackTraceElement[] stack = stack("sun.nio.ch.NioSocketImpl.read org.postgresql.jdbc.PgStatement.execute"
                + " io.flexpool.internal.jdbc.LeasedStatement.execute com.acme.OrderService.place");
        assertThat(OtherWork.of(Thread.State.RUNNABLE, stack)).isNull();
        assertThat(OtherWork.of(Thread.State.TERMINATED, new StackTraceElement[0]))
                .isNull();
        assertThat(OtherWork.of(
                        Thread.State.WAITING, stack("java.util.concurrent.locks.LockSupport.park com.acme.Own.await")))
                .isNull();
    }
}
