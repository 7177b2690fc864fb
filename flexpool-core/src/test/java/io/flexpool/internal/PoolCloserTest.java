// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PoolCloserTest {
    private final TestContext part = new TestContext(settings -> {});
    private final FakePool fake = part.fake;
    private final PoolCloser closer = new PoolCloser(part.context);

    @Test
    void aPoolThatIsOpenAgainIsClosed() {
        closer.closeAgain();
        closer.closeAgain();
        assertThat(fake.poolClosed).hasValue(2);
    }

    @Test
    void aClosedPoolIsLeftAlone() {
        fake.shownClosed = true;
        closer.closeAgain();
        assertThat(fake.poolClosed).hasValue(0);
    }

    @Test
    void aReleasedPoolStaysOpen() {
        closer.released(true);
        closer.closeAgain();
        assertThat(fake.poolClosed).hasValue(0);
    }

    @Test
    void aCloseThatThrowsReachesNoRequest() {
        fake.closeThrows = new LinkageError("a class of the pool's is gone");
        closer.closeAgain();
        assertThat(fake.poolClosed).hasValue(1);
    }

    @Test
    void aHangingCloseHoldsNoRequest() throws InterruptedException {
        CountDownLatch released = new CountDownLatch(1);
        CountDownLatch closedOnceMore = new CountDownLatch(2);
        fake.onClose = () -> {
            try {
                released.await();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
            closedOnceMore.countDown();
        };
        closer.closeAgain();
        closer.closeAgain();
        assertThat(fake.poolClosed).as("it hangs").hasValue(1);
        released.countDown();
        assertThat(closedOnceMore.await(30, TimeUnit.SECONDS))
                .as("closed for the second request too")
                .isTrue();
    }
}
