// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.adapter.PoolAdapter.ConnectWatch;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ConnectWatchTest {
    private static final int MAX = 4;

    private final AtomicLong now = new AtomicLong(42);
    private final ConnectWatch watch = new ConnectWatch(now::get);

    private void millisLater(long millis) {
        now.addAndGet(Duration.ofMillis(millis).toNanos());
    }

    private boolean nothingConnectedForMillis(long millis) {
        return watch.nothingConnectedFor(Duration.ofMillis(millis));
    }

    @Test
    void roomWithoutAConnectMeansNoDatabase() {
        watch.seen(2, MAX);
        millisLater(500);
        watch.seen(2, MAX);
        assertThat(nothingConnectedForMillis(500)).isTrue();
        assertThat(nothingConnectedForMillis(501)).as("longer than was seen").isFalse();
        assertThat(nothingConnectedForMillis(199)).as("too short a wait").isFalse();
    }

    @Test
    void aConnectInTheMeantimeShowsThatTheDatabaseIsThere() {
        watch.seen(2, MAX);
        millisLater(300);
        watch.seen(3, MAX);
        millisLater(299);
        assertThat(nothingConnectedForMillis(500)).isFalse();
    }

    /** The soak once counted a connect failure where a full pool had just lost a connection of old age. */
    @Test
    void aPoolThatWasFullUntilNowHadNoRoomForAConnect() {
        watch.seen(MAX, MAX);
        millisLater(500);
        watch.seen(MAX - 1, MAX);
        assertThat(nothingConnectedForMillis(500)).isFalse();
        millisLater(500);
        assertThat(nothingConnectedForMillis(500)).as("with room since").isTrue();
    }

    @Test
    void aPoolWhoseMaxWasRaisedJustNowHadNoRoomForAConnect() {
        watch.seen(MAX, MAX);
        millisLater(500);
        watch.seen(MAX, MAX + 2);
        assertThat(nothingConnectedForMillis(500)).isFalse();
    }

    /** A hang was once called exhaustion because the pool had thrown its broken idle connection away meanwhile. */
    @Test
    void aPoolWithRoomThatLosesAConnectionHasNotConnected() {
        watch.seen(3, MAX);
        millisLater(250);
        watch.seen(2, MAX);
        millisLater(250);
        assertThat(nothingConnectedForMillis(500)).isTrue();
    }
}
