// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.springboot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The demo as a newcomer starts it, in a separate process, until it is stopped. */
class DemoTest {
    private static final int SIGTERM_EXIT = 143;
    private static final int USUAL_PORT = 8080;

    /** Also if the usual port is in use, as it often is. */
    @Test
    void namesItsPagesAndEndsInOrder() throws Exception {
        ServerSocket somebodyElse = takeTheUsualPort();
        Process demo = start();
        try (somebodyElse;
                BufferedReader output = demo.inputReader()) {
            List<String> said = upTo(output, "Ctrl-C");
            assertThat(said).anyMatch(line -> line.contains("Port " + USUAL_PORT + " is in use"));
            assumeTrue(said.stream().noneMatch(line -> line.contains("NOTICE")), () -> String.join(" ", said));
            List<String> pages = found("http://127\\.0\\.0\\.1:\\d+(/actuator\\S+)$", said);
            Http http =
                    new Http(found("(http://127\\.0\\.0\\.1:\\d+)/load", said).get(0));
            assertThat(pages).hasSize(5);
            for (String page : pages) {
                assertThat(http.get(page).statusCode()).as(page).isEqualTo(200);
            }
            String pool = pages.get(4);
            String without = found("'(\\{\"base\".*\\})'", said).get(0);
            assertThat(http.posted(pool, without).at("/limits/ceiling").asInt()).isEqualTo(5);
            String with = found("'(\\{\"base\".*\\})'", said).get(1);
            assertThat(http.posted(pool, with).at("/limits/ceiling").asInt()).isEqualTo(25);

            CompletableFuture<HttpResponse<String>> underWay = http.ordering();
            assertThat(Http.eventually(() -> http.json(pool).at("/state/active").asInt() == 1))
                    .isTrue();
            // Not the process itself, whose destroy() would close its output too.
            demo.toHandle().destroy();
            assertThat(finished(underWay)).isTrue();
            assertThat(upTo(output, "nothing comes any more")).noneMatch(line -> line.contains("ERROR"));
            assertThat(demo.waitFor()).isEqualTo(SIGTERM_EXIT);
            int port = Integer.parseInt(
                    found("jdbc:postgresql://127\\.0\\.0\\.1:(\\d+)/", said).get(0));
            assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
                    .isInstanceOf(ConnectException.class);
        } finally {
            end(demo);
        }
    }

    /**
     * Whether the order was placed, or its answer was lost with the connection: seen once, beside other work, and probably
     * because the server closes the socket before all is written. What the application reports as an ERROR fails the test.
     */
    private static boolean finished(CompletableFuture<HttpResponse<String>> order) throws Exception {
        try {
            return order.get().statusCode() == 201;
        } catch (ExecutionException closed) {
            return closed.getCause() instanceof IOException;
        }
    }

    /** Unless another process has it already, which is as good. */
    private static ServerSocket takeTheUsualPort() throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), USUAL_PORT));
        } catch (BindException another) {
            assertThat(socket.isBound()).isFalse();
        }
        return socket;
    }

    private static Process start() throws IOException {
        String java =
                Path.of(System.getProperty("java.home", ""), "bin", "java").toString();
        String classPath = System.getProperty("java.class.path", "");
        Process demo = new ProcessBuilder(
                        java, "-XX:TieredStopAtLevel=1", "-classpath", classPath, Demo.class.getName())
                .redirectErrorStream(true)
                .start();
        // Its end is the end of its output, so reading ends.
        CompletableFuture.delayedExecutor(10, TimeUnit.MINUTES).execute(demo::destroy);
        return demo;
    }

    /** Also when the test has failed: by force the demo could not end its database. */
    private static void end(Process demo) throws InterruptedException {
        demo.destroy();
        if (!demo.waitFor(3, TimeUnit.MINUTES)) {
            demo.destroyForcibly();
        }
    }

    /** The lines up to one with this in it, or all of them. */
    private static List<String> upTo(BufferedReader output, String text) throws IOException {
        List<String> lines = new ArrayList<>();
        String line = output.readLine();
        while (line != null) {
            lines.add(line);
            if (line.contains(text)) {
                break;
            }
            line = output.readLine();
        }
        return lines;
    }

    private static List<String> found(String pattern, List<String> lines) {
        List<String> found = new ArrayList<>();
        for (String line : lines) {
            Matcher matcher = Pattern.compile(pattern).matcher(line);
            if (matcher.find()) {
                found.add(matcher.group(1));
            }
        }
        assertThat(found).as("%s in %s", pattern, lines).isNotEmpty();
        return found;
    }
}
