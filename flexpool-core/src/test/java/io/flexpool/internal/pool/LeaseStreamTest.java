// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.spi.LeaseSink;
import io.flexpool.spi.LeaseSink.LeaseBlock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LeaseStreamTest {
    private final TestContext part = new TestContext(settings -> {});
    private final List<String> seen = new ArrayList<>();

    private final OpenLease open = mock(OpenLease.class);

    @BeforeEach
    void describe() {
        when(open.describe()).thenReturn("open");
    }

    private LeaseSink sink(String name, boolean broken) {
        return new LeaseSink() {
            @Override
            public void take(LeaseBlock block) {
                seen.add(name + block.size());
                if (broken) {
                    throw new IllegalStateException(name);
                }
            }

            @Override
            public void takeOpen(List<OpenLease> leases, long nowNanos) {
                assertThat(nowNanos).isEqualTo(part.ticker.nanos());
                leases.forEach(lease -> seen.add(name + " " + lease.describe()));
                if (broken) {
                    throw new IllegalStateException(name);
                }
            }

            @Override
            public void close() {
                seen.add(name + " closed");
                if (broken) {
                    throw new AssertionError(name);
                }
            }
        };
    }

    private void fail() {
        part.context.recorder().log().failed(part.ticker.nanos(), 0, AcquisitionOutcome.TIMEOUT, 0);
    }

    private final LeaseTracker leases = mock(LeaseTracker.class);
    private final PoolWatch watch = new PoolWatch(part.context, null, leases);

    @Test
    void eachSinkGetsEachBlockThoughOthersThrow() {
        LeaseStream flow = new LeaseStream(part.context, List.of(sink("a", true), sink("b", false)), leases, watch);
        fail();
        flow.tick(part.ticker.nanos(), part.context.state());
        flow.tick(part.ticker.nanos(), part.context.state());
        assertThat(seen).containsExactly("a1", "b1", "a0", "b0");
        assertThat(part.context.listeners().errors()).isEqualTo(2);
    }

    @Test
    void aSinkThatThrowsOrHasEndedIsATrouble() {
        boolean[] broken = {true};
        String[] ended = {null};
        LeaseStream flow = new LeaseStream(
                part.context,
                List.of(new LeaseSink() {
                    @Override
                    public void take(LeaseBlock block) {
                        if (broken[0]) {
                            throw new OutOfMemoryError("once");
                        }
                    }

                    @Override
                    public @Nullable String trouble() {
                        return ended[0];
                    }

                    @Override
                    public void close() {}
                }),
                leases,
                watch);
        flow.tick(part.ticker.nanos(), part.context.state());
        assertThat(flow.trouble())
                .isEqualTo("the recording of leases threw java.lang.OutOfMemoryError; some leases are not recorded");
        broken[0] = false;
        flow.tick(part.ticker.nanos(), part.context.state());
        assertThat(flow.trouble()).isNull();
        ended[0] = "the recording has ended: the disk is full";
        assertThat(flow.trouble()).isEqualTo(ended[0]);
    }

    @Test
    void theEndPassesOnWhatIsLeftOnce() {
        LeaseStream flow = new LeaseStream(part.context, List.of(sink("a", true), sink("b", false)), leases, watch);
        fail();
        when(leases.open(anyLong())).thenReturn(List.of(open));
        flow.close();
        flow.close();
        flow.tick(part.ticker.nanos(), part.context.state());
        assertThat(seen).containsExactly("a1", "b1", "a open", "a closed", "b open", "b closed");
    }

    @Test
    void withoutASinkNothingIsRecorded() {
        PoolParts none = new PoolParts(part.context);
        none.passLeases(part.ticker.nanos(), part.context.state());
        none.endLeases();
        assertThat(part.context.recorder().log().isOpen()).isFalse();
    }
}
