// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.timeout;
import static org.mockito.Mockito.verify;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a query may cost: one that hangs, fails or is not needed any more, and a connect that hangs. */
@Timeout(300)
class HangingQueryTest extends ServerViewCase {
    @Nested
    class WhatALookMayCost {
        @Test
        void aLookThatHangsIsGivenUpAndNoOtherBegins() {
            hang();
            assertThat(found(view.failed(true)).missing()).isEqualTo("it did not answer within 200 ms");
            part.ticker.advance(SECOND);
            assertThat(found(view.failed(true)).missing()).isEqualTo("it did not answer within 200 ms");
            assertThat(FakeServer.LOOKS).hasSize(1);
        }

        @Test
        void whatItHangsOnIsBrokenOffAfterFiveSeconds() throws Exception {
            hang();
            view.failed(true);
            part.ticker.advance(Duration.ofMillis(4_999));
            view.tick(part.ticker.nanos(), false, false);
            verify(own, never()).abort(any());
            part.ticker.advance(Duration.ofMillis(1));
            view.tick(part.ticker.nanos(), false, false);
            verify(own, timeout(10_000)).abort(any());
            assertThat(view.trouble(part.ticker.nanos()))
                    .contains("the query of the database server has not returned for 5000 ms");
        }

        @Test
        void theEndDoesNotWaitForALookThatHangs() throws Exception {
            hang();
            view.failed(true);
            view.close();
            verify(own, timeout(10_000)).abort(any());
            verify(own, never()).close();
        }

        @Test
        void aRefusalIsSaidAndTheNextLookHasANewConnection() throws Exception {
            FakeServer.answers((connection, sessions) -> {
                throw new SQLException("no", "57014");
            });
            assertThat(found(failed()).missing())
                    .isEqualTo("it refused or could not be reached in time (SQLException, SQLState 57014)");
            verify(own).close();
            later();
            assertThat(connects).hasValue(2);
            assertThat(part.errors.get()).isZero();
        }

        @Test
        void aBrokenModuleLosesNothing() {
            FakeServer.answers((connection, sessions) -> {
                throw new IllegalStateException("broken");
            });
            assertThat(found(failed()).missing()).isEqualTo("the query failed");
            assertThat(part.errors.get()).isEqualTo(1);
        }

        /** Without memory too: the query ended, its thread died with a trace on the console, and nothing else reported it. */
        @Test
        void aLookWithoutMemoryIsATroubleUntilTheNextOne() {
            FakeServer.answers((connection, sessions) -> {
                throw new OutOfMemoryError("once");
            });
            assertThat(found(failed()).missing()).isEqualTo("the query failed");
            assertThat(part.errors.get()).isEqualTo(1);
            assertThat(view.trouble(part.ticker.nanos()))
                    .isEqualTo("the query of the server threw java.lang.OutOfMemoryError");
            awaitFreeThreads();
            FakeServer.says(FakeServer.idleInTransaction(11, true));
            assertThat(found(later()).snapshot()).isNotNull();
            assertThat(connects).as("a new one, for the other may be half read").hasValue(2);
            assertThat(view.trouble(part.ticker.nanos())).isNull();
        }

        @Test
        void theConnectionIsClosedAfterAMinuteWithoutAQuery() throws Exception {
            failed();
            part.ticker.advance(Duration.ofMillis(59_999));
            view.tick(part.ticker.nanos(), false, false);
            verify(own, never()).close();
            part.ticker.advance(Duration.ofMillis(1));
            view.tick(part.ticker.nanos(), false, false);
            verify(own, timeout(10_000)).close();
        }

        @Test
        void theConnectionIsClosedWithThePool() throws Exception {
            failed();
            view.close();
            verify(own, timeout(10_000)).close();
            assertThat(failed()).isNull();
        }
    }

    /** The server accepts the connection and never answers, as one does whose machine has stopped. */
    @Nested
    class WhenItDoesNotConnect {
        private ServerSocket silent;

        @BeforeEach
        void listen() throws IOException {
            silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            part.fake.connect = () -> {
                connects.incrementAndGet();
                try (Socket socket = new Socket(silent.getInetAddress(), silent.getLocalPort())) {
                    // Blocks until the server answers or closes, whatever happens to the thread, as drivers do.
                    socket.getInputStream().read();
                } catch (IOException e) {
                    throw new SQLException("reset", "08006", e);
                }
                return own;
            };
        }

        @AfterEach
        void stopListening() throws IOException {
            silent.close();
        }

        private void aRequestFails() {
            assertThat(found(view.failed(true)).missing()).isEqualTo("it did not answer within 200 ms");
        }

        private Socket accept() throws IOException {
            aRequestFails();
            return silent.accept();
        }

        @Test
        void itIsGivenUpAfterFiveSecondsAndNoOtherBegins() throws Exception {
            try (Socket accepted = accept()) {
                assertThat(accepted.isConnected()).isTrue();
                part.ticker.advance(Duration.ofSeconds(5));
                view.tick(part.ticker.nanos(), true, false);
                aRequestFails();
                assertThat(connects).hasValue(1);
                String words = "the connection to the database server has not returned for 5000 ms";
                assertThat(view.trouble(part.ticker.nanos())).isEqualTo(words);
                assertThat(log.list)
                        .extracting(ILoggingEvent::getFormattedMessage)
                        .containsOnlyOnce("part: " + words);
            }
        }

        @Test
        void aConnectionThatIsMadeTooLateIsClosed() throws Exception {
            try (Socket accepted = accept()) {
                part.ticker.advance(Duration.ofSeconds(5));
                view.tick(part.ticker.nanos(), false, false);
                accepted.getOutputStream().write(1);
                verify(own, timeout(10_000)).close();
            }
            view.settle();
            assertThat(FakeServer.LOOKS).isEmpty();
        }

        @Test
        void forAMinuteNoOtherConnectIsTried() throws Exception {
            try (Socket accepted = accept()) {
                part.ticker.advance(Duration.ofSeconds(5));
                view.tick(part.ticker.nanos(), false, false);
                accepted.getOutputStream().write(1);
            }
            view.settle();
            awaitFreeThreads();
            part.ticker.advance(Duration.ofMillis(59_999));
            assertThat(found(failed()).missing()).isEqualTo("the last attempt to connect to it hung");
            assertThat(connects).hasValue(1);
            awaitFreeThreads();
            part.fake.connect = () -> own;
            part.ticker.advance(Duration.ofSeconds(1));
            assertThat(found(failed()).snapshot()).isNotNull();
        }

        @Test
        void thePoolsEndDoesNotWaitForItAndClosesTheConnectionThatComesAfterIt() throws Exception {
            try (Socket accepted = accept()) {
                view.close();
                verify(own, never()).close();
                accepted.getOutputStream().write(1);
                verify(own, timeout(10_000)).close();
            }
        }

        /** As PostgreSQL's driver does with a login timeout. */
        @Test
        void aDriverThatWaitsForAThreadOfItsOwnIsInterrupted() throws Exception {
            CountDownLatch begun = new CountDownLatch(1);
            part.fake.connect = () -> {
                begun.countDown();
                try {
                    hangs.await();
                    return own;
                } catch (InterruptedException e) {
                    throw new SQLException("interrupted", "08006", e);
                }
            };
            aRequestFails();
            begun.await();
            part.ticker.advance(Duration.ofSeconds(5));
            view.tick(part.ticker.nanos(), false, false);
            view.settle();
            assertThat(view.trouble(part.ticker.nanos())).isNull();
        }
    }
}
