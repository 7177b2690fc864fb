// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.context;

import static io.flexpool.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RequestScopeTest {
    private static final long NEVER = Long.MAX_VALUE;

    @AfterEach
    void nothingIsLeft() {
        assertThat(RequestScope.currentClass()).isNull();
        assertThat(RequestScope.currentNanosLeft()).isEqualTo(NEVER);
    }

    @Test
    void theInnermostScopeCountsAndTheOuterOneSaysWhatItDoesNot() {
        RequestScope outer = RequestScope.open("batch", null, TimeUnit.HOURS.toNanos(1));
        RequestScope inner = RequestScope.open("web", null, NEVER);
        assertThat(RequestScope.currentClass()).isEqualTo("web");
        assertThat(RequestScope.currentNanosLeft()).isBetween(1L, TimeUnit.HOURS.toNanos(1));
        inner.close();
        assertThat(RequestScope.currentClass()).isEqualTo("batch");
        RequestScope shorter = RequestScope.open(null, null, 0);
        assertThat(RequestScope.currentClass()).isEqualTo("batch");
        assertThat(RequestScope.currentNanosLeft()).isNotPositive();
        RequestScope longer = RequestScope.open(null, null, TimeUnit.HOURS.toNanos(2));
        assertThat(RequestScope.currentNanosLeft()).as("the outer one's").isNotPositive();
        longer.close();
        shorter.close();
        outer.close();
    }

    @Test
    void inWhateverOrderTheyAreClosedTheOpenOnesCount() {
        RequestScope outer = RequestScope.open("outer", null, NEVER);
        RequestScope middle = RequestScope.open("middle", null, NEVER);
        RequestScope inner = RequestScope.open("inner", null, NEVER);
        middle.close();
        assertThat(RequestScope.currentClass()).isEqualTo("inner");
        inner.close();
        inner.close();
        assertThat(RequestScope.currentClass()).isEqualTo("outer");
        outer.close();
    }

    @Test
    void itHoldsForItsThreadOnlyAndMayBeClosedByAnother() throws InterruptedException {
        RequestScope scope = RequestScope.open("batch", null, NEVER);
        String[] seen = {"none"};
        Thread other = new Thread(() -> {
            seen[0] = String.valueOf(RequestScope.currentClass());
            scope.close();
        });
        other.start();
        other.join();
        assertThat(seen).containsExactly("null");
        assertThat(RequestScope.currentClass()).isNull();
    }

    /** Each scope begins before the one before it ends, as calls of one request may. */
    @Test
    void scopesThatOverlapForEverKeepNoneThatIsClosed() throws InterruptedException {
        RequestScope[] open = new RequestScope[3];
        List<WeakReference<RequestScope>> closed = new ArrayList<>();
        for (int round = 0; round < 50; round++) {
            int oldest = round % open.length;
            if (open[oldest] != null) {
                RequestScope ends = open[oldest];
                if (round % 2 == 0) {
                    ends.close();
                } else {
                    Thread other = new Thread(ends::close);
                    other.start();
                    other.join();
                }
                closed.add(new WeakReference<>(ends));
            }
            open[oldest] = RequestScope.open("batch", null, NEVER);
        }
        eventually(() -> {
            System.gc();
            return closed.stream().allMatch(scope -> scope.get() == null);
        });
        for (RequestScope one : open) {
            one.close();
        }
    }
}
