// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.adapter.tck.faults.Crowd;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class TcpProxyTest {
    private static final Duration LONG = Duration.ofSeconds(10);

    private EchoServer server;
    private TcpProxy proxy;

    @BeforeEach
    void start() throws IOException {
        server = new EchoServer();
        proxy = TcpProxy.to(server.port());
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        server.close();
    }

    @Test
    void bytesPassBothWaysAndSoDoesTheEndOfTheStream() throws Exception {
        try (Socket client = connect()) {
            assertThat(echo(client, 1)).isEqualTo(1);
            byte[] large = new byte[100_000];
            large[99_999] = 7;
            client.getOutputStream().write(large);
            client.shutdownOutput();
            assertThat(client.getInputStream().readAllBytes()).isEqualTo(large);
        }
        assertThat(Crowd.eventually(LONG, () -> server.open() == 0)).isTrue();
    }

    @Test
    void aServerThatEndsTheConnectionEndsTheClients() throws Exception {
        try (Socket client = connect()) {
            echo(client, 1);
            server.hangUp();
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void aServerThatIsNotThereResetsTheClient() throws Exception {
        // No other process can take a port that is kept deaf.
        LoopbackPort deaf = new LoopbackPort();
        try (TcpProxy before = TcpProxy.to(deaf.number());
                Socket client = new Socket(InetAddress.getLoopbackAddress(), before.port())) {
            client.setSoTimeout((int) LONG.toMillis());
            isReset(client);
            assertThat(Crowd.eventually(LONG, () -> before.open() == 0)).isTrue();
        } finally {
            deaf.letGo();
        }
    }

    @Test
    void onlyLoopbackIsATarget() throws Exception {
        InetAddress elsewhere = InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 1});
        assertThatThrownBy(() -> TcpProxy.to(new InetSocketAddress(elsewhere, 5432)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("192.0.2.1");
        assertThatThrownBy(() -> TcpProxy.to(InetSocketAddress.createUnresolved("localhost", 5432)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be a loopback address");
    }

    @Test
    void aCutResetsOnlyWhatIsOpen() throws Exception {
        try (Socket one = connect();
                Socket two = connect()) {
            echo(one, 1);
            echo(two, 2);
            proxy.cut();
            isReset(one);
            isReset(two);
            assertThat(proxy.open()).isZero();
            try (Socket three = connect()) {
                assertThat(echo(three, 3)).isEqualTo(3);
            }
        }
        assertThat(Crowd.eventually(LONG, () -> server.open() == 0)).isTrue();
    }

    @Test
    void refusingResetsAndRefusesAndKeepsThePort() throws Exception {
        int port = proxy.port();
        for (int time = 0; time < 5; time++) {
            try (Socket client = connect()) {
                echo(client, time);
                proxy.refuse();
                isReset(client);
                assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
                proxy.refuse();
                assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
            }
            proxy.pass();
            assertThat(proxy.port()).isEqualTo(port);
            try (Socket client = connect()) {
                assertThat(echo(client, 42)).isEqualTo(42);
            }
        }
    }

    @Test
    void aDelayHoldsBothDirectionsBack() throws Exception {
        try (Socket client = connect()) {
            echo(client, 1);
            proxy.delay(Duration.ofMillis(100));
            long before = System.nanoTime();
            assertThat(echo(client, 2)).isEqualTo(2);
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(Duration.ofMillis(200));
        }
    }

    @Test
    void aNegativeDelayIsRefused() {
        assertThatThrownBy(() -> proxy.delay(Duration.ofMillis(-1))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theEndOfADelayFreesWhatWasHeldBack() throws Exception {
        try (Socket client = connect()) {
            echo(client, 1);
            proxy.delay(Duration.ofDays(1));
            client.getOutputStream().write(2);
            noAnswer(client);
            proxy.pass();
            assertThat(client.getInputStream().read()).isEqualTo(2);
        }
    }

    @Test
    void aBlackHoleAcceptsEverythingAndAnswersNothing() throws Exception {
        try (Socket old = connect();
                Socket quiet = connect()) {
            echo(old, 1);
            echo(quiet, 2);
            proxy.blackhole();
            try (Socket fresh = connect()) {
                old.getOutputStream().write(3);
                fresh.getOutputStream().write(4);
                noAnswer(old);
                noAnswer(fresh);
                assertThat(server.received()).containsExactly(1, 2);
                proxy.pass();
                isReset(old);
                isReset(fresh);
                assertThat(echo(quiet, 5)).isEqualTo(5);
            }
        }
    }

    @Test
    void aBlackHoleSwallowsWhatTheServerSays() throws Exception {
        try (Socket client = connect()) {
            echo(client, 1);
            proxy.blackhole();
            server.say(9);
            noAnswer(client);
            proxy.pass();
            isReset(client);
        }
    }

    @Test
    void aClientThatLeavesABlackHoleIsNotCounted() throws Exception {
        try (Socket old = connect()) {
            echo(old, 1);
            proxy.blackhole();
            Socket fresh = connect();
            assertThat(Crowd.eventually(LONG, () -> proxy.open() == 2)).isTrue();
            fresh.close();
            assertThat(Crowd.eventually(LONG, () -> proxy.open() == 1)).isTrue();
        }
        assertThat(Crowd.eventually(LONG, () -> proxy.open() == 0)).isTrue();
        assertThat(Crowd.eventually(LONG, () -> server.open() == 0)).isTrue();
    }

    @Test
    void aDisconnectedClientIsNotCounted() throws Exception {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket slow = new ServerSocket(0, 50, loopback);
                TcpProxy before = TcpProxy.to(slow.getLocalPort())) {
            // One after the other: the proxy connects in threads of its own, in any order.
            Socket client = new Socket(loopback, before.port());
            try (client;
                    Socket one = slow.accept()) {
                Socket halfClosed = new Socket(loopback, before.port());
                try (halfClosed;
                        Socket two = slow.accept()) {
                    assertThat(before.open()).isEqualTo(2);
                    client.close();
                    assertThat(Crowd.eventually(LONG, () -> before.open() == 1))
                            .as("the server has not even read the end of the requests")
                            .isTrue();
                    assertThat(Crowd.eventually(LONG, () -> isOver(one)))
                            .as("an answer without a client ends the connection to the server")
                            .isTrue();
                    before.halfClose();
                    halfClosed.close();
                    assertThat(Crowd.eventually(LONG, () -> isOver(two)))
                            .as("also after a half-close")
                            .isTrue();
                    assertThat(before.open()).isZero();
                }
            }
        }
    }

    /** Whether what is written to the proxy no longer arrives. */
    private static boolean isOver(Socket server) {
        try {
            server.getOutputStream().write(3);
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void flappingRefusesAndPassesInTurnUntilItEnds() throws Exception {
        proxy.flap(Duration.ofMillis(30));
        assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
        for (int time = 0; time < 5; time++) {
            assertThat(Crowd.eventually(LONG, () -> connects())).isTrue();
            assertThat(Crowd.eventually(LONG, () -> !connects())).isTrue();
        }
        // While it passes a connection may live; the next turn resets it.
        try (Socket client = patientlyConnected()) {
            isReset(client);
        }
        proxy.pass();
        try (Socket client = connect()) {
            echo(client, 1);
            assertThat(Crowd.eventually(Duration.ofMillis(200), () -> proxy.open() != 1))
                    .isFalse();
        }
        assertThatThrownBy(() -> proxy.flap(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aHalfCloseEndsTheAnswersAndLetsTheRequestsThrough() throws Exception {
        try (Socket client = connect()) {
            echo(client, 1);
            proxy.halfClose();
            assertThat(client.getInputStream().read()).isEqualTo(-1);
            client.getOutputStream().write(2);
            assertThat(Crowd.eventually(LONG, () -> server.received().contains(2)))
                    .isTrue();
            client.getOutputStream().write(3);
            assertThat(Crowd.eventually(LONG, () -> server.received().contains(3)))
                    .as("the server's answer without a client does not end the direction to it")
                    .isTrue();
            assertThat(proxy.open()).as("it is of no use any more").isZero();
            try (Socket another = connect()) {
                assertThat(echo(another, 4)).isEqualTo(4);
                assertThat(proxy.open()).isOne();
            }
        }
        assertThat(Crowd.eventually(LONG, () -> server.open() == 0)).isTrue();
    }

    @Test
    void countsWhatIsOpen() throws Exception {
        try (Socket one = connect();
                Socket two = connect()) {
            echo(one, 1);
            echo(two, 2);
            assertThat(proxy.open()).isEqualTo(2);
        }
        assertThat(Crowd.eventually(LONG, () -> proxy.open() == 0)).isTrue();
    }

    @Test
    void countsTheMostThatWereOpen() throws Exception {
        openTwoThenOne();
        assertThat(proxy.peak()).isEqualTo(2);
    }

    @Test
    void countsAllThatWereOpen() throws Exception {
        openTwoThenOne();
        assertThat(proxy.accepted()).isEqualTo(3);
    }

    private void openTwoThenOne() throws Exception {
        try (Socket one = connect();
                Socket two = connect()) {
            echo(one, 1);
            echo(two, 2);
        }
        assertThat(Crowd.eventually(LONG, () -> proxy.open() == 0)).isTrue();
        try (Socket three = connect()) {
            echo(three, 3);
            assertThat(proxy.open()).isOne();
        }
    }

    @Test
    void closingResetsEverythingAndLeavesNoThread() throws Exception {
        String prefix = "tcp-proxy-" + proxy.port() + "-";
        try (Socket client = connect()) {
            echo(client, 1);
            proxy.delay(Duration.ofDays(1));
            client.getOutputStream().write(2);
            noAnswer(client);
            proxy.flap(Duration.ofMillis(20));
            assertThat(threads(prefix)).isPositive();
            proxy.close();
            proxy.close();
            isReset(client);
        }
        assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
        assertThatThrownBy(proxy::pass).isInstanceOf(IllegalStateException.class);
        assertThat(Crowd.eventually(LONG, () -> threads(prefix) == 0)).isTrue();
    }

    private static long threads(String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(prefix))
                .peek(thread -> assertThat(thread.isDaemon()).isTrue())
                .count();
    }

    private Socket connect() throws IOException {
        Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
        client.setSoTimeout((int) LONG.toMillis());
        return client;
    }

    private boolean connects() {
        try (Socket client = connect()) {
            return echo(client, 1) == 1;
        } catch (IOException e) {
            return false;
        }
    }

    private Socket patientlyConnected() throws IOException {
        while (true) {
            try {
                return connect();
            } catch (ConnectException refused) {
                Thread.onSpinWait();
            }
        }
    }

    private static int echo(Socket client, int sent) throws IOException {
        client.getOutputStream().write(sent);
        return client.getInputStream().read();
    }

    private static void noAnswer(Socket client) throws IOException {
        client.setSoTimeout(150);
        assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        client.setSoTimeout((int) LONG.toMillis());
    }

    /** A reset, not the end of a stream: the difference is what a driver sees. */
    private static void isReset(Socket client) {
        assertThatThrownBy(() -> client.getInputStream().read()).isExactlyInstanceOf(SocketException.class);
    }
}
