// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spi;

import io.flexpool.diagnostics.OpenLease;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes what the requests of one pool did. Called by flexpool's own thread, one call at a time, never on a request's way. */
public interface LeaseSink extends AutoCloseable {
    /**
     * Takes a block, and returns soon: until then the pool's figures stand still. An exception is counted and logged; the
     * block is lost to this sink then.
     *
     * @param block what has ended since the block before; not to be kept
     */
    void take(LeaseBlock block);

    /**
     * Which requests are wanted until the next tick, about a quarter of a second later. What no sink wants is counted
     * ({@link LeaseBlock#unwanted}) and not recorded, which costs a pool with many requests less. Requests that took
     * {@link WantedArrivals#LONG_NANOS} or longer and those that got no connection come in any case, and so may others that
     * are not wanted.
     *
     * @param nowNanos the time of the pool's clock
     * @return null if all are wanted, which is the default
     */
    default @Nullable WantedArrivals wanted(long nowNanos) {
        return null;
    }

    /**
     * That it takes no more, or writes no more, and why: it is shown in the pool's {@link
     * io.flexpool.monitoring.PoolDiagnosis.Housekeeping#troubles()}. Called by any thread.
     *
     * @return a sentence without a full stop and without a password; null if it works, which is the default
     */
    default @Nullable String trouble() {
        return null;
    }

    /**
     * Takes the leases that have not ended when flexpool's watch does, after the last block and before the end. By default they
     * are left out.
     *
     * @param leases the oldest first; each may end meanwhile
     * @param nowNanos the time of the pool's clock
     */
    default void takeOpen(List<OpenLease> leases, long nowNanos) {}

    /** Ends it, after its last block. Called once, when the pool is closed or released. */
    @Override
    void close();
}
